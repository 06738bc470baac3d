// No statistics are kept of ids that analysts see as they are. What leans on indexes of those ids reads what it read with statistics,
// one organization having nearly all there is.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { writeManyTenants } from "../../support/many-tenants.ts";

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Plan[];
}

let database: TestDatabase;
let tenants: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  tenants = await writeManyTenants(database.admin, 40, 300);
}, 120_000);
afterAll(() => database?.drop());

const UNCOUNTED =
  "from pg_attribute as attribute where attstattarget = 0 and attnum > 0 and not attisdropped and attrelid > 16384 and attrelid in (select oid from pg_class where relkind in ('r', 'p'))";

/** What is asked of one organization, each by the name of the function that leans on an index of ids. */
function statements(id: Ids): Readonly<Record<string, readonly string[]>> {
  const claim = `create temporary table claimed as select * from jobs.claim_deliveries('${randomUUID()}', false, '00000000-0000-0000-0000-000000000000', '{}', '{}', 200)`;
  return {
    claim_deliveries: [claim],
    record_attempts: [
      claim,
      `select jobs.record_attempts(json_agg(json_build_object('tenant_id', tenant_id, 'delivery_id', delivery_id, 'attempt_id', attempt_id,
         'url', url, 'requested_at_ms', 0, 'duration_ms', 1, 'error_code', 'timeout'))::jsonb) from claimed`,
    ],
    release_deliveries: [
      claim,
      "select jobs.release_deliveries(jsonb_agg(json_build_object('tenant_id', tenant_id, 'delivery_id', delivery_id, 'attempt_id', attempt_id))) from claimed",
    ],
    skip_deliveries: ["update webhooks.endpoints set status = 'DISABLED', disabled_reason = 'manual'", claim],
    list_audit_events: ["select gateway.list_audit_events()"],
    "list_audit_events of a subject": [`select gateway.list_audit_events(p_subject_id => '${id.subject}')`],
    "list_audit_events of an action": ["select gateway.list_audit_events(p_action => 'token.created')"],
    "list_audit_events of an actor": [`select gateway.list_audit_events(p_actor_id => '${id.actor}')`],
    "list_audit_events of a period": ["select gateway.list_audit_events(p_from => now() - interval '1 hour')"],
    "list_audit_events from a cursor": [`select gateway.list_audit_events(p_cursor => '${id.auditCursor}')`],
    "list_audit_events of some members": ["select gateway.list_audit_events(p_fields => '{id,action}')"],
    "list_proofs from a cursor": [`select gateway.list_proofs(p_cursor => '${id.proofsCursor}')`],
    "list_proofs of a period": ["select gateway.list_proofs(p_from => now() - interval '2 days', p_to => now())"],
    "list_proofs of some members": ["select gateway.list_proofs(p_fields => '{id,label}')"],
    "list_events from a cursor": [`select gateway.list_events(p_cursor => '${id.eventsCursor}')`],
    "list_webhooks from a cursor": [`select gateway.list_webhooks(p_cursor => '${id.webhooksCursor}')`],
    "list_webhook_deliveries from a cursor": [
      `select gateway.list_webhook_deliveries('${id.endpoint}', p_cursor => '${id.deliveriesCursor}')`,
    ],
    "list_webhook_deliveries of some members": [
      `select gateway.list_webhook_deliveries('${id.endpoint}', p_fields => '{id,status}')`,
    ],
    audit_chain: [`set local role selo_owner`, `select platform.audit_chain('${id.subject}')`],
    list_proofs: ["select gateway.list_proofs()"],
    "list_proofs of a search": ["select gateway.list_proofs('contract 1')"],
    "GraphQL's proofs of a search": [
      `select id, sha256 from api.proofs where id = any (array(select gateway.find_proofs('contract 1', '{"most": 51}')))
       order by registered_at desc, id desc limit 51`,
    ],
    "GraphQL's proofs of a search, the oldest first": [
      `select id, sha256 from api.proofs where id = any (array(select gateway.find_proofs('contract 1', '{"most": 51, "oldest_first": true}')))
       order by registered_at, id limit 51`,
    ],
    get_proof: [`select gateway.get_proof('${id.proof}')`],
    list_events: ["select gateway.list_events()", "select gateway.list_events(p_from => now() - interval '2 days')"],
    get_event: [`select gateway.get_event('${id.event}')`],
    list_webhooks: ["select gateway.list_webhooks()"],
    get_webhook: [`select gateway.get_webhook('${id.endpoint}')`],
    list_webhook_deliveries: [`select gateway.list_webhook_deliveries('${id.endpoint}')`],
    "list_webhook_deliveries that failed": [`select gateway.list_webhook_deliveries('${id.endpoint}', '{FAILED}')`],
    replay_webhook: [`select api.replay_webhook('${id.endpoint}')`],
    "replay_webhook of a period": [`select api.replay_webhook('${id.endpoint}', now() - interval '1 day')`],
    retry_webhook_delivery: [`select api.retry_webhook_delivery('${id.delivery}')`],
    delete_webhook: [`select api.delete_webhook('${id.endpoint}')`],
    close_webhook_streams: [`select gateway.close_webhook_streams(array['${id.endpoint}'::uuid])`],
    delete_old_deliveries: [
      "select webhooks.delete_old_deliveries(platform.uuidv7_at(now() - interval '2 days'), 100)",
    ],
    delivery_states: ["select webhooks.delivery_states()"],
    "GraphQL's auditEvents": [
      `select id, hash from api.audit_events where subject_id = '${id.subject}' order by id desc limit 51`,
    ],
    "GraphQL's proofs": ["select id, sha256 from api.proofs order by registered_at desc, id desc limit 51"],
    "GraphQL's webhookEndpoints": ["select id, url from api.webhook_endpoints order by id desc limit 51"],
    "GraphQL's webhookEvents": ["select uuid, data from api.webhook_events order by uuid desc limit 51"],
    "GraphQL's deliveries of webhooks": [
      `select page.id, own.id from (select id from api.webhook_endpoints order by id desc limit 3) as page
       cross join lateral (select id from api.webhook_deliveries where endpoint_id = page.id order by id desc limit 51) as own`,
    ],
    "GraphQL's deliveries of events": [
      `select page.uuid, own.id from (select uuid from api.webhook_events order by uuid desc limit 50) as page
       cross join lateral (select id, status from api.webhook_deliveries where event_uuid = page.uuid order by id desc limit 51) as own`,
    ],
    "GraphQL's deliveries of an event": [
      `select id, status from api.webhook_deliveries where event_uuid = substring('${id.event}' from 5)::uuid order by id desc limit 51`,
    ],
    "GraphQL's deliveries of events, counted": [
      `select page.uuid, own.number from (select uuid from api.webhook_events order by uuid desc limit 50) as page
       cross join lateral (select count(*) as number from (
         select 1 from api.webhook_deliveries where event_uuid = page.uuid limit 10001) as counted) as own`,
    ],
    "GraphQL's webhook and event of deliveries": [
      `select page.id, webhook.url from (select id, endpoint_id from api.webhook_deliveries where endpoint_id = '${id.endpoint}' order by id desc limit 51) as page
       left join lateral (select url from api.webhook_endpoints where id = page.endpoint_id) as webhook on true`,
      `select found.uuid from unnest(array(select substring(event_id from 5)::uuid from api.webhook_deliveries
         where endpoint_id = '${id.endpoint}' order by id desc limit 51)) as asked (uuid)
       cross join lateral (select uuid, data from api.webhook_events where uuid = asked.uuid) as found`,
    ],
    "GraphQL's webhookDeliveries": [
      `select id, status from api.webhook_deliveries where endpoint_id = '${id.endpoint}' order by id desc limit 51`,
    ],
  };
}

