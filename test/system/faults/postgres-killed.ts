import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { DATABASE, urlsOf } from "../../../src/postgres/databases.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/postgres/embedded/embedded.ts";
import { createDatabase } from "../../../src/postgres/embedded/embedded-url.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import {
  dataFolder,
  endPrograms,
  freePort,
  postmasterPid,
  preparedDataFolder,
  type SeloProcess,
  selo,
} from "../../support/selo-process.ts";

/** Debian's package postgresql-15. */
const DEBIAN = "/usr/lib/postgresql/15/bin";
/** Between two requests of a client: a light load. */
const PAUSE_MS = 20;

/** Whose Postgres it is, and what it takes to run on it. */
interface Cluster {
  /** The data folder of the cluster. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly adminUrl: () => string;
  close(): Promise<void>;
}

/** The one that `selo start` runs itself, and starts again. */
async function embedded(): Promise<Cluster> {
  const folder = preparedDataFolder();
  const kept = (name: string) => fs.readFileSync(path.join(folder.path, name), "utf8").trim();
  return {
    folder: folder.path,
    environment: { SELO_DATA_DIR: folder.path },
    adminUrl: () => urlsOf({ host: "127.0.0.1", port: Number(kept("port")) }, kept("postgres-password")).adminUrl,
    close: async () => folder.remove(),
  };
}

/** One that others run, and start again. */
async function debians(): Promise<Cluster> {
  const folder = fs.mkdtempSync(path.join(inject("folder"), "selo-debian-"));
  const data = dataFolder();
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir: folder, env: process.env, binDir: DEBIAN });
  await createDatabase(postgres, DATABASE);
  const { adminUrl } = urlsOf(postgres, postgres.password);
  return {
    folder,
    environment: { SELO_DATA_DIR: data.path, SELO_MASTER_KEY: TEST_MASTER_KEY, DATABASE_URL: adminUrl },
    adminUrl: () => adminUrl,
    close: async () => {
      await postgres.stop();
      data.remove();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tests of `selo start` while its Postgres is killed so many times. */
export function testPostgresKilled(kills: number, clients: number): void {
  describe.each([
    ["the embedded Postgres", null, embedded],
    ["Debian's Postgres", DEBIAN, debians],
  ] as const)("kill -9 of %s under load", (_, programs, open) => {
    const isMissing = programs !== null && !fs.existsSync(path.join(programs, "postgres"));
    let cluster: Cluster;
    let started: SeloProcess;
    let base: string;
    let token: string;
    beforeAll(async () => {
      if (isMissing) return;
      cluster = await open();
      const port = await freePort();
      base = `http://127.0.0.1:${port}`;
      const environment: Readonly<Record<string, string>> = {
        ...cluster.environment,
        PORT: String(port),
        SHUTDOWN_GRACE_SECONDS: "1",
      };
      started = selo(["start"], { ...environment, TOKEN_REQUESTS_PER_MINUTE: "10000000" });
      await started.until("Ctrl-C stops everything.");
      const demo = fs.readFileSync(path.join(environment["SELO_DATA_DIR"] ?? "", "demo.json"), "utf8");
      token = JSON.parse(demo).tokens.live;
    }, 120_000);
    afterAll(async () => {
      await endPrograms();
      await cluster?.close();
    });

    /** A statement as superuser, once Postgres is there. */
    async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      const client = new pg.Client({ connectionString: cluster.adminUrl() });
      client.on("error", () => {}); // cut on purpose
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    }

    test(`${kills} times: requests get 503 meanwhile, nothing answered is lost, requests and jobs go on, and no process ends`, async ({
      skip,
    }) => {
      if (isMissing) skip(`${programs} is missing: apt-get install postgresql-15`);
      const answered: string[] = [];
      const refused: unknown[] = [];
      const wrong: unknown[] = [];
      let isLoading = true;
      const load = Array.from({ length: clients }, async () => {
        while (isLoading) {
          const sha256 = randomBytes(32).toString("hex");
          const answer = await fetch(`${base}/api/v1/proofs`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: JSON.stringify({ sha256 }),
          });
          const body = await answer.text();
          const retryAfter = answer.headers.get("retry-after");
          if (answer.status === 201) answered.push(sha256);
          else if (answer.status === 503 && /^[1-9]\d*$/.test(retryAfter ?? "")) refused.push(answer.status);
          else wrong.push({ status: answer.status, retryAfter, body });
          await pause(PAUSE_MS);
        }
      });
      const more = (count: number) => {
        const before = answered.length;
        return expect.poll(() => answered.length - before, { interval: 10 }).toBeGreaterThanOrEqual(count);
      };
      const goesOn: number[] = [];
      try {
        for (let kill = 0; kill < kills; kill++) {
          await more(20);
          const killed = postmasterPid(cluster.folder);
          process.kill(killed ?? 0, "SIGKILL");
          const isBack = async () => (await query("select 1").catch(() => [])).length;
          await expect.poll(() => postmasterPid(cluster.folder) !== killed, { interval: 10 }).toBe(true);
          await expect.poll(isBack, { interval: 20 }).toBe(1);
          const back = performance.now();
          await more(20);
          // A job that takes no longer under load.
          await query(
            "select graphile_worker.add_job('platform__sweep_idempotency_keys', job_key => 'after the kill')",
          );
          const waiting = () => query("select from graphile_worker._private_jobs where key = 'after the kill'");
          await expect.poll(async () => (await waiting()).length, { interval: 20 }).toBe(0);
          goesOn.push(Math.round(performance.now() - back));
        }
      } finally {
        isLoading = false;
        await Promise.all(load);
      }
      console.log(`requests and jobs went on ${goesOn.join(", ")} ms after the return; ${refused.length} refused`);
      expect(wrong).toEqual([]);
      expect(refused.length).toBeGreaterThan(0);
      const kept = await query<{ sha256: string }>(
        "select encode(sha256, 'hex') as sha256 from signature.proofs where encode(sha256, 'hex') = any ($1)",
        [answered],
      );
      expect(kept).toHaveLength(answered.length);
      expect({ code: started.child.exitCode, signal: started.child.signalCode }).toEqual({ code: null, signal: null });
    }, 300_000);
  });
}
