import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../adapters/programs/package-root.ts";
import { MigrationError } from "./migration-error.ts";

/** The facts about a service that the database needs. */
export interface SqlOfService {
  /** Its schema, and the beginning of names that it uses for the whole database. */
  readonly name: string;
  /** Its folder of SQL; `sql/<name>` by default. A folder outside `sql/` has its own `migrations/` and `database.sql`. */
  readonly sqlFolder?: URL;
}

/** One numbered migration, immutable once released. */
export interface Migration {
  /** File name without `.sql`: `<nnnn>-<what>`, or `<service>-<nnnn>-<what>` in a service's own sequence. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  /** False with the header `--! no-transaction`; such a file contains a single statement. */
  readonly inTransaction: boolean;
  /** True with the header `--! runs its answers` of such a file: its statement is a query, whose only column `text` has the statements to run one by one. */
  readonly runsAnswers: boolean;
}

/** One view or function, dropped and made again at every change. */
export interface RepeatableFile {
  /** Service, part, folder where the part has folders, and file, such as `platform/gateway/call.sql`. */
  readonly path: string;
  readonly text: string;
  /** From the header `--! owner <role>`; selo_owner without the header. */
  readonly owner: string;
}

/** Schemas that contain tables, functions and types. Schemas with only views and functions are in `schemas.sql`. */
export interface ServiceSchemas {
  /** Schemas that a backup contains. */
  readonly kept: readonly string[];
  /** Schemas that can be computed again from the others, and that no backup contains. */
  readonly derived: readonly string[];
}

/** All SQL of the services, and their common SQL. */
export interface SqlSource {
  readonly roles: string;
  /** `roles.sql` of each service that has one. */
  readonly serviceRoles: readonly string[];
  readonly serviceSchemas: ServiceSchemas;
  /** Logins of services, beside selo_app and selo_worker. */
  readonly logins: readonly string[];
  /** Makes the schemas that the repeatable step fills. */
  readonly schemas: string;
  /** The product's migrations, then those of each service with its own sequence. */
  readonly migrations: readonly Migration[];
  readonly repeatable: readonly RepeatableFile[];
  /** Functions that tables depend on. They stand in migrations, and the repeatable step never drops them. */
  readonly migrationFunctions: ReadonlySet<string>;
  readonly repeatableFunctions: ReadonlySet<string>;
  /** `database.sql` of services outside `sql/`: their additions to `schema/database.sql`. */
  readonly catalogs: readonly string[];
}

/** The order of creation: bodies of functions are resolved late, so views come before functions that return their rows. */
const PARTS = ["functions", "api", "analytics", "gateway", "jobs"];
const OWNERS = new Set(["selo_owner", "selo_system", "selo_worker"]);

/** A service with the folder that holds its SQL. */
interface Folder {
  readonly name: string;
  readonly directory: string;
  /** Whether its migrations belong to the product's sequence of numbers. */
  readonly isProduct: boolean;
}

/**
 * Reads the SQL of the given services, or of every folder of `sql/`, from the checkout or from beside the built program.
 * The order of the services makes no difference.
 * @throws MigrationError if a file does not follow the rules for services
 */
