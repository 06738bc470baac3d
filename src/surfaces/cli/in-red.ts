import { styleText } from "node:util";
import type { Command } from "commander";

/** What goes wrong is red on a terminal, and plain in a file, a pipe, and where NO_COLOR is set (https://no-color.org). */
export function inRed(text: string): string {
  return styleText("red", text, { stream: process.stderr });
}

/** The same for what a program says of wrong arguments, also that of commands added from now on. */
export function sayErrorsInRed(program: Command): void {
  program.configureOutput({ outputError: (text, write) => write(`${inRed(text.trimEnd())}\n`) });
}
