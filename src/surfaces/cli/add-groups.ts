import type { Command } from "commander";
import type { CommandContext, CommandGroup } from "./command-group.ts";

/**
 * Adds the commands of groups to a program: all commands of the typed word, and only the help text of other words.
 * @param typed the words after the program's name
 */
export async function addGroups(
  program: Command,
  groups: readonly CommandGroup[],
  typed: readonly string[],
  context: CommandContext,
): Promise<void> {
  const word = typed.find((each) => !each.startsWith("-") && each !== "help") ?? "";
  for (const { words, load } of groups) {
    if (Object.hasOwn(words, word)) (await load())(program, context);
    for (const [name, description] of Object.entries(words)) {
      const command = program.commands.find((each) => each.name() === name) ?? program.command(name);
      command.description(description);
    }
  }
}
