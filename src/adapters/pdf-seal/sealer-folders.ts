import path from "node:path";
import { codeFolders } from "../programs/code-folders.ts";

/** What a confined process reads that seals, or tries whether a document can be sealed: the sealer, the strict reader, packages. */
export function sealerFolders(): string[] {
  const own = [import.meta.dirname, path.join(import.meta.dirname, "../pdf-check")];
  return codeFolders(own, () => import.meta.resolve("@libpdf/core"));
}
