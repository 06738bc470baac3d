import { randomBytes } from "node:crypto";
import pg from "pg";
import { decodeDatabaseError } from "../errors.ts";
import { scramVerifier } from "./scram-verifier.ts";

export interface NewAnalyst {
  readonly login: string;
  readonly organization_id: string;
  readonly environment: string;
  /** The address to connect to, with login and password; it is shown only this once. */
  readonly url: string;
  readonly limits: typeof ANALYST_LIMITS;
}

export interface Analyst {
  readonly login: string;
  readonly organization_id: string;
  readonly organization_number: number;
  readonly environment: string;
  readonly created_at: Date;
  /** Number of its open connections. */
  readonly sessions: number;
}

/** The limits of a login. They are printed when the login is made. */
export const ANALYST_LIMITS = {
  /** Enough for a pool of eight, and two more. Postgres refuses further connections; a login cannot change its own limit. */
  connections: 10,
  statement_seconds: 60,
  /** For a transaction without a running statement. */
  idle_in_transaction_seconds: 60,
  lock_wait_seconds: 5,
  /** Only the administrator may make them: sql/roles.sql. */
  temporary_tables: false,
} as const;

/**
 * Settings that protect honest analysts from mistakes. Every login may change its own settings, so no protection depends on them:
 * the login has no right to write, and row-level security uses the login itself.
 */
const SETTINGS = [
  "default_transaction_read_only = on",
  `statement_timeout = '${ANALYST_LIMITS.statement_seconds}s'`,
  `lock_timeout = '${ANALYST_LIMITS.lock_wait_seconds}s'`,
  `idle_in_transaction_session_timeout = '${ANALYST_LIMITS.idle_in_transaction_seconds}s'`,
  // Of the two views named proofs, the view without evidence comes first.
  "search_path = analytics, api, pg_catalog",
];
/** Time to end sessions. Postgres ends slower sessions later; the login is deleted in any case. */
const MOST_MS_TO_END_SESSIONS = 5_000;

/**
 * Makes a read-only login bound to one organization and environment: binding and login in one transaction.
 * @param client an administrator's connection that acts as selo_owner
 * @param adminUrl the administrator's address; the login's address differs in the user only
 * @param name the end of the login's name; random by default
 * @throws AppError 422 invalid_request, 409 conflict
 */
export async function createAnalyst(
  client: pg.Client,
  adminUrl: string,
  organizationId: string,
  environment: string,
  name: string | null,
): Promise<NewAnalyst> {
  const login = `selo_analyst_${name ?? randomBytes(6).toString("hex")}`;
  const password = randomBytes(32).toString("base64url");
  await inTransaction(client, async () => {
    await client.query("select platform.bind_analyst($1, $2, $3)", [login, organizationId, environment]);
    await client.query("set local role none");
    await makeLogin(client, login, verifierOf(password));
  });
  const url = addressOf(adminUrl, login, password);
  return { login, organization_id: organizationId, environment, url, limits: ANALYST_LIMITS };
}

/**
 * Makes the login itself, as the administrator, in the transaction under way.
 * @param verifier the verifier of its password (RFC 5803); with null nobody can log in before a password is set
 */
export async function makeLogin(client: pg.Client, login: string, verifier: string | null): Promise<void> {
  const role = pg.escapeIdentifier(login);
  await client.query(
    `create role ${role} login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls
       connection limit ${ANALYST_LIMITS.connections} ${verifier === null ? "" : `password ${pg.escapeLiteral(verifier)}`}`,
  );
  const { rows } = await client.query<{ version: number; is_superuser: boolean }>(
    "select current_setting('server_version_num')::integer as version, current_setting('is_superuser')::boolean as is_superuser",
  );
  const [server] = rows;
  // The login inherits the group's rights and need not become the group. Before version 16 Postgres cannot separate the two, and the login gains nothing by it.
  const option = (server?.version ?? 0) >= 160_000 ? "with inherit true, set false" : "";
  await client.query(`grant selo_analyst to ${role} ${option}`);
  // Only a superuser may set this limit, and only a superuser may lift it.
  const settings = server?.is_superuser ? [...SETTINGS, "temp_file_limit = '1GB'"] : SETTINGS;
  for (const setting of settings) await client.query(`alter role ${role} set ${setting}`);
}

/** All logins bound in this database, the oldest first. */
export async function listAnalysts(client: pg.Client): Promise<Analyst[]> {
  const { rows } = await client.query<Analyst>(`
    select analyst.login::text as login, analyst.tenant_id as organization_id, organization.number as organization_number,
      analyst.environment, analyst.created_at,
      (select count(*) from pg_catalog.pg_stat_activity as session where session.usename = analyst.login) as sessions
    from platform.analysts as analyst join platform.list_organizations() as organization on organization.id = analyst.tenant_id
    order by analyst.created_at, analyst.login`);
  return rows;
}

/**
 * Takes away the access at once, then ends the login's sessions and drops the login. After a crash the login may still exist, but it
 * can neither log in nor see anything; the same call again finishes the work.
 * @throws AppError 404 not_found
 */
export async function revokeAnalyst(client: pg.Client, login: string): Promise<void> {
  const role = pg.escapeIdentifier(login);
  const exists = async () => (await client.query("select from pg_roles where rolname = $1", [login])).rowCount === 1;
  await inTransaction(client, async () => {
    await client.query("select platform.unbind_analyst($1)", [login]);
    await client.query("set local role none");
    if (await exists()) await client.query(`alter role ${role} nologin`);
  });
  await inTransaction(client, async () => {
    await client.query("set local role none");
    if (!(await exists())) return;
    // An administrator without superuser rights may end the sessions of roles it is a member of, and drop what they own.
    const { rows } = await client.query<{ member: boolean }>(
      "select pg_has_role(current_user, rolname, 'usage') as member from pg_roles where rolname = $1",
      [login],
    );
    if (rows[0]?.member === false) await client.query(`grant ${role} to current_user`);
    await client.query("select pg_terminate_backend(pid, $2) from pg_stat_activity where usename = $1", [
      login,
      MOST_MS_TO_END_SESSIONS,
    ]);
    // The login can own nothing, but every role may set default privileges of its own, and those would prevent the drop.
    await client.query(`drop owned by ${role}`);
    await client.query(`drop role ${role}`);
  });
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  try {
    await client.query("begin");
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {}); // the connection itself may be broken
    throw decodeDatabaseError(error);
  }
}

function verifierOf(password: string): string {
  const verifier = scramVerifier(password);
  if (verifier === null) throw new Error("a password in base64url has a verifier");
  return verifier;
}

/** The administrator's address with another login, and only with parameters that say how to reach the server. */
function addressOf(adminUrl: string, login: string, password: string): string {
  const address = new URL(adminUrl);
  const kept = [...address.searchParams].filter(
    ([name]) => name.startsWith("ssl") || name === "host" || name === "port",
  );
  address.username = login;
  address.password = password;
  address.search = new URLSearchParams(kept).toString();
  return address.toString();
}
