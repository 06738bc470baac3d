// GET /billing/balance, /billing/usage, /billing/plan, and the same in GraphQL.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { viewColumns } from "../../../src/postgres/generated/views.ts";
import { awayFromMidnight } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());
beforeEach(async () => {
  await awayFromMidnight();
  organization = await selo.newOrganization({ credits: 10 });
});

const get = async (path: string, token = organization.live) => call(selo, "GET", path, { token });
const DAY_MS = 86_400_000;
const day = (fromToday: number) => new Date(Date.now() + fromToday * DAY_MS).toISOString().slice(0, 10);

async function register(label: string, token = organization.live): Promise<void> {
  const sha256 = createHash("sha256").update(label).digest("hex");
  expect((await call(selo, "POST", "/proofs", { token, body: { sha256 } })).status).toBe(201);
}

/** A movement of another day, with the id that uuidv7 gave it then. */
async function moved(at: string, amount: number, reason: string): Promise<void> {
  const id = `${new Date(at)
    .getTime()
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-")}-7000-8000-${createHash("md5")
    .update(at + reason)
    .digest("hex")
    .slice(0, 12)}`;
  await selo.database.admin.query(
    "insert into platform.credit_ledger (tenant_id, id, kind, amount, reason, created_at) values ($1, $2, 'signature', $3, $4, $5)",
    [organization.id, id, amount, reason, at],
  );
}

test("the balance is what was granted without what live proofs took; test proofs take nothing", async () => {
  await register("one");
  await register("two");
  await register("three", organization.test);
  await selo.operator.grantCredits(organization.id, "icp_brasil", 5);
  const { status, body } = await get("/billing/balance");
  expect(status).toBe(200);
  expect(body).toEqual({
    credit_balances: [
      { kind: "icp_brasil", balance: 5 },
      { kind: "signature", balance: 8 },
    ],
  });
  expect((await get("/billing/balance", organization.test)).body).toEqual(body);
});

test("an organization that never had a credit has balances of zero, and no usage", async () => {
  const poor = await selo.newOrganization({ credits: 0 });
  expect((await get("/billing/balance", poor.live)).body.credit_balances).toEqual([
    { kind: "icp_brasil", balance: 0 },
    { kind: "signature", balance: 0 },
  ]);
  expect((await get("/billing/usage", poor.live)).body.credit_usage).toEqual([]);
});

test("usage is the last 30 days, a row for each day, kind and reason", async () => {
  await register("one");
  await register("two");
  const { status, body } = await get("/billing/usage");
  expect(status).toBe(200);
  expect(body).toEqual({
    from: day(-29),
    to: day(0),
    credit_usage: [
      { day: day(0), kind: "signature", reason: "granted", granted: 10, consumed: 0, movements: 1 },
      { day: day(0), kind: "signature", reason: "proof_registered", granted: 0, consumed: 2, movements: 2 },
    ],
  });
  expect(Object.keys(body.credit_usage[0])).toEqual(viewColumns.credit_usage);
});

test("days are those of UTC, to the microsecond, and both ends of a period are in it", async () => {
  await moved("2025-03-01T00:00:00.000Z", -1, "first");
  await moved("2025-03-01T23:59:59.999Z", -2, "last");
  await moved("2025-03-02T00:00:00.000Z", -4, "next");
  await moved("2025-02-28T23:59:59.999Z", -8, "before");
  const usage = async (query: string) =>
    (await get(`/billing/usage?${query}`)).body.credit_usage.map(
      (row: { day: string; reason: string; consumed: number }) => `${row.day} ${row.reason} ${row.consumed}`,
    );
  expect(await usage("from=2025-03-01&to=2025-03-01")).toEqual(["2025-03-01 first 1", "2025-03-01 last 2"]);
  expect(await usage("from=2025-02-28&to=2025-03-02")).toEqual([
    "2025-02-28 before 8",
    "2025-03-01 first 1",
    "2025-03-01 last 2",
    "2025-03-02 next 4",
  ]);
  expect(await usage("to=2025-03-30")).toEqual(["2025-03-01 first 1", "2025-03-01 last 2", "2025-03-02 next 4"]);
  const { body } = await get("/billing/usage?from=2025-02-01&to=2026-01-31");
  const taken = body.credit_usage.reduce((sum: number, row: { consumed: number }) => sum + row.consumed, 0);
  expect(taken).toBe(15);
});

