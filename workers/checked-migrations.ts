import type { EventEmitter } from "node:events";
import type { WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import type { Jobs } from "../src/postgres/jobs.ts";

/** The channel on which graphile-worker tells running workers that its tables were migrated; the workers end then. */
const CHANNEL = "worker:migrate";

/**
 * Passes the notice of a migration on only if graphile-worker's own table confirms it. Every login of the database, analysts'
 * included, may notify any channel, and could otherwise end every worker.
 * @param known the newest migration that breaks older versions, as this process began
 */
export function checkMigrations(events: WorkerEvents, jobs: Jobs, known: number, log: Logger): void {
  events.on("pool:listen:success", ({ client }) => {
    const emit = client.emit.bind(client) as EventEmitter["emit"];
    client.emit = ((event: string, ...args: unknown[]) => {
      const [message] = args as [{ readonly channel?: string } | undefined];
      if (event !== "notification" || message?.channel !== CHANNEL) return emit(event, ...args);
      jobs.newestBreakingMigration().then(
        (newest) => {
          if (newest > known) emit(event, ...args);
          else log.warn("somebody announced a migration of the job tables that did not happen");
        },
        (err: unknown) => log.error({ err }, "could not tell whether the job tables were migrated"),
      );
      return true;
    }) as typeof client.emit;
  });
}
