import type { Command } from "commander";

/** Words of the command line and what stands under them, loaded when one of them is typed. */
export interface CommandGroup {
  /** Each word, with what `selo --help` says of it. */
  readonly words: Readonly<Record<string, string>>;
  /** Adds the commands of these words to a program. */
  readonly load: () => Promise<(program: Command) => void>;
}

/**
 * Adds the commands of groups to a program: of the word that was typed everything, of the others what the help says.
 * @param typed the words after the program's name
 */
export async function addGroups(
  program: Command,
  groups: readonly CommandGroup[],
  typed: readonly string[],
): Promise<void> {
  const word = typed.find((each) => !each.startsWith("-") && each !== "help") ?? "";
  for (const { words, load } of groups) {
    if (Object.hasOwn(words, word)) (await load())(program);
    for (const [name, description] of Object.entries(words)) {
      const command = program.commands.find((each) => each.name() === name) ?? program.command(name);
      command.description(description);
    }
  }
}
