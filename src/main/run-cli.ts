import fs from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import { packageRoot } from "../adapters/programs/package-root.ts";
import type { Service } from "../services/service.ts";
import { addGroups } from "../surfaces/cli/add-groups.ts";
import { endQuietlyWithReader } from "../surfaces/cli/closed-pipe.ts";
import { exitCodes } from "../surfaces/cli/exit-codes.ts";
import { inRed, sayErrorsInRed } from "../surfaces/cli/in-red.ts";
import { markRequiredOptions } from "../surfaces/cli/required-options.ts";
import { commandContext } from "./commands/command-context.ts";
import { ownGroups } from "./commands/groups.ts";

/** Runs the command line with the words after the program's name. Sets the exit code. */
export async function runCli(services: readonly Service[], words: readonly string[]): Promise<void> {
  endQuietlyWithReader(process.stdout);
  const { version, description } = JSON.parse(fs.readFileSync(path.join(packageRoot(), "package.json"), "utf8")) as {
    version: string;
    description: string;
  };
  const groups = [...ownGroups(services, version), ...services.flatMap((service) => service.commands ?? [])];
  const program = new Command("selo")
    .version(version)
    .description(description)
    .addHelpText("after", exitCodes(groups))
    .exitOverride();
  sayErrorsInRed(program);
  markRequiredOptions(program);
  const context = commandContext(services);
  try {
    await addGroups(program, groups, words, context);
    await program.parseAsync([...words], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
    } else {
      const { failureMessage } = await import("../surfaces/cli/failure-message.ts");
      console.error(inRed(failureMessage(error, () => context.config().dataDir)));
      process.exitCode = 1;
    }
  }
}
