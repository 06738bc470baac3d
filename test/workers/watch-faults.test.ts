// The job that observes components each minute, and what the services let it observe.
import fs from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openStorage } from "../../src/adapters/storage/open-storage.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { createLogger } from "../../src/main/log.ts";
import { masterKeysOf } from "../../src/main/master-key.ts";
import { Jobs } from "../../src/postgres/jobs.ts";
import { createPool } from "../../src/postgres/pool.ts";
import type { WatchedState, WorkerHouse } from "../../src/services/service.ts";
import { metricsOf } from "../../src/surfaces/metrics/load-metrics.ts";
import { schedule } from "../../workers/main.ts";
import { watchFaults, watchFaultsOf } from "../../workers/platform/watch-faults.ts";
import type { TaskContext, WorkerTask } from "../../workers/task.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

let selo: TestGateway;
let pool: ReturnType<typeof createPool>;
let jobs: Jobs;
beforeAll(async () => {
  selo = await startTestGateway({}, { freshness: { readinessMs: 0 } });
  pool = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    2,
    () => {},
  );
  jobs = new Jobs(pool);
});
afterAll(async () => {
  await pool.end();
  await selo.stop();
});
beforeEach(
  async () => void (await selo.database.admin.query("delete from platform.faults; delete from platform.fault_watch")),
);

const run = (task: WorkerTask, stopping = new AbortController().signal) =>
  task({}, { jobs, log: createLogger("silent"), stopping } as TaskContext);
const lasting = async () =>
  (
    await selo.database.admin.query(
      "select component, extent from platform.faults where ended_at is null order by component",
    )
  ).rows.map(({ component, extent }) => `${component} ${extent}`);

test("a check that throws, that never answers, or that says so has failed; one that misses the database says nothing", async () => {
  const never = new Promise<WatchedState>(() => {});
  await run(
    watchFaults(
      {
        keys: async () => Promise.reject(new Error("secret detail")),
        storage: () => never,
        nameservers: async () => "part",
        certificates: async () => Promise.reject(new AppError(503, "unavailable", "the database is away")),
      },
      10,
    ),
  );
  expect(await lasting()).toEqual(["keys whole", "nameservers part", "storage whole"]);
  const page = await (await fetch(`${selo.baseUrl}/status`, { headers: { accept: "text/html" } })).text();
  expect(page.match(/Not over/g)).toHaveLength(3);
  expect(page).not.toContain("secret detail");
});

test("a worker that stops does not wait for a check, and records nothing", async () => {
  const stopping = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const storage = () => {
    resolve();
    return new Promise<WatchedState>(() => {});
  };
  const watching = run(watchFaults({ storage, nameservers: async () => "part" }, 2 ** 31 - 1), stopping.signal);
  await asked;
  stopping.abort();
  await watching;
  expect(await lasting()).toEqual([]);
});

test("repeats a check that was late once, and does not count it as failed", async () => {
  let asked = 0;
  await run(
    watchFaults(
      {
        keys: () => {
          asked += 1;
          return asked === 1 ? new Promise<WatchedState>(() => {}) : Promise.resolve("ok");
        },
      },
      10,
    ),
  );
  expect(asked).toBe(2);
  expect(await lasting()).toEqual([]);
});

test("the observation goes before all jobs that wait, since behind a backlog it would say that the service was away", () => {
  const items = schedule(selo.services, selo.config);
  expect(items.filter(({ options }) => (options.priority ?? 0) < 0).map(({ task }) => task)).toEqual([
    "platform__watch_faults",
  ]);
});

test("of all services keys, certificates, storage and nameservers are observed, as /readyz checks them", async () => {
  const closers: (() => Promise<void>)[] = [];
  const objects = await openStorage(selo.config);
  const house = {
    ...{ services: selo.services, config: selo.config, jobs, masterKeys: masterKeysOf(selo.config), objects },
    metrics: metricsOf(selo.services),
    log: createLogger("silent"),
    onClose: (close: () => Promise<void>) => void closers.push(close),
  } as WorkerHouse;
  const observed = await Promise.all(
    selo.services.map(async ({ watched }) => Object.keys((await watched?.(house)) ?? {})),
  );
  expect(observed.flat().sort()).toEqual(["certificates", "keys", "nameservers", "storage"]);

  const task = await watchFaultsOf(house);
  await run(task);
  expect(await lasting()).toEqual([]);
  // The certificates expire, one of the platform's keys is gone, and the folder of the storage, too.
  const { admin } = selo.database;
  await admin.query("alter table platform.seal_certificates disable trigger user");
  await admin.query("update platform.seal_certificates set not_after = not_before + interval '1 second'");
  await admin.query("alter table platform.platform_keys disable trigger user");
  await admin.query("update platform.platform_keys set sealed_seed = '\\x00'");
  fs.rmSync(selo.config.storageFolder, { recursive: true });
  await run(await watchFaultsOf(house));
  expect(await lasting()).toEqual(["certificates whole", "keys whole", "storage whole"]);
  fs.mkdirSync(selo.config.storageFolder);
  for (const close of closers) await close();
});
