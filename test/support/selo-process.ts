import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { PATIENT } from "./checkers.ts";
import { copyPrepared } from "./prepared-data.ts";

export { freePort } from "./free-port.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** A folder for SELO_DATA_DIR, in the run's own folder in memory; `remove` also waits for what still runs in it to be gone. */
export function dataFolder(): { readonly path: string; remove(): void } {
  const folder = path.join(fs.mkdtempSync(path.join(inject("folder"), "selo-cli-")), "data");
  return { path: folder, remove: () => fs.rmSync(path.dirname(folder), { recursive: true, force: true }) };
}

/** The same with a migrated database in it, so that a start makes no cluster: as after `selo migrate`, before the first `selo start`. */
export function preparedDataFolder(): ReturnType<typeof dataFolder> {
  const folder = dataFolder();
  copyPrepared(folder.path);
  return folder;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `selo` command under way. */
export interface SeloProcess {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: { stdout: string; stderr: string };
  readonly finished: Promise<Finished>;
  /** Resolves with stdout once it holds the text; rejects when the process ends before that. */
  until(text: string): Promise<string>;
}

/** What `selo` started and did not end yet, and the folder whose Postgres it may have started. */
const running = new Map<SeloProcess, string | undefined>();
/** The programs of the test that runs, with those of its file that ran when it began; the last few. */
const ofTest: SeloProcess[] = [];
const MOST_PROGRAMS = 6;
const MOST_CHARACTERS = 3_000;
/** For a program that is asked to end. */
const GRACE_MS = 15_000;

/** Ends every program that still runs, and its Postgres, as Ctrl-C would; after a while also what does not listen. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map(([program, folder]) => endProgram(program, folder)));
}

/**
 * Ends a program as Ctrl-C would. One that does not end in time is named in the log, with what it printed, and killed with its Postgres.
 * @param folder whose Postgres the program may have started
 */
export async function endProgram(program: SeloProcess, folder?: string): Promise<void> {
  const { child, finished } = program;
  child.kill("SIGTERM");
  const killing = setTimeout(() => {
    console.log(`killed, because it did not end within ${GRACE_MS / 1_000} s of SIGTERM: ${told(program)}`);
    child.kill("SIGKILL");
    const postmaster = folder === undefined ? null : postmasterPid(folder);
    if (postmaster !== null) process.kill(postmaster, "SIGQUIT");
    // A program that it started may hold them open.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
  await finished;
  clearTimeout(killing);
}

/** A test begins: programs that ended before it are no longer of interest. */
export function beginTest(): void {
  ofTest.splice(0, ofTest.length, ...ofTest.filter((program) => running.has(program)));
}

/** The end of what each of its programs printed, for the log of a test that failed. */
export function lastOutputs(): readonly string[] {
  return ofTest.map(told);
}

function told({ child, output }: SeloProcess): string {
  const { spawnargs, exitCode, signalCode, pid } = child;
  const printed = `${output.stdout.slice(-MOST_CHARACTERS)}${output.stderr.slice(-MOST_CHARACTERS)}`;
  return `${spawnargs.slice(1).join(" ")} (${pid}, ${exitCode ?? signalCode ?? "runs"}) printed:\n${printed}`;
}

/** Only what a program needs; every variable of ours is given by the test. */
export function bareEnvironment(checkout: string = root): Record<string, string> {
  const { PATH = "", HOME = os.tmpdir(), NODE_COMPILE_CACHE } = process.env;
  return {
    PATH: `${path.dirname(process.execPath)}:${PATH}`,
    HOME,
    DNS_RESOLVERS: inject("resolver"),
    ...PATIENT,
    // As in package.json: it halves the CPU of a short command. Files of another folder would only fill it.
    ...(checkout === root && NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
  };
}

/**
 * Runs the command line as `npm run selo --` does; with another folder, that of another version.
 * @param program a file of that folder that runs the command line with its own services
 */
export function selo(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  checkout: string = root,
  program = "src/main/cli.ts",
): SeloProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: checkout,
    env: { ...bareEnvironment(checkout), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  const waiting: { text: string; resolve: (stdout: string) => void; reject: (error: Error) => void }[] = [];
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk;
    for (const { text, resolve } of waiting) if (output.stdout.includes(text)) resolve(output.stdout);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.once("close", (code, signal) => {
      resolve({ code, signal, ...output });
      for (const { reject, text } of waiting)
        reject(new Error(`ended (${code ?? signal}) before "${text}": ${output.stdout}\n${output.stderr}`));
    });
  });
  const started: SeloProcess = {
    child,
    output,
    finished,
    until: (text) =>
      new Promise((resolve, reject) => {
        if (output.stdout.includes(text)) resolve(output.stdout);
        else if (child.exitCode !== null || child.signalCode !== null) reject(new Error(`ended: ${output.stderr}`));
        else waiting.push({ text, resolve, reject });
      }),
  };
  running.set(started, environment["SELO_DATA_DIR"]);
  ofTest.push(started);
  if (ofTest.length > MOST_PROGRAMS) ofTest.shift();
  void finished.then(() => running.delete(started));
  return started;
}

/** A command that is expected to succeed with one line of JSON. */
export async function seloJson<Result>(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  checkout: string = root,
): Promise<Result> {
  const given = [...args, "--json"];
  return jsonOf<Result>(given, await selo(given, environment, checkout).finished);
}

/** What a command with `--json` printed; it must have succeeded, with one line. */
export function jsonOf<Result>(
  args: readonly string[],
  { code, stdout, stderr }: Pick<Finished, "code" | "stdout" | "stderr">,
): Result {
  if (code !== 0) throw new Error(`selo ${args.join(" ")} ended with ${code}: ${stderr}`);
  if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`not one line: ${stdout}`);
  return JSON.parse(stdout) as Result;
}

/** Process ids of the Postgres whose cluster is in a data folder: the postmaster's, from its own file. */
export function postmasterPid(folder: string): number | null {
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const file = path.join(folder, name, "postmaster.pid");
    if (fs.existsSync(file)) return Number(fs.readFileSync(file, "utf8").split("\n")[0]);
  }
  return null;
}

/** Whether any process names the folder in its command line or works inside it. */
export function processesIn(folder: string): string[] {
  const found: string[] = [];
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(folder) || fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(folder))
        found.push(`${pid} ${command}`);
    } catch {
      // It ended meanwhile, or is another user's.
    }
  }
  return found;
}
