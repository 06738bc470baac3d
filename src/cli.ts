#!/usr/bin/env node
import "./node-version.ts";
import fs from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import { AppError } from "./app-error.ts";
import { addAnalystCommands } from "./cli/analyst-commands.ts";
import { addAuditCommands } from "./cli/audit-commands.ts";
import { addBackupCommands } from "./cli/backup-commands.ts";
import { addJobsCommands } from "./cli/jobs-commands.ts";
import { addKeysCommands } from "./cli/keys-commands.ts";
import { addOperatorCommands } from "./cli/operator-commands.ts";
import { addProcessCommands } from "./cli/process-commands.ts";
import { addProofCommands } from "./cli/verify-command.ts";
import { ConfigError } from "./config.ts";
import { BackupError } from "./db/backup/backup-error.ts";
import { EmbeddedPostgresError } from "./db/embedded.ts";
import { MigrationError } from "./db/migration-error.ts";
import { packageRoot } from "./package-root.ts";

const { version } = JSON.parse(fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as {
  version: string;
};
const program = new Command("selo")
  .version(version)
  .description("Signatures and proofs of existence, DNS hosting, webhooks and Brazilian service invoices.")
  .exitOverride();
addProcessCommands(program);
addOperatorCommands(program);
addAnalystCommands(program);
addKeysCommands(program);
addAuditCommands(program);
addJobsCommands(program);
addBackupCommands(program, version);
addProofCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode;
  } else {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

/** What went wrong, for whoever typed the command: the members of a wrong request, and a stack only for faults of ours. */
function messageOf(error: unknown): string {
  if (error instanceof AppError) {
    const fields = (error.fields ?? []).map(({ field, message }) => `  ${field} ${message}`);
    const cause =
      error.code === "unavailable" && error.cause instanceof Error
        ? [`  ${error.cause.message || error.cause.name}`]
        : [];
    return [`${error.code}: ${error.message}`, ...fields, ...cause].join("\n");
  }
  const said = [BackupError, ConfigError, MigrationError, EmbeddedPostgresError];
  if (error instanceof Error && said.some((kind) => error instanceof kind)) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code === "EADDRINUSE") return `PORT: ${port} is taken; set another`;
  // Whatever a server or the system said is said in one line; a stack is for faults of ours.
  if (code !== undefined && ("severity" in error || "syscall" in error || error instanceof AggregateError)) {
    return `${"severity" in error ? "Postgres" : "connection"}: ${error.message || code} (see DATABASE_URL and DATABASE_ADMIN_URL)`;
  }
  return error.stack ?? error.message;
}