interface Ids {
  readonly subject: string;
  readonly actor: string;
  readonly proof: string;
  readonly event: string;
  readonly endpoint: string;
  readonly delivery: string;
  // Of the row in the middle of each list.
  readonly auditCursor: string;
  readonly proofsCursor: string;
  readonly eventsCursor: string;
  readonly webhooksCursor: string;
  readonly deliveriesCursor: string;
}

async function idsOf(tenant: string): Promise<Ids> {
  const cursor = (list: string, from: string, key = "row.id::text", order = "row.id") =>
    `(select platform.cursor_after('${list}', ${key}) from ${from} and row.tenant_id = $1 order by ${order} desc
      offset (select count(*) / 2 from ${from} and row.tenant_id = $1) limit 1)`;
  const { rows } = await database.admin.query<Ids>(
    `select (select subject_id from platform.audit_events where tenant_id = $1 order by id limit 1) as subject,
       (select actor_id from platform.audit_events where tenant_id = $1 order by id limit 1) as actor,
       (select id from signature.proofs where tenant_id = $1 order by id limit 1) as proof,
       (select webhooks.event_name(id) from webhooks.events where tenant_id = $1 order by id limit 1) as event,
       ${cursor("list_audit_events", "platform.audit_events as row where true")} as "auditCursor",
       ${cursor("list_proofs", "signature.proofs as row where true", "platform.instant(row.registered_at), row.id::text", "(row.registered_at, row.id)")} as "proofsCursor",
       ${cursor("list_events", "webhooks.events as row where true")} as "eventsCursor",
       ${cursor("list_webhooks", "webhooks.endpoints as row where true")} as "webhooksCursor",
       ${cursor("list_webhook_deliveries", "webhooks.attempts as row where row.endpoint_id = attempt.endpoint_id")} as "deliveriesCursor",
       attempt.endpoint_id as endpoint, attempt.delivery_id as delivery
     from webhooks.attempts as attempt where attempt.tenant_id = $1 order by attempt.id limit 1`,
    [tenant],
  );
  const [ids] = rows;
  if (ids === undefined) throw new Error(`organization ${tenant} has no rows`);
  return ids;
}

