import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readSqlSource, type SqlSource } from "../../src/postgres/migrate/sql-source.ts";

const SQL = path.join(import.meta.dirname, "../../sql");

/** Files below sql/: a new text, a text made of the old one, or null to take the file away. */
export type SqlChanges = Readonly<Record<string, string | null | ((text: string) => string)>>;

/** What a copy of sql/ holds after some changes. */
export function changedSource(changes: SqlChanges = {}): SqlSource {
  // Copying takes ten times as long as reading.
  if (Object.keys(changes).length === 0) return readSqlSource(undefined, SQL);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "selo-sql-"));
  try {
    fs.cpSync(SQL, directory, { recursive: true });
    for (const [file, change] of Object.entries(changes)) {
      const target = path.join(directory, file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      if (change === null) fs.rmSync(target);
      else fs.writeFileSync(target, typeof change === "string" ? change : change(fs.readFileSync(target, "utf8")));
    }
    return readSqlSource(undefined, directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}
