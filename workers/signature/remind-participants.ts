import { z } from "zod";
import { dueReminders } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";

const done = z.object({ reminded: z.int() });

/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;

/** Reminds the participants whose turn it is, in one transaction for each organization and environment. */
export const remindParticipants: WorkerTask = async (_payload, { jobs, log, stopping }) => {
  const deadline = performance.now() + MOST_MS;
  const isOver = () => stopping.aborted || performance.now() >= deadline;
  let total = 0;
  for (;;) {
    let reminded = 0;
    for (const { envelope_ids, ...environment } of await dueReminders(jobs)) {
      const remind = async (ids: readonly string[]): Promise<number> =>
        done.parse(await jobs.call(environment, "remind_due", { envelope_ids: ids })).reminded;
      if (isOver()) break;
      try {
        reminded += await remind(envelope_ids);
      } catch {
        // One of them fails: the others are reminded without it.
        for (const id of envelope_ids) {
          if (isOver()) break;
          reminded += await remind([id]).catch((err: unknown) => {
            log.error(
              { alarm: "reminders_not_sent", err, tenant: environment.tenantId },
              "participants were not reminded",
            );
            return 0;
          });
        }
      }
    }
    total += reminded;
    // Without progress the same participants would come again.
    if (reminded === 0 || isOver()) break;
  }
  if (total > 0) log.info({ participants: total }, "participants were reminded");
};