const SAME_WAYS = /^(claim_deliveries|record_attempts|list_audit_events|audit_chain)/;
const WHOLE_TABLE = "reading all of it";

/** What the statements inside a function read. */
interface Reading {
  /** Rows, those thrown away included. */
  readonly rows: number;
  /** Ways into tables, such as "attempts by tenant_id id"; of the days of a table one stands for all. */
  readonly ways: readonly string[];
}

/** @param names of the statements to run */
async function readingsOf(tenant: string, names = /./): Promise<Record<string, Reading>> {
  const found: Record<string, Reading> = {};
  const ids = await idsOf(tenant);
  // One for all statements, whose plans are made by the statistics that there are now.
  const client = new pg.Client({ connectionString: database.adminUrl });
  let scans: Plan[] = [];
  client.on("notice", ({ message = "" }) => {
    const json = /plan:\s*(\{.*\})\s*$/s.exec(message)?.[1];
    if (json) scans.push(...scansOf((JSON.parse(json) as { Plan: Plan }).Plan));
  });
  await client.connect();
  await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_format = json;
    set auto_explain.log_level = notice; set client_min_messages = notice`);
  for (const [name, texts] of Object.entries(statements(ids))) {
    if (!names.test(name)) continue;
    scans = [];
    await client.query("begin");
    await client.query(
      "select set_config('app.tenant_id', $1, true), set_config('app.environment', 'live', true), set_config('app.scopes', 'audit:read proofs:read webhooks:manage', true)",
      [tenant],
    );
    // gateway.enter does this for a credential. The organization of this test has no credential.
    await client.query("select set_config('app.mac', encode(platform.context_mac(), 'hex'), true)");
    // A view believes these settings within functions of the owner, and otherwise only what gateway.enter made.
    if (name.startsWith("GraphQL's")) await client.query("set local role selo_owner");
    for (const text of texts) await client.query(text);
    await client.query("rollback");
    expect([name, scans.length > 0]).toEqual([name, true]);
    found[name] = {
      rows: scans.reduce((sum, scan) => sum + read(scan), 0),
      ways: [...new Set(scans.map(way))].sort(),
    };
  }
  await client.end();
  return found;
}

const scansOf = (plan: Plan, table = plan["Relation Name"] ?? ""): Plan[] => {
  // A bitmap is of the table that is read by it.
  const own = /^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(plan["Node Type"])
    ? [{ ...plan, "Relation Name": table }]
    : [];
  return [...own, ...(plan.Plans ?? []).flatMap((each) => scansOf(each, each["Relation Name"] ?? table))].filter(
    (scan) => /^(audit_events|proofs|events|attempts|deliveries|endpoints)/.test(scan["Relation Name"] ?? ""),
  );
};

/**
 * By which columns, and not by which index: two that begin with the same columns find the same rows by them, and cost the same
 * until one of them has a page more.
 */
const way = (scan: Plan) => {
  const [table, index] = [scan["Relation Name"], scan["Index Name"]].map((name = "") =>
    name.replaceAll(/_(\d{8}|otherwise)/g, ""),
  );
  // Its key and the index of its id find the same one endpoint.
  if (index === "endpoints_pkey" || index === "endpoints_id") return `${table} by endpoints_id`;
  const columns = [...(scan["Index Cond"] ?? "").matchAll(/\((?:ROW\()?([a-z]\w*)(?:, \w+\))? (?:[<>=]|@@|~)/g)].map(
    ([, name]) => name,
  );
  return `${table} by ${[...new Set(columns)].sort().join(" ") || index || WHOLE_TABLE}`;
};

const read = (scan: Plan) =>
  ((scan["Actual Rows"] ?? 0) + (scan["Rows Removed by Filter"] ?? 0) + (scan["Rows Removed by Index Recheck"] ?? 0)) *
  (scan["Actual Loops"] ?? 0);

test("claims, records, lists, replays, retries and chains read about as many rows without statistics of ids as with them", async () => {
  const { rows } = await database.admin.query<{ table: string; column: string }>(
    `select attrelid::regclass::text as table, attname as column ${UNCOUNTED}`,
  );
  expect(rows.length).toBeGreaterThan(40);
  const setTarget = async (target: -1 | 0) => {
    for (const { table, column } of rows)
      await database.admin.query(`alter table only ${table} alter column ${column} set statistics ${target}`);
  };
  const readings = async () => {
    const found: Record<string, Reading> = {};
    for (const [size, tenant] of Object.entries({ large: tenants[0] ?? "", small: tenants[1] ?? "" }))
      for (const [name, reading] of Object.entries(await readingsOf(tenant))) found[`${name}, ${size}`] = reading;
    return found;
  };
  // Nobody else analyses between the two readings.
  await database.admin.query(
    `do $$ begin
       execute (select string_agg(format('alter table %s set (autovacuum_enabled = off)', oid::regclass), '; ') from pg_class
         where relkind = 'r' and relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole));
     end $$`,
  );
  await setTarget(-1);
  await database.admin.query(
    "alter table webhooks.endpoints drop constraint endpoints_id; create index endpoints_id on webhooks.endpoints (id)",
  );
  await database.admin.query("vacuum analyze");
  const counted = await readings();
  await setTarget(0);
  await database.admin.query(
    "drop index webhooks.endpoints_id; alter table webhooks.endpoints add constraint endpoints_id exclude using hash (id with =)",
  );
  await database.admin.query(
    `delete from pg_statistic where (starelid, staattnum) in (select attrelid, attnum ${UNCOUNTED})`,
  );
  const uncounted = await readings();
  const changes = Object.entries(counted).map(([name, before]) => {
    const after = uncounted[name] ?? before;
    return {
      name,
      rows: after.rows > 2 * before.rows + 100 ? [before.rows, after.rows] : "about as many",
      // Of two indexes that find the same rows either will do, save where it was said that nothing changes.
      newWays: after.ways.filter(
        (each) => !before.ways.includes(each) && (SAME_WAYS.test(name) || each.endsWith(WHOLE_TABLE)),
      ),
    };
  });
  expect(changes).toEqual(changes.map(({ name }) => ({ name, rows: "about as many", newWays: [] })));
}, 300_000);

test("a page from a cursor reads by an index what it answers, however many rows there are", async () => {
  await database.admin.query("vacuum analyze");
  const readings = Object.entries(await readingsOf(tenants[0] ?? "")).filter(([name]) =>
    name.includes("from a cursor"),
  );
  expect(readings).toHaveLength(5);
  // In the order of the list, from the cursor on.
  const byIndex: Readonly<Record<string, string>> = {
    "list_audit_events from a cursor": "audit_events by environment id tenant_id",
    "list_proofs from a cursor": "proofs by environment registered_at tenant_id",
    "list_events from a cursor": "events by environment id tenant_id",
    "list_webhooks from a cursor": "endpoints by endpoints_id",
    "list_webhook_deliveries from a cursor": "attempts by endpoint_id id tenant_id",
  };
  for (const [name, { rows, ways }] of readings) {
    // Keys of a page and one more, then its rows. Deliveries are of two halves, and of several days.
    expect([name, rows > (name.includes("deliveries") ? 6 : 3) * 51 ? rows : "no more"]).toEqual([name, "no more"]);
    expect([name, ways]).toEqual([name, expect.arrayContaining([byIndex[name]])]);
    expect(ways.filter((way) => way.endsWith(WHOLE_TABLE) && !way.startsWith("endpoints"))).toEqual([]);
  }
}, 120_000);

test("deliveries of events are read by an index of their events, on every page, however many rows there are", async () => {
  await database.admin.query("vacuum analyze");
  for (const [size, tenant] of Object.entries({ large: tenants[0] ?? "", small: tenants[1] ?? "" })) {
    const readings = Object.entries(await readingsOf(tenant, /deliveries of (an event|events)/));
    expect(readings).toHaveLength(3);
    for (const [name, { rows, ways }] of readings) {
      // The events of a page, and a delivery or two of each.
      expect([name, size, rows > 4 * 51 ? rows : "no more"]).toEqual([name, size, "no more"]);
      // The planner may read the whole of a day that has next to nothing.
      expect([name, size, ways]).toEqual([
        name,
        size,
        expect.arrayContaining(["attempts by event_id tenant_id", "deliveries by event_id tenant_id"]),
      ]);
      const others = ways.filter((way) => !way.startsWith("events by ") && !way.includes("by event_id tenant_id"));
      expect([name, size, others.filter((way) => way !== `attempts by ${WHOLE_TABLE}`)]).toEqual([name, size, []]);
    }
  }
}, 120_000);
