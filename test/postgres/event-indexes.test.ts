// Migrations 0022 and 0023: indexes on the queue and on a table in partitions, built while others write.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { writeManyTenants } from "../support/many-tenants.ts";

const BUILT = ["0022-webhooks-event-indexes", "0023-webhooks-event-index"];

let database: TestDatabase;
let tenant: string;
beforeAll(async () => {
  database = await createTestDatabase();
  [tenant = ""] = await writeManyTenants(database.admin, 2, 20);
});
afterAll(() => database?.drop());

/** As before the two migrations. */
async function forget(): Promise<void> {
  await database.admin.query("drop index webhooks.attempts_event, webhooks.deliveries_event");
  await database.admin.query("delete from platform.migrations where name = any ($1)", [BUILT]);
}

const run = () => migrate({ adminUrl: database.adminUrl, serviceUrls: [] });

interface Index {
  readonly table: string;
  readonly name: string;
  readonly isValid: boolean;
  readonly owner: string;
  readonly parent: string | null;
}

/** Those that begin with the organization and the event. */
async function indexes(): Promise<Index[]> {
  const { rows } = await database.admin.query<Index>(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name, indisvalid as "isValid", pg_get_userbyid(relowner) as owner,
       (select inhparent::regclass::text from pg_inherits where inhrelid = indexrelid) as parent
     from pg_index join pg_class on pg_class.oid = indexrelid
     where pg_get_indexdef(indexrelid) like '%(tenant_id, event_id, id) WHERE %' order by 1, 2`,
  );
  return rows;
}

async function expectWhole(): Promise<void> {
  const { rows: parts } = await database.admin.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'webhooks.attempts'::regclass",
  );
  expect(parts.length).toBeGreaterThan(15);
  const whole = (table: string, name: string, parent: string | null) => ({
    table,
    name,
    isValid: true,
    owner: "selo_owner",
    parent,
  });
  const byTable = (left: { table: string }, right: { table: string }) => (left.table < right.table ? -1 : 1);
  expect((await indexes()).sort(byTable)).toEqual(
    [
      whole("webhooks.attempts", "webhooks.attempts_event", null),
      whole("webhooks.deliveries", "webhooks.deliveries_event", null),
      // The name that Postgres gives the index of a partition that is made later.
      ...parts.map(({ name }) => whole(name, `${name}_tenant_id_event_id_id_idx`, "webhooks.attempts_event")),
    ].sort(byTable),
  );
}

/** Inserts a delivery and an attempt of now. */
async function write(client: pg.Client): Promise<void> {
  const id = randomUUID();
  await client.query(
    `insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, due_at)
     values ($1, platform.uuidv7(), 'live', $2, platform.uuidv7(), 'message.sent', now())`,
    [tenant, id],
  );
  await client.query(
    `insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts, trigger, status)
     values ($1, platform.uuidv7(), 'live', $2, $2, platform.uuidv7(), 'message.sent', 0, 0, 'auto', 'SKIPPED')`,
    [tenant, id],
  );
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  return client;
}

test("each partition gets its index, and the parent takes them over", async () => {
  await expectWhole();
  await forget();
  expect(await indexes()).toEqual([]);
  expect(await run()).toEqual(BUILT);
  await expectWhole();
  // A day that is made later has the index, too.
  await database.admin.query("select jobs.add_webhook_day(40)");
  await expectWhole();
});

test("writers go on while it waits for others, and what a crash left unfinished is built anew", async () => {
  await forget();
  const [holder, writer] = [await connected(), await connected()];
  try {
    // Today's partition and the queue: the migration waits for this transaction, after it began to build.
    await holder.query("begin");
    await write(holder);
    const running = run();
    running.catch(() => {}); // looked at later
    const unfinished = async () => (await indexes()).filter(({ isValid }) => !isValid);
    await expect.poll(unfinished).toHaveLength(1);
    expect((await unfinished())[0]).toMatchObject({ table: expect.stringMatching(/attempts_\d{8}$/), parent: null });
    await writer.query("set lock_timeout = '2s'");
    for (let time = 0; time < 20; time++) await write(writer);
    await writer.query("update webhooks.deliveries set due_at = now() where tenant_id = $1", [tenant]);
    expect(await unfinished()).toHaveLength(1);

    await database.admin.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'selo migrate' and pid <> pg_backend_pid()",
    );
    await expect(running).rejects.toThrow("migration 0022-webhooks-event-indexes failed: canceling statement");
    expect(await unfinished()).toHaveLength(1);
    await holder.query("commit");
    expect(await run()).toEqual(BUILT);
  } finally {
    await holder.end();
    await writer.end();
  }
  await expectWhole();
  // The index has the rows that came meanwhile.
  const { rows } = await database.admin.query(
    `select (select count(*)::integer from webhooks.attempts where tenant_id = $1 and event_type = 'message.sent') as all,
       (select count(*)::integer from webhooks.attempts as attempt where tenant_id = $1 and event_type = 'message.sent' and exists (
         select from webhooks.attempts as found where found.tenant_id = $1 and found.event_id = attempt.event_id)) as found`,
    [tenant],
  );
  expect(rows).toEqual([{ all: 21, found: 21 }]);
});

test("a delivery is looked up by its key, also while the planner takes the queue for empty", async () => {
  const client = await connected();
  try {
    await client.query("truncate webhooks.deliveries");
    await client.query("vacuum analyze webhooks.deliveries");
    // As in jobs.record_attempts.
    await client.query(
      "set enable_seqscan = off; set enable_bitmapscan = off; set plan_cache_mode = force_generic_plan",
    );
    await client.query(
      "prepare look_up (uuid, uuid) as select from webhooks.deliveries where tenant_id = $1 and id = $2 limit 1",
    );
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      "explain execute look_up ('018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002')",
    );
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain("using deliveries_pkey");
  } finally {
    await client.end();
  }
});
