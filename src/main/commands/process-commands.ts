import type { Command } from "commander";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { type Databases, openDatabases, openExistingDatabases } from "../../postgres/databases.ts";
import { readSqlSource } from "../../postgres/migrate/sql-source.ts";
import type { Service } from "../../services/service.ts";
import type { CommandContext } from "../../surfaces/cli/command-group.ts";
import { print } from "../../surfaces/cli/print.ts";
import { stopOnSignal } from "../../surfaces/cli/stop-on-signal.ts";
import { createLogger } from "../log.ts";
import { masterKeysOf } from "../master-key.ts";
import { startAll } from "../start.ts";

/** `selo start | gateway | worker | migrate`: the processes of a deployment. Each loads its code when it runs. */
export function addProcessCommands(program: Command, context: CommandContext, services: readonly Service[]): void {
  program
    .command("start")
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = context.config();
      const starting = startAll(config, logger(config, config.production ? "info" : "warn"), services);
      const end = stopOnSignal(
        config,
        async () => (await starting).stop(),
        () => json || console.log("stopped"),
      );
      const started = await starting;
      print(json, { base_url: config.publicUrl, database: started.description, demo: started.demo !== null }, () =>
        welcome(config, started),
      );
      void started.ended.then(end, end);
    });

  program
    .command("gateway")
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = context.config();
      const starting = withDatabases(config, async (databases) => {
        const { startGateway } = await import("../gateway.ts");
        return startGateway({
          services,
          config,
          databaseUrl: databases.appUrl,
          masterKeys: masterKeysOf(config),
          log: logger(config),
        });
      });
      stopOnSignal(config, async () => (await starting).stop());
      const gateway = await starting;
      print(json, { base_url: config.publicUrl, port: gateway.port }, () => `gateway on ${config.publicUrl}`);
    });

  program
    .command("worker")
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = context.config();
      const starting = withDatabases(config, async (databases) => {
        const { startWorker } = await import("../../../workers/main.ts");
        return startWorker({
          services,
          config,
          databaseUrl: databases.workerUrl,
          masterKeys: masterKeysOf(config),
          log: logger(config),
        });
      });
      const end = stopOnSignal(config, async () => (await starting).stop());
      const worker = await starting;
      print(json, { worker: true }, () => "worker running");
      void worker.ended.then(end, end);
    });

  program
    .command("migrate")
    .option("--status", "only show which migrations have been applied")
    .option("--json", "print JSON")
    .action(async ({ status, json }: { status?: boolean; json?: boolean }) => {
      const config = context.config();
      const databases = await (status ? openExistingDatabases : openDatabases)(config, () => {});
      try {
        if (status) {
          const { migrationStatus } = await import("../../postgres/migrate/migrate.ts");
          const migrations = await migrationStatus(databases.adminUrl, readSqlSource(services));
          const lines = migrations.map(
            ({ name, appliedAt }) => `${appliedAt?.toISOString() ?? "pending".padEnd(24)}  ${name}`,
          );
          print(json, { migrations: migrations.map(({ name, appliedAt }) => ({ name, applied_at: appliedAt })) }, () =>
            lines.join("\n"),
          );
        } else {
          const { prepareDatabase } = await import("../prepare-database.ts");
          const applied = await prepareDatabase(config, databases, () => {}, services);
          print(json, { applied }, () =>
            applied.length > 0 ? applied.map((name) => `applied ${name}`).join("\n") : "nothing to do",
          );
        }
      } finally {
        await databases.close();
      }
    });
}

function logger(config: Config, level = config.logLevel): Logger {
  // A LOG_LEVEL in the environment wins over the quiet default of `selo start`.
  return createLogger(config.environment["LOG_LEVEL"] ? config.logLevel : level);
}

/** Starts a process on its database. The database stops after the process, or at once if the process does not start. */
async function withDatabases<Process extends { stop(): Promise<void> }>(
  config: Config,
  start: (databases: Databases) => Promise<Process>,
): Promise<Process> {
  const databases = await openExistingDatabases(config, () => {});
  try {
    const started = await start(databases);
    return { ...started, stop: () => started.stop().finally(() => databases.close()) };
  } catch (error) {
    await databases.close();
    throw error;
  }
}

function welcome(config: Config, started: Awaited<ReturnType<typeof startAll>>): string {
  const lines = [
    `Selo is running on ${started.description}`,
    ``,
    `  home      ${config.publicUrl}/`,
    `  REST      ${config.publicUrl}/api/v1`,
    `  GraphQL   ${config.publicUrl}/graphql`,
    `  GraphiQL  ${config.publicUrl}/graphiql`,
    `  API docs  ${config.publicUrl}/docs`,
    `  guides    ${config.publicUrl}/guides`,
    `  verify    ${config.publicUrl}/verify`,
    ...started.companions.map(([name, says]) => `  ${name.padEnd(9)} ${says}`),
  ];
  if (started.demo !== null) {
    lines.push(
      `  inbox     ${config.publicUrl}/dev/inbox`,
      ``,
      `  demo organization ${started.demo.organization.number}, tokens and keys with all scopes (also in ${config.dataDir}/demo.json):`,
      `  live  ${started.demo.tokens.live}`,
      `  test  ${started.demo.tokens.test}`,
      // Keys that services made: dns_key.
      ...Object.entries(started.demo)
        .filter(([member]) => member.endsWith("_key"))
        .map(([member, key]) => `  ${member.slice(0, -"_key".length).padEnd(5)} ${key}`),
      // The person whom a service made.
      ...(typeof started.demo["user_email"] === "string"
        ? [`  user  ${started.demo["user_email"]}, password ${started.demo["user_password"]}`]
        : []),
      // The certificate of a person who signs in the test environment.
      ...(typeof started.demo["signer_p12"] === "string"
        ? [`  signer ${started.demo["signer_p12"]}, password ${started.demo["signer_password"]}`]
        : []),
      ``,
      `Register your first proof of existence:`,
      ``,
      // The whole answer has 7 kB, mostly signatures.
      `  curl -sS -H "Authorization: Bearer ${started.demo.tokens.test}" -F file=@README.md ${config.publicUrl}/api/v1/proofs/files | grep -Eo '"(id|verify_url|code|message)":"[^"]*"'`,
      ``,
      `See events arrive:`,
      ``,
      `  npm run -s selo -- listen --url ${config.publicUrl} --token ${started.demo.tokens.test} --forward http://localhost:3000/hook`,
    );
  }
  lines.push(``, `Ctrl-C stops everything.`);
  return lines.join("\n");
}
