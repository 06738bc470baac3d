import { type Command, Help } from "commander";

/** Marks required options in the help of commands added from now on. */
export function markRequiredOptions(program: Command): void {
  const help = new Help();
  program.configureHelp({
    optionDescription: (option) => `${help.optionDescription(option)}${option.mandatory ? " (required)" : ""}`,
  });
}
