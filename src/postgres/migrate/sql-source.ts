import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../package-root.ts";
import { MigrationError } from "./migration-error.ts";

/** What the database must know of a service. */
export interface SqlOfService {
  /** Its schema, and the beginning of what it names for the whole database. */
  readonly name: string;
  /** Its folder of SQL; `sql/<name>` unless given. One outside `sql/` brings its own `migrations/` and `database.sql`. */
  readonly sqlFolder?: URL;
}

/** One numbered migration, immutable once released. */
export interface Migration {
  /** File name without `.sql`: `<nnnn>-<what>`, or `<service>-<nnnn>-<what>` in a row of the service's own. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  /** False with the header `--! no-transaction`; such a file holds a single statement. */
  readonly inTransaction: boolean;
}

/** One view or function, made anew at every change. */
export interface RepeatableFile {
  /** Service, part and file, such as `platform/gateway/call.sql`. */
  readonly path: string;
  readonly text: string;
  /** From the header `--! owner <role>`; selo_owner without one. */
  readonly owner: string;
}

/** Schemas that hold tables, functions and types. Schemas of views and functions alone are in `schemas.sql`. */
export interface ServiceSchemas {
  /** Schemas that a backup holds. */
  readonly kept: readonly string[];
  /** Schemas that are made again from the others, and that no backup holds. */
  readonly derived: readonly string[];
}

/** All SQL of the services, and what they share. */
export interface SqlSource {
  readonly roles: string;
  /** `roles.sql` of services that have one. */
  readonly serviceRoles: readonly string[];
  readonly serviceSchemas: ServiceSchemas;
  /** Logins that services bring, beside selo_app and selo_worker. */
  readonly logins: readonly string[];
  /** Makes the schemas that the repeatable step fills. */
  readonly schemas: string;
  /** The product's, then those of each service that has a row of its own. */
  readonly migrations: readonly Migration[];
  readonly repeatable: readonly RepeatableFile[];
  /** Functions that tables lean on stand in migrations and are never dropped by the repeatable step. */
  readonly migrationFunctions: ReadonlySet<string>;
  readonly repeatableFunctions: ReadonlySet<string>;
  /** `database.sql` of services outside `sql/`: what the catalog has beyond `schema/database.sql`. */
  readonly catalogs: readonly string[];
}

/** What must exist before what: functions are found late, views before functions that return their rows. */
const PARTS = ["functions", "api", "analytics", "gateway", "jobs"];
const OWNERS = new Set(["selo_owner", "selo_system", "selo_worker"]);

/** A service with the folder that holds its SQL. */
interface Folder {
  readonly name: string;
  readonly directory: string;
  /** Whether its migrations stand in the product's row of numbers. */
  readonly isProduct: boolean;
}

/**
 * Reads the SQL of the services given, or of every folder of `sql/`, from the checkout or from beside the built program.
 * The order of the services makes no difference.
 * @throws MigrationError when a file is not as a service may bring it
 */
export function readSqlSource(
  services?: readonly SqlOfService[],
  directory = path.join(packageRoot(), "sql"),
): SqlSource {
  const folders = (services ?? productServices(directory))
    .map((service) => folderOf(service, directory))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const migrations = [
    ...migrationsIn(path.join(directory, "migrations"), /^\d{4}-/),
    ...folders.flatMap((folder) =>
      folder.isProduct
        ? []
        : migrationsIn(path.join(folder.directory, "migrations"), new RegExp(`^${folder.name}-\\d{4}-`)),
    ),
  ];
  const repeatable = readRepeatable(folders);
  const serviceRoles = folders.flatMap((folder) => textIfThere(folder, "roles.sql"));
  const declared = folders.flatMap(declaredIn);
  const named = (what: Declared["what"]) => declared.flatMap((each) => (each.what === what ? [each.name] : []));
  return {
    roles: fs.readFileSync(path.join(directory, "roles.sql"), "utf8"),
    serviceRoles,
    serviceSchemas: {
      kept: [...folders.map(({ name }) => name), ...named("schema")],
      derived: named("derived schema"),
    },
    logins: named("login"),
    schemas: fs.readFileSync(path.join(directory, "schemas.sql"), "utf8"),
    migrations,
    repeatable,
    migrationFunctions: functionNames(migrations),
    repeatableFunctions: functionNames(repeatable),
    catalogs: folders.flatMap((folder) => (folder.isProduct ? [] : textIfThere(folder, "database.sql"))),
  };
}

