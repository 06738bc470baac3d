#!/usr/bin/env node
import "./node-version.ts";
import "./worker-heap.ts";
import fs from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import { packageRoot } from "../package-root.ts";
import { services } from "../services/services.ts";
import { addGroups } from "../surfaces/cli/add-groups.ts";
import { endQuietlyWithReader } from "../surfaces/cli/closed-pipe.ts";
import { markRequiredOptions } from "../surfaces/cli/required-options.ts";
import { ownGroups } from "./commands/groups.ts";

endQuietlyWithReader(process.stdout);
const { version } = JSON.parse(fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as {
  version: string;
};
const program = new Command("selo")
  .version(version)
  .description("Signatures and proofs of existence, DNS hosting, webhooks and Brazilian service invoices.")
  .exitOverride();
markRequiredOptions(program);
const groups = [...ownGroups(version), ...services.flatMap((service) => service.commands ?? [])];

try {
  await addGroups(program, groups, process.argv.slice(2), { services });
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode;
  } else {
    const { failureMessage } = await import("../surfaces/cli/failure-message.ts");
    console.error(failureMessage(error));
    process.exitCode = 1;
  }
}
