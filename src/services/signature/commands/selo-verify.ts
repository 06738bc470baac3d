#!/usr/bin/env node
/**
 * `selo proof verify` as a separate program. src/surfaces/web/build.ts bundles it into one file that needs only Node, for people
 * who have a receipt and no Selo.
 */
import { isMainThread } from "node:worker_threads";
import { Command, CommanderError } from "commander";
import { endQuietlyWithReader } from "../../../surfaces/cli/closed-pipe.ts";
import { sayErrorsInRed } from "../../../surfaces/cli/in-red.ts";
import { asVerifyCommand } from "./verify-command.ts";

// The thread that reads receipts runs this file, too.
if (isMainThread) {
  endQuietlyWithReader(process.stdout);
  try {
    const program = new Command("selo-verify");
    sayErrorsInRed(program);
    await asVerifyCommand(program).parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode;
  }
}
