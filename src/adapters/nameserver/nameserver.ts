import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type FolderLock, lockFolder } from "../programs/folder-lock.ts";
import { anyFreePort } from "../programs/free-port.ts";
import { ProgramError } from "../programs/program-error.ts";
import { logSize, logTail, openLog, rotateLog } from "../programs/program-log.ts";
import { chooseIdentity, type Identity } from "../programs/unprivileged.ts";
import { chooseDnsPort } from "./choose-port.ts";
import { configText } from "./config-file.ts";
import { type NameserverConnection, passwordLine } from "./connection.ts";
import { watchPauses } from "./pause-watch.ts";
import { PowerDns } from "./power-dns.ts";
import type { NameserverProgram } from "./program.ts";
import { RunFolder } from "./run-folder.ts";

export interface NameserverOptions {
  readonly dataDir: string;
  readonly program: NameserverProgram;
  readonly connection: NameserverConnection;
  /** IP addresses on which it answers. */
  readonly addresses: readonly string[];
  /** Null for a free port from 5300 on, which is kept over starts. */
  readonly port: number | null;
  readonly log: (message: string) => void;
}

const START_MS = 20_000;
const END_MS = 5_000;
/** Ports that are tried where others take them at the same time. */
const MOST_PORTS = 5;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const HEALTHY_AFTER_MS = 60_000;
const FAILURES_UNTIL_TAIL = 5;

/**
 * PowerDNS as our child, restarted whenever it dies until `stop`. It runs without the rights of root, as the user who owns the
 * socket of the embedded Postgres where it connects through that.
 */
export class Nameserver {
  /** UDP and TCP; the same as long as we run. */
  readonly port: number;
  readonly addresses: readonly string[];
  readonly version: string;
  readonly #options: NameserverOptions;
  readonly #identity: Identity;
  readonly #folder: RunFolder;
  readonly #lock: FolderLock;
  readonly #stopping = new AbortController();
  #powerDns: PowerDns | null = null;
  #child: ChildProcess | null = null;
  #exited: Promise<string> = Promise.resolve("it was not started");
  #logStart = 0;
  #watch: Promise<void> = Promise.resolve();

  private constructor(
    options: NameserverOptions,
    found: { port: number; identity: Identity; folder: RunFolder; lock: FolderLock },
  ) {
    this.#options = options;
    this.port = found.port;
    this.addresses = options.addresses;
    this.version = options.program.version;
    this.#identity = found.identity;
    this.#folder = found.folder;
    this.#lock = found.lock;
  }

