#!/usr/bin/env node
import "./node-version.ts";
import "./worker-heap.ts";
import fs from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import { packageRoot } from "../package-root.ts";
import { addAnalystCommands } from "../services/platform/commands/analyst-commands.ts";
import { addAuditCommands } from "../services/platform/commands/audit-commands.ts";
import { addCreditsCommands } from "../services/platform/commands/credits-commands.ts";
import { addJobsCommands } from "../services/platform/commands/jobs-commands.ts";
import { addKeysCommands } from "../services/platform/commands/keys-commands.ts";
import { addOrgCommands } from "../services/platform/commands/org-commands.ts";
import { addTokenCommands } from "../services/platform/commands/token-commands.ts";
import { addProofCommands } from "../services/signature/commands/verify-command.ts";
import { addListenCommand } from "../services/webhooks/commands/listen-command.ts";
import { endQuietlyWithReader } from "../surfaces/cli/closed-pipe.ts";
import { failureMessage } from "../surfaces/cli/failure-message.ts";
import { markRequiredOptions } from "../surfaces/cli/required-options.ts";
import { addBackupCommands } from "./commands/backup-commands.ts";
import { addProcessCommands } from "./commands/process-commands.ts";

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
