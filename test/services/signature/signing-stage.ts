// Envelopes that were sent, and the links of their participants, for tests.
import { createHash, randomBytes } from "node:crypto";
import { call, type RestRequest, type RestResponse } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { anEnvelope, aParticipant, ask, type EnvelopeStage } from "./envelope-stage.ts";

/** What a participant holds. */
export interface Link {
  readonly envelopeId: string;
  readonly participantId: string;
  readonly secret: string;
}

export interface SentEnvelope {
  readonly id: string;
  readonly documentId: string;
  /** In the order in which they were added. Participants who were not invited have a link as well, with which they would be told to wait. */
  readonly links: readonly Link[];
}

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();

/** Runs statements in the context of the stage, as a command would. */
export async function inContext<Row extends object>(
  { selo, tenantId, environment }: EnvelopeStage,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = await selo.database.admin.connect();
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, $2, null, null, null)", [tenantId, environment]);
    const { rows } = await client.query(statement, [...values]);
    await client.query("commit");
    return rows as Row[];
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

/** Gives a participant a link of the present version, and revokes the links before it. */
export async function aLink(stage: EnvelopeStage, envelopeId: string, participantId: string): Promise<Link> {
  const secret = randomBytes(32).toString("base64url");
  await inContext(
    stage,
    "update platform.credentials set revoked_at = now() where kind = 'participant' and actor_id = $1 and revoked_at is null",
    [participantId],
  );
  await inContext(
    stage,
    `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
     values ($1, 'participant', $2, $3, $4, 'credential', '{signing:act}')`,
    [sha256(sha256(secret)), stage.tenantId, stage.environment, participantId],
  );
  return { envelopeId, participantId, secret };
}

/** An envelope that was sent: its participants are invited as its order says, and have links. */
export async function aSent(
  stage: EnvelopeStage,
  participants: readonly object[] = [{}],
  envelope: object = {},
): Promise<SentEnvelope> {
  const { id } = await anEnvelope(stage, envelope);
  const document = await readyDocument(stage.selo, stage.token);
  await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: document.id });
  const added: string[] = [];
  for (const participant of participants) added.push((await aParticipant(stage, id, participant)).id);
  await inContext(stage, "select signature.move_envelope($1, 'send')", [id]);
  await inContext(
    stage,
    "update signature.envelopes set sent_at = now(), expires_at = now() + interval '30 days', verification_code = platform.new_public_code() where id = $1",
    [id],
  );
  await inContext(stage, "select signature.invite_due($1)", [id]);
  // Participants whose turn comes later have a link here, so that a test can open it.
  await inContext(
    stage,
    "update signature.participants set link_version = 1 where envelope_id = $1 and link_version = 0",
    [id],
  );
  await settled(stage, id);
  const links: Link[] = [];
  for (const participantId of added) links.push(await aLink(stage, id, participantId));
  return { id, documentId: document.id, links };
}

/** Records an envelope as it is now, as a command does after each change. */
export const settled = (stage: EnvelopeStage, id: string) =>
  inContext(
    stage,
    "select platform.record_audit_event('envelope.changed', 'envelope', $1, signature.envelope_state($1))",
    [id],
  );

/** A request with a link. */
export const act = (
  { selo }: Pick<EnvelopeStage, "selo">,
  { participantId, secret }: Pick<Link, "participantId" | "secret">,
  method: string,
  path = "",
  { session, ...request }: RestRequest & { readonly session?: string } = {},
): Promise<RestResponse> =>
  call(selo, method, `/signing/${participantId}${path}`, {
    ...request,
    headers: {
      "x-signing-link": secret,
      ...(session === undefined ? {} : { "x-signing-session": session }),
      ...request.headers,
    },
  });
