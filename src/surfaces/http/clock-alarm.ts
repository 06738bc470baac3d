import type { FastifyBaseLogger } from "fastify";
import type { AppError } from "../../app-error.ts";
import type { Database } from "../../postgres/database.ts";

/** Least time between two alarms about one database; requests come by the hundred. */
const QUIET_MS = 5_000;

/** When the last alarm was sounded, by the monotonic clock, because the other clock may be wrong. */
const lastAlarms = new WeakMap<Database, number>();

/** Sounds the alarm if proofs are refused because the database server's clock is behind its own records. */
export function alarmIfClockBehind(error: AppError, database: Database, log: FastifyBaseLogger): void {
  if (error.code !== "clock_behind") return;
  const now = performance.now();
  if (now - (lastAlarms.get(database) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
  lastAlarms.set(database, now);
  log.error(
    { alarm: "clock_behind" },
    "the database server's clock reads earlier than what it has recorded: no proof is registered until it is right",
  );
}
