import { overdueDocuments } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";

/** Adds the jobs of documents anew that wait too long, as after the last of their attempts. */
export const continueDocumentChecks: WorkerTask = async (_payload, { jobs, log }) => {
  const overdue = await overdueDocuments(jobs);
  for (const { id, ...environment } of overdue)
    await jobs.call(environment, "continue_document_check", { id, seconds: 0 });
  if (overdue.length > 0)
    log.warn({ documents: overdue.length }, "documents wait for their check for more than a minute");
};
