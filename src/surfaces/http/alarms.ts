import type { FastifyBaseLogger } from "fastify";
import { StorageError } from "../../adapters/storage/object-store.ts";
import type { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../postgres/database.ts";

/** Least time between two equal alarms of one gateway; requests come by the hundred. */
const QUIET_MS = 5_000;

/** When each alarm was last sounded, by the monotonic clock, because the other clock may be wrong. */
const lastAlarms = new WeakMap<Database, Map<string, number>>();

/** Sounds the alarm for an error that asks for an operator: the clock of the database is behind its own records, or the storage is full or away. */
export function alarmFor(error: AppError, database: Database, log: FastifyBaseLogger): void {
  if (error.code === "clock_behind")
    sound(database, "clock_behind", () =>
      log.error(
        { alarm: "clock_behind" },
        "the database server's clock reads earlier than what it has recorded: nothing is registered until it is right",
      ),
    );
  if (error.cause instanceof StorageError) {
    const { cause } = error;
    sound(database, "storage_fails", () => log.error({ alarm: "storage_fails", err: cause }, cause.message));
  }
}

function sound(database: Database, alarm: string, write: () => void): void {
  const now = performance.now();
  const last = lastAlarms.get(database) ?? new Map<string, number>();
  if (now - (last.get(alarm) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
  lastAlarms.set(database, last.set(alarm, now));
  write();
}
