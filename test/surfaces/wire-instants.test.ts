// Times in answers are UTC and end in Z with six digits; what a stranger hashes is written as it is hashed.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { graphql } from "../support/graphql-client.ts";
import { call } from "../support/rest-client.ts";

const WIRE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const HASHED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;

let selo: TestGateway;
let organization: TestOrganization;
let proofId: string;
let webhookId: string;

beforeAll(async () => {
  selo = await startTestGateway();
  // Sessions of this database do not begin in UTC, and none that did goes on.
  await selo.database.admin.query(
    "do $$ begin execute format('alter database %I set timezone = %L', current_database(), 'America/Sao_Paulo'); end $$",
  );
  const sessions = "pg_stat_activity where datname = current_database() and usename = 'selo_app'";
  await selo.database.admin.query(`select pg_terminate_backend(pid) from ${sessions}`);
  const isLeft = async () => ((await selo.database.admin.query(`select from ${sessions}`)).rowCount ?? 0) > 0;
  await vi.waitUntil(async () => !(await isLeft()), { timeout: 30_000 });
  organization = await selo.newOrganization();
  const sha256 = randomBytes(32).toString("hex");
  proofId = (await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256 } })).body.id;
  const webhook = { url: "https://example.com/hook", event_types: ["*"] };
  webhookId = (await call(selo, "POST", "/webhooks", { token: organization.live, body: webhook })).body.id;
  await call(selo, "POST", `/webhooks/${webhookId}/test`, { token: organization.live });
  await selo.seal();
});
afterAll(() => selo.stop());

test("REST: every time ends in Z with six digits", async () => {
  const found = new Set<string>();
  for (const path of [
    "/proofs",
    `/proofs/${proofId}`,
    "/public/platform-key",
    "/webhooks",
    `/webhooks/${webhookId}`,
    `/webhooks/${webhookId}/deliveries`,
  ]) {
    const { body, status } = await call(selo, "GET", path, { token: organization.live });
    expect(status).toBe(200);
    for (const [name, value] of times(body)) {
      expect([path, name, value]).toEqual([path, name, expect.stringMatching(WIRE)]);
      found.add(name);
    }
  }
  expect([...found].sort()).toEqual(["created_at", "next_attempt_at", "registered_at"]);
});

test("the evidence of a proof is as it was signed", async () => {
  const { body } = await call(selo, "GET", `/proofs/${proofId}`, { token: organization.live });
  expect(body.evidence.registered_at).toMatch(HASHED);
  expect(body.evidence.registered_at.replace("+00:00", "Z")).toBe(body.registered_at);
});

test("an event: its data as REST has it, its envelope with milliseconds", async () => {
  const proof = (await call(selo, "GET", `/proofs/${proofId}`, { token: organization.live })).body;
  const { items } = (await call(selo, "GET", "/events?type=proof.registered", { token: organization.live })).body;
  expect(items[0].data.registered_at).toBe(proof.registered_at);
  expect(items[0].occurred_at).toMatch(/T\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("events and seals of the audit trail are as they were hashed", async () => {
  const audit = (await call(selo, "GET", "/audit", { token: organization.live })).body;
  expect(audit.items.length).toBeGreaterThan(2);
  for (const { occurred_at } of audit.items) expect(occurred_at).toMatch(HASHED);
  const seals = (await call(selo, "GET", "/public/audit-seals")).body;
  for (const { sealed_at, evidence } of seals.items) expect(sealed_at).toBe(evidence.sealed_at);
  expect(seals.items[0].sealed_at).toMatch(HASHED);
});

test("GraphQL: every Datetime ends in Z with six digits, also where the database has another time zone", async () => {
  const { data, errors } = await graphql(
    selo,
    organization.live,
    `{
      proofs { nodes { registeredAt } }
      found: proofs(search: "a") { nodes { registeredAt } }
      auditEvents { nodes { occurredAt } }
      auditSeals { nodes { sealedAt } }
      webhookEndpoints { nodes { createdAt lastSuccessAt } }
      webhookDeliveries { nodes { nextAttemptAt } }
    }`,
  );
  expect(errors).toEqual([]);
  const names = times(data).map(([name, value]) => {
    expect([name, value]).toEqual([name, expect.stringMatching(WIRE)]);
    return name;
  });
  expect(new Set(names)).toEqual(new Set(["createdAt", "nextAttemptAt", "occurredAt", "registeredAt", "sealedAt"]));
});

test("GraphQL and REST write the same time", async () => {
  const rest = (await call(selo, "GET", `/proofs/${proofId}`, { token: organization.live })).body;
  const { data } = await graphql(selo, organization.live, `{ proof(id: "${proofId}") { registeredAt } }`);
  expect(data).toEqual({ proof: { registeredAt: rest.registered_at } });
});

/** Members named `…_at` or `…At` that hold a text, but not those of what was signed. */
function times(value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap(times);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "evidence"
      ? []
      : typeof member === "string" && /(_a|A)t$/.test(name)
        ? [[name, member] as [string, string]]
        : times(member),
  );
}
