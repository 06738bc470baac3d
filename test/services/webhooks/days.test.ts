// What is kept by day: made ahead, dropped when it is old, never refused for want of a day.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPool } from "../../../src/postgres/pool.ts";
import { keepWebhookDays } from "../../../workers/webhooks/keep-days.ts";
import { awayFromMidnight } from "../../support/clock.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { type Hook, WebhookStage } from "../../support/webhook-stage.ts";
import { taskContext } from "../../support/worker.ts";

const RETENTION_DAYS = 30;

let stage: WebhookStage;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  stage = await WebhookStage.open();
  const { workerUrl: url } = stage.selo.database;
  pool = createPool({ url, role: "selo_worker", applicationName: "test worker" }, 2, () => {});
});
afterAll(async () => {
  await pool?.end();
  await stage?.close();
});

const admin = (text: string, values: unknown[] = []) => stage.selo.database.admin.query(text, values);
const keepDays = () => keepWebhookDays({}, taskContext(pool, masterKeys));

/** Days of partitions, as numbers of days from today. */
async function days(table: "events" | "attempts"): Promise<number[]> {
  const { rows } = await admin(
    `select (to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') - (now() at time zone 'UTC')::date) as day
     from pg_inherits where inhparent = $1::regclass and inhrelid::regclass::text ~ '_\\d{8}$' order by 1`,
    [`webhooks.${table}`],
  );
  return rows.map(({ day }) => Number(day));
}

async function dropDays(from: number, to: number): Promise<void> {
  for (const table of ["events", "attempts"] as const) {
    for (const day of (await days(table)).filter((each) => each >= from && each <= to)) {
      const { rows } = await admin(
        "select to_char((now() at time zone 'UTC')::date + $1::integer, 'YYYYMMDD') as name",
        [day],
      );
      await admin(`drop table webhooks.${table}_${rows[0].name}`);
    }
  }
}

const addDay = (day: number) =>
  admin("select webhooks.add_partition((now() at time zone 'UTC')::date + $1::integer)", [day]);

/** Moves events, attempts and what waits to another day, and gives them ids of it. */
async function age(hook: Hook, ago: number): Promise<void> {
  const instant = new Date(Date.now() - ago * 86_400_000).toISOString();
  const older = (column: string) =>
    `overlay(${column}::text placing left(platform.uuidv7_at('${instant}')::text, 13) from 1 for 13)::uuid`;
  await admin(`update webhooks.events set id = ${older("id")} where tenant_id = $1`, [hook.organization.id]);
  await admin(
    `update webhooks.attempts set id = ${older("id")}, event_id = ${older("event_id")}, delivery_id = ${older("delivery_id")} where tenant_id = $1`,
    [hook.organization.id],
  );
  await admin(
    `update webhooks.deliveries set id = ${older("id")}, event_id = ${older("event_id")} where tenant_id = $1`,
    [hook.organization.id],
  );
}

const counts = async (hook: Hook) => {
  const { rows } = await admin(
    `select (select count(*)::integer from webhooks.events where tenant_id = $1) as events,
      (select count(*)::integer from webhooks.attempts where tenant_id = $1) as attempts,
      (select count(*)::integer from webhooks.deliveries where tenant_id = $1) as deliveries`,
    [hook.organization.id],
  );
  return rows[0];
};

const AHEAD = Array.from({ length: 15 }, (_, day) => day);
beforeEach(async () => {
  await awayFromMidnight();
  await dropDays(-100, -1);
  await admin("delete from webhooks.events_otherwise");
  await admin("delete from webhooks.attempts_otherwise");
  await keepDays();
});

