import { chmodSync, mkdirSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { lockFolder } from "../../adapters/programs/folder-lock.ts";
import { logSize, logTail, rotateLog } from "../../adapters/programs/program-log.ts";
import { chooseRunner, findBinaries, type Runner } from "./binaries.ts";
import { choosePort, clusterFolder, ensureCluster, superuserPassword } from "./cluster.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import {
  findOrphan,
  launch,
  type PidFile,
  type Postmaster,
  postgresLog,
  removeSocketFolder,
  socketFolder,
  untilReady,
} from "./postmaster.ts";

export { EmbeddedPostgresError } from "./errors.ts";

/** A running Postgres that belongs to this process. The superuser is `postgres`. */
export interface EmbeddedPostgres {
  /** The folder of the unix socket, to be used as pg's `host`. The same port and password also work on 127.0.0.1. */
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** Whether a killed process left it running, so that it was not started now. */
  readonly adopted: boolean;
  /** The server's version, such as `18.4`. */
  readonly version: string;
  /** Fast shutdown (sessions are cut, data is written). Resolves when the server has ended. May be called again. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Made if missing. Contains the cluster, the password, the port, the log and the lock. */
  readonly dataDir: string;
  /** The environment from which programs are found (PATH and the like). Its PG* variables are ignored. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The programs of another Postgres, such as /usr/lib/postgresql/17/bin; default: the package for this platform. */
  readonly binDir?: string | undefined;
  /** Postgres settings, by their own names. They override the defaults below. An adopted server keeps its settings. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** TCP port on 127.0.0.1; an error if it is in use. Default: a free port, kept over restarts. */
  readonly port?: number | undefined;
  readonly log?: ((message: string) => void) | undefined;
}

/** For a developer's machine or a small server: durable, and modest in memory. */
const defaultSettings: Readonly<Record<string, string>> = {
  cluster_name: "selo",
  shared_buffers: "256MB",
  fsync: "on",
  max_connections: "100",
  jit: "off", // for short queries compiling costs more than it saves
  log_line_prefix: "%m [%p] ",
  password_encryption: "scram-sha-256",
};

const startPatience = 5 * 60_000; // recovery after a crash replays up to max_wal_size
const stopPatience = 60_000;
const startAttempts = 5;
const firstDelay = 500;
const longestDelay = 10_000;
const healthyAfter = 60_000;
const quickFailuresUntilTail = 5;
const checkInPatience = 30_000;
const checkInPause = 100;

/**
 * Starts the Postgres of a data folder, makes its cluster at the first start, and adopts a server that a killed process
 * left running. Until `stop` it restarts the server whenever it dies.
 *
 * @throws EmbeddedPostgresError with a message for people: the folder is in use, the programs are missing, root finds no user to run as, or the
 *   server does not start (with the last lines of its log).
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = makeDataFolder(options.dataDir);
  const binaries = findBinaries(options.binDir);
  const cluster = clusterFolder(dataDir, binaries);
  const settings: Record<string, string> = { ...defaultSettings, ...options.settings, listen_addresses: "127.0.0.1" };
  const lock = lockFolder(dataDir);
  let server: SupervisedServer | undefined;
  try {
    const runner = chooseRunner(binaries, dataDir, cluster, options.env);
    const password = superuserPassword(dataDir, cluster);
    server = new SupervisedServer({
      dataDir,
      cluster,
      runner,
      settings,
      wantedPort: options.port,
      log: options.log ?? (() => {}),
    });
    if (!server.adoptOrphan()) {
      const fsync = settings.fsync !== "off";
      await ensureCluster({ dataDir, cluster, binaries, runner, password, fsync });
      rotateLog(postgresLog(dataDir));
    }
    const { host, port } = await server.start();
    const version = await checkIn({ host, port, password, cluster });
    const running = server;
    let stopped: Promise<void> | undefined;
    return {
      host,
      port,
      password,
      adopted: running.adopted,
      version,
      stop: () => {
        stopped ??= running.stop().finally(() => lock.release());
        return stopped;
      },
    };
  } catch (error) {
    await server?.stop();
    lock.release();
    throw error;
  }
}

/** Returns the real path, because the working directory of a process is compared with it. */
function makeDataFolder(dataDir: string): string {
  // As root, others may pass through (not list): otherwise the user that Postgres runs as could not reach its cluster.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  if (mkdirSync(dataDir, { recursive: true, mode }) !== undefined) chmodSync(dataDir, mode); // whatever the umask
  return realpathSync(dataDir);
}

