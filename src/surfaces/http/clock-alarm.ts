import type { FastifyBaseLogger } from "fastify";
import type { AppError } from "../../app-error.ts";
import type { Database } from "../../postgres/database.ts";

/** At most one alarm of a database in so long a time; requests come by the hundred. */
const QUIET_MS = 5_000;

/** When it last was sounded, by the monotonic clock: the other one is what is wrong. */
const lastAlarms = new WeakMap<Database, number>();

/** Sounds the alarm where proofs are refused because the database server's clock is behind what it has recorded. */
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
