// A gateway that is killed between the second factor and the act, or while an answer is compared: what was passed stays passed, and what was tried counts.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complete, sentWith } from "../../services/signature/completion-stage.ts";
import type { EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { aHalfSession, answer, CPF, factorsOf, OTHER_CPF, withCpf } from "../../services/signature/factor-stage.ts";
import { act } from "../../services/signature/signing-stage.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf } from "./deployment.ts";

let deployment: Deployment;
let stage: EnvelopeStage;
let organization: TestOrganization;
beforeAll(async () => {
  deployment = await deploy();
  organization = await deployment.newOrganization();
  stage = { ...envelopesOf(deployment, organization), token: organization.test, environment: "test" };
  await deployment.startGateway();
}, 120_000);
afterAll(() => deployment?.stop());

async function aLink() {
  const upload = async () => (await readyDocument(deployment, stage.token)).id;
  return (await sentWith(stage, [{ body: withCpf }], {}, { upload })).links[0];
}

test("kill -9 between factor and act: the session has passed, and the act succeeds after a restart", async () => {
  const link = await aLink();
  const session = await aHalfSession(stage, link);
  expectError(await answer(stage, link, session, { cpf: OTHER_CPF }), 422, "wrong_answer");
  expect((await answer(stage, link, session, { cpf: CPF })).body).toEqual({ next: null });
  const tries = await factorsOf(stage, link);
  expect(tries.map(({ passed }) => passed)).toEqual([false, true]);
  await deployment.killGateway();
  await deployment.startGateway();
  const { status, body } = await act(stage, link, "GET", "", { session });
  expect([status, body.documents.length]).toEqual([200, 1]);
  const done = await complete(stage, link, { session });
  expect([done.status, done.text]).toEqual([200, done.text]);
  expect(await factorsOf(stage, link)).toEqual(tries);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 120_000);

test("a provider that drips for ten seconds: 503 unavailable, the try is given back, and the next answer counts", async () => {
  let drips = true;
  const provider = http.createServer((_request, response) => {
    const match = JSON.stringify({ reference: "r", match: true });
    if (!drips) return void response.end(match);
    response.write(match.slice(0, 1));
    const timer = setInterval(() => response.write(" "), 200);
    response.once("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`;
  try {
    await deployment.asOperator((operator) => operator.changeSetting("identity_url", url));
    await deployment.killGateway();
    await deployment.startGateway({ IDENTITY_URL: url });
    const live = { ...stage, token: organization.live, environment: "live" as const };
    const upload = async () => (await readyDocument(deployment, live.token)).id;
    const body = { auth_method: "identity_match", cpf: CPF };
    const link = (await sentWith(live, [{ body }], {}, { upload })).links[0];
    const session = await aHalfSession(live, link);
    expectError(await answer(live, link, session, {}), 503, "unavailable");
    expectError(await act(live, link, "POST", "/view", { session }), 403, "factor_required");
    drips = false;
    expect((await answer(live, link, session, {})).body).toEqual({ next: null });
  } finally {
    provider.closeAllConnections();
    provider.close();
  }
}, 120_000);

test("kill -9 while an answer is compared: its try counts, and the factor is not passed", async () => {
  const link = await aLink();
  const session = await aHalfSession(stage, link);
  const held = await deployment.admin.connect();
  try {
    await held.query("begin");
    // The try is a row of its own transaction by the time that the event of its outcome waits for this.
    await held.query("lock table platform.audit_events in share row exclusive mode");
    const broken = answer(stage, link, session, { cpf: CPF }).catch((error: Error) => error.message);
    const { rows } = await held.query<{ pid: number }>("select pg_backend_pid() as pid");
    const waiting = async () =>
      (
        await deployment.admin.query<{ pid: number }>(
          "select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))",
          [rows[0]?.pid],
        )
      ).rows;
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000, interval: 20 }).toBe(1);
    const [{ pid } = { pid: 0 }] = await waiting();
    await deployment.killGateway();
    expect(await broken).toBe("fetch failed");
    // As Postgres ends what nobody waits for.
    await deployment.admin.query("select pg_terminate_backend($1, 10000)", [pid]);
  } finally {
    await held.query("rollback");
    held.release();
  }
  expect(await factorsOf(stage, link)).toMatchObject([{ tried: true, answered: false, passed: false }]);
  await deployment.startGateway();
  expectError(await act(stage, link, "POST", "/view", { session }), 403, "factor_required");
  expect((await answer(stage, link, session, { cpf: CPF })).body).toEqual({ next: null });
  expect((await factorsOf(stage, link)).map(({ tried }) => tried)).toEqual([true, true]);
  expect((await complete(stage, link, { session })).status).toBe(200);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 120_000);
