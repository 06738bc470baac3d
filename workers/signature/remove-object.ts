import { z } from "zod";
import { isUnnamed } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

const payloadSchema = z.object({
  tenant_id: z.uuid(),
  environment: z.enum(["live", "test"]),
  object_id: z.uuid(),
});
const answerSchema = z.object({ is_postponed: z.boolean() });

/** Removes content that no row names any more, later while a backup is made: the backup may hold the row. An object that is gone already ends the job quietly. */
export const loadRemoveObject =
  ({ objects }: Pick<WorkerContext, "objects">): WorkerTask =>
  async (payload, { jobs }) => {
    const { tenant_id: tenantId, environment, object_id } = payloadSchema.parse(payload);
    const answer = await jobs.call({ tenantId, environment }, "postpone_removal", { object_id });
    if (answerSchema.parse(answer).is_postponed) return;
    // With the login of the gateway alone, the row of one file can be made to name the object of another, of any organization. That one stays.
    if (await isUnnamed(jobs, object_id)) await objects.remove(object_id);
  };
