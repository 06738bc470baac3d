// `npm run test:durations`: how many seconds, of CPU and of time, each test file takes, written to test/durations.json. Files must
// run one at a time: the processes below vitest are read when a file ends, and what they used since the file before is that file's.
import fs from "node:fs";
import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { durations, type FileDuration, writeDurations } from "./durations.ts";

/** Ticks of the clock in which Linux counts (USER_HZ, the same on every architecture that Node runs on). */
const TICKS_A_SECOND = 100;

export default class DurationsReporter implements Reporter {
  readonly #measured = new Map<string, Required<FileDuration>>();
  #before: Required<FileDuration> = { own: 0, postgres: 0, time: 0 };

  onTestRunStart(): void {
    this.#before = secondsSoFar();
  }

  onTestModuleEnd(module: TestModule): void {
    const now = secondsSoFar();
    const tenths = (seconds: number) => Math.max(0, Math.round(seconds * 10) / 10);
    const measured = {
      own: tenths(now.own - this.#before.own),
      postgres: tenths(now.postgres - this.#before.postgres),
      time: tenths(now.time - this.#before.time),
    };
    this.#before = now;
    if (!module.ok()) {
      console.error(`${module.relativeModuleId} failed: test/durations.json keeps what it says of the file.`);
      return;
    }
    this.#measured.set(module.relativeModuleId, measured);
    // At once: a run that is ended early has measured what it ran.
    writeDurations({ ...durations(), [module.relativeModuleId]: measured });
  }

  onTestRunEnd(): void {
    for (const of of ["own", "postgres", "time"] as const) {
      const sum = [...this.#measured.values()].reduce((total, file) => total + file[of], 0);
      console.log(`${of}: ${sum.toFixed(0)} s in ${this.#measured.size} files`);
    }
  }
}

/** The time, and the CPU of all processes below this one: those of tests with the programs that they start, and the Postgres of the run. */
function secondsSoFar(): Required<FileDuration> {
  const processes = fs.readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const below = (pid: number): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0);

  const self = processes.find(({ pid }) => pid === process.pid);
  let own = self?.ticksOfEnded ?? 0;
  let postgres = 0;
  for (const child of children.get(process.pid) ?? []) {
    const ticks = child.ticks + below(child.pid);
    if (child.name === "postgres") postgres += ticks;
    else own += ticks;
  }
  return { own: own / TICKS_A_SECOND, postgres: postgres / TICKS_A_SECOND, time: performance.now() / 1_000 };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** Its own and those of its children that ended. */
  readonly ticks: number;
  readonly ticksOfEnded: number;
}

/** One process as /proc/<pid>/stat tells it (proc_pid_stat(5)); none for one that ended meanwhile. */
function readProcess(pid: number): Process[] {
  let text: string;
  try {
    text = fs.readFileSync(path.join("/proc", String(pid), "stat"), "utf8");
  } catch {
    return [];
  }
  // The name stands in brackets and may have brackets itself; the fields after it begin with the third.
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  const ticksOfEnded = field(16) + field(17);
  return [
    {
      pid,
      parent: field(4),
      name: text.slice(text.indexOf("(") + 1, end),
      ticks: field(14) + field(15) + ticksOfEnded,
      ticksOfEnded,
    },
  ];
}
