import type { FastifyInstance } from "fastify";
import type { ObjectKey } from "../../../adapters/storage/chunk-cipher.ts";
import { openSealed } from "../../../adapters/storage/sealed-object.ts";
import { noSuchPath } from "../../../surfaces/http/errors.ts";
import { sendFile } from "../../../surfaces/rest/send-file.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import type { SignatureParts } from "../parts.ts";
import type { LinkedFile } from "./file-links.ts";

/** What a download needs of a stored file. */
export interface FileToSend {
  /** What opens its object. */
  readonly key: ObjectKey;
  /** Length of the content in bytes. */
  readonly bytes: number;
  readonly fileName: string;
  readonly contentType: `${string}/${string}`;
}

/** Finds the file of a link; null if it is gone. */
export type FindFile = (file: LinkedFile) => Promise<FileToSend | null>;

/**
 * `GET /files/{token}`: the file of a signed link, whole or in part. The link is all that its reader needs. A token that was forged or
 * altered, whose time is over or whose file is gone is 404, like a path that does not exist.
 */
export async function filesPlugin(
  app: FastifyInstance,
  { fileLinks, limits, objects, patience }: Pick<SignatureParts, "fileLinks" | "limits" | "objects" | "patience">,
  findFile: FindFile,
): Promise<void> {
  app.get<{ Params: { token: string } }>("/files/:token", {
    onRequest: async (request, reply) => limits.address(request.ip, reply),
    handler: async (request, reply) => {
      const linked = fileLinks.read(request.params.token);
      const found = linked === null ? null : await findFile(linked);
      if (found === null) throw noSuchPath();
      const { key, bytes, fileName, contentType } = found;
      const { length, open } = await openSealed(objects, key).catch((error: unknown) => {
        throw storageRefusal(error);
      });
      if (length !== bytes) throw new Error(`object ${key.id} has ${length} bytes, and its row says ${bytes}`);
      // A document of a stranger, on our origin: nothing of it may run.
      reply.header("content-security-policy", "sandbox; default-src 'none'");
      // Objects are written once, so an id has one content.
      const file = { length, etag: key.id, open };
      return sendFile(request, reply, { file, contentType, fileName, as: "attachment" }, patience);
    },
  });
}