interface CheckedIn {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  readonly cluster: string;
}

/**
 * Proves that our password opens exactly this cluster, and reads its version. A server that a killed process left may be killed itself, and
 * still look alive: then the connection breaks, and the supervisor starts the server again.
 */
async function checkIn(server: CheckedIn): Promise<string> {
  const { host, port } = server;
  const end = performance.now() + checkInPatience;
  for (;;) {
    try {
      return await readVersion(server);
    } catch (error) {
      if (isOfDyingServer(error) && performance.now() < end) {
        await sleep(checkInPause);
        continue;
      }
      const why = error instanceof Error ? error.message : String(error);
      throw new EmbeddedPostgresError(
        `The embedded Postgres runs, but cannot be used through ${host}, port ${port}: ${why}`,
      );
    }
  }
}

/** The connection was refused or cut (57P01 to 57P03: the server ends, or begins). node-postgres gives no code when the other side hangs up. */
function isOfDyingServer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(ECONNRESET|ECONNREFUSED|ENOENT|EPIPE|57P0[123])$/.test(code) || /terminated unexpectedly/.test(error.message)
  );
}

async function readVersion({ host, port, password, cluster }: CheckedIn): Promise<string> {
  const client = new pg.Client({
    host,
    port,
    password,
    user: "postgres",
    database: "postgres",
    ssl: false, // this and the next two are set because otherwise pg reads PGSSLMODE, PGOPTIONS and PGAPPNAME
    options: "-c statement_timeout=30s",
    application_name: "selo start",
    connectionTimeoutMillis: 30_000,
    query_timeout: 30_000,
  });
  client.on("error", () => {}); // a cut connection also fails the query below, which reports it
  try {
    await client.connect();
    const sql = `select current_setting('server_version') as version, current_setting('data_directory') as folder`;
    const row = (await client.query<{ version: string; folder: string }>(sql)).rows[0];
    if (row === undefined || realpathSync(row.folder) !== cluster)
      throw new Error(`the server serves ${row?.folder}, not ${cluster}`);
    return row.version.split(" ")[0] ?? row.version; // Debian adds its package version
  } finally {
    await client.end().catch(() => {});
  }
}

interface Supervision {
  readonly dataDir: string;
  readonly cluster: string;
  readonly runner: Runner;
  readonly settings: Readonly<Record<string, string>>;
  readonly wantedPort: number | undefined;
  readonly log: (message: string) => void;
}

/** One server at a time on one cluster, restarted whenever it ends before `stop`. */
class SupervisedServer {
  readonly #setup: Supervision;
  readonly #stopping = new AbortController();
  #current: Postmaster | undefined;
  #adopted = false;
  #port = 0;
  #socketDir: string;
  #logStart = 0;
  #watch: Promise<void> | undefined;

  constructor(setup: Supervision) {
    this.#setup = setup;
    this.#socketDir = socketFolder(setup.dataDir);
  }

  /** Whether `start` found the server already running. */
  get adopted(): boolean {
    return this.#adopted;
  }

  /** Takes over a server that runs on the cluster, if there is one. */
  adoptOrphan(): boolean {
    const { dataDir, cluster } = this.#setup;
    this.#logStart = logSize(postgresLog(dataDir));
    this.#current = findOrphan(dataDir, cluster);
    return this.#current !== undefined;
  }

