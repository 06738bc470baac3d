// GET /metrics: the queues, which are in Postgres, and what is told while Postgres hangs or is away.
import { describe, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { startGateway } from "../../../src/main/gateway.ts";
import { createLogger } from "../../../src/main/log.ts";
import { databaseWay } from "../../support/database-way.ts";
import type { Scrape } from "../../support/exposition.ts";
import { startTestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { REQUESTS, random, scrape, TOKEN } from "./scrape.ts";

describe("the queues", () => {
  test("are those of Postgres: waiting, scheduled, running and failed jobs, proofs to be verified, and their ages", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN });
    try {
      const { admin } = selo.database;
      for (let job = 0; job < 3; job++)
        await admin.query("select graphile_worker.add_job('test__one', run_at => now() - interval '90 s')");
      await admin.query("select graphile_worker.add_job('test__one', run_at => now() + interval '1 hour')");
      await admin.query("select graphile_worker.add_job('test__two', max_attempts => 1)");
      await admin.query("update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1");
      await admin.query("select graphile_worker.add_job('test__two', max_attempts => 2)");
      await admin.query(
        "update graphile_worker._private_jobs set locked_at = now(), attempts = 1 where max_attempts = 2",
      );
      const { test, live } = await selo.newOrganization();
      for (const token of [test, live, live])
        expect((await call(selo, "POST", "/proofs", { token, body: { sha256: random() } })).status).toBe(201);
      await admin.query(
        "update signature.unverified_proofs set created_at = now() - interval '200 s' where environment = 'test'",
      );
      await admin.query(
        `update signature.unverified_proofs set failed_at = now(), failure = 'x'
         where proof_id = (select max(proof_id::text)::uuid from signature.unverified_proofs)`,
      );
      const now = await scrape(selo.baseUrl);
      const jobs = (task: string) =>
        ["waiting", "scheduled", "running", "failed"].map((state) => now.value("selo_jobs", { task, state }));
      expect(jobs("test__one")).toEqual([3, 1, 0, 0]);
      expect(jobs("test__two")).toEqual([0, 0, 1, 1]);
      const oldest = (task: string) => now.value("selo_jobs_oldest_waiting_seconds", { task });
      expect(oldest("test__one")).toBeGreaterThanOrEqual(90);
      expect(oldest("test__one")).toBeLessThan(1_000);
      expect(oldest("test__two")).toBe(0);
      expect(now.value("selo_unverified_proofs", { state: "waiting" })).toBe(2);
      expect(now.value("selo_unverified_proofs", { state: "failed" })).toBe(1);
      expect(now.value("selo_unverified_proofs_oldest_waiting_seconds")).toBeGreaterThanOrEqual(200);
      expect(now.value("selo_unverified_proofs_oldest_waiting_seconds")).toBeLessThan(1_000);
    } finally {
      await selo.stop();
    }
  });

  test("deliveries of webhooks wait, are leased or scheduled, and the oldest that waits is that of any endpoint", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN }, { freshness: { queuesMs: 100 } });
    try {
      const { admin } = selo.database;
      const add = (endpoint: string, rows: number, columns: string, values: string) =>
        admin.query(
          `insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, due_at${columns})
           select gen_random_uuid(), gen_random_uuid(), 'test', $1, gen_random_uuid(), 'message.sent', now() - interval '50 s'${values}
           from generate_series(1, $2)`,
          [endpoint, rows],
        );
      const endpoints = Array.from({ length: 3 }, () => crypto.randomUUID()).sort() as [string, string, string];
      await add(endpoints[0], 3, "", "");
      await add(endpoints[0], 2, ", attempt_id, leased_until", ", gen_random_uuid(), now() + interval '1 minute'");
      // Whoever leased it is gone.
      await add(endpoints[1], 1, ", attempt_id, leased_until", ", gen_random_uuid(), now() - interval '1 s'");
      await add(endpoints[2], 4, ", ready", ", false");
      await admin.query("update webhooks.deliveries set due_at = now() - interval '300 s' where endpoint_id = $1", [
        endpoints[1],
      ]);
      const first = await scrape(selo.baseUrl);
      const states = (now: Scrape) =>
        ["waiting", "leased", "scheduled"].map((state) => now.value("selo_webhook_deliveries", { state }));
      expect(states(first)).toEqual([4, 2, 4]);
      const oldest = first.value("selo_webhook_deliveries_oldest_waiting_seconds");
      expect(oldest).toBeGreaterThanOrEqual(300);
      expect(oldest).toBeLessThan(360);

      // Counted up to a limit, and looked for by index: a million that wait cost no more than ten thousand.
      await add(endpoints[0], 12_000, "", "");
      await add(endpoints[2], 12_000, ", ready", ", false");
      const { rows } = await admin.query(
        "select waiting::int, leased::int, scheduled::int from webhooks.delivery_states()",
      );
      const { waiting, leased, scheduled } = rows[0] as Record<string, number>;
      expect((waiting ?? 0) + (leased ?? 0)).toBe(10_000);
      expect(scheduled).toBe(10_000);
      await admin.query("truncate webhooks.deliveries");
      await expect.poll(async () => states(await scrape(selo.baseUrl)), { interval: 100 }).toEqual([0, 0, 0]);
      expect((await scrape(selo.baseUrl)).value("selo_webhook_deliveries_oldest_waiting_seconds")).toBe(0);
    } finally {
      await selo.stop();
    }
  });

  test("are read once for all who scrape within a moment", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN }, { freshness: { queuesMs: 600_000 } });
    try {
      const { admin } = selo.database;
      await admin.query("create sequence platform.readings; grant usage on sequence platform.readings to selo_owner");
      await admin.query(
        `create or replace function gateway.queue_states() returns jsonb language plpgsql volatile security definer set search_path = '' as $$
         begin perform nextval('platform.readings'); return platform.queue_states_of_all(); end $$`,
      );
      await Promise.all(Array.from({ length: 20 }, () => scrape(selo.baseUrl)));
      await scrape(selo.baseUrl);
      const { rows } = await admin.query("select last_value::int as readings from platform.readings");
      expect(rows).toEqual([{ readings: 1 }]);
    } finally {
      await selo.stop();
    }
  });

  test("a Postgres that hangs holds no scrape up, and is asked once", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN });
    const { admin } = selo.database;
    const lock = await admin.connect();
    try {
      await lock.query("begin; lock table signature.unverified_proofs in access exclusive mode");
      const scrapes = await Promise.all(Array.from({ length: 5 }, () => scrape(selo.baseUrl)));
      for (const one of scrapes) {
        expect(one.value("selo_database_up")).toBe(0);
        expect(one.has("selo_jobs")).toBe(false);
        expect(one.has("selo_unverified_proofs_oldest_waiting_seconds")).toBe(false);
        expect(one.has("process_cpu_seconds_total")).toBe(true);
      }
      const { rows } = await admin.query(
        "select count(*)::int as asked from pg_stat_activity where datname = current_database() and query like '%queue_states%' and state = 'active' and pid <> pg_backend_pid()",
      );
      expect(rows).toEqual([{ asked: 1 }]);
      await lock.query("rollback");
      await expect.poll(async () => (await scrape(selo.baseUrl)).value("selo_database_up"), { interval: 250 }).toBe(1);
    } finally {
      lock.release(true);
      await selo.stop();
    }
  });

  test("while Postgres is away the process tells of itself, and of the queues when it is back", async () => {
    const selo = await startTestGateway();
    const way = await databaseWay(selo.database.appUrl);
    const gateway = await startGateway({
      config: readConfig({ ...selo.config.environment, DATABASE_URL: way.url, METRICS_TOKEN: TOKEN }),
      databaseUrl: way.url,
      masterKeys,
      log: createLogger("silent"),
      freshness: { queuesMs: 100 },
    });
    const baseUrl = `http://127.0.0.1:${gateway.port}`;
    const up = async () => (await scrape(baseUrl)).value("selo_database_up");
    try {
      expect(await up()).toBe(1);
      await way.close();
      await expect.poll(up, { interval: 250 }).toBe(0);
      const away = await scrape(baseUrl);
      expect(away.has("selo_unverified_proofs")).toBe(false);
      expect(away.value(REQUESTS, { route: "/metrics", status: "200" })).toBeGreaterThan(0);
      await way.open();
      await expect.poll(up, { interval: 250 }).toBe(1);
      expect((await scrape(baseUrl)).has("selo_unverified_proofs")).toBe(true);
    } finally {
      await gateway.stop();
      await way.close();
      await selo.stop();
    }
  });
});
