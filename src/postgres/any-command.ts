import type { AddedCommand, Command } from "./command.ts";
import { type CommandName, commands } from "./generated/commands.ts";

/** The product's by their names, others with what is known of them. */
export type AnyCommand = CommandName | AddedCommand;

export const commandName = (command: AnyCommand): string => (typeof command === "string" ? command : command.name);

export const commandFacts = (command: AnyCommand): Command =>
  typeof command === "string" ? commands[command] : command;
