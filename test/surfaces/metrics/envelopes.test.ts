// Counters of documents and envelopes: what gateways and workers count, and that repeated requests and jobs count once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { signatureMetrics } from "../../../src/services/signature/metrics.ts";
import { Metrics } from "../../../src/surfaces/metrics/metrics.ts";
import { checkDocument } from "../../../workers/signature/check-document.ts";
import { expireEnvelopes } from "../../../workers/signature/expire-envelopes.ts";
import { aRow, aTemplate, bulk, openBulkStage } from "../../services/signature/bulk-stage.ts";
import {
  aSession,
  CONSENT,
  complete,
  completing,
  decline,
  sentWith,
} from "../../services/signature/completion-stage.ts";
import { aSendable, ask, type EnvelopeStage, openStage } from "../../services/signature/envelope-stage.ts";
import { send } from "../../services/signature/sending-stage.ts";
import { aCode, act, aSent, otherThan } from "../../services/signature/signing-stage.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { parseExposition, type Scrape } from "../../support/exposition.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { ORDINARY, objectsOf, upload, WITH_JAVASCRIPT } from "../../support/uploads.ts";
import { scrape, TOKEN } from "./scrape.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let live: EnvelopeStage;
let worker: Worker;
/** The metrics of the worker's process. */
const metrics = new Metrics();
const own = metrics.of(signatureMetrics);
beforeAll(async () => {
  selo = await startTestGateway({ METRICS_TOKEN: TOKEN });
  stage = await openStage(selo);
  const organization = await selo.newOrganization({ credits: 5 });
  live = { selo, tenantId: organization.id, token: organization.live, environment: "live" };
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

const ofGateway = () => scrape(selo.baseUrl);
const ofWorker = async () => parseExposition(await metrics.text());
const ended = (read: Scrape, environment = "test") =>
  Object.fromEntries(
    ["completed", "declined", "expired", "cancelled", "failed"].map((how) => [
      how,
      read.value("selo_envelopes_ended_total", { environment, how }),
    ]),
  );
const checked = (read: Scrape) =>
  Object.fromEntries(
    ["ready", "quarantined", "refused", "failed"].map((result) => [
      result,
      read.value("selo_documents_checked_total", { environment: "test", result }),
    ]),
  );
const NOTHING_ENDED = { completed: 0, declined: 0, expired: 0, cancelled: 0, failed: 0 };
const NOTHING_CHECKED = { ready: 0, quarantined: 0, refused: 0, failed: 0 };

test.each(["live", "test"])("each series of %s exists from the start, in gateway and worker", async (environment) => {
  const series = {
    selo_envelopes_ended_total: Object.keys(NOTHING_ENDED).map((how) => ({ how })),
    selo_documents_checked_total: Object.keys(NOTHING_CHECKED).map((result) => ({ result })),
    selo_signatures_made_total: ["signed", "approved", "witnessed"].map((action) => ({ action })),
    selo_envelopes_sent_total: [{}],
    selo_signing_codes_mailed_total: [{}],
    selo_signing_codes_wrong_total: [{}],
  };
  for (const now of [await ofGateway(), await ofWorker()]) {
    expect([ended(now, environment), checked(now)]).toEqual([NOTHING_ENDED, NOTHING_CHECKED]);
    for (const [name, all] of Object.entries(series))
      for (const labels of all) expect(now.has(name, { environment, ...labels }), name).toBe(true);
  }
});

test("checks of documents, by their result; a repeated upload is none", async () => {
  const before = checked(await ofGateway());
  const key = "the-same-upload";
  expect((await upload(selo, stage.token, WITH_JAVASCRIPT, { key })).body.status).toBe("quarantined");
  expect((await upload(selo, stage.token, WITH_JAVASCRIPT, { key })).body.status).toBe("quarantined");
  expect((await upload(selo, stage.token, Buffer.from("no PDF"))).status).toBe(422);
  const ready = (await upload(selo, stage.token, ORDINARY)).body;
  const after = checked(await ofGateway());
  expect(after).toEqual({
    ...before,
    ready: (before["ready"] ?? 0) + (ready.status === "ready" ? 1 : 0),
    quarantined: (before["quarantined"] ?? 0) + 1,
    refused: (before["refused"] ?? 0) + 1,
  });
  // The job goes on with a check that its gateway did not end.
  const again = (await upload(selo, stage.token, ORDINARY)).body;
  await selo.database.admin.query(
    "update signature.documents set status = 'processing', pages = '[]', checked_at = null where id = $1",
    [again.id],
  );
  const check = checkDocument(await objectsOf(selo), new DataKeys(masterKeys), new FairSlots(1), own);
  const payload = { tenant_id: stage.tenantId, environment: "test", id: again.id };
  await check(payload, worker.context);
  await check(payload, worker.context);
  expect(checked(await ofWorker())).toEqual({ ...NOTHING_CHECKED, ready: 1 });
});

test("envelopes that are sent, with the credits they cost; a refused or repeated request is none", async () => {
  const before = await ofGateway();
  const { id } = await aSendable(live);
  const answers = [];
  for (const key of ["once", "once", "again"])
    answers.push(await call(selo, "POST", `/envelopes/${id}/send`, { token: live.token, key }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  expect(answers[0]?.body).toMatchObject({ id, status: "sent", participants: [{}] });
  expect((await send(stage, (await aSendable(stage)).id)).status).toBe(200);
  const after = await ofGateway();
  const rise = (name: string, labels = {}) => after.value(name, labels) - before.value(name, labels);
  for (const environment of ["live", "test"]) expect(rise("selo_envelopes_sent_total", { environment })).toBe(1);
  const { rows } = await selo.database.admin.query<{ spent: number }>(
    "select -sum(amount)::integer as spent from platform.credit_ledger where tenant_id = $1 and amount < 0",
    [live.tenantId],
  );
  expect(rows[0]?.spent).toBeGreaterThan(0);
  expect(rise("selo_credits_spent_total", { kind: "signature" })).toBe(rows[0]?.spent);
});

test("envelopes that a bulk sends, with the credits they cost; rows that fail, drafts and a repeated call are none", async () => {
  const growth = await openBulkStage(selo, "live", { credits: 2 });
  const id = await aTemplate(growth);
  const before = await ofGateway();
  const body = { rows: [aRow(), {}, aRow(), aRow()], document_ids: [growth.documentId] };
  for (const key of ["bulk", "bulk"]) {
    const asked = { token: growth.token, key, body: { ...body, send: true } };
    const answer = await call(selo, "POST", `/templates/${id}/bulk`, asked);
    expect([answer.body.created.length, answer.body.errors.length]).toEqual([2, 2]);
  }
  expect((await bulk(growth, id, body)).body.created).toHaveLength(3);
  const after = await ofGateway();
  const rise = (name: string, labels: Readonly<Record<string, string>>) =>
    after.value(name, labels) - before.value(name, labels);
  expect(rise("selo_envelopes_sent_total", { environment: "live" })).toBe(2);
  expect(rise("selo_credits_spent_total", { kind: "signature" })).toBe(2);
});

test("codes that are mailed, and wrong codes", async () => {
  const { link } = await aSent(stage);
  const before = await ofGateway();
  const code = await aCode(stage, link);
  const give = (given: string) => act(stage, link, "POST", "/session", { body: { code: given } });
  const wrong = await Promise.all(Array.from({ length: 8 }, () => give(otherThan(code))));
  expect(wrong.map(({ body }) => body.detail.code)).toEqual(Array(8).fill("wrong_code"));
  const after = await ofGateway();
  const rises = (name: string) =>
    ["live", "test"].map((environment) => after.value(name, { environment }) - before.value(name, { environment }));
  expect(rises("selo_signing_codes_mailed_total")).toEqual([0, 1]);
  // Only five are compared.
  expect(rises("selo_signing_codes_wrong_total")).toEqual([0, 5]);
});

test("participants who finish, by what they do; a repeated request is none", async () => {
  const { id, links } = await sentWith(stage, [{}, { body: { role: "aprovador" } }, { body: { role: "testemunha" } }]);
  const before = await ofGateway();
  const session = await aSession(stage, links[0]);
  const once = await complete(stage, links[0], { session });
  expect(once.body).toEqual({
    status: "completed",
    completed_at: expect.any(String),
    consent_version: CONSENT,
  });
  expect((await complete(stage, links[0], { session })).body).toEqual(once.body);
  for (const link of links.slice(1)) {
    const held = await aSession(stage, link);
    const finish = () => act(stage, link, "POST", "/complete", { session: held, body: { consent_version: CONSENT } });
    expect((await Promise.all([finish(), finish()])).map(({ status }) => status)).toEqual([200, 200]);
  }
  const after = await ofGateway();
  for (const action of ["signed", "approved", "witnessed"]) {
    const labels = { environment: "test", action };
    expect(
      after.value("selo_signatures_made_total", labels) - before.value("selo_signatures_made_total", labels),
      action,
    ).toBe(1);
  }

  for (let time = 0; time < 2; time++) await completing(stage, id, worker, { metrics: own });
  expect(ended(await ofWorker())).toEqual({ ...NOTHING_ENDED, completed: 1 });
});

test("a past deadline that an act meets, in its environment; a repeated act is none", async () => {
  const { id } = await aSendable(live);
  expect((await send(live, id)).status).toBe(200);
  await selo.database.admin.query("update signature.envelopes set expires_at = now() where id = $1", [id]);
  for (let time = 0; time < 2; time++) expect((await ask(live, "POST", `/envelopes/${id}/cancel`)).status).toBe(409);
  expect(ended(await ofGateway(), "live")).toEqual({ ...NOTHING_ENDED, expired: 1 });
  expect(ended(await ofGateway())).toEqual(NOTHING_ENDED);
});

test("envelopes that end otherwise: declined, cancelled, expired, failed", async () => {
  const before = ended(await ofGateway());
  const { links } = await sentWith(stage);
  for (let time = 0; time < 2; time++) expect((await decline(stage, links[0])).status).toBe(200);
  const cancelled = await sentWith(stage);
  const cancel = () => ask(stage, "POST", `/envelopes/${cancelled.id}/cancel`);
  expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 409]);
  expect(ended(await ofGateway())).toEqual({
    ...before,
    declined: (before["declined"] ?? 0) + 1,
    cancelled: (before["cancelled"] ?? 0) + 1,
  });

  const already = ended(await ofWorker());
  const late = await sentWith(stage);
  await selo.database.admin.query(
    "update signature.envelopes set expires_at = now() - interval '1 second' where id = $1",
    [late.id],
  );
  const failing = await sentWith(stage);
  expect((await complete(stage, failing.links[0])).status).toBe(200);
  const { context } = worker;
  for (let time = 0; time < 2; time++) await expireEnvelopes(own)({}, context);
  const away = { seal: () => Promise.reject(new Error("the keys are away")) };
  // All attempts but the last two: completion-races.test.ts fails at each of them.
  await selo.database.admin.query(
    "update signature.envelopes set completion_attempts = signature.most_completion_attempts() - 2 where id = $1",
    [failing.id],
  );
  for (let time = 0; time < 4; time++)
    await expect(completing(stage, failing.id, worker, { signers: away, metrics: own })).rejects.toThrow("away");
  expect(ended(await ofWorker())).toEqual({ ...already, expired: 1, failed: 1 });
  expect(ended(await ofWorker(), "live")).toEqual(NOTHING_ENDED);
});
