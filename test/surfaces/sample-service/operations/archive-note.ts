import { z } from "zod";
import { rowOf } from "../../../../src/surfaces/operation.ts";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";

/** Keeps the text of a note as its file, compressed: reads the text, compresses it outside any transaction, and records the file. */
export const archiveNote = operation({
  name: "archiveNote",
  command: commands.prepare_archive,
  records: commands.attach_file,
  answers: { schema: "Note", row: "notes" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/notes/{id}/archive",
    status: 200,
    tag: "Notes",
    summary: "Keep the words of a note as its file, compressed",
  },
  graphql: {
    description: "Keeps the words of a note as its file, compressed.",
    payload: {
      name: "ArchiveNotePayload",
      description: "A note that was archived.",
      members: z.object({ note: rowOf("notes").meta({ description: "The note." }) }),
    },
  },
  examples: [{ name: "note", summary: "A note", caller: "live", path: "/notes/{createNote.note.id}/archive" }],
  run: ({ call, prepared, parts: { compress } }, { id }) =>
    prepared(commands.prepare_archive, { id }, async ({ text }: { readonly text: string }) => {
      const file = await compress(text);
      return call(commands.attach_file, { id, file: file.toString("base64") });
    }),
});
