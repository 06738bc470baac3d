// kill -9 in the middle of a hundred: of the gateway in a bulk, and of the worker among the invitations. What a bulk has sent is then signed to its end.
import { afterAll, beforeAll, expect, test } from "vitest";
import { aRow, aTemplate, bulk } from "../../services/signature/bulk-stage.ts";
import { complete } from "../../services/signature/completion-stage.ts";
import { ask, CPF, type EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { byPython, readReport, reportOf } from "../../services/signature/report-stage.ts";
import { openedLink } from "../../services/signature/signing-stage.ts";
import { command } from "../../support/command.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { startMailServer } from "../../support/mail-servers.ts";
import { call } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf, GRANTED } from "./deployment.ts";
import { killedPrograms } from "./killed-programs.ts";

const ROWS = 100;
/** Mails that the worker sends at the same time. */
const UNDER_WAY = 4;
/** From the first insert until the transaction has ended, whichever way. */
const WRITING = "pg_locks where relation = 'signature.envelopes'::regclass and mode = 'RowExclusiveLock'";

let deployment: Deployment;
let organization: TestOrganization;
let stage: EnvelopeStage;
let documentId: string;
let templateId: string;
beforeAll(async () => {
  deployment = await deploy();
  organization = await deployment.newOrganization("growth");
  stage = envelopesOf(deployment, organization);
  await deployment.runningGateway();
  documentId = (await readyDocument(deployment, organization.live)).id;
  templateId = await aTemplate(stage);
}, 120_000);
afterAll(() => deployment?.stop());

const { started, killed } = killedPrograms();
const count = async (statement: string) => {
  const { rows } = await deployment.admin.query<{ count: number }>(
    `select count(*)::integer as count from ${statement}`,
  );
  return rows[0]?.count ?? 0;
};
const envelopes = () => count("signature.envelopes");
const addresses = (mark: string) => Array.from({ length: ROWS }, (_, place) => `${mark}-${place}@example.com`);
const rowsOf = (mark: string) => addresses(mark).map((email) => aRow({ email }));

/** When the gateway dies: at once, within the transaction, and after it, before or while the answer goes out. */
const INSTANTS: readonly (readonly [string, (before: number) => Promise<boolean>])[] = [
  ["at-once", async () => true],
  ["within-the-transaction", async () => (await count(WRITING)) > 0],
  ["after-the-transaction", async (before) => (await envelopes()) > before],
];

test("kill -9 of the gateway in a bulk leaves all or nothing, and a repetition with its key makes it once", async () => {
  for (const [name, isReached] of INSTANTS) {
    const gateway = await deployment.runningGateway();
    const body = { rows: rowsOf(name), document_ids: [documentId], send: true };
    const ask = () =>
      call(deployment, "POST", `/templates/${templateId}/bulk`, {
        token: organization.live,
        body,
        key: `bulk-${name}`,
      });
    const before = await envelopes();
    const first = ask().catch(() => null);
    await expect.poll(() => isReached(before), { timeout: 60_000, interval: 1 }).toBe(true);
    await killed(gateway);
    await first;
    // Postgres may still be about to end the transaction of a client that is gone.
    await expect.poll(() => count(WRITING), { timeout: 60_000 }).toBe(0);
    expect([0, ROWS]).toContain((await envelopes()) - before);
    await deployment.runningGateway();
    const again = await ask();
    expect([again.status, again.body.created.length]).toEqual([200, ROWS]);
    expect((await envelopes()) - before).toBe(ROWS);
  }
  const made = INSTANTS.length * ROWS;
  expect(await count("platform.mails where kind = 'envelope_invitation'")).toBe(made);
  const { rows } = await deployment.admin.query<{ left: number }>(
    "select sum(balance)::integer as left from platform.credit_balances where tenant_id = $1 and kind = 'signature'",
    [organization.id],
  );
  expect(rows[0]?.left).toBe(GRANTED - made);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 180_000);

test("kill -9 of the worker among a hundred invitations: each is mailed once", async () => {
  await deployment.runningGateway();
  await deployment.admin.query("delete from graphile_worker._private_jobs");
  const server = await startMailServer();
  const mail = { SMTP_URL: server.url, MAIL_FROM: "Selo <selo@example.com>" };
  try {
    const answer = await bulk(stage, templateId, { rows: rowsOf("w"), document_ids: [documentId], send: true });
    expect(answer.body.created).toHaveLength(ROWS);
    const worker = await started(deployment.startWorker({ ...mail, WORKER_CONCURRENCY: String(UNDER_WAY) }));
    await expect.poll(() => server.raw.length, { timeout: 60_000, interval: 2 }).toBeGreaterThan(10);
    await killed(worker);
    expect(server.raw.length).toBeLessThan(ROWS);
    await started(deployment.startNextWorker(mail));
    const waiting = () =>
      count("platform.mails where kind = 'envelope_invitation' and recipient like 'w-%' and sent_at is null");
    await expect.poll(waiting, { timeout: 120_000, interval: 100 }).toBe(0);
    const mails = (await server.mails()).filter(({ to }) => to?.[0]?.address?.startsWith("w-"));
    // A mail that the server took when the worker died comes again as the same mail, by its Message-ID.
    const once = new Map(mails.map(({ messageId, to }) => [messageId, to?.[0]?.address ?? ""]));
    expect([...once.values()].toSorted()).toEqual(addresses("w").toSorted());
    expect(mails.length - once.size).toBeLessThanOrEqual(UNDER_WAY);
  } finally {
    await server.close();
  }
}, 240_000);

test("envelopes of a bulk are signed to their end: selo audit verify, and python3 over their reports", async () => {
  await deployment.runningGateway();
  await deployment.admin.query("delete from graphile_worker._private_jobs");
  const rows = ["first", "second"].map((name) => aRow({ name, email: `${name}@example.com`, cpf: CPF }));
  const { body } = await bulk(stage, templateId, { rows, document_ids: [documentId], send: true });
  expect(body.errors).toEqual([]);
  const read = async (id: string) => (await ask(stage, "GET", `/envelopes/${id}`)).body;
  await started(deployment.startWorker());
  for (const id of body.created) {
    const [{ id: participantId }] = (await read(id)).participants;
    const link = await openedLink(stage, id, participantId);
    if (link === null) throw new Error("the participant has no link");
    const signed = await complete(stage, link);
    expect([signed.status, signed.text]).toEqual([200, signed.text]);
  }
  for (const id of body.created) {
    await expect.poll(async () => (await read(id)).status, { timeout: 60_000, interval: 100 }).toBe("completed");
    const { body: document } = await ask(stage, "GET", `/envelopes/${id}/documents/${documentId}/download`);
    const file = await fetch(new URL(new URL(document.url).pathname, deployment.baseUrl));
    const attached = JSON.parse(readReport((await reportOf(stage, id)).bytes).evidence);
    expect(await byPython(stage.selo, attached, Buffer.from(await file.arrayBuffer()))).toEqual({
      file: "final",
      faults: [],
    });
  }
  const url = String(deployment.admin.options.connectionString);
  const { code, stdout } = await command(["audit", "verify", "--json"], {
    ...{ DATABASE_URL: url, DATABASE_ADMIN_URL: url, SELO_MASTER_KEY: TEST_MASTER_KEY },
    STORAGE_FOLDER: deployment.storageFolder,
  });
  expect([code, JSON.parse(stdout).faults]).toEqual([0, []]);
}, 180_000);
