import { createHmac } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Config } from "../config/config.ts";
import { holdsCluster } from "./embedded/cluster.ts";
import { EmbeddedPostgresError, startEmbeddedPostgres } from "./embedded/embedded.ts";
import { createDatabase, embeddedUrl } from "./embedded/embedded-url.ts";
import { clientConfig } from "./pool.ts";

/** Addresses of one database, for each kind of user. */
export interface Databases {
  readonly adminUrl: string;
  readonly appUrl: string;
  readonly workerUrl: string;
  /** The address of a service's own login in the embedded Postgres. Null for a configured database: the login's variable has its address. */
  readonly loginUrl: ((login: string) => string) | null;
  /** The kind of Postgres, for the terminal. */
  readonly description: string;
  /** Stops the embedded Postgres if this process started it. */
  close(): Promise<void>;
}

/** The database's name in the embedded Postgres. */
export const DATABASE = "selo";

/**
 * The database of the configuration: DATABASE_URL, or the embedded Postgres. The embedded Postgres is started here unless it already runs, and
 * made at the first start.
 */
export async function openDatabases(config: Config, log: (message: string) => void): Promise<Databases> {
  return configured(config) ?? (await running(config)) ?? (await started(config, log));
}

/**
 * Opens the database for commands that make no sense in a new database: none is made.
 * @throws EmbeddedPostgresError that says what to run first
 */
export async function openExistingDatabases(config: Config, log: (message: string) => void): Promise<Databases> {
  const found = await findDatabases(config);
  if (found === "none")
    throw new EmbeddedPostgresError(
      `There is no database in ${config.dataDir} yet. Run \`npm start\` (or \`selo start\`) first: it makes one with a demo ` +
        "organization; `selo migrate` makes one without. For another database set SELO_DATA_DIR or DATABASE_URL.",
    );
  return found === "stopped" ? started(config, log) : found;
}

/** The database in its present state: nothing is started or made. A DATABASE_URL may be unreachable. */
export async function findDatabases(config: Config): Promise<Databases | "stopped" | "none"> {
  return configured(config) ?? (await running(config)) ?? (holdsCluster(config.dataDir) ? "stopped" : "none");
}

/** Opens the database; the embedded Postgres belongs to this process: `selo start` keeps it running. */
export async function ownDatabases(config: Config, log: (message: string) => void): Promise<Databases> {
  return configured(config) ?? (await started(config, log));
}

function configured(config: Config): Databases | null {
  const { databaseUrl, databaseAdminUrl, databaseWorkerUrl } = config;
  if (databaseUrl === null || databaseAdminUrl === null || databaseWorkerUrl === null) return null;
  return {
    adminUrl: databaseAdminUrl,
    appUrl: databaseUrl,
    workerUrl: databaseWorkerUrl,
    loginUrl: null,
    description: "DATABASE_URL",
    close: async () => {},
  };
}

async function started(config: Config, log: (message: string) => void): Promise<Databases> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, env: config.environment, log });
  await createDatabase(postgres, DATABASE);
  return {
    ...urlsOf(postgres, postgres.password),
    description: `embedded Postgres ${postgres.version} in ${config.dataDir}`,
    close: () => postgres.stop(),
  };
}

/** The embedded Postgres of another process of ours; null if none answers. */
async function running(config: Config): Promise<Databases | null> {
  const read = (name: string) => {
    const file = path.join(config.dataDir, name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : null;
  };
  const [port, password] = [read("port"), read("postgres-password")];
  if (port === null || password === null) return null;
  const urls = urlsOf({ host: "127.0.0.1", port: Number(port) }, password);
  const client = new pg.Client(clientConfig({ url: urls.adminUrl, role: null, applicationName: "selo" }));
  try {
    await client.connect();
    await client.end();
    return {
      ...urls,
      description: `embedded Postgres of another process, in ${config.dataDir}`,
      close: async () => {},
    };
  } catch {
    return null;
  }
}

/** Addresses of an embedded database, one for each of our logins. */
export function urlsOf(
  postgres: { readonly host: string; readonly port: number },
  password: string,
  database = DATABASE,
): Pick<Databases, "adminUrl" | "appUrl" | "workerUrl"> & { readonly loginUrl: (login: string) => string } {
  // Every process of this folder derives the same passwords, so none is stored in a file.
  const passwordFor = (login: string) => createHmac("sha256", password).update(login).digest("base64url");
  const loginUrl = (login: string) => embeddedUrl(postgres, login, passwordFor(login), database);
  return {
    adminUrl: embeddedUrl(postgres, "postgres", password, database),
    appUrl: loginUrl("selo_app"),
    workerUrl: loginUrl("selo_worker"),
    loginUrl,
  };
}
