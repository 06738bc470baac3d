import { styleText } from "node:util";
import type { Command } from "commander";

/** Red text on a terminal; plain text in a file, in a pipe, and if NO_COLOR is set (https://no-color.org). */
export function inRed(text: string): string {
  return styleText("red", text, { stream: process.stderr });
}

/** Prints errors about wrong arguments in red, also those of commands added from now on. */
export function sayErrorsInRed(program: Command): void {
  program.configureOutput({ outputError: (text, write) => write(`${inRed(text.trimEnd())}\n`) });
}
