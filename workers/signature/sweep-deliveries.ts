import { sweepPackageDeliveries } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";

/** Deletes deliveries of packages that are older than 90 days. */
export const sweepDeliveries: WorkerTask = async (_payload, { jobs, stopping }) => {
  while (!stopping.aborted && (await sweepPackageDeliveries(jobs)) > 0);
};
