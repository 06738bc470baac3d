import { z } from "zod";
import { mailPasswordLink } from "../../src/services/accounts/store.ts";
import type { WorkerTask } from "../task.ts";

const asked = z.object({ link_id: z.uuid() });

/** Mails a link that somebody asked for. */
export const mailPasswordLinkTask: WorkerTask = async (payload, { jobs }) => {
  await mailPasswordLink(jobs, asked.parse(payload).link_id);
};
