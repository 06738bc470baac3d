import { z } from "zod";
import type { WorkerHouse } from "../../src/service.ts";
import type { WorkerTask } from "../task.ts";

const payloadSchema = z.object({ object_id: z.uuid() });

/** Removes content whose row is gone. An object that is gone already ends the job quietly. */
export const loadRemoveObject =
  ({ objects }: WorkerHouse): WorkerTask =>
  async (payload) =>
    objects.remove(payloadSchema.parse(payload).object_id);
