import type { AddedCommand, Command } from "./command.ts";
import { type CommandName, commands } from "./generated/commands.ts";

/** A command of the product by name, or another command with its facts. */
export type AnyCommand = CommandName | AddedCommand;

export const commandName = (command: AnyCommand): string => (typeof command === "string" ? command : command.name);

export const commandFacts = (command: AnyCommand): Command =>
  typeof command === "string" ? commands[command] : command;
