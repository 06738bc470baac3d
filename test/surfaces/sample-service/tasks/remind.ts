import { z } from "zod";
import type { WorkerTask } from "../../../../workers/task.ts";

const payloadSchema = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), id: z.uuid() });

/** Reminds an organization of a note when it is due. */
export const remind: WorkerTask = async (payload, { jobs }) => {
  const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
  await jobs.call({ tenantId, environment }, "remind", { id });
};
