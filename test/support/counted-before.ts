import fs from "node:fs";
import pg from "pg";
import { expect } from "vitest";
import { dumpCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import { writeManyTenants } from "./many-tenants.ts";

const MIGRATION = new URL("../../sql/migrations/0010-estimates.sql", import.meta.url);
/** Makes of the index that 0010 makes a constraint: undone before, made again after. */
const LATER = new URL("../../sql/migrations/0014-endpoint-ids.sql", import.meta.url);
const OF_EVENTS = new URL("../../sql/migrations/0021-webhooks-event-ids.sql", import.meta.url);
const INDEXES_OF_EVENTS = new URL("../../sql/migrations/0022-webhooks-event-indexes.sql", import.meta.url);
const INDEX_OF_EVENTS = new URL("../../sql/migrations/0023-webhooks-event-index.sql", import.meta.url);

/** Columns whose values the planner knows, of those it is to know nothing of; parents of partitions included. */
const KNOWN = `select starelid::regclass || '.' || attname as name from pg_statistic join pg_attribute on attrelid = starelid and attnum = staattnum
  where attname = any ($1) and (stakind1, stakind2, stakind3, stakind4, stakind5) <> (0, 0, 0, 0, 0) and starelid in (
    select oid from pg_class where relnamespace in ('webhooks'::regnamespace, 'signature'::regnamespace, 'platform'::regnamespace)
      and relname ~ '^(audit_events|proofs|endpoints|events|deliveries|attempts)(_\\d{8}|_otherwise)?$') order by 1`;

/**
 * Runs the migrations that do away with statistics of ids on a database that has them: none is left, and everything else, rows,
 * views, rights and partitions, is as it was.
 */
export async function expectForgotten(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const [tenant] = await writeManyTenants(client, 3, 5);
    await client.query("select set_config('app.tenant_id', $1, false), set_config('app.environment', 'live', false)", [
      tenant,
    ]);
    await client.query("select set_config('app.scopes', 'audit:read proofs:read webhooks:manage', false)");
    const { rows: columns } = await client.query<{ table: string; column: string }>(
      `select attrelid::regclass::text as table, attname as column from pg_attribute
       where attstattarget = 0 and attnum > 0 and not attisdropped and attrelid >= 16384`,
    );
    for (const { table, column } of columns)
      await client.query(`alter table only ${table} alter column ${column} set statistics -1`);
    await client.query("analyze");
    const known = async (names: readonly string[]) =>
      (await client.query<{ name: string }>(KNOWN, [names])).rows.map(({ name }) => name);
    expect(await known(["id", "endpoint_id", "subject_id"])).toEqual(
      expect.arrayContaining([
        "platform.audit_events.id",
        "platform.audit_events.subject_id",
        "signature.proofs.id",
        "webhooks.attempts.endpoint_id",
        "webhooks.attempts.id",
        "webhooks.deliveries.endpoint_id",
        "webhooks.deliveries.id",
        "webhooks.endpoints.id",
        "webhooks.events.id",
      ]),
    );
    const others = await known(["tenant_id", "delivery_id", "occurred_at"]);
    const before = await shown(client);

    await client.query("begin; set local role selo_owner");
    await client.query("alter table webhooks.endpoints drop constraint endpoints_id");
    await client.query("create index endpoints_id on webhooks.endpoints (id)");
    await client.query(fs.readFileSync(MIGRATION, "utf8"));
    await client.query(fs.readFileSync(LATER, "utf8"));
    await client.query("commit");
    const ofEvents = ["webhooks.attempts.event_id", "webhooks.deliveries.event_id"];
    expect(await known(["event_id"])).toEqual(expect.arrayContaining(ofEvents));
    await client.query("begin; set local role selo_owner");
    await client.query("drop index webhooks.attempts_event, webhooks.deliveries_event");
    await client.query(fs.readFileSync(OF_EVENTS, "utf8"));
    await client.query("commit");
    expect(await known(["event_id"])).toEqual([]);
    await client.query("set role selo_owner");
    const { rows: statements } = await client.query<{ text: string }>(fs.readFileSync(INDEXES_OF_EVENTS, "utf8"));
    for (const { text } of statements) await client.query(text);
    await client.query(fs.readFileSync(INDEX_OF_EVENTS, "utf8"));
    await client.query("reset role");
    expect((await known(["id", "endpoint_id"])).filter((name) => !/delivery_id/.test(name))).toEqual([]);
    expect((await known(["subject_id"])).filter((name) => name.startsWith("platform.audit_events"))).toEqual([]);
    expect(await known(["tenant_id", "delivery_id", "occurred_at"])).toEqual(others);
    await client.query("analyze");
    expect(await known(["id", "endpoint_id", "event_id", "subject_id"])).toEqual([]);
    expect(await shown(client)).toEqual(before);
  } finally {
    await client.end();
  }
}

/** The catalog, what the views show, and which days there are. */
async function shown(client: pg.Client): Promise<object> {
  const views = [
    "audit_events",
    "proofs",
    "public_proofs",
    "webhook_endpoints",
    "webhook_events",
    "webhook_deliveries",
  ];
  const rows = [];
  // The views believe the session's settings when their owner asks.
  await client.query("set role selo_owner");
  for (const view of views) {
    const { rows: found } = await client.query(
      `select count(*) as count, md5(string_agg(md5(seen::text), '' order by md5(seen::text))) as digest from api.${view} as seen`,
    );
    rows.push({ view, ...found[0] });
  }
  await client.query("reset role");
  const { rows: days } = await client.query(
    `select inhrelid::regclass::text as name, inhparent::regclass::text as whole, relrowsecurity, relforcerowsecurity,
       pg_get_expr(relpartbound, pg_class.oid) as bounds, relacl::text as acl,
       (select array_agg(indexrelid::regclass::text order by indexrelid::regclass::text) from pg_index where indrelid = pg_class.oid and indisvalid) as indexes
     from pg_inherits join pg_class on pg_class.oid = inhrelid order by 1`,
  );
  const catalog = (await dumpCatalog(client)).replaceAll(
    /^alter table \S+ alter column \S+ set statistics -?\d+;\n/gm,
    "",
  );
  return { rows, days, catalog };
}
