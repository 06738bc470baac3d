import type { QueueState } from "../../../../src/postgres/queue-states.ts";
import type { Beside, WorkerContext } from "../../../../workers/worked-service.ts";

const EVERY_MS = 1_000;
const LATE_SECONDS = 60;

/** Sounds the alarm when a reminder is a minute late, once until no reminder is late. */
export async function watchReminders({ jobs, log }: WorkerContext): Promise<Beside> {
  let isLate = false;
  let looking = Promise.resolve();
  const look = async () => {
    const due = (await jobs.queueStates())["due_notes"] as QueueState | undefined;
    const late = due?.oldest_seconds ?? 0;
    if (late > LATE_SECONDS && !isLate) log.error({ alarm: "reminders_are_late", late }, "reminders are late");
    isLate = late > LATE_SECONDS;
  };
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => log.warn({ err: error }, "reminders were not watched"));
  }, EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
