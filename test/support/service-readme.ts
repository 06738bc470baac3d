import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { SqlOfService } from "../../src/postgres/migrate/sql-source.ts";

/** A section of the README beside a service's SQL, up to the next heading of its kind; empty where there is none. */
export function sqlReadme({ name, sqlFolder }: SqlOfService, section: string): string {
  const folder = sqlFolder ? fileURLToPath(sqlFolder) : path.join(import.meta.dirname, "../../sql", name);
  const [, text = ""] = fs.readFileSync(path.join(folder, "README.md"), "utf8").split(`\n## ${section}\n`);
  return text.split("\n## ")[0] ?? "";
}
