import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, inject } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { prepareDatabase } from "../../../src/main/prepare-database.ts";
import { urlsOf } from "../../../src/postgres/databases.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../../src/postgres/embedded/embedded.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { issueKey } from "../../../src/services/dns/store.ts";
import type { Service } from "../../../src/services/service.ts";
import { services as productServices } from "../../../src/services/services.ts";
import type { EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { newOrganization, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { copyPrepared } from "../../support/prepared-data.ts";
import { endProgram, freePort, postmasterPid, type SeloProcess, selo } from "../../support/selo-process.ts";
import { type Verified, verifyAll } from "../../support/verify-all.ts";

/** Signature credits of each organization. */
export const GRANTED = 1_000_000;

/** Its own Postgres that keeps what it confirms (fsync on), with gateways and workers as processes of their own. */
export interface Deployment {
  /** Where its gateway listens, whichever process that is. */
  readonly baseUrl: string;
  asOperator<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result>;
  /** With {@link GRANTED} signature credits. */
  newOrganization(plan?: string): Promise<TestOrganization>;
  /** A key of DNS with all scopes. */
  newDnsKey(organization: TestOrganization): Promise<string>;
  /** Everything that `selo audit verify` checks. */
  verifyAudit(): Promise<Verified>;
  /** Where its gateways and workers keep content. */
  readonly storageFolder: string;
  /** Statements as superuser. */
  readonly admin: pg.Pool;
  /** Resolves when it listens. */
  startGateway(environment?: Readonly<Record<string, string>>): Promise<SeloProcess>;
  /** The gateway that an earlier test left, or a new one: a start costs more than most tests. */
  runningGateway(): Promise<SeloProcess>;
  /** kill -9 of the gateway that was started last, if it runs. */
  killGateway(): Promise<void>;
  /** Resolves when it runs. */
  startWorker(environment?: Readonly<Record<string, string>>): Promise<SeloProcess>;
  /** The worker that was started last, or a new one. */
  runningWorker(): Promise<SeloProcess>;
  /** A worker after one that was killed, as if both had been so for fifteen seconds: it takes the jobs of that one at its next sign of life. */
  startNextWorker(environment?: Readonly<Record<string, string>>): Promise<SeloProcess>;
  postmasterPid(): number;
  /** As a power cut, as far as Postgres can tell: sessions are cut, nothing is written, the next start recovers. */
  cutPostgres(): Promise<void>;
  /** Starts it again, on the same port and socket. */
  startPostgres(): Promise<void>;
  /** Ends all its processes, Postgres last, and removes its data. */
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  /** Where its data goes; default: a temporary folder. Removed in the end. */
  readonly folder?: string;
  /** Postgres' own, by their names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What its gateways and workers have beyond the product. */
  readonly added?: AddedServices;
}

/** Services beyond the product's. */
export interface AddedServices {
  /** All of them, the product's too: their SQL is installed. */
  readonly services: readonly Service[];
  /** Runs the command line with them: a file, named from the root of this repository. */
  readonly program: string;
  /** Variables of the environment that the program reads. */
  readonly environment: Readonly<Record<string, string>>;
}

const runs = (one: SeloProcess | undefined): one is SeloProcess =>
  one !== undefined && one.child.exitCode === null && one.child.signalCode === null;

const LATE_MS = 20_000;

/** Says in the log what a hook waits for, before the hook times out without a word. */
async function named(what: string, ending: Promise<unknown>): Promise<void> {
  const late = setTimeout(() => console.log(what), LATE_MS);
  await ending;
  clearTimeout(late);
}

export async function deploy(options: DeploymentOptions = {}): Promise<Deployment> {
  const folder = options.folder ?? fs.mkdtempSync(path.join(inject("folder"), "selo-fault-"));
  const dataDir = path.join(folder, "data");
  const start = () =>
    startEmbeddedPostgres({ dataDir, env: process.env, ...(options.settings ? { settings: options.settings } : {}) });
  copyPrepared(dataDir);
  let postgres: EmbeddedPostgres = await start();
  const urls = urlsOf(postgres, postgres.password);
  const port = await freePort();
  const storageFolder = path.join(folder, "objects");
  const environment = {
    STORAGE_FOLDER: storageFolder,
    SELO_MASTER_KEY: TEST_MASTER_KEY,
    DATABASE_URL: urls.appUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
    PORT: String(port),
    LOG_LEVEL: "fatal",
    PUBLIC_REQUESTS_PER_MINUTE: "1000000",
    TOKEN_REQUESTS_PER_MINUTE: "10000000",
    SHUTDOWN_GRACE_SECONDS: "1",
    WEBHOOK_ALLOW_LOOPBACK: "1",
  };
  const services = options.added?.services ?? productServices;
  await prepareDatabase(
    readConfig(environment, services),
    { ...urls, description: "", close: async () => {} },
    () => {},
    services,
  );
  const asOperator = async <Result>(work: (operator: Operator) => Promise<Result>) => {
    const operator = await Operator.connect(urls.adminUrl);
    try {
      return await work(operator);
    } finally {
      await operator.close();
    }
  };
  const admin = new pg.Pool({ connectionString: urls.adminUrl, max: 2 });
  admin.on("error", () => {}); // cut on purpose
  const processes: SeloProcess[] = [];
  const run = async (args: string[], ready: string, more: Readonly<Record<string, string>> = {}) => {
    const given = { ...environment, ...options.added?.environment, ...more };
    const started = selo(args, given, undefined, options.added?.program);
    processes.push(started);
    await started.until(ready);
    return started;
  };
  const latest: { gateway?: SeloProcess; worker?: SeloProcess } = {};
  const startGateway = async (more?: Readonly<Record<string, string>>) => {
    latest.gateway = await run(["gateway"], "gateway on", more);
    return latest.gateway;
  };
  const startWorker = async (more?: Readonly<Record<string, string>>) => {
    latest.worker = await run(["worker"], "worker running", more);
    return latest.worker;
  };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asOperator,
    newOrganization: (plan = "free") => asOperator((operator) => newOrganization(operator, { plan, credits: GRANTED })),
    newDnsKey: ({ id }) => asOperator(async (operator) => (await issueKey(operator, id, "test")).secret),
    verifyAudit: () => asOperator((operator) => verifyAll(operator, { services })),
    storageFolder,
    admin,
    startGateway,
    runningGateway: async () => (runs(latest.gateway) ? latest.gateway : startGateway()),
    killGateway: async () => {
      if (!runs(latest.gateway)) return;
      latest.gateway.child.kill("SIGKILL");
      await latest.gateway.finished;
    },
    startWorker,
    runningWorker: async () => (runs(latest.worker) ? latest.worker : startWorker()),
    startNextWorker: async (more) => {
      await admin.query(
        "update platform.workers set seen_at = seen_at - interval '1 hour', since = since - interval '1 hour'",
      );
      const worker = await startWorker(more);
      const aged =
        "update platform.workers set since = since - interval '1 minute' where seen_at - since < interval '15 seconds' and seen_at > now() - interval '30 minutes'";
      await expect.poll(async () => (await admin.query(aged)).rowCount, { timeout: 30_000, interval: 50 }).toBe(1);
      return worker;
    },
    postmasterPid: () => {
      const pid = postmasterPid(dataDir);
      if (pid === null) throw new Error("Postgres does not run");
      return pid;
    },
    cutPostgres: async () => {
      const pid = postmasterPid(dataDir);
      if (pid !== null) process.kill(pid, "SIGQUIT");
      await postgres.stop();
    },
    startPostgres: async () => {
      postgres = await start();
    },
    stop: async () => {
      await Promise.all(processes.map((program) => endProgram(program)));
      await named("the pool of the test does not end: a client was not given back", admin.end());
      await named("Postgres does not stop", postgres.stop());
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The envelopes of an organization, in live, for what needs no more of a gateway than its address and database. */
export function envelopesOf({ baseUrl, admin }: Deployment, { id, live }: TestOrganization): EnvelopeStage {
  const selo = { baseUrl, database: { admin } } as unknown as TestGateway;
  return { selo, tenantId: id, token: live, environment: "live" };
}
