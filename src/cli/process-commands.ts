import closeWithGrace from "close-with-grace";
import type { Command } from "commander";
import pino from "pino";
import { startWorker } from "../../workers/main.ts";
import { type Config, readConfig } from "../config.ts";
import { openDatabases } from "../db/databases.ts";
import { migrationStatus } from "../db/migrate.ts";
import { startGateway } from "../gateway.ts";
import { masterKeyOf } from "../master-key.ts";
import { prepareDatabase } from "../prepare-database.ts";
import { startAll } from "../start.ts";
import { print } from "./print.ts";

/** `selo start | gateway | worker | migrate`: the processes of a deployment. */
export function addProcessCommands(program: Command): void {
  program
    .command("start")
    .description(
      "everything in one process: Postgres unless DATABASE_URL is set, migrations, demo organization, gateway, worker",
    )
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      const started = await startAll(config, logger(config, config.production ? "info" : "warn"));
      print(json, { base_url: config.publicUrl, database: started.description, demo: started.demo !== null }, () =>
        welcome(config, started),
      );
      stopOnSignal(config, () => started.stop());
      void started.ended.finally(() => process.kill(process.pid, "SIGTERM"));
    });

  program
    .command("gateway")
    .description("the HTTP process")
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      const databases = await openDatabases(config, () => {});
      const gateway = await startGateway({
        config,
        databaseUrl: databases.appUrl,
        masterKey: masterKeyOf(config),
        log: logger(config),
      });
      print(json, { base_url: config.publicUrl, port: gateway.port }, () => `gateway on ${config.publicUrl}`);
      stopOnSignal(config, async () => {
        await gateway.stop();
        await databases.close();
      });
    });

  program
    .command("worker")
    .description("the job process")
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig();
      const databases = await openDatabases(config, () => {});
      const worker = await startWorker({ config, databaseUrl: databases.workerUrl, log: logger(config) });
      print(json, { worker: true }, () => "worker running");
      const stop = async () => {
        await worker.stop();
        await databases.close();
      };
      stopOnSignal(config, stop);
      void worker.ended.finally(() => process.kill(process.pid, "SIGTERM"));
    });

  program
    .command("migrate")
    .description("bring the database of DATABASE_ADMIN_URL (or DATABASE_URL, or the embedded one) to this version")
    .option("--status", "only show which migrations are applied")
    .option("--json", "print JSON")
    .action(async ({ status, json }: { status?: boolean; json?: boolean }) => {
      const config = readConfig();
      const databases = await openDatabases(config, () => {});
      try {
        if (status) {
          const migrations = await migrationStatus(databases.adminUrl);
          const lines = migrations.map(
            ({ name, appliedAt }) => `${appliedAt?.toISOString() ?? "pending".padEnd(24)}  ${name}`,
          );
          print(json, { migrations: migrations.map(({ name, appliedAt }) => ({ name, applied_at: appliedAt })) }, () =>
            lines.join("\n"),
          );
        } else {
          const applied = await prepareDatabase(config, databases, () => {});
          print(json, { applied }, () =>
            applied.length > 0 ? applied.map((name) => `applied ${name}`).join("\n") : "nothing to do",
          );
        }
      } finally {
        await databases.close();
      }
    });
}

function logger(config: Config, level = config.logLevel): pino.Logger {
  // What the environment says wins over the quiet default of `selo start`.
  return pino({
    level: config.environment["LOG_LEVEL"] ? config.logLevel : level,
    base: null,
    redact: ["req.headers", "err.detail", "err.where"],
  });
}

function stopOnSignal(config: Config, stop: () => Promise<void>): void {
  closeWithGrace({ delay: (config.shutdownGraceSeconds + 5) * 1_000, logger: false }, async ({ err }) => {
    if (err) console.error(err);
    await stop();
  });
}

function welcome(config: Config, started: Awaited<ReturnType<typeof startAll>>): string {
  const lines = [
    `Selo is running on ${started.description}`,
    ``,
    `  REST      ${config.publicUrl}/api/v1`,
    `  GraphQL   ${config.publicUrl}/graphql`,
    `  GraphiQL  ${config.publicUrl}/graphiql`,
  ];
  if (started.demo !== null) {
    lines.push(
      ``,
      `  demo organization ${started.demo.organization.number}, tokens with all scopes (also in ${config.dataDir}/demo.json):`,
      `  live  ${started.demo.tokens.live}`,
      `  test  ${started.demo.tokens.test}`,
      ``,
      `Register your first proof of existence:`,
      ``,
      `  curl -H "Authorization: Bearer ${started.demo.tokens.test}" -F file=@README.md ${config.publicUrl}/api/v1/proofs`,
    );
  }
  lines.push(``, `Ctrl-C stops everything.`);
  return lines.join("\n");
}
