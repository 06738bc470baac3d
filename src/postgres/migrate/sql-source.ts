import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../../package-root.ts";

/** One numbered migration, immutable once released. */
export interface Migration {
  /** File name without `.sql`; they are applied in the order of their names. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  /** False with the header `--! no-transaction`; such a file holds a single statement. */
  readonly inTransaction: boolean;
}

/** One view or function, made anew at every change. */
export interface RepeatableFile {
  /** Relative to `sql/`, such as `platform/gateway/call.sql`. */
  readonly path: string;
  readonly text: string;
  /** From the header `--! owner <role>`; selo_owner without one. */
  readonly owner: string;
}

/** All that `sql/` holds. */
export interface SqlSource {
  readonly roles: string;
  /** Makes the schemas that the repeatable step fills. */
  readonly schemas: string;
  readonly migrations: readonly Migration[];
  readonly repeatable: readonly RepeatableFile[];
  /** Functions that tables lean on stand in migrations and are never dropped by the repeatable step. */
  readonly migrationFunctions: ReadonlySet<string>;
  readonly repeatableFunctions: ReadonlySet<string>;
}

/** What must exist before what: functions are found late, views before functions that return their rows. */
const PARTS = ["functions", "api", "analytics", "gateway", "jobs"];
const OWNERS = new Set(["selo_owner", "selo_system", "selo_worker"]);

/** Reads `sql/`, from the checkout or from beside the built program. */
export function readSqlSource(directory = path.join(packageRoot(), "sql")): SqlSource {
  const migrations = fs
    .readdirSync(path.join(directory, "migrations"))
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => readMigration(path.join(directory, "migrations", file)));
  const repeatable = listRepeatable(directory).map((file) => readRepeatable(directory, file));
  return {
    roles: fs.readFileSync(path.join(directory, "roles.sql"), "utf8"),
    schemas: fs.readFileSync(path.join(directory, "schemas.sql"), "utf8"),
    migrations,
    repeatable,
    migrationFunctions: functionNames(migrations),
    repeatableFunctions: functionNames(repeatable),
  };
}

function readMigration(file: string): Migration {
  const text = fs.readFileSync(file, "utf8");
  return {
    name: path.basename(file, ".sql"),
    text,
    hash: createHash("sha256").update(text).digest("hex"),
    inTransaction: !/^--! no-transaction$/m.test(text),
  };
}

function listRepeatable(directory: string): string[] {
  const services = fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "migrations")
    .map((entry) => entry.name)
    .sort();
  const filesOf = (folder: string) =>
    fs.existsSync(path.join(directory, folder))
      ? fs
          .readdirSync(path.join(directory, folder))
          .filter((file) => file.endsWith(".sql"))
          .sort()
      : [];
  const files = PARTS.flatMap((part) =>
    services.flatMap((service) => filesOf(path.join(service, part)).map((file) => path.join(service, part, file))),
  );
  // A function may return rows of a view, so views come first within api and analytics.
  const isView = (file: string) => /^create view/m.test(fs.readFileSync(path.join(directory, file), "utf8"));
  return files
    .map((file, place) => ({
      file,
      place: PARTS.indexOf(path.basename(path.dirname(file))) * 2 + (isView(file) ? 0 : 1),
      order: place,
    }))
    .sort((left, right) => left.place - right.place || left.order - right.order)
    .map(({ file }) => file);
}

function readRepeatable(directory: string, file: string): RepeatableFile {
  const text = fs.readFileSync(path.join(directory, file), "utf8");
  const owner = /^--! owner (\w+)$/m.exec(text)?.[1] ?? "selo_owner";
  if (!OWNERS.has(owner)) throw new Error(`sql/${file}: there is no owner ${owner}`);
  return { path: file.split(path.sep).join("/"), text, owner };
}

function functionNames(files: readonly { readonly text: string }[]): Set<string> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/create (?:or replace )?function (\w+\.\w+)/g)].map((match) => match[1] ?? ""),
  );
  return new Set(names);
}