test("a movement counts for the day its transaction began, though its id is of the next", async () => {
  await moved("2025-05-01T00:00:05.000Z", -1, "late");
  await selo.database.admin.query(
    "begin; set local session_replication_role = replica; update platform.credit_ledger set created_at = '2025-04-30T23:59:55Z' where reason = 'late'; commit",
  );
  const { body } = await get("/billing/usage?from=2025-04-30&to=2025-05-01");
  expect(body.credit_usage).toMatchObject([{ day: "2025-04-30", reason: "late", consumed: 1 }]);
});

test("a period of 366 days is answered, one of 367 refused, and whatever is no date, too", async () => {
  expect((await get("/billing/usage?from=2024-01-01&to=2024-12-31")).status).toBe(200);
  for (const [query, field] of [
    ["from=2024-01-01&to=2025-01-01", "from"],
    ["from=2024-01-02&to=2024-01-01", "from"],
    [`from=${day(1)}`, "from"],
    ["from=2025-02-29", "from"],
    ["from=yesterday", "from"],
    ["to=2025-13-01", "to"],
    ["to=0000-01-01", "to"],
    ["to=2025-01-01T00:00:00Z", "to"],
    ["to=", "to"],
    ["from=2025-01-01&from=2025-01-02", "from"],
    ["day=2025-01-01", "day"],
  ]) {
    const response = await get(`/billing/usage?${query}`);
    expectError(response, 422, "invalid_request");
    expect([query, response.body.fields.map((wrong: { field: string }) => wrong.field)]).toEqual([query, [field]]);
  }
  for (const path of ["/billing/balance?kind=signature", "/billing/plan?x=1"])
    expectError(await get(path), 422, "invalid_request");
});

test("the plan says what it includes, and from which plan on there is what it lacks", async () => {
  const bulkSend = { feature: "bulk_send", description: expect.stringMatching(/template/), lowest_plan: "growth" };
  for (const [plan, included] of [
    ["free", false],
    ["growth", true],
    ["business", true],
    ["enterprise", true],
  ] as const) {
    await selo.database.admin.query("update platform.organizations set plan = $1 where id = $2", [
      plan,
      organization.id,
    ]);
    expect((await get("/billing/plan")).body).toEqual({
      plan,
      features: included ? ["bulk_send"] : [],
      limits: expect.objectContaining({ dns_zones: expect.any(Number) }),
      plan_features: [{ ...bulkSend, included }],
    });
  }
});

test("GraphQL answers the same, counts as digits", async () => {
  await register("graphql");
  const answer = await graphql(
    selo,
    organization.live,
    `{ creditBalances { nodes { kind balance } } billingPlan { plan features }
       planFeatures { nodes { feature description lowestPlan included } }
       creditUsage(from: "${day(-1)}", to: "${day(0)}") { day kind reason granted consumed movements } }`,
  );
  expect(answer.errors).toEqual([]);
  const digits = (rows: Record<string, unknown>[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
      ),
    );
  // The kind is an enum, which GraphQL writes in capitals.
  const inCapitals = (rows: Record<string, unknown>[]) =>
    rows.map((row) => ({ ...row, kind: String(row["kind"]).toUpperCase() }));
  const [balance, usage, plan] = [
    (await get("/billing/balance")).body,
    (await get(`/billing/usage?from=${day(-1)}`)).body,
    (await get("/billing/plan")).body,
  ];
  expect(answered<{ nodes: object[] }>(answer, "creditBalances").nodes).toEqual(
    inCapitals(digits(balance.credit_balances)),
  );
  expect(answered(answer, "creditUsage")).toEqual(inCapitals(digits(usage.credit_usage)));
  expect(answered(answer, "billingPlan")).toEqual({ plan: plan.plan, features: plan.features });
  expect(answered<{ nodes: { lowestPlan: string }[] }>(answer, "planFeatures").nodes).toEqual(
    plan.plan_features.map(({ lowest_plan, ...rest }: { lowest_plan: string }) => ({
      ...rest,
      lowestPlan: lowest_plan,
    })),
  );
});

test("GraphQL refuses the same periods, and takes no day that is none", async () => {
  const refused = await graphql(
    selo,
    organization.live,
    '{ creditUsage(from: "2024-01-01", to: "2025-01-01") { day } }',
  );
  expect(refused.errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "from" }] });
  for (const wrong of ["yesterday", "2025-02-29", "0000-01-01", "2025-1-1"]) {
    const answer = await graphql(selo, organization.live, `{ creditUsage(from: "${wrong}") { day } }`);
    expect(answer.errors[0]?.extensions).toMatchObject({
      code: "invalid_request",
      fields: [{ message: expect.stringContaining("must be a date") }],
    });
    expect(answer.data).toBeFalsy();
  }
});
