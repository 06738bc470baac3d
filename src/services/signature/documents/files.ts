import type { FastifyInstance } from "fastify";
import type { ObjectKey } from "../../../adapters/storage/chunk-cipher.ts";
import { openSealed } from "../../../adapters/storage/sealed-object.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import type { FileLinks, LinkedFile } from "../../platform/files/file-links.ts";
import { linkPath, serveLinkedFiles } from "../../platform/files/linked-files.ts";
import type { SignatureParts } from "../parts.ts";

const ROUTE = "/files/:token";

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

/** The link to a stored file, for five minutes. */
export const linkToFile = (links: FileLinks, file: LinkedFile) => links.downloadLink(linkPath(ROUTE), file);

/** `GET /files/{token}`: the stored file of a signed link. */
export async function filesPlugin(
  app: FastifyInstance,
  { objects, ...parts }: Pick<SignatureParts, "fileLinks" | "limits" | "objects" | "patience">,
  findFile: FindFile,
): Promise<void> {
  serveLinkedFiles(app, ROUTE, parts, async (linked) => {
    const found = await findFile(linked);
    if (found === null) return null;
    const { key, bytes, ...named } = found;
    const { length, open } = await openSealed(objects, key).catch((error: unknown) => {
      throw storageRefusal(error);
    });
    if (length !== bytes) throw new Error(`object ${key.id} has ${length} bytes, and its row says ${bytes}`);
    // Objects are written once, so an id has one content.
    return { ...named, file: { length, etag: key.id, open, givesMemory: true } };
  });
}
