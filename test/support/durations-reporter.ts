// `npm run test:durations`: how many seconds, of CPU and of time, each test file takes, written to test/durations.json. Files must
// run one at a time, on a machine that does nothing else: what it spent since the file before is that file's.
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

/**
 * The time, and the CPU that the machine spent, without what this process did itself and idle time. The whole machine is counted, because
 * a Postgres or a browser that a test kills, or that outlives its parent, is in no other sum. So nothing else may run beside it.
 */
function secondsSoFar(): Required<FileDuration> {
  const mine = process.cpuUsage();
  const postgres = postgresOfTheRun();
  const own = busyTicks() / TICKS_A_SECOND - postgres - (mine.user + mine.system) / 1e6;
  return { own, postgres, time: performance.now() / 1_000 };
}

/** Of all cores: user, nice, system, irq and softirq of /proc/stat (proc_stat(5)). */
function busyTicks(): number {
  const [, user, nice, system, , , irq, softirq] = fs.readFileSync("/proc/stat", "utf8").split(/\s+/, 9).map(Number);
  return [user, nice, system, irq, softirq].reduce<number>((sum, ticks = 0) => sum + ticks, 0);
}

/** Of the Postgres that vitest's main process started, with its children, in seconds. */
function postgresOfTheRun(): number {
  const processes = fs.readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const server = processes.find(({ parent, name }) => parent === process.pid && name === "postgres");
  if (server === undefined) return 0;
  const children = processes.filter(({ parent }) => parent === server.pid);
  return [server, ...children].reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_A_SECOND;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** Its own and those of its children that ended. */
  readonly ticks: number;
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
  return [
    {
      pid,
      parent: field(4),
      name: text.slice(text.indexOf("(") + 1, end),
      ticks: field(14) + field(15) + field(16) + field(17),
    },
  ];
}