export function readSqlSource(
  services?: readonly SqlOfService[],
  directory = path.join(packageRoot(), "sql"),
): SqlSource {
  const folders = foldersOf(services, directory);
  const migrations = migrationFiles(folders, directory).map(readMigration);
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

/** The newest migrations of {@link readSqlSource}, in the form of {@link lastMigrations}; their texts are not read. */
export function readLastMigrations(
  services?: readonly SqlOfService[],
  directory = path.join(packageRoot(), "sql"),
): string {
  return lastMigrations(
    migrationFiles(foldersOf(services, directory), directory).map((file) => ({ name: nameOf(file) })),
  );
}

function foldersOf(services: readonly SqlOfService[] | undefined, directory: string): Folder[] {
  return (services ?? productServices(directory))
    .map((service) => folderOf(service, directory))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The product's migrations, then those of each service with its own sequence. */
function migrationFiles(folders: readonly Folder[], directory: string): string[] {
  return [
    ...migrationFilesIn(path.join(directory, "migrations"), /^\d{4}-/),
    ...folders.flatMap((folder) =>
      folder.isProduct
        ? []
        : migrationFilesIn(path.join(folder.directory, "migrations"), new RegExp(`^${folder.name}-\\d{4}-`)),
    ),
  ];
}

/** The sequence of a migration: the part of its name before the number, empty for the product's. */
export function rowOf(name: string): string {
  return /^\D*/.exec(name)?.[0] ?? "";
}

/**
 * The services of migrations that the source lacks: `service parcels (schema parcels)`; null if there
 * are none. The name of a product's migration contains no service.
 */
export function missingServices(migrations: readonly string[], source: SqlSource): string | null {
  const named = migrations.flatMap((name) => /^([a-z_]+)-\d{4}-/.exec(name)?.[1] ?? []);
  const missing = [...new Set(named)].filter((name) => !source.serviceSchemas.kept.includes(name)).sort();
  return missing.length === 0 ? null : missing.map((name) => `service ${name} (schema ${name})`).join(", ");
}

/** The last migration of each sequence, in the form of platform.last_migrations(). */
export function lastMigrations(migrations: readonly Pick<Migration, "name">[]): string {
  const names = migrations.map(({ name }) => name).sort();
  return [...new Map(names.map((name) => [rowOf(name), name])).values()].join(",");
}

/** Whether each sequence in the database has the expected migration or a newer one; both in the form of {@link lastMigrations}. */
export function includesMigrations(there: string, expected: string): boolean {
  const found = there.split(",");
  const isThere = (name: string) => found.some((other) => rowOf(other) === rowOf(name) && other >= name);
  return expected.split(",").every(isThere);
}

/** Every folder of `sql/` except the folder of migrations. */
function productServices(directory: string): SqlOfService[] {
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "migrations")
    .map(({ name }) => ({ name }));
}

/** An object that a line of a service's roles.sql asks for. */
interface Declared {
  readonly what: "login" | "schema" | "derived schema";
  readonly name: string;
}

function declaredIn(folder: Folder): Declared[] {
  const lines = textIfThere(folder, "roles.sql").flatMap((text) => text.match(/^--!.*$/gm) ?? []);
  return lines.map((line) => {
    const [, what, name] = /^--! (login|schema|derived schema) ([a-z_][a-z0-9_]{0,62})$/.exec(line) ?? [];
    if (what === undefined || name === undefined)
      throw new MigrationError(`roles.sql of ${folder.name}: ${line} is not a login, schema or derived schema`);
    return { what: what as Declared["what"], name };
  });
}

function folderOf({ name, sqlFolder }: SqlOfService, directory: string): Folder {
  // No digits, so that the part before the number distinguishes two services' migrations.
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

function migrationFilesIn(directory: string, row: RegExp): string[] {
  return sqlFilesIn(directory).map((file) => {
    // The part before the number identifies the sequence, by which the newest migration is found.
    if (!row.test(file)) throw new MigrationError(`migrations/${file}: its name must match ${row.source}`);
    return path.join(directory, file);
  });
}

const nameOf = (file: string) => path.basename(file, ".sql");

function readMigration(file: string): Migration {
  const text = fs.readFileSync(file, "utf8");
  return {
    name: nameOf(file),
    text,
    hash: createHash("sha256").update(text).digest("hex"),
    inTransaction: !/^--! no-transaction$/m.test(text),
    runsAnswers: /^--! runs its answers$/m.test(text),
  };
}

function readRepeatable(folders: readonly Folder[]): RepeatableFile[] {
  // Functions whose bodies are parsed when they are made may call functions of platform.
  const platformFirst = [
    ...folders.filter(({ name }) => name === "platform"),
    ...folders.filter(({ name }) => name !== "platform"),
  ];
  return PARTS.flatMap((part) => {
    const files = platformFirst.flatMap(({ name, directory }) =>
      filesOfPart(directory, part).map((file) => readRepeatableFile(`${name}/${file}`, path.join(directory, file))),
    );
    // A function may return rows of a view, so views come first within api and analytics.
    const isView = ({ text }: RepeatableFile) => /^create view/m.test(text);
    return [...files.filter(isView), ...files.filter((file) => !isView(file))];
  });
}

/**
 * The files of a part and of the folders below it. Their order is that of the file names alone: a file that moves to another folder
 * of its part is applied at the same place.
 */
function filesOfPart(directory: string, part: string): string[] {
  const found = new Map<string, string>();
  for (const file of sqlFilesBelow(directory, part)) {
    const name = path.basename(file);
    const other = found.get(name);
    if (other !== undefined) throw new MigrationError(`${directory}: ${other} and ${file} have the same name`);
    found.set(name, file);
  }
  return [...found.keys()].sort().flatMap((name) => found.get(name) ?? []);
}

function sqlFilesBelow(directory: string, folder: string): string[] {
  const place = path.join(directory, folder);
  if (!fs.existsSync(place)) return [];
  return fs.readdirSync(place).flatMap((name) => {
    const below = path.join(folder, name);
    if (name.endsWith(".sql")) return [below];
    // A link to a folder is a folder, too.
    return fs.statSync(path.join(directory, below)).isDirectory() ? sqlFilesBelow(directory, below) : [];
  });
}

function readRepeatableFile(name: string, file: string): RepeatableFile {
  const text = fs.readFileSync(file, "utf8");
  const owner = /^--! owner (\w+)$/m.exec(text)?.[1] ?? "selo_owner";
  if (!OWNERS.has(owner)) throw new MigrationError(`sql/${name}: the owner ${owner} does not exist`);
  return { path: name, text, owner };
}

function functionNames(files: readonly { readonly text: string }[]): Set<string> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/create (?:or replace )?function (\w+\.\w+)/g)].map((match) => match[1] ?? ""),
  );
  return new Set(names);
}
