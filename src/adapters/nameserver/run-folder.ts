import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeDurably } from "../programs/durable-file.ts";
import { processStamp } from "../programs/process-stamp.ts";
import { errorCode, ProgramError } from "../programs/program-error.ts";
import type { Owner } from "../programs/unprivileged.ts";

/** The path of a Unix socket may have 107 bytes on Linux and 103 on macOS. */
const LONGEST_SOCKET = 103;
/** PowerDNS ends within milliseconds; one that is stopped or stuck does not listen. */
const END_MS = 5_000;

/** What a nameserver keeps in the data folder while it runs, and from one start to the next. */
export class RunFolder {
  readonly path: string;
  /** Of the control socket. */
  readonly socketDir: string;

  constructor(dataDir: string) {
    // As root, others may pass through: the nameserver runs as one of them.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    this.path = path.join(dataDir, "nameserver-run");
    for (const folder of [dataDir, this.path])
      if (mkdirSync(folder, { recursive: true, mode }) !== undefined) chmodSync(folder, mode); // whatever the umask
    const inside = path.join(this.path, "socket");
    const isShort = Buffer.byteLength(path.join(inside, "pdns.controlsocket")) <= LONGEST_SOCKET;
    this.socketDir = isShort ? inside : `/tmp/selo-nameserver-${randomBytes(8).toString("hex")}`;
  }

  get configDir(): string {
    return path.join(this.path, "config");
  }

  get passwordFile(): string {
    return path.join(this.configDir, "pgpass");
  }

  get log(): string {
    return path.join(this.path, "pdns.log");
  }

  /** The port of the last start; null before the first. */
  keptPort(): number | null {
    const file = path.join(this.path, "port");
    const port = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
    return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null;
  }

  keepPort(port: number): void {
    writeDurably(path.join(this.path, "port"), `${port}\n`);
  }

  /** Writes the settings and the password, mode 0600, in a folder of the nameserver's user that nobody else enters. */
  writeConfig(config: string, passwords: string, owner: Owner | undefined): void {
    const give = (file: string) => {
      if (owner !== undefined) chownSync(file, owner.uid, owner.gid);
    };
    for (const folder of [this.configDir, this.socketDir]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 }); // fails if somebody else made it meanwhile
    }
    for (const [name, text] of Object.entries({ "pdns.conf": config, pgpass: passwords })) {
      const file = path.join(this.configDir, name);
      writeFileSync(file, text, { mode: 0o600, flag: "wx" });
      give(file);
    }
    for (const folder of [this.configDir, this.socketDir]) give(folder);
  }

  /** Removes what holds secrets, and the socket. */
  clear(): void {
    for (const folder of [this.configDir, this.socketDir]) rmSync(folder, { recursive: true, force: true });
    rmSync(this.#pidFile, { force: true });
  }

  /** Keeps which process serves, so that the next start finds it after we were killed. */
  keepProcess(pid: number): void {
    writeDurably(this.#pidFile, `${pid}\n${processStamp(pid) ?? ""}\n`);
  }

  /**
   * Ends the nameserver that an earlier, killed start left running: its settings may be other ones than ours.
   * @returns its pid; null without one
   */
  async endOrphan(): Promise<number | null> {
    if (!existsSync(this.#pidFile)) return null;
    const [pidLine = "", stamp = ""] = readFileSync(this.#pidFile, "utf8").split("\n");
    const pid = Number(pidLine);
    const lives = () => stamp !== "" && processStamp(pid) === stamp;
    if (!lives()) return null;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      signalProcess(pid, signal);
      for (const deadline = performance.now() + END_MS; lives() && performance.now() < deadline; ) await sleep(20);
      if (!lives()) return pid;
    }
    throw new ProgramError(`The nameserver that an earlier start left running (process ${pid}) does not end.`);
  }

  get #pidFile(): string {
    return path.join(this.path, "pdns.pid");
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === "EPERM")
      throw new ProgramError(`A nameserver of another user (process ${pid}) runs on this data folder. Stop it first.`);
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