  /**
   * Starts it, and ends one that a killed start left running.
   * @throws ProgramError with a message for people: another process runs it, no user to run as, or it does not start (with the last lines of its log)
   */
  static async start(options: NameserverOptions): Promise<Nameserver> {
    const { dataDir, log } = options;
    const folder = new RunFolder(dataDir);
    const lock = lockFolder(folder.path);
    try {
      const orphan = await folder.endOrphan();
      if (orphan !== null) log(`Ended the nameserver that an earlier process left running (process ${orphan}).`);
      const identity = identityFor(options, folder);
      for (let attempt = 1; ; attempt++) {
        const port = options.port ?? (await chooseDnsPort(options.addresses, folder.keptPort()));
        folder.keepPort(port);
        rotateLog(folder.log);
        const nameserver = new Nameserver(options, { port, identity, folder, lock });
        try {
          await nameserver.#begin();
          return nameserver;
        } catch (error) {
          // Another program may have taken the port since it was chosen.
          const isTaken = options.port === null && (await chooseDnsPort(options.addresses, port)) !== port;
          if (!isTaken || attempt === MOST_PORTS) throw error;
        }
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** What tells the running one of changes; it belongs to another process after each restart. Null while none runs. */
  get powerDns(): PowerDns | null {
    return this.#powerDns;
  }

  /** Ends PowerDNS. Resolves when it has ended; may be called again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#end();
    await this.#watch;
    this.#folder.clear();
    this.#lock.release();
  }

  async #begin(): Promise<void> {
    await this.#launch();
    const outcome = await this.#untilReady();
    if (outcome !== null) {
      await this.#end();
      this.#folder.clear();
      throw new ProgramError(this.#failure(`does not start (${outcome})`));
    }
    const { signal } = this.#stopping;
    const pauses = watchPauses({ powerDns: () => this.#powerDns, log: this.#options.log, signal });
    this.#watch = Promise.all([this.#keepRunning(), pauses]).then(() => {});
  }

  async #keepRunning(): Promise<void> {
    const { log } = this.#options;
    let readySince: number | null = performance.now();
    let ended = await this.#exited;
    for (let failures = 1; !this.#stopping.signal.aborted; failures++) {
      this.#powerDns = null;
      if (readySince !== null && performance.now() - readySince >= HEALTHY_AFTER_MS) failures = 1;
      readySince = null;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
      const message = `ended unexpectedly (${ended}); starting it again in ${delay / 1_000} s`;
      log(
        failures % FAILURES_UNTIL_TAIL === 0
          ? this.#failure(`${message}, after ${failures} failures in a row`)
          : `The nameserver ${message}.`,
      );
      await sleep(delay, undefined, { signal: this.#stopping.signal }).catch(() => {}); // stop() ends the wait
      if (this.#stopping.signal.aborted) return;
      try {
        await this.#launch();
        if ((await this.#untilReady()) === null) {
          readySince = performance.now();
          log("The nameserver is back.");
        }
        ended = await this.#exited;
      } catch (error) {
        ended = error instanceof Error ? error.message : String(error); // may be temporary, such as a full disk
      }
    }
  }

  async #launch(): Promise<void> {
    const { program, connection, addresses } = this.#options;
    const { configDir, socketDir, passwordFile } = this.#folder;
    const apiPort = await anyFreePort();
    const apiKey = randomBytes(32).toString("base64url");
    const { port } = this;
    const settings = { connection, passwordFile, addresses, port, socketDir, apiPort, apiKey };
    this.#folder.writeConfig(configText(settings), passwordLine(connection), this.#identity.owner);
    // stop() may have come meanwhile, and would find no child.
    this.#stopping.signal.throwIfAborted();
    const { file, args, options } = this.#identity.command(program.program, [
      ...program.options,
      `--config-dir=${configDir}`,
    ]);
    this.#logStart = logSize(this.#folder.log);
    const log = openLog(this.#folder.log);
    try {
      // A separate process group: Ctrl-C must reach only us, and the nameserver answers until we end it.
      const child = spawn(file, args, { ...options, stdio: ["ignore", log, log], detached: true });
      this.#child = child;
      this.#exited = new Promise((resolve) => {
        child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
        child.on("error", (error) => {
          if (child.pid === undefined) resolve(error.message);
        });
      });
      if (child.pid !== undefined) this.#folder.keepProcess(child.pid);
    } finally {
      closeSync(log);
    }
    this.#powerDns = new PowerDns(apiPort, apiKey, socketDir);
  }

  /** Null when it answers; otherwise why it does not. */
  async #untilReady(): Promise<string | null> {
    let ended: string | null = null;
    const end = this.#exited.then((how) => {
      ended = how;
    });
    for (const deadline = performance.now() + START_MS; performance.now() < deadline; ) {
      if (await this.#powerDns?.isReady()) return null;
      if (ended !== null) return ended;
      await Promise.race([sleep(20), end]);
    }
    return `it does not answer after ${START_MS / 1_000} s`;
  }

  async #end(): Promise<void> {
    this.#powerDns = null;
    const child = this.#child;
    if (child === null) return;
    const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
    child.kill("SIGTERM");
    await this.#exited;
    clearTimeout(late);
  }

  #failure(what: string): string {
    const tail = logTail(this.#folder.log, this.#logStart);
    return `The nameserver ${what}. ${tail === "" ? "Its log says nothing" : "The last lines of its log"} (${this.#folder.log}):\n${tail}`.trimEnd();
  }
}

function identityFor({ program, connection, dataDir }: NameserverOptions, folder: RunFolder): Identity {
  const identity = chooseIdentity({
    probe: [program.program, "--no-config", ...program.options, "--launch=gpgsql", "--config=check"],
    folder: folder.path,
    likeOwnerOf: connection.host.startsWith("/") ? connection.host : folder.configDir,
    env: program.env,
  });
  if (identity !== undefined) return identity;
  throw new ProgramError(
    `The nameserver does not run as root, and neither the user "postgres" nor "nobody" can reach ${dataDir} and ${program.program} (a user namespace is not available here). Start Selo as another user, or make both folders passable for others.`,
  );
}
