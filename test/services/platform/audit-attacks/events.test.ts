// Events of the audit trail that a superuser adds, edits or dates otherwise.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AuditFault } from "../../../../src/postgres/audit-reader.ts";
import { said } from "../audit-stage.ts";
import { FOUND_BY } from "./found-by.ts";
import { attackStage, organization, selo, stage } from "./stage.ts";

attackStage();

describe("what a superuser can do, and is found", () => {
  test("an event at a place that is taken, past an index that was kept from seeing it", async () => {
    const [event] = await stage.rows<{ id: string; subject_id: string }>(
      "select id, subject_id from platform.audit_events where seq = 1 and action = 'proof.registered' limit 1",
    );
    const index =
      "pg_index set indisready = %s where indexrelid = 'platform.audit_events_tenant_id_environment_subject_id_seq_key'::regclass";
    const own = randomUUID();
    const client = await selo.database.admin.connect();
    try {
      await client.query("begin; set local session_replication_role = replica; set local allow_system_table_mods = on");
      await client.query(`update ${index.replace("%s", "false")}`);
      await client.query(
        "commit; begin; set local session_replication_role = replica; set local allow_system_table_mods = on",
      );
      await client.query(
        `insert into platform.audit_events
         select tenant_id, environment, $2, subject_type, subject_id, seq, 'proof.forged', actor_type, actor_id, channel, request_id,
           occurred_at, details, commitments, personal, prev_hash, hash
         from platform.audit_events where id = $1`,
        [event?.id, own],
      );
      await client.query(`update ${index.replace("%s", "true")}`);
      await client.query("commit");
      const named = (all: readonly AuditFault[]) => all.filter(({ event_id }) => event_id === own);
      expect(said(await stage.faults())).toContainEqual(expect.stringMatching(/^inserted: /));
      // Where the walk goes by that index, it does not meet the event: the table itself is counted.
      const [{ events } = { events: 0 }] = await stage.rows<{ events: number }>(
        "select count(*)::integer as events from platform.audit_events",
      );
      const uncounted = await stage.rows<AuditFault>("select * from platform.audit_heap_faults($1, null)", [
        JSON.stringify({ "platform.audit_events": events - 1 }),
      ]);
      for (const { check_name } of uncounted) stage.seen.add(check_name);
      expect(said(uncounted)).toEqual([
        ...["inserted: another event has the same place", "inserted: another event has the same place"],
        `platform.audit_events has ${events} rows, and its index finds ${events - 1}`,
      ]);
      expect(named(uncounted)).toHaveLength(1);
    } finally {
      await client.query("rollback").catch(() => {});
      await client.query("begin; set local session_replication_role = replica");
      await client.query("delete from platform.audit_events where id = $1", [own]);
      await client.query("commit");
      client.release();
      await selo.database.admin.query("reindex table platform.audit_events");
    }
    expect(await stage.faults()).toEqual([]);
  });

  test("an event at a place that is taken, with the unique index dropped", async () => {
    const name = "audit_events_tenant_id_environment_subject_id_seq_key";
    await selo.database.admin.query(`alter table platform.audit_events drop constraint ${name}`);
    try {
      const again = await stage.found(
        ["platform.audit_events"],
        [
          `insert into platform.audit_events
           select tenant_id, environment, gen_random_uuid(), subject_type, subject_id, seq, action, actor_type, actor_id, channel, request_id,
             occurred_at, details, commitments, personal, prev_hash, hash
           from platform.audit_events where subject_id = $1`,
          [stage.proofs[0]?.id],
        ],
      );
      expect(said(again)).toContainEqual("inserted: another event has the same place");
    } finally {
      await selo.database.admin.query(
        `alter table platform.audit_events add constraint ${name} unique (tenant_id, environment, subject_id, seq)`,
      );
    }
  });

  test("personal data whose first characters were moved into the salt, or that were added without one", async () => {
    const moved = await stage.found(
      ["platform.audit_events"],
      [
        `update platform.audit_events set personal = jsonb_set(jsonb_set(personal,
           '{address,salt}', to_jsonb((personal #>> '{address,salt}') || encode(convert_to(left(personal #>> '{address,value}', 2), 'UTF8'), 'hex'))),
           '{address,value}', to_jsonb(substr(personal #>> '{address,value}', 3)))
         where subject_id = $1 and personal ? 'address'`,
        [stage.proofs[0]?.id],
      ],
    );
    expect(said(moved)).toEqual(["edited: the personal data do not match their commitments"]);
    const added = await stage.found(
      ["platform.audit_events"],
      [
        `update platform.audit_events set personal = coalesce(personal, '{}') || '{"device": {"value": "a phone"}}' where subject_id = $1`,
        [stage.proofs[0]?.id],
      ],
    );
    expect(said(added)).toEqual(["edited: the personal data do not match their commitments"]);
  });

  test("an event that is dated before the last seal, which it came after", async () => {
    const { id } = await stage.register(organization.live);
    const backdated = await stage.found(
      ["platform.audit_events"],
      ["update platform.audit_events set occurred_at = occurred_at - interval '2 days' where subject_id = $1", [id]],
      ["update platform.audit_events as event set hash = platform.audit_event_hash(event) where subject_id = $1", [id]],
    );
    expect(said(backdated)).toContainEqual("backdated: the event is older than seal 2, which does not cover the event");
    expect(backdated.filter(({ fault }) => fault.startsWith("backdated"))).toHaveLength(1);
  });

  test("a time that reads like another, or like none", async () => {
    const times = await stage.rows<{
      table_name: string;
      column_name: string;
      check_name: string;
      nullable: boolean;
    }>(
      `select covered.table_name, covered.column_name, covered.check_name, covered.column_name in ('expires_at', 'revoked_at', 'previous_secret_expires_at') as nullable
       from platform.audit_coverage_of_all() as covered
       join pg_attribute on attrelid = covered.table_name::regclass and attname = covered.column_name
       where covered.check_name is not null and atttypid = 'timestamptz'::regtype`,
    );
    expect(times.length).toBeGreaterThan(8);
    const missed: string[] = [];
    for (const { table_name, column_name, check_name, nullable } of times) {
      const row = `ctid = (select min(ctid) from ${table_name} where ${column_name} is not null)`;
      const before = `(to_char(${column_name} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || ' BC')::timestamp at time zone 'UTC'`;
      const [there] = await stage.rows(`select from ${table_name} where ${row}`);
      const changes = there === undefined ? [] : [`set ${column_name} = ${before} where ${row}`];
      const [open] = await stage.rows(`select from ${table_name} where ${column_name} is null limit 1`);
      if (nullable && open !== undefined)
        changes.push(
          `set ${column_name} = '-infinity' where ctid = (select min(ctid) from ${table_name} where ${column_name} is null)`,
        );
      for (const change of changes) {
        const { isFound, said: found } = await stage.foundBy(check_name, table_name, [
          `update ${table_name} ${change}`,
          [],
        ]);
        if (!isFound && found.length === 0) missed.push(change);
      }
    }
    expect(missed).toEqual([]);
  });
});

test("what a row says that nobody can read ends no verification: it is a fault itself", async () => {
  const spoilt = await stage.found(
    ["platform.audit_events"],
    [
      'update platform.audit_events set details = \'{"ledger_id":"x","kind":1\' where action = \'credits.granted\' and tenant_id = $1',
      [organization.id],
    ],
  );
  expect(said(spoilt)).toContainEqual("edited: the hash does not match the event");
  const unreadable = await stage.found(
    ["platform.audit_events"],
    [
      "update platform.audit_events set details = '{\"ledger_id\":\"x\"}' where action = 'credits.granted' and tenant_id = $1",
      [organization.id],
    ],
  );
  expect(said(unreadable)).toContainEqual(
    expect.stringMatching(/^the check platform\.credits cannot be made \(22P02\)$/),
  );
  const nested = await stage.found(
    ["signature.proofs"],
    ["update signature.proofs set evidence = repeat('[', 100000) where id = $1", [stage.proofs[0]?.id]],
  );
  expect(said(nested)).toContainEqual("the evidence has no canonical form");
});

test("each check that is listed for this file found something above", () => {
  expect([...stage.seen]).toEqual(expect.arrayContaining([...FOUND_BY.events]));
});