/** The row of numbers that a migration stands in: what its name has before the number, nothing in the product's. */
export function rowOf(name: string): string {
  return /^\D*/.exec(name)?.[0] ?? "";
}

/**
 * What migrations of services are named that the source does not have: `service parcels (schema parcels)`; null where there
 * are none. A product's migration names no service.
 */
export function missingServices(migrations: readonly string[], source: SqlSource): string | null {
  const named = migrations.flatMap((name) => /^([a-z_]+)-\d{4}-/.exec(name)?.[1] ?? []);
  const missing = [...new Set(named)].filter((name) => !source.serviceSchemas.kept.includes(name)).sort();
  return missing.length === 0 ? null : missing.map((name) => `service ${name} (schema ${name})`).join(", ");
}

/** The last migration of each row of numbers, as platform.last_migrations() answers them. */
export function lastMigrations(migrations: readonly Migration[]): string {
  const names = migrations.map(({ name }) => name).sort();
  return [...new Map(names.map((name) => [rowOf(name), name])).values()].join(",");
}

/** Whether of each row of numbers the migration expected is there, or a newer one; both as {@link lastMigrations} has them. */
export function includesMigrations(there: string, expected: string): boolean {
  const found = there.split(",");
  const isThere = (name: string) => found.some((other) => rowOf(other) === rowOf(name) && other >= name);
  return expected.split(",").every(isThere);
}

/** Every folder of `sql/` but that of the migrations. */
function productServices(directory: string): SqlOfService[] {
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "migrations")
    .map(({ name }) => ({ name }));
}

/** What a line of a service's roles.sql asks to be made. */
interface Declared {
  readonly what: "login" | "schema" | "derived schema";
  readonly name: string;
}

function declaredIn(folder: Folder): Declared[] {
  const lines = textIfThere(folder, "roles.sql").flatMap((text) => text.match(/^--!.*$/gm) ?? []);
  return lines.map((line) => {
    const [, what, name] = /^--! (login|schema|derived schema) ([a-z_][a-z0-9_]{0,62})$/.exec(line) ?? [];
    if (what === undefined || name === undefined)
      throw new MigrationError(`roles.sql of ${folder.name}: ${line} is no login, schema or derived schema`);
    return { what: what as Declared["what"], name };
  });
}

function folderOf({ name, sqlFolder }: SqlOfService, directory: string): Folder {
  // Without digits, so that the rows of two services' migrations are told apart by what stands before the number.
  if (!/^[a-z_]+$/.test(name)) throw new MigrationError(`${name} cannot be the name of a schema`);
  return sqlFolder === undefined
    ? { name, directory: path.join(directory, name), isProduct: true }
    : { name, directory: fileURLToPath(sqlFolder), isProduct: false };
}

function textIfThere({ directory }: Folder, file: string): string[] {
  const place = path.join(directory, file);
  return fs.existsSync(place) ? [fs.readFileSync(place, "utf8")] : [];
}

function sqlFilesIn(directory: string): string[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort();
}

function migrationsIn(directory: string, row: RegExp): Migration[] {
  return sqlFilesIn(directory).map((file) => {
    // The row is known by what stands before the number: the newest migration is found by it.
    if (!row.test(file)) throw new MigrationError(`migrations/${file}: its name must match ${row.source}`);
    return readMigration(path.join(directory, file));
  });
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

function readRepeatable(folders: readonly Folder[]): RepeatableFile[] {
  return PARTS.flatMap((part) => {
    const files = folders.flatMap(({ name, directory }) =>
      sqlFilesIn(path.join(directory, part)).map((file) =>
        readRepeatableFile(`${name}/${part}/${file}`, path.join(directory, part, file)),
      ),
    );
    // A function may return rows of a view, so views come first within api and analytics.
    const isView = ({ text }: RepeatableFile) => /^create view/m.test(text);
    return [...files.filter(isView), ...files.filter((file) => !isView(file))];
  });
}

function readRepeatableFile(name: string, file: string): RepeatableFile {
  const text = fs.readFileSync(file, "utf8");
  const owner = /^--! owner (\w+)$/m.exec(text)?.[1] ?? "selo_owner";
  if (!OWNERS.has(owner)) throw new MigrationError(`sql/${name}: there is no owner ${owner}`);
  return { path: name, text, owner };
}

function functionNames(files: readonly { readonly text: string }[]): Set<string> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/create (?:or replace )?function (\w+\.\w+)/g)].map((match) => match[1] ?? ""),
  );
  return new Set(names);
}
