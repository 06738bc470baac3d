import type { Command } from "commander";
import type { CommandContext } from "../../../../src/surfaces/cli/command-group.ts";
import { printList } from "../../../../src/surfaces/cli/print.ts";
import { countNotes } from "../store.ts";
import { addKeyCommands } from "./key-commands.ts";

/** `selo note`: facts about notes that the deployment's operator may know. */
export function addNoteCommands(program: Command, context: CommandContext): void {
  const note = program.command("note");
  note
    .command("count")
    .description("count the notes of all organizations, for the login selo_notes too")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const counts = await context.withOperator(countNotes);
      printList(json, counts, "no notes", {
        environment: ({ environment }) => environment,
        notes: ({ notes }) => Number(notes),
      });
    });
  addKeyCommands(note, context);
}
