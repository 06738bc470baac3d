import { z } from "zod";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

const payloadSchema = z.object({
  tenant_id: z.uuid(),
  environment: z.enum(["live", "test"]),
  object_id: z.uuid(),
});
const answerSchema = z.object({ is_postponed: z.boolean() });

/** Removes content whose row is gone, later while a backup is made: the backup may hold the row. An object that is gone already ends the job quietly. */
export const loadRemoveObject =
  ({ objects }: Pick<WorkerContext, "objects">): WorkerTask =>
  async (payload, { jobs }) => {
    const { tenant_id: tenantId, environment, object_id } = payloadSchema.parse(payload);
    const answer = await jobs.call({ tenantId, environment }, "postpone_removal", { object_id });
    if (!answerSchema.parse(answer).is_postponed) await objects.remove(object_id);
  };
