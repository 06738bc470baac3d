import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../programs/package-root.ts";

/** What a confined process reads that seals, or tries whether a document can be sealed: the sealer, the strict reader, packages. */
export function sealerFolders(): string[] {
  const own = [import.meta.dirname, path.join(import.meta.dirname, "../pdf-check")];
  // `npm run build` puts the packages into the program: bundle-programs.ts.
  if (path.extname(import.meta.filename) === ".js") return own;
  const marker = `${path.sep}node_modules${path.sep}`;
  const library = fileURLToPath(import.meta.resolve("@libpdf/core"));
  // Packages may be links, which are found in the program's own folder.
  const packages = new Set([
    library.slice(0, library.indexOf(marker) + marker.length - 1),
    path.join(packageRoot(), "node_modules"),
  ]);
  return [...own, ...packages];
}
