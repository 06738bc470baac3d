import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { readConfig } from "../../src/main/config.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { type Databases, urlsOf } from "../../src/postgres/databases.ts";
import { startEmbeddedPostgres } from "../../src/postgres/embedded/embedded.ts";
import { createDatabase } from "../../src/postgres/embedded/embedded-url.ts";
import { ensureWebApp } from "../../src/surfaces/web/build.ts";
import { DnsWorld } from "./dns-world.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the run's own Postgres listens, and its superuser's password. */
    postgres: { host: string; port: number; password: string };
    /** A DNS resolver that knows no name: tests do not depend on the DNS of the day. */
    resolver: string;
  }
}

/** Each test file gets a copy of this database, which is migrated once and then only copied. */
export const TEMPLATE = "selo_template";
/** 32 bytes: the platform keys of the template are sealed under it. */
export const TEST_MASTER_KEY = "11".repeat(32);

/** A folder in memory where the machine has one, without the syncing that only crashes need. */
export const MEMORY = fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();

/** One cluster for the whole run, in memory where the machine has /dev/shm, without the syncing that only crashes need. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureWebApp();
  const dataDir = fs.mkdtempSync(path.join(MEMORY, "selo-test-"));
  const postgres = await startEmbeddedPostgres({
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
  await createDatabase(postgres, TEMPLATE);
  const databases: Databases = {
    ...urlsOf(postgres, postgres.password, TEMPLATE),
    description: "test",
    close: async () => {},
  };
  const config = readConfig({ SELO_MASTER_KEY: TEST_MASTER_KEY, PUBLIC_URL: "http://selo.test" });
  await prepareDatabase(config, databases, () => {});
  project.provide("postgres", { host: postgres.host, port: postgres.port, password: postgres.password });
  const world = await DnsWorld.start();
  project.provide("resolver", world.resolver);
  return async () => {
    await world.close();
    await postgres.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
}
