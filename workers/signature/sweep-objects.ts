import type { ObjectStore } from "../../src/adapters/storage/object-store.ts";
import { unnamedObjects } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

/** Milliseconds for which an object that no row names is kept: its upload may be under way. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
/** Objects that SQL is asked about at once. */
const AT_ONCE = 1_000;

/**
 * Removes content that a day after it was written no row names, and half-written files as old: a process died after it had
 * stored a file and before the row was there.
 */
export function sweepObjects(objects: ObjectStore, now: () => Date): WorkerTask {
  return async (_payload, { jobs, log, stopping }) => {
    const before = new Date(now().getTime() - KEPT_MS);
    let removed = 0;
    const sweep = async (old: readonly string[]) => {
      for (const id of await unnamedObjects(jobs, old)) {
        await objects.remove(id);
        removed++;
      }
    };
    let old: string[] = [];
    for await (const { id, writtenAt } of objects.list()) {
      if (stopping.aborted) return;
      if (writtenAt >= before) continue;
      old.push(id);
      if (old.length < AT_ONCE) continue;
      await sweep(old);
      old = [];
    }
    if (old.length > 0) await sweep(old);
    const parts = await objects.removeLeftovers(before);
    if (removed + parts > 0) log.info({ removed, parts }, "removed stored files that no document names");
  };
}

export const loadSweepObjects = ({ objects }: WorkerContext): WorkerTask => sweepObjects(objects, () => new Date());
