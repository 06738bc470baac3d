// The dispatcher's statements look rows up one by one, whatever Postgres believes of a queue that was empty a moment ago.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { inContext, ownerPool } from "../../support/owner.ts";

const WAITING = 20_000;
const LIMIT = 200;

let selo: TestGateway;
let client: pg.Client;
let plans: Plan[] = [];

/** A node of a plan as EXPLAIN (analyze, format json) says it. */
interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly Plan[];
}

beforeAll(async () => {
  selo = await startTestGateway();
  const organization = await selo.newOrganization();
  const endpoints = Array.from({ length: 11 }, () => randomUUID());
  const pool = ownerPool(selo.database);
  await inContext(pool, organization.id, "test", async (owner) => {
    await owner.query(
      `insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret)
       select $1, id, 'test', 'https://example.com/', array['message.*'], '\\x00' from unnest($2::uuid[]) as id`,
      [organization.id, endpoints],
    );
  });
  // The first has nearly all of it.
  const fill = () =>
    inContext(pool, organization.id, "test", (owner) =>
      owner.query(
        `with event as (
           insert into webhooks.events (tenant_id, environment, id, type, occurred_at, body)
           select $1, 'test', platform.uuidv7(), 'message.sent', now(), '{}' from generate_series(1, $3::integer) returning id
         ), numbered as (select id, row_number() over (order by id) as number from event)
         insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, due_at)
         select $1, platform.uuidv7(), 'test', ($2::uuid[])[case when number > 500 then 1 else 2 + number % 10 end], id, 'message.sent', now()
         from numbered`,
        [organization.id, endpoints, WAITING],
      ),
    );
  await fill();
  await selo.database.admin.query(
    "delete from webhooks.deliveries; analyze webhooks.deliveries; analyze webhooks.endpoints",
  );
  await fill();
  await pool.end();
  client = new pg.Client({ connectionString: selo.database.adminUrl });
  await client.connect();
  client.on("notice", ({ message = "" }) => {
    const found = /plan:\s*(\{.*\})\s*$/s.exec(message);
    if (found?.[1]) plans.push((JSON.parse(found[1]) as { Plan: Plan }).Plan);
  });
  await client.query(`load 'auto_explain';
    set auto_explain.log_min_duration = 0; set auto_explain.log_analyze = on; set auto_explain.log_timing = off;
    set auto_explain.log_nested_statements = on; set auto_explain.log_format = json; set auto_explain.log_level = notice;
    set client_min_messages = notice`);
});
afterAll(async () => {
  await client?.end();
  await selo?.stop();
});

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** What a node read of rows, those it threw away included. */
const read = (node: Plan) =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0)) *
  (node["Actual Loops"] ?? 0);

async function plansOf(
  statement: string,
  values: unknown[],
): Promise<{ rows: Record<string, unknown>[]; all: Plan[] }> {
  plans = [];
  const { rows } = await client.query(statement, values);
  return { rows, all: plans.flatMap(nodes) };
}

/** Tables of the module, by the names of their partitions too. */
const ofQueue = ({ "Relation Name": table = "" }: Plan) => /^(deliveries|events|attempts)/.test(table);

function expectLookUps(all: readonly Plan[]): void {
  expect(all.filter(ofQueue).length).toBeGreaterThan(0);
  expect(all.filter((node) => ofQueue(node) && node["Node Type"] === "Seq Scan")).toEqual([]);
  // The results themselves, a few hundred at most, may be gone through.
  expect(all.filter((node) => node["Node Type"] !== "CTE Scan" && read(node) > 5 * LIMIT)).toEqual([]);
}

test("a claim and the record of its attempts read about as many rows as they lease, of 20,000 that wait, though statistics say that there are none", async () => {
  const { rows, all } = await plansOf(
    "select * from jobs.claim_deliveries($1, false, '00000000-0000-0000-0000-000000000000', '{}', '{}', $2)",
    [randomUUID(), LIMIT],
  );
  expect(rows.length).toBe(110);
  expectLookUps(all);
  const results = rows.map((row, place) => ({
    tenant_id: row["tenant_id"],
    delivery_id: row["delivery_id"],
    attempt_id: row["attempt_id"],
    url: row["url"],
    requested_at_ms: Date.now(),
    duration_ms: 1,
    response_status: place % 2 === 0 ? 204 : 500,
    response_body: "",
    truncated: false,
    error_code: place % 2 === 0 ? null : "http_status",
  }));
  const recorded = await plansOf("select jobs.record_attempts($1) as taken", [JSON.stringify(results)]);
  expect(recorded.rows[0]?.["taken"]).toHaveLength(110);
  expectLookUps(recorded.all);
  const { rows: left } = await client.query(
    "select count(*)::integer as waiting, count(*) filter (where not ready)::integer as postponed, count(attempt_id)::integer as leased from webhooks.deliveries",
  );
  expect(left).toEqual([{ waiting: WAITING - 55, postponed: 55, leased: 0 }]);
});

test("a claim of an endpoint that keeps failing reads few rows, of 20,000 retries and first attempts that wait", async () => {
  await client.query(
    "update webhooks.deliveries set leased_until = null, attempt_id = null, ready = true, attempts = 1",
  );
  await client.query("update webhooks.endpoints set consecutive_failures = 5, failing_since = now()");
  const claimed = () =>
    plansOf("select * from jobs.claim_deliveries($1, false, '00000000-0000-0000-0000-000000000000', '{}', '{}', $2)", [
      randomUUID(),
      LIMIT,
    ]);
  const retries = await claimed();
  expect(retries.rows.length).toBe(11);
  expectLookUps(retries.all);
  // The newest of each endpoint was not tried yet: it comes before all retries.
  const { rows: newest } = await client.query(
    `update webhooks.deliveries set attempts = 0 where id in (
       select distinct on (endpoint_id) id from webhooks.deliveries order by endpoint_id, id desc) returning id`,
  );
  const first = await claimed();
  expect(first.rows.map((row) => row["delivery_id"]).sort()).toEqual(newest.map(({ id }) => id).sort());
  expectLookUps(first.all);
});
