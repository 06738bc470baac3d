import type { Command } from "commander";
import type { CommandGroup, CommandHouse } from "../../service.ts";

/**
 * Adds the commands of groups to a program: of the word that was typed everything, of the others what the help says.
 * @param typed the words after the program's name
 */
export async function addGroups(
  program: Command,
  groups: readonly CommandGroup[],
  typed: readonly string[],
  house: CommandHouse,
): Promise<void> {
  const word = typed.find((each) => !each.startsWith("-") && each !== "help") ?? "";
  for (const { words, load } of groups) {
    if (Object.hasOwn(words, word)) (await load())(program, house);
    for (const [name, description] of Object.entries(words)) {
      const command = program.commands.find((each) => each.name() === name) ?? program.command(name);
      command.description(description);
    }
  }
}
