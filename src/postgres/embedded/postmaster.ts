import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { processStamp } from "../../adapters/programs/process-stamp.ts";
import { errorCode } from "../../adapters/programs/program-error.ts";
import { openLog } from "../../adapters/programs/program-log.ts";
import type { Runner } from "./binaries.ts";
import { EmbeddedPostgresError } from "./errors.ts";

/** A running main process of Postgres, our child or not. */
export interface Postmaster {
  readonly pid: number;
  readonly adopted: boolean;
  /** Resolves (never rejects) when the process has ended, with the reason for the log. */
  readonly exited: Promise<string>;
  /** Does nothing after the process has ended. */
  signal(signal: "SIGINT" | "SIGQUIT"): void;
}

/** The content of `postmaster.pid`. Postgres writes it line by line, so everything but the pid may still be missing. */
export interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  /** '' | 'starting' | 'ready' | 'stopping' | 'standby' */
  readonly status: string;
}

/** `undefined` if the folder has no such file. */
function readPidFile(cluster: string): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(cluster, "postmaster.pid"), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  const lines = text.split("\n").map((line) => line.trim());
  return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]), socketDir: lines[4] ?? "", status: lines[7] ?? "" };
}

/** The postmaster that an earlier Selo process left running on this cluster; undefined without such a process. */
export function findOrphan(dataDir: string, cluster: string): Postmaster | undefined {
  const found = readPidFile(cluster);
  const stamp = found === undefined ? undefined : processStamp(found.pid);
  if (found === undefined || stamp === undefined || !worksOn(found.pid, cluster)) return undefined;
  if (found.socketDir !== "" && !isOurSocketFolder(dataDir, found.socketDir)) {
    throw new EmbeddedPostgresError(
      `A Postgres that Selo did not start (process ${found.pid}) runs on ${cluster}. Stop it first.`,
    );
  }
  return adopt(found.pid, stamp);
}

/** Whether the live process `pid` is a Postgres of this cluster. */
function worksOn(pid: number, cluster: string): boolean {
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === cluster; // a postmaster's working directory is its cluster
    } catch (error) {
      // Root in a container may lack the right to read the link; the command line is readable for all. Another error means that the process
      // has ended, or that /proc hides it, and then it belongs to another user.
      if (errorCode(error) !== "EACCES" && errorCode(error) !== "EPERM") return false;
    }
  }
  const words = commandLine(pid);
  return /(^|\/)postgres\s/.test(words) && words.includes(`-D ${cluster} `);
}

function commandLine(pid: number): string {
  if (process.platform !== "linux") {
    const answer = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
      cwd: "/",
      timeout: 5_000,
    });
    return `${answer.stdout?.trim() ?? ""} `;
  }
  try {
    return `${readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")} `;
  } catch {
    return "";
  }
}

function adopt(pid: number, stamp: string): Postmaster {
  // The system does not report the end of a process that is not our child. Polling costs microseconds on Linux, a `ps` elsewhere.
  const interval = process.platform === "linux" ? 50 : 500;
  const lives = () => processStamp(pid) === stamp;
  const watch = async () => {
    while (lives()) await sleep(interval);
    return "it was not our child, so the reason is unknown";
  };
  const signal = (name: "SIGINT" | "SIGQUIT") => {
    try {
      if (lives()) process.kill(pid, name);
    } catch (error) {
      if (errorCode(error) !== "ESRCH") throw error;
    }
  };
  return { pid, adopted: true, exited: watch(), signal };
}

/** How to run a server; `settings` have Postgres' own names. */
export interface Launch {
  readonly dataDir: string;
  readonly cluster: string;
  readonly runner: Runner;
  readonly port: number;
  readonly socketDir: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a postmaster, unless another one runs on the cluster or begins to. `untilReady` waits until it is ready. */
export function launch({ dataDir, cluster, runner, port, socketDir, settings }: Launch): Postmaster {
  if (!disarmStalePidFile(cluster)) {
    const exited = Promise.resolve("another Postgres begins on the cluster");
    return { pid: -1, adopted: false, exited, signal: () => {} };
  }
  makeSocketFolder(dataDir, socketDir, runner);
  const args = ["-D", cluster, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  args.push("-p", String(port), "-k", socketDir); // the last value counts
  const command = runner.command("postgres", args);
  const log = openLog(postgresLog(dataDir));
  try {
    // A separate process group: Ctrl-C must reach only us, so that the application ends before its database.
    const child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ["ignore", log, log],
      detached: true,
    });
    const exited = new Promise<string>((resolve) => {
      child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
      child.on("error", (error) => {
        if (child.pid === undefined) resolve(error.message);
      });
    });
    return { pid: child.pid ?? -1, adopted: false, exited, signal: (name) => void child.kill(name) };
  } finally {
    closeSync(log);
  }
}

