import { z } from "zod";
import type { Config } from "../config/config.ts";
import { AppError } from "../errors/app-error.ts";
import { databaseState } from "../postgres/database-state.ts";
import { findDatabases } from "../postgres/databases.ts";
import { migrationStatus } from "../postgres/migrate/migrate.ts";
import { readSqlSource } from "../postgres/migrate/sql-source.ts";
import { demoFile, readDemo, serviceAddress } from "../services/platform/demo/demo-file.ts";
import type { Service } from "../services/service.ts";

/** The output of `selo status --json`. */
export interface Status {
  /** The version of this program. */
  readonly version: string;
  readonly node: string;
  readonly data_dir: string;
  readonly database: {
    /** `embedded` is Selo's own Postgres, `configured` that of DATABASE_URL. */
    readonly kind: "embedded" | "configured";
    /** Host, port and name; null while the embedded Postgres does not run. */
    readonly place: string | null;
    readonly state: "running" | "stopped" | "none" | "unreachable";
    /** The version of the server; null while it does not run. */
    readonly version: string | null;
  };
  /** Null while the database does not run. */
  readonly migrations: { readonly applied: number; readonly pending: readonly string[] } | null;
  readonly gateway: {
    readonly url: string;
    readonly state: "ready" | "not_ready" | "away";
    /** The failed checks of /readyz. */
    readonly failed: readonly string[];
  };
  /** Whether a worker is connected to the database; null while the database does not run. */
  readonly worker: boolean | null;
  /** The demo organization of the last start on this data folder. */
  readonly demo: { readonly organization: number; readonly file: string } | null;
  readonly missing: readonly Missing[];
}

interface Missing {
  readonly what: string;
  /** What to do about it, for example the command to run. */
  readonly run: string;
}

/** The answer of /readyz. */
const readiness = z.object({ status: z.enum(["ready", "not_ready"]), checks: z.record(z.string(), z.string()) });

/** Time-out of the request: a gateway's own checks take up to two seconds. */
const GATEWAY_MS = 5_000;

/** Inspects a deployment. Starts, makes and changes nothing. */
export async function readStatus(config: Config, services: readonly Service[], version: string): Promise<Status> {
  const demo = readDemo(config.dataDir);
  const [{ missing, ...found }, gateway] = await Promise.all([
    readDatabase(config, services),
    readGateway(serviceAddress(config, () => demo)),
  ]);
  return {
    version,
    node: process.versions.node,
    data_dir: config.dataDir,
    ...found,
    gateway,
    demo: demo === null ? null : { organization: demo.organization.number, file: demoFile(config.dataDir) },
    missing: [...missing, ...missingOfGateway(gateway, found.worker)],
  };
}

async function readDatabase(
  config: Config,
  services: readonly Service[],
): Promise<Pick<Status, "database" | "migrations" | "worker" | "missing">> {
  const databases = await findDatabases(config);
  const kind: Status["database"]["kind"] = config.databaseUrl === null ? "embedded" : "configured";
  const place = typeof databases === "string" ? null : placeOf(databases.adminUrl);
  const away = (state: Status["database"]["state"], missing: Missing) => ({
    database: { kind, place, state, version: null },
    migrations: null,
    worker: null,
    missing: [missing],
  });
  if (databases === "none")
    return away("none", { what: "a database", run: "run `npm start` (or `selo start`), or set DATABASE_URL" });
  if (databases === "stopped")
    return away("stopped", { what: "the embedded Postgres is not running", run: "run `npm start` (or `selo start`)" });
  try {
    const { version, worker } = await databaseState(databases.adminUrl);
    const all = await migrationStatus(databases.adminUrl, readSqlSource(services));
    const pending = all.filter(({ appliedAt }) => appliedAt === null).map(({ name }) => name);
    return {
      database: { kind, place, state: "running", version },
      migrations: { applied: all.length - pending.length, pending },
      worker,
      missing: pending.length === 0 ? [] : [{ what: `migrations ${pending.join(", ")}`, run: "run `selo migrate`" }],
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
    return away("unreachable", {
      what: `the database cannot be reached (${reason})`,
      run: "see DATABASE_ADMIN_URL and DATABASE_URL",
    });
  }
}

/** The host and name in an address, without login and password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get("host") || "local"}${pathname}`;
}

async function readGateway(url: string): Promise<Status["gateway"]> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(GATEWAY_MS), redirect: "manual" });
    // Another program may answer there; only an answer of this shape comes from a gateway.
    const { status, checks } = readiness.parse(await answer.json());
    const failed = Object.entries(checks).flatMap(([name, outcome]) => (outcome === "failed" ? [name] : []));
    return { url, state: status, failed };
  } catch {
    return { url, state: "away", failed: [] };
  }
}

function missingOfGateway({ url, state, failed }: Status["gateway"], worker: boolean | null): Missing[] {
  // Without a database nothing else can run, and the database's own line says what to do.
  if (worker === null) return [];
  const run = (process: string) => `run \`npm start\`, or \`selo ${process}\``;
  return [
    ...(state === "away" ? [{ what: `no gateway answers at ${url}`, run: run("gateway") }] : []),
    ...(state === "not_ready" ? [{ what: `the gateway is not ready (${failed.join(", ")})`, run: "see its log" }] : []),
    ...(worker ? [] : [{ what: "no worker is connected", run: run("worker") }]),
  ];
}
