import { z } from "zod";
import { wireText } from "../../../../src/surfaces/wire-text.ts";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";
import { sealWords } from "../words.ts";

/** Seals words into a note. SQL never sees the words, so their shape stands here. */
export const putWords = operation({
  name: "putWords",
  command: commands.seal_words,
  input: z.strictObject({ words: wireText(1_000).meta({ description: "The words." }) }),
  made: ["sealed_words"],
  answers: { schema: "Note", row: "notes" },
  errors: ["not_found"],
  rest: {
    method: "PUT",
    path: "/notes/{id}/words",
    status: 200,
    tag: "Notes",
    summary: "Seal words into a note",
  },
  examples: [
    {
      name: "note",
      summary: "A note",
      caller: "live",
      path: "/notes/{createNote.note.id}/words",
      body: { words: "between us" },
    },
  ],
  run: ({ call, parts: { masterKeys } }, { id, words }) =>
    call(commands.seal_words, { id, sealed_words: sealWords(masterKeys, id, words) }),
});
