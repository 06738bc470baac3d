// Second factors of participants, for tests.
import { hash } from "node:crypto";
import type { RestResponse } from "../../support/rest-client.ts";
import { aSession as anOpenSession } from "./completion-stage.ts";
import type { EnvelopeStage } from "./envelope-stage.ts";
import { act, inContext, type Link } from "./signing-stage.ts";

export const CPF = "529.982.247-25";
/** A right CPF of somebody else. */
export const OTHER_CPF = "111.444.777-35";
export const withCpf = { auth_method: "cpf", cpf: CPF } as const;

/** Answers the second factor of a session. */
export const answer = (stage: EnvelopeStage, link: Link, session: string, body: object): Promise<RestResponse> =>
  act(stage, link, "POST", "/factor", { session, body });

/** Passes what this session asks for after its code, if anything: {@link CPF}, or what Selo's own provider takes for right. */
export async function passFactor(stage: EnvelopeStage, link: Link, session: string): Promise<void> {
  const { steps } = (await act(stage, link, "GET")).body as { readonly steps: readonly string[] };
  const factor = steps.find((step) => step !== "code" && step !== "certificate");
  if (factor === undefined) return;
  let body: object = {};
  if (factor === "cpf") body = { cpf: CPF };
  if (factor === "kba") {
    const { questions } = (await act(stage, link, "GET", "/factor", { session })).body as {
      readonly questions: readonly { readonly id: string; readonly choices: readonly string[] }[];
    };
    body = { answers: Object.fromEntries(questions.map(({ id, choices }) => [id, choices.at(-1)])) };
  }
  const passed = await answer(stage, link, session, body);
  if (passed.status !== 200) throw new Error(`answered ${passed.status}: ${passed.text}`);
}

/** A session that the right code opened. */
export const aHalfSession = anOpenSession;

/** What is kept of the tries of a participant, in their order. */
export const factorsOf = (stage: EnvelopeStage, { participantId }: Link) =>
  inContext<{ tried: boolean; answered: boolean; passed: boolean; reference: string | null; mine: boolean }>(
    stage,
    `select tried_at is not null as tried, answered_at is not null as answered, passed_at is not null as passed, reference
     from signature.factors where participant_id = $1 order by id`,
    [participantId],
  );

export const isLocked = async (stage: EnvelopeStage, { participantId }: Link): Promise<boolean> => {
  const rows = await inContext<{ locked: boolean }>(stage, "select locked from signature.participants where id = $1", [
    participantId,
  ]);
  return rows[0]?.locked === true;
};

/** The SHA-256 by which SQL knows a session. */
export const digestOf = (session: string): string => hash("sha256", session, "hex");
