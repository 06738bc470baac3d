import type { WorkerTask } from "../task.ts";

const AT_ONCE = 100;
const MOST_ROUNDS = 1_000;

/** Removes what is kept of zones that were deleted more than seven days ago. */
export const deleteOldZones: WorkerTask = async (_payload, { jobs }) => {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [done] = await jobs.query<{ readonly count: number }>("select jobs.delete_old_zones($1) as count", [AT_ONCE]);
    if ((done?.count ?? 0) < AT_ONCE) break;
  }
};
