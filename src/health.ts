import type { FastifyInstance } from "fastify";
import type { Database } from "./db/database.ts";
import type { PlatformSigners } from "./operations/platform/platform-signers.ts";

export interface HealthOptions {
  readonly database: Database;
  readonly signers: PlatformSigners;
  /** The newest migration of this program. */
  readonly expectedMigration: string;
  readonly publicUrl: string;
}

/** /healthz: the process answers. /readyz: it can do its work, check by check. */
export function registerHealth(
  app: FastifyInstance,
  { database, signers, expectedMigration, publicUrl }: HealthOptions,
): void {
  app.get("/healthz", async () => ({ status: "ok" }));

  app.get("/readyz", async (request, reply) => {
    const outcome = async (check: () => Promise<void>) => {
      try {
        await check();
        return "ok";
      } catch (error) {
        request.log.error({ err: error }, "a readiness check failed");
        return "failed";
      }
    };
    const checks = {
      database: await outcome(async () => {
        await database.readiness();
      }),
      // "At least mine": an older gateway goes on serving while a newer one has already migrated.
      migrations: await outcome(async () => {
        const { lastMigration } = await database.readiness();
        if ((lastMigration ?? "") < expectedMigration)
          throw new Error(`the database is at ${lastMigration}, this gateway needs ${expectedMigration}`);
      }),
      public_url: await outcome(async () => {
        const state = await database.readiness();
        if (state.publicUrl !== publicUrl)
          throw new Error("PUBLIC_URL is not the one the database puts into links: run selo migrate");
      }),
      keys: await outcome(() => signers.check()),
    };
    const ready = Object.values(checks).every((check) => check === "ok");
    return reply
      .code(ready ? 200 : 503)
      .headers(ready ? {} : { "retry-after": "5" })
      .send({ status: ready ? "ready" : "not_ready", checks });
  });
}
