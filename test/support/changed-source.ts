import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readSqlSource, type SqlSource } from "../../src/postgres/migrate/sql-source.ts";

const SQL = path.join(import.meta.dirname, "../../sql");
const SMALL = path.join(import.meta.dirname, "../postgres/small-sql");

/** Files of a folder of SQL: a new text, a text made of the old one, or null to take the file away. */
export type SqlChanges = Readonly<Record<string, string | null | ((text: string) => string)>>;

/** What sql/ holds after some changes. */
export function changedSource(changes: SqlChanges = {}): SqlSource {
  return Object.keys(changes).length === 0 ? readSqlSource(undefined, SQL) : changed(SQL, changes);
}

/** The same of a schema that is made in a tenth of the time, with the roles and schemas of the product. */
export function smallSource(changes: SqlChanges = {}): SqlSource {
  const shared = ["roles.sql", "schemas.sql"].map((file) => [file, fs.readFileSync(path.join(SQL, file), "utf8")]);
  return changed(SMALL, { ...Object.fromEntries(shared), ...changes });
}

function changed(sql: string, changes: SqlChanges): SqlSource {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "selo-sql-"));
  try {
    link(sql, "", directory, new Set(Object.keys(changes)));
    for (const [file, change] of Object.entries(changes)) {
      const target = path.join(directory, file);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      if (change === null) continue;
      fs.writeFileSync(
        target,
        typeof change === "string" ? change : change(fs.readFileSync(path.join(sql, file), "utf8")),
      );
    }
    return readSqlSource(undefined, directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** Links to what a folder of SQL holds, without the files that change: copying takes ten times as long as reading. */
function link(sql: string, folder: string, directory: string, changed: ReadonlySet<string>): void {
  for (const entry of fs.readdirSync(path.join(sql, folder), { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (changed.has(name)) continue;
    // A service is a folder, and no link to one.
    const isOpened = folder === "" || [...changed].some((file) => file.startsWith(`${name}/`));
    if (entry.isDirectory() && isOpened) {
      fs.mkdirSync(path.join(directory, name));
      link(sql, name, directory, changed);
    } else fs.symlinkSync(path.join(sql, name), path.join(directory, name));
  }
}
