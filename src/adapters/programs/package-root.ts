import fs from "node:fs";
import path from "node:path";

/** The folder that holds package.json, for code in `src/` and in `dist/src/`. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!fs.existsSync(path.join(folder, "package.json"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error("package.json was not found above this program");
    folder = parent;
  }
  return folder;
}
