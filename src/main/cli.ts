#!/usr/bin/env node
import "./node-version.ts";
import "./worker-heap.ts";
import fs from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import { addAnalystCommands } from "./cli/analyst-commands.ts";
import { addAuditCommands } from "./cli/audit-commands.ts";
import { addBackupCommands } from "./cli/backup-commands.ts";
import { endQuietlyWithReader } from "./cli/closed-pipe.ts";
import { addCreditsCommands } from "./cli/credits-commands.ts";
import { failureMessage } from "./cli/failure-message.ts";
import { addJobsCommands } from "./cli/jobs-commands.ts";
import { addKeysCommands } from "./cli/keys-commands.ts";
import { addListenCommand } from "./cli/listen-command.ts";
import { addOrgCommands } from "./cli/org-commands.ts";
import { addProcessCommands } from "./cli/process-commands.ts";
import { markRequiredOptions } from "./cli/required-options.ts";
import { addTokenCommands } from "./cli/token-commands.ts";
import { addProofCommands } from "./cli/verify-command.ts";
import { packageRoot } from "./package-root.ts";

endQuietlyWithReader(process.stdout);
const { version } = JSON.parse(fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as {
  version: string;
};
const program = new Command("selo")
  .version(version)
  .description("Signatures and proofs of existence, DNS hosting, webhooks and Brazilian service invoices.")
  .exitOverride();
markRequiredOptions(program);
addProcessCommands(program);
addOrgCommands(program);
addTokenCommands(program);
addCreditsCommands(program);
addAnalystCommands(program);
addKeysCommands(program);
addAuditCommands(program);
addJobsCommands(program);
addBackupCommands(program, version);
addListenCommand(program);
addProofCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode;
  } else {
    console.error(failureMessage(error));
    process.exitCode = 1;
  }
}
