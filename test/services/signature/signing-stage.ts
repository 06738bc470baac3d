// Envelopes that were sent, and the links of their participants, for tests.
import { createHash, randomBytes } from "node:crypto";
import { openLink } from "../../../src/services/signature/signing/signing-link.ts";
import { composeTestMail } from "../../../workers/platform/compose-mail.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, type RestRequest, type RestResponse } from "../../support/rest-client.ts";
import { productMails } from "../../support/sample-mails.ts";
import { storedDocument } from "../../support/uploads.ts";
import { taskContext } from "../../support/worker.ts";
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
  /** The first of them. */
  readonly link: Link;
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

/** What a job works with. It uses the connections of the stage: its own pool would cost more than the job. */
const jobContext = ({ selo }: Pick<EnvelopeStage, "selo">) => taskContext(selo.database.admin, masterKeys);

/** The present link of a participant, opened as the job of its mail opens it; null for who may not act. */
export async function openedLink(
  stage: EnvelopeStage,
  envelopeId: string,
  participantId: string,
): Promise<Link | null> {
  const { rows } = await stage.selo.database.admin.query<{ link_version: number }>(
    "select link_version from signature.participants where id = $1",
    [participantId],
  );
  const data = { participant_id: participantId, link_version: rows[0]?.link_version ?? 0 };
  const secret = (await openLink(data, stage, jobContext(stage)))?.link.split("#")[1];
  return secret === undefined ? null : { envelopeId, participantId, secret };
}

/** An envelope that was sent: its participants are invited as its order says, and have links. */
export async function aSent(
  stage: EnvelopeStage,
  participants: readonly object[] = [{}],
  envelope: object = {},
  /** What the draft has besides. */
  more: (envelopeId: string, participantIds: readonly string[], documentId: string) => Promise<void> = async () => {},
): Promise<SentEnvelope> {
  const { id } = await anEnvelope(stage, envelope);
  const document = await storedDocument(stage.selo, stage.token);
  await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: document.id });
  const added: string[] = [];
  for (const participant of participants) added.push((await aParticipant(stage, id, participant)).id);
  await more(id, added, document.id);
  const { status, text } = await ask(stage, "POST", `/envelopes/${id}/send`);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  const opened: (Link | null)[] = [];
  for (const participantId of added) opened.push(await openedLink(stage, id, participantId));
  if (opened.includes(null)) await giveFirstVersions(stage, id);
  const links: Link[] = [];
  for (const [place, participantId] of added.entries())
    links.push(opened[place] ?? (await aLink(stage, id, participantId)));
  return { id, documentId: document.id, link: links[0] as Link, links };
}

/** Participants whose turn comes later have a link here, so that a test can open it. */
async function giveFirstVersions(stage: EnvelopeStage, id: string): Promise<void> {
  await inContext(
    stage,
    "update signature.participants set link_version = 1 where envelope_id = $1 and link_version = 0",
    [id],
  );
  await settled(stage, id);
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

/** Composes the newest mail with a code to a participant, as a worker does; null for a mail that was given up. */
export async function codeMail(
  stage: EnvelopeStage,
  { participantId }: Pick<Link, "participantId">,
): Promise<{ readonly subject: string; readonly text: string; readonly code: string } | null> {
  const { selo, tenantId: tenant_id, environment } = stage;
  const newest =
    "select id, subject, text, code from platform.mails where participant_id = $1 and kind = 'signing_code' order by id desc limit 1";
  const read = async () => (await selo.database.admin.query(newest, [participantId])).rows[0];
  const waiting = await read();
  if (waiting === undefined) return null;
  const compose = composeTestMail({ site: selo.config, kinds: productMails, show: null });
  await compose({ tenant_id, environment, id: waiting.id }, jobContext(stage));
  const composed = await read();
  return composed.text === null ? null : composed;
}

/** Asks for a code, and reads it in its mail. */
export async function aCode(stage: EnvelopeStage, link: Link): Promise<string> {
  const { status, text } = await act(stage, link, "POST", "/code");
  if (status !== 202) throw new Error(`answered ${status}: ${text}`);
  const mail = await codeMail(stage, link);
  if (mail === null) throw new Error("the code was not mailed");
  return mail.code;
}

/** Signs in; answers the token of the session. */
export async function aSession(stage: EnvelopeStage, link: Link): Promise<string> {
  const { status, body, text } = await act(stage, link, "POST", "/session", {
    body: { code: await aCode(stage, link) },
  });
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body.token;
}

/** A code that is not this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** Reminds a participant; answers the link of the mail, which is a new one if asked for or if the link was locked. */
export async function aReminded(
  stage: EnvelopeStage,
  { envelopeId, participantId }: Link,
  options: { readonly new_link?: boolean } = {},
): Promise<Link> {
  const { status, text } = await ask(stage, "POST", `/envelopes/${envelopeId}/remind`, {
    participant_id: participantId,
    ...options,
  });
  if (status !== 202) throw new Error(`answered ${status}: ${text}`);
  const link = await openedLink(stage, envelopeId, participantId);
  if (link === null) throw new Error("the participant has no link");
  return link;
}

/** The events of an envelope's chain, oldest first. */
export const eventsOf = (stage: EnvelopeStage, id: string) =>
  inContext<{
    readonly action: string;
    readonly actor_type: string;
    readonly actor_id: string | null;
    readonly channel: string | null;
    readonly details: string;
    readonly personal: Readonly<Record<string, { readonly value: string }>> | null;
  }>(
    stage,
    "select action, actor_type, actor_id, channel, details, personal from platform.audit_events where subject_id = $1 order by seq",
    [id],
  );
