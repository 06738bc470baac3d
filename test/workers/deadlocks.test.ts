// A worker whose statements about ended jobs lose a deadlock: requests lock the same jobs, by their keys, in their own order.
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { services } from "../../src/services/services.ts";
import { type RunningWorker, startWorker } from "../../workers/main.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { masterKeys } from "../support/master-keys.ts";

/** Statements that are lost. */
const LOST = 3;

let selo: TestGateway;
let worker: RunningWorker;
let isEnded = false;
const admin = (text: string, values: unknown[] = []) => selo.database.admin.query(text, values);
const numberOf = async (text: string) => Number((await admin(`select (${text}) as value`)).rows[0].value);
const jobs = () =>
  numberOf("select count(*) from graphile_worker._private_jobs where is_available or locked_at is not null");

beforeAll(async () => {
  selo = await startTestGateway();
  await admin("create sequence public.tried");
  await admin(
    `create function public.lose() returns trigger language plpgsql security definer as $$
     begin
       if nextval('public.tried') <= ${LOST} then
         raise exception 'deadlock detected' using errcode = 'deadlock_detected';
       end if;
       return coalesce(new, old);
     end $$`,
  );
  worker = await startWorker({
    services,
    config: selo.config,
    databaseUrl: selo.database.workerUrl,
    masterKeys,
    log: pino({ level: "silent" }),
  });
  const end = () => {
    isEnded = true;
  };
  void worker.ended.then(end, end);
});
afterAll(async () => {
  await worker?.stop();
  await selo?.stop();
});

test.each([
  ["that has ended", "delete", "true", "'signature__reverify_proofs'"],
  // It has no zone.
  [
    "that has failed",
    "update",
    "new.last_error is not null",
    "'dns__flush_zone', json_build_object('zone', 1), max_attempts => 1",
  ],
])("what is to be written about a job %s is written again, and the worker goes on", async (_, change, when, job) => {
  await admin("alter sequence public.tried restart");
  await admin(
    `create trigger lose before ${change} on graphile_worker._private_jobs for each row when (${when}) execute function public.lose()`,
  );
  const before = await jobs();
  await admin(`select graphile_worker.add_job(${job})`);
  await expect.poll(() => numberOf("select last_value from public.tried")).toBeGreaterThan(LOST);
  await expect.poll(jobs).toBeLessThanOrEqual(before);
  await admin("drop trigger lose on graphile_worker._private_jobs");
  expect(isEnded).toBe(false);
  // It takes the next job.
  await admin("select graphile_worker.add_job('signature__reverify_proofs')");
  await expect.poll(jobs).toBeLessThanOrEqual(before);
});
