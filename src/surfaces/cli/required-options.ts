import { type Command, Help } from "commander";

/** Says in the help of commands added from now on which options they cannot do without. */
export function markRequiredOptions(program: Command): void {
  const help = new Help();
  program.configureHelp({
    optionDescription: (option) => `${help.optionDescription(option)}${option.mandatory ? " (required)" : ""}`,
  });
}
