import { Readable } from "node:stream";
import { z } from "zod";
import { commands } from "../generated.ts";
import { operation } from "../parts.ts";

const AT_ONCE = 256 * 1024;
const part = z.strictObject({ sha256: z.string(), bytes: z.int(), content: z.string() });

/** The file of a note. The requested range is read from the database piece by piece, while it is sent. */
export const getFile = operation({
  name: "getFile",
  command: commands.read_note_file,
  made: ["start", "length"],
  answers: { file: "application/octet-stream", description: "The file." },
  errors: ["not_found", "range_not_satisfiable"],
  rest: {
    method: "GET",
    path: "/notes/{id}/file",
    status: 200,
    tag: "Notes",
    summary: "Download the file of a note, whole or in part",
  },
  examples: [{ name: "note", summary: "A note", caller: "live", path: "/notes/{createNote.note.id}/file" }],
  run: async ({ call }, { id }) => {
    const read = async (start: number, length: number) => {
      const { body } = await call(commands.read_note_file, { id, start, length });
      return part.parse(JSON.parse(body ?? "null"));
    };
    const { sha256, bytes } = await read(0, 0);
    async function* piecesOf(start: number, end: number): AsyncGenerator<Buffer> {
      for (let at = start; at <= end; at += AT_ONCE) {
        const piece = await read(at, Math.min(AT_ONCE, end - at + 1));
        // Never combine parts of two files in one answer.
        if (piece.sha256 !== sha256) throw new Error("the file was replaced while it was read");
        yield Buffer.from(piece.content, "base64");
      }
    }
    return {
      file: {
        length: bytes,
        etag: sha256,
        open: (start, end) => Readable.from(piecesOf(start, end), { objectMode: false }),
      },
      // Always this type: no browser may show an uploaded file as a page of ours.
      contentType: "application/octet-stream",
      fileName: `note-${id}.bin`,
    };
  },
});
