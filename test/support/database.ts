import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { urlsOf } from "../../src/postgres/databases.ts";
import { embeddedUrl } from "../../src/postgres/embedded/embedded-url.ts";
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

/** A copy of the migrated template (some 12 ms), or of another database that nobody uses; with `empty`, a database nobody has migrated. */
export async function createTestDatabase(
  options: { readonly empty?: boolean; readonly template?: string } = {},
): Promise<TestDatabase> {
  const postgres = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const maintenance = new pg.Client({
    connectionString: embeddedUrl(postgres, "postgres", postgres.password, "postgres"),
  });
  await maintenance.connect();
  await maintenance.query(
    options.empty
      ? `create database ${name}`
      : `create database ${name} template ${options.template ?? TEMPLATE} strategy file_copy`,
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
