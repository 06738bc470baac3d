// Participants who have signed in, and what they do, for tests.

import { createHash, randomBytes } from "node:crypto";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { StorageError } from "../../../src/adapters/storage/object-store.ts";
import { writeSealed } from "../../../src/adapters/storage/sealed-object.ts";
import { PlatformSigners } from "../../../src/services/platform/keys/platform-signers.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { contentKey } from "../../../src/services/signature/documents/document-content.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import { signatureMetrics } from "../../../src/services/signature/metrics.ts";
import { type CompletionParts, completeEnvelope } from "../../../workers/signature/complete-envelope.ts";
import type { Worker } from "../../support/compose-mails.ts";
import { masterKeys } from "../../support/master-keys.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { formOf, objectsOf } from "../../support/uploads.ts";
import { aDocument, aField, anEnvelope, aParticipant, ask, contentOf, type EnvelopeStage } from "./envelope-stage.ts";
import { act, aLink, inContext, type Link, openedLink } from "./signing-stage.ts";

/** The text that participants agree to. */
export const CONSENT = "intl-2026-12";
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

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Delivers a file for a field of a participant, in a session that is opened for it unless one is given. */
export async function deliver(
  stage: EnvelopeStage,
  link: Link,
  fieldId: string,
  file: Uint8Array = PIXEL,
  {
    name = "a.png",
    session,
    ...more
  }: { readonly name?: string; readonly session?: string; readonly key?: string } = {},
): Promise<RestResponse> {
  return act(stage, link, "PUT", `/attachments/${fieldId}`, {
    session: session ?? (await aSession(stage, link)),
    body: formOf(file, name),
    ...more,
  });
}

export const decline = async (
  stage: EnvelopeStage,
  link: Link,
  body: object = { reason: "The rent is wrong." },
  session?: string,
): Promise<RestResponse> =>
  act(stage, link, "POST", "/decline", { session: session ?? (await aSession(stage, link)), body });

/** A participant of {@link sentWith}: what it is, and its fields. */
export interface Member {
  readonly body?: object;
  readonly fields?: readonly { readonly [member: string]: unknown }[];
}

export interface SentWith {
  readonly id: string;
  readonly documentId: string;
  readonly links: readonly [Link, ...Link[]];
  /** Ids of the fields of each participant, in their order. */
  readonly fields: readonly (readonly string[])[];
}

/** An envelope that was sent, with these fields on its document. condition_field_id may be the place of an earlier field of the participant. */
export async function sentWith(
  stage: EnvelopeStage,
  members: readonly Member[] = [{}],
  envelope: object = {},
  { upload = () => aDocument(stage) } = {},
): Promise<SentWith> {
  const hasFields = members.some(({ fields }) => fields !== undefined);
  const { id } = await anEnvelope(stage, { ...(hasFields ? { field_placement: "fields" } : {}), ...envelope });
  const documentId = await upload();
  await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: documentId });
  const made: { readonly participantId: string; readonly fields: string[] }[] = [];
  for (const [place, { body, fields = [] }] of members.entries()) {
    const participant = await aParticipant(stage, id, {
      name: "Maria Souza",
      email: `p${place}@example.com`,
      order_index: place + 1,
      ...body,
    });
    const ids: string[] = [];
    const signs = hasFields && participant.role === "signatario";
    for (const { condition_field_id: on, ...field } of fields) {
      const condition = typeof on === "number" ? { condition_field_id: ids[on] } : {};
      ids.push(
        (await aField(stage, id, { participant_id: participant.id, document_id: documentId, ...field, ...condition }))
          .id,
      );
    }
    if (signs && !fields.some(({ type }) => type === "assinatura"))
      await aField(stage, id, { participant_id: participant.id, document_id: documentId, type: "assinatura" });
    made.push({ participantId: participant.id, fields: ids });
  }
  const sent = await ask(stage, "POST", `/envelopes/${id}/send`);
  if (sent.status !== 200) throw new Error(`answered ${sent.status}: ${sent.text}`);
  const links: Link[] = [];
  for (const { participantId } of made)
    links.push((await openedLink(stage, id, participantId)) ?? (await aLink(stage, id, participantId)));
  const [first, ...others] = links;
  if (first === undefined) throw new Error("nobody takes part");
  return { id, documentId, links: [first, ...others], fields: made.map(({ fields }) => fields) };
}

/** What completions work with, as a worker makes it. */
const completionParts = ({ selo }: Pick<EnvelopeStage, "selo">, { context }: Worker) => ({
  signers: new PlatformSigners(context.jobs, masterKeys),
  sealer: new PdfSealer(context.jobs, masterKeys),
  objects: objectsOf(selo),
  dataKeys: new DataKeys(masterKeys),
  slots: new FairSlots(1),
  metrics: signatureMetrics([]),
});

/** Puts the contents of an envelope's documents into the storage, where a test has put only their rows. */
export async function storeContents(stage: EnvelopeStage, id: string, worker: Worker) {
  const { selo } = stage;
  const objects = objectsOf(selo);
  const { rows } = await selo.database.admin.query<{ id: string; object_id: string; pages: number }>(
    `select document.id, document.object_id, jsonb_array_length(document.pages) as pages from signature.envelope_documents as linked
     join signature.documents as document on document.id = linked.document_id where linked.envelope_id = $1`,
    [id],
  );
  for (const { id: documentId, object_id, pages } of rows) {
    const isThere = await objects.size(object_id).catch(() => null);
    if (isThere !== null) continue;
    // Another completion may have stored it meanwhile.
    await storeContent(stage, object_id, contentOf(documentId, pages), worker).catch((error: unknown) => {
      if (!(error instanceof StorageError && error.reason === "exists")) throw error;
    });
  }
}

/** Puts the content of a document into the storage, as this object. */
export async function storeContent(
  { selo, tenantId, environment }: EnvelopeStage,
  objectId: string,
  content: Buffer,
  { context }: Pick<Worker, "context">,
): Promise<void> {
  const dataKey = await new DataKeys(masterKeys).ofEnvironmentOrNew(context.jobs, { tenantId, environment });
  const pieces = async function* () {
    yield content;
  };
  await writeSealed(objectsOf(selo), contentKey(dataKey, objectId), pieces(), 1_000_000);
}

/** Jobs of one worker that complete envelopes. */
export async function completionsOf(stage: EnvelopeStage, worker: Worker, parts: Partial<CompletionParts> = {}) {
  const task = completeEnvelope({ ...completionParts(stage, worker), ...parts });
  return async (id: string): Promise<void> => {
    await storeContents(stage, id, worker);
    await task({ tenant_id: stage.tenantId, environment: stage.environment, id }, worker.context);
  };
}

/** Runs the job that completes an envelope. */
export const completing = async (
  stage: EnvelopeStage,
  id: string,
  worker: Worker,
  parts: Partial<CompletionParts> = {},
): Promise<void> => (await completionsOf(stage, worker, parts))(id);

/** What `GET …/evidence` answers. */
export const evidenceOf = async (stage: EnvelopeStage, id: string) => {
  const { status, body, text } = await ask(stage, "GET", `/envelopes/${id}/evidence`);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body;
};