/** Postgres writes its new pid file sooner. */
const EMPTY_FOR_MS = 2_000;

/**
 * After a crash Postgres refuses to start if the pid in its old pid file belongs to another process by now. But
 * deleting the file is dangerous: its last lines show a new server that backends of the old server still use the shared
 * memory. So only the pid is replaced, by a pid that no system uses, and Postgres checks the rest.
 * @returns false for the file of a live Postgres, which stays as it is: a server whose Node was killed a moment ago may
 *   have written it since it was looked for, or be writing it
 */
function disarmStalePidFile(cluster: string): boolean {
  const path = join(cluster, "postmaster.pid");
  const found = readPidFile(cluster);
  if (found === undefined) return true;
  if (worksOn(found.pid, cluster)) return false;
  // A file is made first, and then written. An empty one that stays is what a full disk left.
  const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (found.pid === 0 && Date.now() - since < EMPTY_FOR_MS) return false;
  const [, ...rest] = readFileSync(path, "utf8").split("\n");
  const draft = `${path}.selo`;
  rmSync(draft, { force: true });
  const { uid, gid } = statSync(cluster);
  writeFileSync(draft, ["2147483647", ...rest].join("\n"), { mode: 0o600, flag: "wx" });
  if (process.getuid?.() === 0) chownSync(draft, uid, gid);
  renameSync(draft, path);
  return true;
}

/** A socket's path may have 104 bytes on macOS and 108 on Linux, the closing zero included. */
const longestSocketFolder = 103 - "/.s.PGSQL.65535".length;

/** `<dataDir>/socket`, or a fresh name in /tmp if that path would be too long for a socket. */
export function socketFolder(dataDir: string): string {
  const inside = join(dataDir, "socket");
  return Buffer.byteLength(inside) <= longestSocketFolder ? inside : `/tmp/selo-${randomBytes(8).toString("hex")}`;
}

function isOurSocketFolder(dataDir: string, folder: string): boolean {
  return folder === join(dataDir, "socket") || /^\/tmp\/selo-[0-9a-f]{16}$/.test(folder);
}

/** Fresh each time, because a stale socket's lock file contains a pid, too. Mode 0700 keeps other users out; root has access anyway. */
function makeSocketFolder(dataDir: string, folder: string, runner: Runner): void {
  removeSocketFolder(dataDir, folder);
  mkdirSync(folder, { mode: 0o700 }); // fails if somebody else made it meanwhile
  if (runner.owner !== undefined) chownSync(folder, runner.owner.uid, runner.owner.gid);
}

/** Removes only folders that `socketFolder` named. */
export function removeSocketFolder(dataDir: string, folder: string): void {
  if (isOurSocketFolder(dataDir, folder)) rmSync(folder, { recursive: true, force: true });
}

/**
 * Waits until the server accepts connections, and returns its pid file; or the reason if the server ended before.
 * `undefined`: neither happened within `patience` milliseconds.
 */
export async function untilReady(
  server: Postmaster,
  cluster: string,
  patience: number,
): Promise<PidFile | string | undefined> {
  let ended: string | undefined;
  const end = server.exited.then((how) => {
    ended = how;
  });
  const deadline = performance.now() + patience;
  for (;;) {
    const file = readPidFile(cluster);
    if (file?.pid === server.pid && file.status === "ready" && ended === undefined) return file;
    if (ended !== undefined) return ended;
    if (performance.now() > deadline) return undefined;
    await Promise.race([sleep(10), end]);
  }
}

/** The file of the server's log. */
export const postgresLog = (dataDir: string): string => join(dataDir, "postgres.log");
