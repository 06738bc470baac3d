import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readSqlSource, type SqlSource } from "../../src/postgres/migrate/sql-source.ts";

const SQL = path.join(import.meta.dirname, "../../sql");

/** Files below sql/: a new text, a text made of the old one, or null to take the file away. */
export type SqlChanges = Readonly<Record<string, string | null | ((text: string) => string)>>;

/** What sql/ holds after some changes. */
export function changedSource(changes: SqlChanges = {}): SqlSource {
  if (Object.keys(changes).length === 0) return readSqlSource(undefined, SQL);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "selo-sql-"));
  try {
    link("", directory, new Set(Object.keys(changes)));
    for (const [file, change] of Object.entries(changes)) {
      const target = path.join(directory, file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      if (change === null) continue;
      fs.writeFileSync(
        target,
        typeof change === "string" ? change : change(fs.readFileSync(path.join(SQL, file), "utf8")),
      );
    }
    return readSqlSource(undefined, directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** Links to what a folder of sql/ holds, without the files that change: copying takes ten times as long as reading. */
function link(folder: string, directory: string, changed: ReadonlySet<string>): void {
  for (const entry of fs.readdirSync(path.join(SQL, folder), { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (changed.has(name)) continue;
    // A service is a folder, and no link to one.
    const isOpened = folder === "" || [...changed].some((file) => file.startsWith(`${name}/`));
    if (entry.isDirectory() && isOpened) {
      fs.mkdirSync(path.join(directory, name));
      link(name, directory, changed);
    } else fs.symlinkSync(path.join(SQL, name), path.join(directory, name));
  }
}
