// kill -9 in the middle of a hundred: of the gateway in a bulk, and of the worker among the invitations.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aRow, aTemplate, bulk } from "../../services/signature/bulk-stage.ts";
import type { EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { startMailServer } from "../../support/mail-servers.ts";
import { call } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf, GRANTED } from "./deployment.ts";
import { killedPrograms } from "./killed-programs.ts";

const ROWS = 100;
/** Instants after the request at which the gateway dies, in milliseconds: some before, some within, some after the transaction. */
const INSTANTS = [5, 40, 90, 150, 250];

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

test("kill -9 of the gateway in a bulk leaves all or nothing, and a repetition with its key makes it once", async () => {
  for (const [place, instant] of INSTANTS.entries()) {
    const gateway = await deployment.runningGateway();
    const body = { rows: rowsOf(`g${place}`), document_ids: [documentId], send: true };
    const ask = () =>
      call(deployment, "POST", `/templates/${templateId}/bulk`, {
        token: organization.live,
        body,
        key: `bulk-${place}`,
      });
    const before = await envelopes();
    const first = ask().catch(() => null);
    await pause(instant);
    await killed(gateway);
    await first;
    // Postgres may still be about to end the transaction of a client that is gone.
    await expect
      .poll(() =>
        count(
          "pg_stat_activity where query like '%apply_template_in_bulk%' and pid <> pg_backend_pid() and state <> 'idle'",
        ),
      )
      .toBe(0);
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
    const worker = await started(deployment.startWorker(mail));
    await expect.poll(() => server.raw.length, { timeout: 60_000, interval: 2 }).toBeGreaterThan(10);
    await killed(worker);
    expect(server.raw.length).toBeLessThan(ROWS);
    await started(deployment.startNextWorker(mail));
    const waiting = () =>
      count("platform.mails where kind = 'envelope_invitation' and recipient like 'w-%' and sent_at is null");
    await expect.poll(waiting, { timeout: 120_000, interval: 100 }).toBe(0);
    const recipients = (await server.mails())
      .map(({ to }) => to?.[0]?.address ?? "")
      .filter((to) => to.startsWith("w-"));
    expect(recipients.toSorted()).toEqual(addresses("w").toSorted());
  } finally {
    await server.close();
  }
}, 240_000);
