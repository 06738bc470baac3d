// Envelopes whose gateway or worker is killed, and mail servers that are away: what was answered is there, nothing is half there, and each envelope comes to its end once.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aSession, CONSENT, sentWith, TYPED } from "../../services/signature/completion-stage.ts";
import { aSendable, type EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { act, type Link } from "../../services/signature/signing-stage.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { startMailServer } from "../../support/mail-servers.ts";
import { call } from "../../support/rest-client.ts";
import { freePort } from "../../support/selo-process.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf, GRANTED } from "./deployment.ts";
import { killedPrograms } from "./killed-programs.ts";

const ENVELOPES = 12;

let deployment: Deployment;
let organization: TestOrganization;
let stage: EnvelopeStage;
beforeAll(async () => {
  deployment = await deploy();
  organization = await deployment.newOrganization();
  stage = envelopesOf(deployment, organization);
}, 120_000);
afterAll(() => deployment?.stop());

const { started, killed } = killedPrograms();

const query = async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
  (await deployment.admin.query<Row>(statement, [...values])).rows;

/** A document that was uploaded and checked: its audit trail is whole. */
let documentId: string | undefined;
async function uploaded(): Promise<string> {
  documentId ??= (await readyDocument(deployment, organization.live)).id;
  return documentId;
}

/** What is recorded of the sending of envelopes. */
const recordedOf = (ids: readonly string[]) =>
  query<{ id: string; status: string; codes: number; invitations: number; paid: number; events: number }>(
    `select envelope.id, envelope.status,
       (select count(*)::integer from platform.public_codes as code where code.subject_id = envelope.id) as codes,
       (select count(*)::integer from platform.mails as mail where mail.envelope_id = envelope.id and mail.kind = 'envelope_invitation') as invitations,
       (select -coalesce(sum(moved.amount), 0)::integer from platform.credit_ledger as moved where moved.subject_id = envelope.id) as paid,
       (select count(*)::integer from platform.audit_events as event where event.subject_id = envelope.id and event.action = 'envelope.sent') as events
     from signature.envelopes as envelope where envelope.id = any ($1)`,
    [ids],
  );

test("kill -9 of the gateway while envelopes are sent: each is sent whole or not at all, and a retry with its key sends it once", async () => {
  const gateway = await deployment.runningGateway();
  const ids: string[] = [];
  for (let place = 0; place < ENVELOPES; place++) ids.push((await aSendable(stage, {}, uploaded)).id);
  const ask = (id: string) =>
    call(deployment, "POST", `/envelopes/${id}/send`, { token: organization.live, key: `send-${id}` });
  let answered = 0;
  const answers = ids.map(async (id) => {
    try {
      const { status } = await ask(id);
      answered++;
      return { id, status };
    } catch {
      return { id, status: null };
    }
  });
  while (answered < 3) await pause(1);
  await killed(gateway);
  const outcomes = await Promise.all(answers);
  const whole = { codes: 1, invitations: 1, paid: 1, events: 1 };
  const nothing = { codes: 0, invitations: 0, paid: 0, events: 0 };
  for (const { id, status, ...recorded } of await recordedOf(ids)) {
    expect({ id, ...recorded }).toEqual({ id, ...(status === "sent" ? whole : nothing) });
    if (outcomes.find((one) => one.id === id)?.status === 200) expect(status).toBe("sent");
    expect(["ready", "sent"]).toContain(status);
  }

  await deployment.runningGateway();
  for (const id of ids) expect((await ask(id)).status).toBe(200);
  for (const { id, status, ...recorded } of await recordedOf(ids))
    expect({ id, status, ...recorded }).toEqual({ id, status: "sent", ...whole });
  const [balance] = await query<{ left: number }>(
    "select sum(balance)::integer as left from platform.credit_balances where tenant_id = $1 and kind = 'signature'",
    [organization.id],
  );
  expect(balance?.left).toBe(GRANTED - ENVELOPES);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 120_000);

interface Signer extends Link {
  readonly session: string;
}
const sign = ({ session, ...link }: Signer) =>
  act(stage, link, "POST", "/complete", { session, body: { consent_version: CONSENT, signature: TYPED } });

async function signers(count: number): Promise<Signer[]> {
  const made: Signer[] = [];
  for (let place = 0; place < count; place++) {
    const { links } = await sentWith(stage, [{}], {}, { upload: uploaded });
    made.push({ ...links[0], session: await aSession(stage, links[0]) });
  }
  return made;
}

const recordsOf = (ids: readonly string[]) =>
  query<{ id: string; status: string; records: number; events: number; completions: number }>(
    `select participant.id, participant.status,
       (select count(*)::integer from signature.signature_records as record where record.participant_id = participant.id) as records,
       (select count(*)::integer from platform.audit_events as event
        where event.subject_id = participant.envelope_id and event.action = 'envelope.participant_signed') as events,
       (select count(*)::integer from signature.signature_records as record
        where record.envelope_id = participant.envelope_id and record.participant_id is null) as completions
     from signature.participants as participant where participant.id = any ($1)`,
    [ids],
  );

test("kill -9 of the gateway while participants sign, and of the worker while envelopes are completed: every act once, every envelope completed once", async () => {
  const gateway = await deployment.runningGateway();
  const all = await signers(ENVELOPES);
  const ids = all.map(({ participantId }) => participantId);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
  let answered = 0;
  const outcomes = all.map(async (signer) => {
    try {
      const { status, body } = await sign(signer);
      answered++;
      return { id: signer.participantId, status, body };
    } catch {
      return { id: signer.participantId, status: null, body: null };
    }
  });
  while (answered < 3) await pause(1);
  await killed(gateway);
  const first = await Promise.all(outcomes);
  for (const { id, status, records, events } of await recordsOf(ids)) {
    const signed = status === "completed" ? 1 : 0;
    expect({ id, records, events }).toEqual({ id, records: signed, events: signed });
    if (first.find((one) => one.id === id)?.status === 200) expect(status).toBe("completed");
  }

  await deployment.runningGateway();
  for (const signer of all) {
    const { status, body } = await sign(signer);
    expect(status).toBe(200);
    const before = first.find((one) => one.id === signer.participantId);
    // Who was answered before is answered the same.
    if (before?.status === 200) expect(body).toEqual(before.body);
  }
  for (const { id, status, records, events } of await recordsOf(ids))
    expect({ id, status, records, events }).toEqual({ id, status: "completed", records: 1, events: 1 });

  const worker = await started(deployment.startWorker());
  const completed = async () => (await recordsOf(ids)).filter(({ completions }) => completions === 1).length;
  while ((await completed()) === 0) await pause(2);
  await killed(worker);
  const began = performance.now();
  // In `npm run test:full` nothing is aged: this is how long envelopes wait after a kill.
  await started(byLane({ lane: deployment.startNextWorker, full: deployment.startWorker })());
  await expect.poll(completed, { timeout: 120_000, interval: 100 }).toBe(ENVELOPES);
  console.log(`all were completed ${Math.round(performance.now() - began)} ms after the worker was killed`);
  const ended = await query<{ status: string; sealing_since: Date | null }>(
    "select distinct envelope.status, envelope.sealing_since from signature.envelopes as envelope join signature.participants as participant on participant.envelope_id = envelope.id where participant.id = any ($1)",
    [ids],
  );
  expect(ended).toEqual([{ status: "completed", sealing_since: null }]);
  const events = await query<{ count: number }>(
    "select count(*)::integer from webhooks.events where tenant_id = $1 and type = 'envelope.completed'",
    [organization.id],
  );
  expect(events).toEqual([{ count: ENVELOPES }]);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 240_000);

/** Jobs that wait run now: their attempts are seconds apart, and then minutes. */
async function hurry(): Promise<void> {
  await query(
    "update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts between 1 and max_attempts - 1",
  );
  await query('notify "jobs:insert", \'{"count":1}\'');
}

test("a mail server that is away: the invitation waits, and its link opens once it came", async () => {
  await deployment.runningGateway();
  const { id, participantId } = await aSendable(stage, {}, uploaded);
  const port = await freePort();
  await started(deployment.startWorker({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Selo <selo@example.com>" }));
  expect((await call(deployment, "POST", `/envelopes/${id}/send`, { token: organization.live })).status).toBe(200);
  const waiting = async () =>
    (
      await query<{ attempts: number }>(
        `select attempts from graphile_worker._private_jobs as job where payload::jsonb ->> 'id' = (
           select mail.id::text from platform.mails as mail where mail.envelope_id = $1 and mail.kind = 'envelope_invitation')`,
        [id],
      )
    )[0]?.attempts;
  const tried = async () => {
    await hurry();
    return waiting();
  };
  await expect.poll(tried, { timeout: 30_000, interval: 200 }).toBeGreaterThanOrEqual(2);
  const [link] = await query<{ status: string; invitation_failed: boolean }>(
    "select status, invitation_failed from signature.participants where id = $1",
    [participantId],
  );
  expect(link).toEqual({ status: "invited", invitation_failed: false });

  const server = await startMailServer(port);
  try {
    const link = new RegExp(`/sign/${participantId}#([A-Za-z0-9_-]{43})`);
    const secret = async () =>
      (await server.mails()).map(({ text }) => link.exec(text ?? "")?.[1]).find((found) => found !== undefined);
    const arrived = async () => {
      await hurry();
      return secret();
    };
    await expect.poll(arrived, { timeout: 120_000, interval: 200 }).toBeDefined();
    const opened = await fetch(`${deployment.baseUrl}/api/v1/signing/${participantId}`, {
      headers: { "x-signing-link": (await secret()) ?? "" },
    });
    expect(opened.status).toBe(200);
    expect(await opened.json()).toMatchObject({ turn: "yes", participant: { status: "invited" } });
  } finally {
    await server.close();
  }
}, 240_000);
