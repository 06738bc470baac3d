// The walks of `selo audit verify` are cut into ranges, and may begin at a seal.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { inContext, ownerPool } from "../../../support/owner.ts";
import { type Edit, tamper } from "../../../support/tamper.ts";
import { verifyAll } from "../../../support/verify-all.ts";
import { said } from "../audit-stage.ts";
import { attackStage, organization, selo, stage } from "./stage.ts";

attackStage();

interface Place {
  readonly subject_id: string;
  readonly seq: number;
}

test("a range holds 10,000 events and sealed heads, the last one what is left", async () => {
  const subject = randomUUID();
  const client = await selo.database.admin.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    // Heads of one chain: they are counted as events are, and nothing is recorded with them.
    await client.query(
      `insert into platform.audit_seal_leaves (tenant_id, environment, subject_id, seal_number, seq, hash)
       select $1, 'test', $2, number, number, sha256('head') from generate_series(1, 25000) as number`,
      [organization.id, subject],
    );
    const { rows } = await client.query<{ until: Place; places: number }>(
      `select range -> 'until' as until, (
         select count(*)::integer from (
           select tenant_id, environment, subject_id, seq from platform.audit_events
           union all select tenant_id, environment, subject_id, seq from platform.audit_seal_leaves) as place
         where (tenant_id, environment, subject_id, seq) > (
             (range #>> '{after,tenant_id}')::uuid, range #>> '{after,environment}', (range #>> '{after,subject_id}')::uuid, (range #>> '{after,seq}')::bigint)
           and (tenant_id, environment, subject_id, seq) <= (
             (range #>> '{until,tenant_id}')::uuid, range #>> '{until,environment}', (range #>> '{until,subject_id}')::uuid, (range #>> '{until,seq}')::bigint)
       ) as places
       from jobs.audit_ranges(null) where name = 'events'`,
    );
    expect(rows.map(({ places }) => places)).toEqual([10_000, 10_000, expect.any(Number)]);
    expect(rows[2]?.places).toBeLessThan(10_000);
    expect(rows.map(({ until }) => until.subject_id === subject)).toEqual([true, true, false]);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

describe("by ranges", () => {
  const subject = randomUUID();
  const RANGE = 100;
  const EVENTS = 350;
  beforeAll(async () => {
    // The same function with shorter ranges: a chain that is longer than 10,000 events takes two seconds each time.
    const [cut] = await stage.rows<{ definition: string }>(
      "select pg_get_functiondef('platform.audit_ranges_events(uuid)'::regprocedure) as definition",
    );
    const shorter = cut?.definition.replace("numbered.number % 10000 = 0", `numbered.number % ${RANGE} = 0`) ?? "";
    expect(shorter).toContain(`% ${RANGE} =`);
    await selo.database.admin.query(shorter);
    const owner = ownerPool(selo.database);
    await inContext(owner, organization.id, "test", (client) =>
      client.query(
        "select count(platform.record_audit_event('thing.changed', 'thing', $1, jsonb_build_object('event', n))) from generate_series(1, $2::integer) as n",
        [subject, EVENTS],
      ),
    );
    await owner.end();
  }, 120_000);

  test("a chain that is longer than a range is followed from one to the next", async () => {
    const ranges = await stage.rows<{ until: Place }>(
      "select range -> 'until' as until from jobs.audit_ranges(null) where name = 'events'",
    );
    expect(ranges.filter(({ until }) => until.subject_id === subject).length).toBeGreaterThanOrEqual(2);
    const { events } = await verifyAll(selo.operator);
    expect(events).toBeGreaterThan(EVENTS);
    for (const { until } of ranges.filter((range) => range.until.subject_id === subject))
      for (const seq of [until.seq, until.seq + 1]) {
        const removed = await stage.found(
          ["platform.audit_events"],
          ["delete from platform.audit_events where subject_id = $1 and seq = $2", [subject, seq]],
        );
        expect(said(removed)).toContainEqual(`removed: an event is missing between ${seq - 1} and ${seq + 1}`);
        expect(removed.filter(({ subject_id }) => subject_id === subject)).toHaveLength(1);
      }
  });

  test("since a seal: everything but the signatures that it covers", async () => {
    const last = await selo.seal();
    const since = async (seal = last) => said((await verifyAll(selo.operator, { since: seal })).faults);
    expect(await since()).toEqual([]);
    const edit = (seq: number): Edit => [
      "update platform.audit_events set action = 'thing.made', occurred_at = occurred_at - interval '9 days' where subject_id = $1 and seq = $2",
      [subject, seq],
    ];
    await tamper(selo.database, edit(3));
    expect(await since()).toContainEqual("edited: the hash does not match the event");
    await tamper(selo.database, ["delete from platform.audit_events where subject_id = $1 and seq = 5", [subject]]);
    expect(await since()).toContainEqual("removed: an event is missing between 4 and 6");
    const owner = ownerPool(selo.database);
    await inContext(owner, organization.id, "test", (client) =>
      client.query("select platform.record_audit_event('thing.changed', 'thing', $1)", [subject]),
    );
    await owner.end();
    await tamper(selo.database, edit(EVENTS + 1));
    expect((await since()).filter((fault) => fault.startsWith("edited:"))).toHaveLength(2);
    // Proofs: what the seal covers is not verified anew, and what came since is.
    expect((await verifyAll(selo.operator, { since: last })).verified.proofs).toBe(0);
    await stage.register(organization.live);
    expect((await verifyAll(selo.operator, { since: last })).verified.proofs).toBe(1);
    // One that was removed hides nothing: everything is looked at.
    const gone = await since(last + 1);
    expect(gone).toContainEqual("the seal is missing, so everything is verified");
    expect(gone.filter((fault) => fault.startsWith("edited:"))).toHaveLength(2);
  });
});
