import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { urlsOf } from "../../src/postgres/databases.ts";
import { embeddedUrl } from "../../src/postgres/embedded/embedded-url.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { readSqlSource, type SqlOfService } from "../../src/postgres/migrate/sql-source.ts";
import { TEMPLATE } from "./global-setup.ts";

/** A database of one test file. */
export interface TestDatabase {
  readonly name: string;
  /** Superuser. */
  readonly adminUrl: string;
  readonly appUrl: string;
  readonly workerUrl: string;
  readonly loginUrl: (login: string) => string;
  /** Statements as superuser; `set role` is undone after each call. */
  readonly admin: pg.Pool;
  drop(): Promise<void>;
}

/** A copy of the migrated template (some 12 ms); with `empty`, a database nobody has migrated. */
export async function createTestDatabase(
  options: {
    readonly empty?: boolean;
    /** A database to copy in place of the template, to which nobody is connected. */
    readonly copyOf?: string;
  } = {},
): Promise<TestDatabase> {
  const postgres = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const maintenance = await connectToServer();
  await maintenance.query(
    options.empty
      ? `create database ${name}`
      : `create database ${name} template ${options.copyOf ?? TEMPLATE} strategy file_copy`,
  );
  const urls = urlsOf(postgres, postgres.password, name);
  const admin = new pg.Pool({ connectionString: urls.adminUrl, max: 4 });
  admin.on("error", () => {});
  // A query under way reports a cut connection itself.
  admin.on("connect", (client) => client.on("error", () => {}));
  return {
    name,
    ...urls,
    admin,
    drop: async () => {
      await admin.end();
      await maintenance.query(`drop database if exists ${name} with (force)`);
      await maintenance.end();
    },
  };
}

/** A copy of a database with the SQL of these services, which is migrated once in a run if some of them are not the product's. */
export async function createDatabaseOf(services: readonly SqlOfService[]): Promise<TestDatabase> {
  if (services.every(({ sqlFolder }) => sqlFolder === undefined)) return createTestDatabase();
  const names = services.map(({ name, sqlFolder }) => sqlFolder?.href ?? name).sort();
  const hash = createHash("sha256").update(names.join()).digest("hex");
  return createCopyOf(`of_${hash.slice(0, 12)}`, async ({ adminUrl }) => {
    await migrate({ adminUrl, serviceUrls: [], source: readSqlSource(services) });
  });
}

/** A copy of a database of the run, which whoever asks for it first makes of a copy of the template; the others wait. */
export async function createCopyOf(
  name: string,
  make: (database: TestDatabase) => Promise<void>,
): Promise<TestDatabase> {
  const server = await connectToServer();
  try {
    await server.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await server.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) {
      const made = await createTestDatabase();
      await make(made);
      await server.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [made.name]);
      await server.query(`alter database ${made.name} rename to ${name}`);
      // Ends its connections: no database has that name any more.
      await made.drop();
    }
  } finally {
    await server.end();
  }
  return createTestDatabase({ copyOf: name });
}

async function connectToServer(): Promise<pg.Client> {
  const postgres = inject("postgres");
  const client = new pg.Client({
    connectionString: embeddedUrl(postgres, "postgres", postgres.password, "postgres"),
  });
  // Without a listener, a connection that a file leaves open would fail the whole run when Postgres stops after it.
  client.on("error", () => {});
  await client.connect();
  return client;
}
