import { z } from "zod";
import { rowOf } from "../../../../src/surfaces/operation.ts";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";

/** Keeps a file with a note, and counts it. */
export const attachFile = operation({
  name: "attachFile",
  command: commands.attach_file,
  made: ["file"],
  file: { most: ({ noteMaxFileBytes }) => noteMaxFileBytes, kept: "bytes" },
  answers: { schema: "Note", row: "notes" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/notes/{id}/file",
    status: 200,
    tag: "Notes",
    summary: "Keep a file with a note, in place of the one before",
  },
  graphql: {
    field: "uploadNoteFile",
    description: "Keeps a file with a note, in place of the one before: a GraphQL multipart request.",
    payload: {
      name: "UploadNoteFilePayload",
      description: "A note that got a file.",
      members: z.object({ note: rowOf("notes").meta({ description: "The note." }) }),
    },
  },
  examples: [
    {
      name: "note",
      summary: "A note",
      caller: "live",
      path: "/notes/{createNote.note.id}/file",
      form: { file: { name: "a.txt", text: "A\n" } },
    },
  ],
  run: async ({ call, file, parts: { noteMetrics } }, { id }) => {
    const answer = await call(commands.attach_file, { id, file: file?.content?.toString("base64") });
    if (!answer.replayed) noteMetrics.fileAttached();
    return answer;
  },
});
