import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "./package-root.ts";

/**
 * The folders that a confined program reads to load its code: its own, and from the sources those of packages.
 * `npm run build` puts the packages into the program (bundle-programs.ts): then its own folders are enough.
 * @param own folders of the program's modules
 * @param resolved the URL of a package that it loads, as `import.meta.resolve` gives it
 */
export function codeFolders(own: readonly string[], resolved: () => string): string[] {
  if (path.extname(import.meta.filename) === ".js") return [...own];
  const marker = `${path.sep}node_modules${path.sep}`;
  const library = fileURLToPath(resolved());
  // Packages may be links, which are found in the program's own folder.
  const packages = new Set([
    library.slice(0, library.indexOf(marker) + marker.length - 1),
    path.join(packageRoot(), "node_modules"),
  ]);
  return [...own, ...packages];
}
