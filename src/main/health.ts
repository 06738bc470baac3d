import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { ObjectStore } from "../adapters/storage/object-store.ts";
import type { Database } from "../postgres/database.ts";
import { includesMigrations } from "../postgres/migrate/sql-source.ts";
import type { PartStates } from "../services/started-service.ts";
import { joined } from "../surfaces/joined.ts";
import type { ReadFaults, Readiness, ReadReadiness } from "../surfaces/web/status-page.ts";

export interface HealthOptions {
  readonly database: Database;
  readonly objects: ObjectStore;
  /** The newest migrations of this program, one of each sequence of numbers, separated by commas. */
  readonly expectedMigrations: string;
  readonly publicUrl: string;
  /** The checks of services, by name. */
  readonly ofServices: Checks;
  /** States of parts without which the gateway works. */
  readonly partStates: () => Promise<PartStates>;
  /** Overrides {@link FRESH_MS}, so that a test need not wait. */
  readonly freshMs: number | undefined;
}

/** An outcome of /readyz is reused for this time: test signatures take 15 ms, and anyone may ask. */
const FRESH_MS = 1_000;

/** Checks by name. One that fails throws. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

/** Reads whether the process can do its work. All callers of one second share one outcome. */
export function readinessOf(options: HealthOptions): ReadReadiness {
  return shared(options.freshMs, (log) => readNow(options, log));
}

/** Reads what failed in the last 90 days; null while the database does not say. All callers of one second share one outcome. */
export function faultsOf({ database, freshMs }: Pick<HealthOptions, "database" | "freshMs">): ReadFaults {
  return shared(freshMs, async (log) => {
    try {
      return await Promise.race([database.faults(), late()]);
    } catch (error) {
      log.error({ err: error }, "the record of faults cannot be read");
      return null;
    }
  });
}

function shared<Outcome>(
  freshMs = FRESH_MS,
  read: (log: FastifyBaseLogger) => Promise<Outcome>,
): (log: FastifyBaseLogger) => Promise<Outcome> {
  let latest: { until: number; readonly outcome: Promise<Outcome> } | null = null;
  return async (log) => {
    if (latest === null || latest.until < performance.now()) {
      // A reading under way serves all callers; its outcome serves them for a moment longer.
      const reading = { until: Number.POSITIVE_INFINITY, outcome: read(log) };
      void reading.outcome.finally(() => {
        reading.until = performance.now() + freshMs;
      });
      latest = reading;
    }
    return latest.outcome;
  };
}

/**
 * /healthz: the process answers. /readyz: the process can do its work, with the result of each check: ok, failed, unknown while the database
 * does not answer, or full for a storage without room. All gateways share the storage and can read what is there, so one that is full leaves them ready. Beside them stand the states of parts without which the process works. These never make it not ready: a nameserver that is away must not
 * take all gateways out of rotation.
 */
export function registerHealth(app: FastifyInstance, readiness: ReadReadiness): void {
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    const { isReady, checks, parts } = await readiness(request.log);
    return reply
      .code(isReady ? 200 : 503)
      .headers(isReady ? {} : { "retry-after": "5" })
      .send({ status: isReady ? "ready" : "not_ready", checks, ...parts });
  });
}

async function readNow(options: HealthOptions, log: FastifyBaseLogger): Promise<Readiness> {
  const [checks, parts] = await Promise.all([checkAll(options, log), partStates(options, log)]);
  return {
    isReady: Object.values(checks).every((check) => check === "ok" || check === "full"),
    checks,
    parts,
    checkedAt: new Date(),
  };
}

/** What cannot be told is left out. */
async function partStates({ partStates: read }: HealthOptions, log: FastifyBaseLogger): Promise<Readiness["parts"]> {
  try {
    return await Promise.race([read(), late()]);
  } catch (error) {
    log.error({ err: error }, "the state of a part is not known");
    return {};
  }
}

/** A database that hangs counts as unreachable. */
const MOST_MS = 2_000;

function late(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${MOST_MS} ms`)), MOST_MS).unref();
  });
}

async function checkAll(options: HealthOptions, log: FastifyBaseLogger): Promise<Readiness["checks"]> {
  const { database, objects, expectedMigrations, publicUrl, ofServices } = options;
  const outcome = async (check: () => Promise<unknown>) => {
    try {
      return (await Promise.race([check(), late()])) === "full" ? "full" : "ok";
    } catch (error) {
      log.error({ err: error }, "a readiness check failed");
      return "failed";
    }
  };
  const state = database.readiness();
  const own: Checks = {
    database: async () => {
      await state;
    },
    // "At least": an older gateway goes on serving after a newer version has migrated.
    migrations: async () => {
      const { lastMigration } = await state;
      if (!includesMigrations(lastMigration ?? "", expectedMigrations)) {
        throw new Error(`the database is at ${lastMigration}, this gateway needs ${expectedMigrations}`);
      }
    },
    public_url: async () => {
      if ((await state).publicUrl !== publicUrl) {
        throw new Error("PUBLIC_URL differs from the address that the database puts into links: run selo migrate");
      }
    },
  };
  const checks = joined([own, ofServices, { storage: () => objects.check() }], "a check");
  // All checks run at once: a database that hangs delays the answer by the time of one check, not of all.
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const),
  );
  const isAway = outcomes.some(([name, came]) => name === "database" && came === "failed");
  // Other checks ask the database, too: what they would find is not known while it does not answer.
  return Object.fromEntries(
    outcomes.map(([name, came]) => [
      name,
      isAway && !["database", "storage"].includes(name) && came === "failed" ? "unknown" : came,
    ]),
  );
}
