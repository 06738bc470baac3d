import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../src/errors/app-error.ts";
import { recordFaults } from "../../src/services/platform/store.ts";
import type { TaskContext, WorkerTask } from "../task.ts";
import type { WatchedState, WorkerContext } from "../worked-service.ts";

/** As long as `/readyz` waits, several times over: a worker may be busy, and a fault that was none would stand on a page for 90 days. */
const DEADLINE_MS = 10_000;
/** A check that is late is made once more: the worker itself, or the database, may have been busy. */
const MOST_ATTEMPTS = 2;

type Checks = Readonly<Record<string, () => Promise<WatchedState>>>;

/** The checks of all services, made once for a worker: they keep the keys that they decrypt. */
export async function watchFaultsOf(context: WorkerContext): Promise<WorkerTask> {
  const all = await Promise.all(context.services.map((service) => service.watched?.(context) ?? {}));
  return watchFaults(Object.assign({}, ...all));
}

/**
 * Checks each component, and records what begins to fail and what works again: platform.faults. That no observation came for a while is a fault, too,
 * which the next one records.
 */
export function watchFaults(checks: Checks, deadlineMs = DEADLINE_MS): WorkerTask {
  return async (_payload, { jobs, log, stopping }) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([component, check]) => [
        component,
        await stateOf(component, check, deadlineMs, { log, stopping }),
      ]),
    );
    // A worker that stops waits for no check, so it knows no states.
    if (stopping.aborted) return;
    await recordFaults(jobs, Object.fromEntries(states));
  };
}

async function stateOf(
  component: string,
  check: Checks[string],
  deadlineMs: number,
  { log, stopping }: Pick<TaskContext, "log" | "stopping">,
): Promise<WatchedState | "unknown"> {
  try {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const state = await inTime(check, deadlineMs, stopping);
      if (state !== "late") return state;
    }
    throw new Error(`no answer within ${deadlineMs} ms, ${MOST_ATTEMPTS} times`);
  } catch (error) {
    if (stopping.aborted) return "unknown";
    // A database that is away says nothing about what the check asked it for.
    if (error instanceof AppError && error.status === 503) return "unknown";
    log.error({ err: error, component }, "a component failed its check");
    return "failed";
  }
}

async function inTime(
  check: Checks[string],
  deadlineMs: number,
  stopping: AbortSignal,
): Promise<WatchedState | "late"> {
  const answered = new AbortController();
  const signal = AbortSignal.any([stopping, answered.signal]);
  const late = sleep(deadlineMs, "late" as const, { signal });
  const checked = check();
  checked.catch(() => {}); // it may fail after the deadline
  try {
    return await Promise.race([checked, late]);
  } finally {
    answered.abort();
  }
}
