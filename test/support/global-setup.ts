import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { readConfig } from "../../src/main/config.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { DATABASE, urlsOf } from "../../src/postgres/databases.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/postgres/embedded/embedded.ts";
import { createDatabase, embeddedUrl } from "../../src/postgres/embedded/embedded-url.ts";
import { ensureWebApp } from "../../src/surfaces/web/build.ts";
import { DnsWorld } from "./dns-world.ts";
import { keepPrepared, keepSimulators } from "./prepared-data.ts";
import { putPythonFirst } from "./quick-python.ts";
import { postmasterPid } from "./selo-process.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the run's own Postgres listens, and its superuser's password. */
    postgres: { host: string; port: number; password: string };
    /** The run's own folder, in memory where the machine has one; it is removed when the run ends. */
    folder: string;
    /** A data folder with a migrated database, which nothing runs on: `preparedDataFolder()` copies it. */
    preparedData: string;
    /** A DNS resolver that knows no name: tests do not depend on the DNS of the day. */
    resolver: string;
  }
}

/** Each test file gets a copy of this database, which is migrated once and then only copied. */
export const TEMPLATE = "selo_template";
/** 32 bytes: the platform keys of the template are sealed under it. */
export const TEST_MASTER_KEY = "11".repeat(32);

/**
 * Thousands of sign-ins would take 20 ms of a core each for their hashes. `test/services/accounts/sign-in.test.ts` and the programs of `test/system`
 * have the parameters of production.
 */
const CHEAP_HASHES = `
  create or replace function accounts.password_parameters(out memory integer, out passes integer, out parallelism integer)
    language sql immutable set search_path = '' as 'select 8, 1, 1'`;

/** A folder in memory where the machine has one, without the syncing that only crashes need. */
export const MEMORY = fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();

/** One cluster for the whole run, in memory where the machine has /dev/shm, without the syncing that only crashes need. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureWebApp();
  const folder = fs.mkdtempSync(path.join(MEMORY, "selo-test-"));
  const dataDir = path.join(folder, "data");
  project.provide("folder", folder);
  putPythonFirst(path.join(folder, "programs"));
  await prepare(dataDir);
  const prepared = keepPrepared(dataDir, path.join(folder, "prepared"), TEST_MASTER_KEY);
  // Only whole programs run them.
  if (project.vitest.projects.some(({ name }) => name.endsWith("system"))) await keepSimulators(prepared);
  project.provide("preparedData", prepared);
  const postgres = await startPostgres(dataDir);
  await renameToTemplate(postgres);
  project.provide("postgres", { host: postgres.host, port: postgres.port, password: postgres.password });
  const world = await DnsWorld.start();
  project.provide("resolver", world.resolver);
  const end = async () => {
    await world.close();
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  // After a signal vitest waits for nothing.
  process.once("exit", () => leave(dataDir, folder));
  return end;
}

/** Ends Postgres, if it still runs, and removes the folder. */
function leave(dataDir: string, folder: string): void {
  const pid = postmasterPid(dataDir);
  if (pid !== null) process.kill(pid, "SIGQUIT");
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

const startPostgres = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDir,
    env: process.env,
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      wal_level: "minimal",
      max_wal_senders: "0",
      max_connections: "200",
      shared_buffers: "128MB",
      // Thousands of connections would each load what they call, and hand their reads of memory to other processes.
      shared_preload_libraries: "plpgsql,pgcrypto",
      io_method: "sync",
    },
  });

/** Makes a cluster with the database of `selo start` in it, migrated, with platform keys. */
async function prepare(dataDir: string): Promise<void> {
  const postgres = await startPostgres(dataDir);
  try {
    await createDatabase(postgres, DATABASE);
    const config = readConfig({ SELO_MASTER_KEY: TEST_MASTER_KEY, PUBLIC_URL: "http://selo.test" });
    const databases = { ...urlsOf(postgres, postgres.password), description: "test", close: async () => {} };
    await prepareDatabase(config, databases, () => {});
  } finally {
    await postgres.stop();
  }
}

async function renameToTemplate(postgres: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({
    connectionString: embeddedUrl(postgres, "postgres", postgres.password, "postgres"),
  });
  await client.connect();
  await client.query(`alter database ${DATABASE} rename to ${TEMPLATE}`);
  await client.end();
  const template = new pg.Client({
    connectionString: embeddedUrl(postgres, "postgres", postgres.password, TEMPLATE),
  });
  await template.connect();
  await template.query(CHEAP_HASHES);
  await template.end();
}
