import { z } from "zod";
import { rowOf } from "../../../../src/surfaces/operation.ts";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";
import { storesRecordings } from "../recordings.ts";

/** Keeps a recording with a note: its content is stored while it arrives, and the command names it. */
export const keepRecording = operation({
  name: "keepRecording",
  command: commands.keep_recording,
  made: ["object_id", "sha256"],
  file: {
    most: ({ noteMaxFileBytes }) => noteMaxFileBytes,
    kept: "stored",
    store: async ({ objects }) => storesRecordings(objects),
  },
  answers: { schema: "Note", row: "notes" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/notes/{id}/recording",
    status: 201,
    tag: "Notes",
    summary: "Keep a recording with a note that has none",
  },
  graphql: {
    description: "Keeps a recording with a note that has none: a GraphQL multipart request.",
    payload: {
      name: "KeepRecordingPayload",
      description: "A note that got a recording.",
      members: z.object({ note: rowOf("notes").meta({ description: "The note." }) }),
    },
  },
  examples: [
    {
      name: "note",
      summary: "A note",
      caller: "live",
      path: "/notes/{createNote.note.id}/recording",
      form: { file: { name: "a.txt", text: "La\n" } },
    },
  ],
  run: async ({ call, file }, { id, title }) => {
    const stored = file?.stored;
    if (stored == null) throw new Error("the form has a file");
    const sha256 = stored.sha256.toString("hex");
    const answer = await call(commands.keep_recording, { id, object_id: stored.id, sha256, title }, 201);
    if (answer.replayed) await stored.discard();
    return answer;
  },
});