  async start(): Promise<{ host: string; port: number }> {
    const { cluster, dataDir, log } = this.#setup;
    for (let attempt = 1; ; attempt++) {
      // A Postgres whose Node was killed may have written its pid file only now.
      if (this.#current === undefined && !this.adoptOrphan()) {
        this.#port = await choosePort(dataDir, this.#setup.wantedPort);
        this.#launch();
      }
      const server = this.#current;
      if (server === undefined) throw new Error("unreachable: launched above");
      const outcome = await untilReady(server, cluster, startPatience);
      if (typeof outcome === "object") return this.#started(server, outcome);
      if (outcome === undefined)
        throw new EmbeddedPostgresError(this.#failure(`is not ready after ${startPatience / 60_000} minutes`));
      // Several attempts, because the port may have been taken since it was tried, an orphan may have been stopping, or
      // the backends of a server killed a moment ago may still exist.
      if (attempt >= startAttempts) throw new EmbeddedPostgresError(this.#failure(`does not start (${outcome})`));
      log(`The embedded Postgres ended while starting (${outcome}); trying again.`);
      this.#current = undefined;
      await sleep(firstDelay * attempt);
    }
  }

  #started(server: Postmaster, { port, socketDir }: PidFile): { host: string; port: number } {
    this.#adopted = server.adopted;
    this.#port = port;
    this.#socketDir = socketDir;
    if (server.adopted) {
      const { wantedPort, log } = this.#setup;
      const otherPort =
        wantedPort !== undefined && wantedPort !== port ? `, on port ${port} until it is restarted` : "";
      log(`Took over the Postgres that an earlier process left running (process ${server.pid})${otherPort}.`);
    }
    this.#watch = this.#keepRunning(server);
    return { host: socketDir, port };
  }

  /** Runs until `stop`. Clients know host and port, so these stay; if the port was taken meanwhile, this waits for it. */
  async #keepRunning(first: Postmaster): Promise<void> {
    const { log, cluster } = this.#setup;
    let readySince: number | undefined = performance.now();
    let ended = await first.exited;
    for (let failures = 1; !this.#stopping.signal.aborted; failures++) {
      if (readySince !== undefined && performance.now() - readySince >= healthyAfter) failures = 1;
      readySince = undefined;
      const delay = Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
      const message = `ended unexpectedly (${ended}); starting it again in ${delay / 1_000} s`;
      log(
        failures % quickFailuresUntilTail === 0
          ? this.#failure(`${message}, after ${failures} failures in a row`)
          : `The embedded Postgres ${message}.`,
      );
      await sleep(delay, undefined, { signal: this.#stopping.signal }).catch(() => {}); // stop() ends the wait
      if (this.#stopping.signal.aborted) return;
      try {
        if (!this.adoptOrphan()) this.#launch();
        const server = this.#current;
        if (server === undefined) throw new Error("unreachable: launched above");
        if (typeof (await untilReady(server, cluster, Number.POSITIVE_INFINITY)) === "object") {
          readySince = performance.now();
          log("The embedded Postgres is back.");
        }
        ended = await server.exited;
      } catch (error) {
        ended = error instanceof Error ? error.message : String(error); // may be temporary, such as a full disk
      }
    }
  }

  #launch(): void {
    const { dataDir, cluster, runner, settings } = this.#setup;
    this.#logStart = logSize(postgresLog(dataDir));
    this.#current = launch({ dataDir, cluster, runner, settings, port: this.#port, socketDir: this.#socketDir });
  }

  #failure(what: string): string {
    const { dataDir } = this.#setup;
    const tail = logTail(postgresLog(dataDir), this.#logStart);
    return `The embedded Postgres ${what}. ${tail === "" ? "Its log says nothing" : "The last lines of its log"} (${postgresLog(dataDir)}):\n${tail}`.trimEnd();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const server = this.#current;
    if (server !== undefined) await this.#shutDown(server);
    await this.#watch;
    if (server !== undefined) removeSocketFolder(this.#setup.dataDir, this.#socketDir);
  }

  async #shutDown(server: Postmaster): Promise<void> {
    const { log } = this.#setup;
    const late = setTimeout(() => {
      log(
        `The embedded Postgres does not stop within ${stopPatience / 1_000} s: asking it to quit at once. It will recover at the next start.`,
      );
      server.signal("SIGQUIT");
    }, stopPatience);
    server.signal("SIGINT");
    await server.exited;
    clearTimeout(late);
  }
}
