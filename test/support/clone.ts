import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const OWN = path.resolve(import.meta.dirname, "../..");

/** A copy of parts of this project in its own folder, with the same packages. */
export interface Clone {
  readonly root: string;
  /** Appends a byte to a file; in a folder, to one that lies deep in it. */
  change(source: string): void;
  /** Every file and folder outside dist/, packages by their names alone. */
  files(): string[];
  remove(): void;
}

export function clone(...parts: readonly string[]): Clone {
  // A space, as in the folders of people.
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "selo clone "));
  for (const part of parts) fs.cpSync(path.join(OWN, part), path.join(root, part), { recursive: true });
  // A folder of links, so that nobody else writes into it.
  fs.mkdirSync(path.join(root, "node_modules"));
  for (const name of fs.readdirSync(path.join(OWN, "node_modules")))
    fs.symlinkSync(path.join(OWN, "node_modules", name), path.join(root, "node_modules", name));
  return {
    root,
    change: (source) => fs.appendFileSync(deepest(path.join(root, source)), "\n"),
    files: () => {
      const below = (folder: string, recursive: boolean) =>
        fs.readdirSync(path.join(root, folder), { recursive, encoding: "utf8" }).map((name) => path.join(folder, name));
      const parts = fs.readdirSync(root).filter((name) => name !== "dist");
      const folders = parts.filter((name) => fs.statSync(path.join(root, name)).isDirectory());
      // A recursive list would follow the links.
      return [...parts, ...folders.flatMap((folder) => below(folder, folder !== "node_modules"))].sort();
    },
    remove: () => fs.rmSync(root, { recursive: true }),
  };
}

function deepest(file: string): string {
  if (!fs.statSync(file).isDirectory()) return file;
  const entries = fs.readdirSync(file, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const depth = ({ parentPath }: fs.Dirent) => parentPath.split(path.sep).length;
  const found = entries.sort((left, right) => depth(right) - depth(left))[0];
  if (found === undefined) throw new Error(`${file} is empty`);
  return path.join(found.parentPath, found.name);
}
