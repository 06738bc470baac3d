import type { Environment } from "../../../../src/postgres/jobs.ts";
import type { WorkerTask } from "../../../../workers/task.ts";

const AT_ONCE = 1_000;

/** Sends late reminders, independent of their jobs. It looks across tenants, and then acts for one tenant after the other. */
export const catchUp: WorkerTask = async (_payload, { jobs, log }) => {
  const lost = await jobs.query<Environment & { readonly id: string }>(
    `select tenant_id as "tenantId", environment, id from jobs.lost_reminders($1)`,
    [AT_ONCE],
  );
  for (const { id, ...environment } of lost) await jobs.call(environment, "remind", { id });
  if (lost.length > 0) log.warn({ sent: lost.length }, "reminders were late");
};