describe("webhooks__keep_days", () => {
  test("makes today and 14 days ahead, of events and of attempts", async () => {
    await dropDays(3, 14);
    expect(await days("events")).toEqual([0, 1, 2]);
    await keepDays();
    expect([await days("events"), await days("attempts")]).toEqual([AHEAD, AHEAD]);
  });

  test("partitions force row-level security like their parents, and have their indexes", async () => {
    const { rows } = await admin(
      `select part.relname, part.relrowsecurity and part.relforcerowsecurity as forced,
        (select count(*)::integer from pg_index where indrelid = part.oid) = (select count(*)::integer from pg_index where indrelid = inhparent) as indexed
       from pg_inherits join pg_class as part on part.oid = inhrelid
       where inhparent in ('webhooks.events'::regclass, 'webhooks.attempts'::regclass)`,
    );
    expect(rows.length).toBeGreaterThan(30);
    for (const row of rows) expect(row).toMatchObject({ forced: true, indexed: true });
  });

  test("keeps WEBHOOK_RETENTION_DAYS and drops what is older; a retry after that is 404", async () => {
    for (const day of [-RETENTION_DAYS - 2, -RETENTION_DAYS - 1, -RETENTION_DAYS]) await addDay(day);
    const [kept, old] = [await stage.hook(), await stage.hook()];
    for (const hook of [kept, old]) {
      await hook.emit();
      await hook.attempted(1);
    }
    await age(kept, RETENTION_DAYS);
    await age(old, RETENTION_DAYS + 1);
    const [[last], [gone]] = [await kept.attempts(), await old.attempts()];
    await keepDays();
    expect(await days("events")).toEqual([-RETENTION_DAYS, ...AHEAD]);
    expect(await days("attempts")).toEqual([-RETENTION_DAYS, ...AHEAD]);
    expect(await counts(old)).toEqual({ events: 0, attempts: 0, deliveries: 0 });
    expect(await counts(kept)).toEqual({ events: 1, attempts: 1, deliveries: 0 });
    for (const id of [gone?.id, gone?.delivery_id]) {
      expect((await old.ask("POST", `/webhooks/deliveries/${id}/retry`)).status).toBe(404);
    }
    expect((await old.ask("GET", `/events/evt_${gone?.event_id.replaceAll("-", "")}`)).status).toBe(404);
    expect((await kept.ask("POST", `/webhooks/deliveries/${last?.id}/retry`)).status).toBe(202);
    await kept.attempted(2);
  });

  test("deletes from the default partitions and from the queue what is older, of all organizations, and nothing younger", async () => {
    const [kept, old] = [await stage.hook(500), await stage.hook(500)];
    for (const hook of [kept, old]) {
      await hook.emit(3);
      await hook.attempted(3);
      await hook.set("status = 'DISABLED', disabled_reason = 'manual'"); // nothing more is attempted
    }
    await age(kept, RETENTION_DAYS - 1);
    await age(old, RETENTION_DAYS + 1);
    const { rows } = await admin("select count(*)::integer as lying from webhooks.events_otherwise");
    expect(rows[0].lying).toBe(6);
    await keepDays();
    expect(await counts(old)).toEqual({ events: 0, attempts: 0, deliveries: 0 });
    expect(await counts(kept)).toEqual({ events: 3, attempts: 3, deliveries: 3 });
  });

  test("on a day without partitions events are written, delivered, listed and replayed all the same", async () => {
    await dropDays(0, 14);
    const hook = await stage.hook();
    await hook.emit(2);
    const [first] = await hook.attempted(2);
    const { rows } = await admin(
      "select count(*)::integer as lying from webhooks.events_otherwise where tenant_id = $1",
      [hook.organization.id],
    );
    expect(rows[0].lying).toBe(2);
    expect((await hook.ask("GET", `/webhooks/${hook.id}/deliveries`)).body.items).toHaveLength(2);
    expect((await hook.ask("POST", `/webhooks/deliveries/${first?.id}/retry`)).status).toBe(202);
    await hook.attempted(3);
    // The day that began without them goes on without them; the days to come get theirs.
    await keepDays();
    expect(await days("events")).toEqual(AHEAD.slice(1));
    expect(await counts(hook)).toEqual({ events: 2, attempts: 3, deliveries: 0 });
    await admin("delete from webhooks.events_otherwise");
    await admin("delete from webhooks.attempts_otherwise");
    await keepDays();
    expect(await days("events")).toEqual(AHEAD);
  });

  test("a reader that holds locks neither makes it fail nor lets it hold up whoever emits; the next run does what was left", async () => {
    await addDay(-RETENTION_DAYS - 1);
    await dropDays(10, 14);
    const hook = await stage.hook();
    const reader = await stage.selo.database.admin.connect();
    try {
      await reader.query("begin");
      await reader.query("select count(*) from webhooks.events");
      await reader.query("select count(*) from webhooks.attempts");
      let done = false;
      const keeping = keepDays().finally(() => {
        done = true;
      });
      let emitted = 0;
      // One after the other, all the while: each waits for a lock that times out after 300 ms, at most.
      while (!done) {
        await hook.emit();
        emitted += 1;
      }
      await keeping;
      // Had the first one waited until the end, there would be no second.
      expect(emitted).toBeGreaterThan(1);
      expect(await days("events")).toContain(-RETENTION_DAYS - 1);
      await hook.attempted(emitted);
      await reader.query("commit");
    } finally {
      reader.release();
    }
    await keepDays();
    expect([await days("events"), await days("attempts")]).toEqual([AHEAD, AHEAD]);
  });
});
