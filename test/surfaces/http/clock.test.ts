// While the clock reads more than a second before the newest recorded instant, proofs are refused and an alarm sounds.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordTomorrow } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const sha256 = () => randomBytes(32).toString("hex");
const register = () => call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: sha256() } });
const alarms = () => selo.logs.filter((line) => line.includes('"alarm":"clock_behind"'));

test("503 clock_behind in REST and GraphQL, nothing recorded, one alarm; afterwards all is well", async () => {
  const undo = await recordTomorrow(selo.database, 10);
  const rows = await countRows(selo);
  expectError(await register(), 503, "clock_behind");
  const answer = await graphql(
    selo,
    organization.live,
    `mutation { registerProof(input: {sha256: "${sha256()}"}) { proof { id } } }`,
  );
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(answer.errors[0]?.extensions).toMatchObject({ code: "clock_behind", http: { status: 503 } });
  expectError(await register(), 503, "clock_behind");
  expect(await countRows(selo)).toEqual(rows);
  expect(alarms()).toHaveLength(1);
  expect(JSON.parse(alarms()[0] ?? "{}").level).toBeGreaterThanOrEqual(50);
  // What is read is read.
  expect((await call(selo, "GET", "/proofs", { token: organization.live })).status).toBe(200);
  await undo();
  expect((await register()).status).toBe(201);
});

test("within a second it is still taken", async () => {
  const undo = await recordTomorrow(selo.database, 0.9);
  expect((await register()).status).toBe(201);
  await undo();
});
