import { Readable } from "node:stream";
import { z } from "zod";
import type { RouteHandler } from "../../../../src/surfaces/rest/handler.ts";
import { commands } from "../generated.ts";
import type { NoteParts } from "../parts.ts";

const AT_ONCE = 256 * 1024;
const part = z.strictObject({ sha256: z.string(), bytes: z.int(), content: z.string() });

/** GET /notes/{id}/file: what is asked for is read from the database piece by piece, while it is sent. */
export const getFile: RouteHandler<NoteParts> = async ({ database }, { credentialHash, origin, arguments: { id } }) => {
  const read = async (start: number, length: number) => {
    const call = { credentialHash, command: commands.read_note_file, origin };
    const { body } = await database.read({ ...call, arguments: { id, start, length } });
    return part.parse(JSON.parse(body ?? "null"));
  };
  const { sha256, bytes } = await read(0, 0);
  async function* piecesOf(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at <= end; at += AT_ONCE) {
      const piece = await read(at, Math.min(AT_ONCE, end - at + 1));
      // Parts of two files are never one answer.
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
    // Whatever it is: no browser shows what others uploaded as a page of ours.
    contentType: "application/octet-stream",
    fileName: `note-${id}.bin`,
  };
};
