// Participants who have signed in, and what they do, for tests.
import { createHash, randomBytes } from "node:crypto";
import type { RestResponse } from "../../support/rest-client.ts";
import type { EnvelopeStage } from "./envelope-stage.ts";
import { act, inContext, type Link } from "./signing-stage.ts";

/** The text that participants agree to. */
export const CONSENT = "intl-2026-11";
export const TYPED = { kind: "typed", text: "Maria Souza" } as const;
export const DRAWN = {
  kind: "drawn",
  ratio: 0.4,
  paths: [
    [
      [0.1, 0.25],
      [0.333333333, 1],
    ],
    [[0, 0]],
  ],
} as const;

/** A session of a participant, as the right code opens it; its token. */
export async function aSession(stage: EnvelopeStage, { envelopeId, participantId }: Link): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await inContext(
    stage,
    `with code as (
       insert into signature.signing_codes (tenant_id, environment, envelope_id, participant_id, link_version, expires_at, used_at)
       select tenant_id, environment, envelope_id, id, link_version, now() + interval '10 minutes', now()
       from signature.participants where id = $1
       returning *
     )
     insert into signature.signing_sessions (tenant_id, environment, envelope_id, participant_id, link_version, digest, code_id, expires_at)
     select tenant_id, environment, $2, participant_id, link_version, $3, id, now() + interval '1 hour' from code`,
    [participantId, envelopeId, createHash("sha256").update(token).digest()],
  );
  return token;
}

/** Completes as a participant, in a session that is opened for it unless one is given. */
export async function complete(
  stage: EnvelopeStage,
  link: Link,
  { session, ...body }: { readonly session?: string; readonly [member: string]: unknown } = {},
): Promise<RestResponse> {
  return act(stage, link, "POST", "/complete", {
    session: session ?? (await aSession(stage, link)),
    body: { consent_version: CONSENT, signature: TYPED, ...body },
  });
}

export const decline = async (
  stage: EnvelopeStage,
  link: Link,
  body: object = { reason: "The rent is wrong." },
  session?: string,
): Promise<RestResponse> =>
  act(stage, link, "POST", "/decline", { session: session ?? (await aSession(stage, link)), body });
