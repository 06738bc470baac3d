import type { FastifyBaseLogger } from "fastify";
import type { AppError } from "../../app-error.ts";

/** At most one alarm in so long a time; requests come by the hundred. */
const QUIET_MS = 5_000;

/** By the monotonic clock: the other one is what is wrong. */
let lastAlarm = Number.NEGATIVE_INFINITY;

/** Sounds the alarm where proofs are refused because the database server's clock is behind what it has recorded. */
export function alarmIfClockBehind(error: AppError, log: FastifyBaseLogger): void {
  if (error.code !== "clock_behind" || performance.now() - lastAlarm < QUIET_MS) return;
  lastAlarm = performance.now();
  log.error(
    { alarm: "clock_behind" },
    "the database server's clock reads earlier than what it has recorded: no proof is registered until it is right",
  );
}
