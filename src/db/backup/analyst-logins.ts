import pg from "pg";
import { BackupError } from "./backup-error.ts";
import type { AnalystLogin } from "./manifest.ts";

/**
 * Settings of a login that are made again. Only those that bound what it may cost: a setting that loads code, say, must
 * not come out of a file.
 */
const KEPT_SETTINGS = [
  "default_transaction_read_only",
  "idle_in_transaction_session_timeout",
  "idle_session_timeout",
  "lock_timeout",
  "statement_timeout",
  "transaction_timeout",
  "work_mem",
];

/** Logins of analysts, which live in the cluster and not in the database, with their password's verifier where it may be read. */
export async function readAnalystLogins(client: pg.Client, logins: readonly string[]): Promise<AnalystLogin[]> {
  const { rows: may } = await client.query<{ may: boolean }>(
    "select has_table_privilege('pg_catalog.pg_authid', 'select') as may",
  );
  const verifier = may[0]?.may
    ? "(select rolpassword from pg_catalog.pg_authid where oid = role.oid and rolpassword like 'SCRAM-SHA-256$%')"
    : "null::text";
  const { rows } = await client.query<AnalystLogin>(
    `select analyst.login::text as login, ${verifier} as verifier, coalesce(role.rolconnlimit, -1) as connection_limit,
       (select coalesce(json_object_agg(setting[1], setting[2]), '{}')
         from pg_catalog.pg_db_role_setting as kept
         cross join unnest(kept.setconfig) as line
         cross join regexp_match(line, '^([^=]+)=(.*)$') as setting
         where kept.setrole = role.oid and setting[1] = any ($1)
           and kept.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
       ) as settings
     from unnest($2::name[]) as analyst (login)
     left join pg_catalog.pg_roles as role on role.rolname = analyst.login
     order by 1`,
    [KEPT_SETTINGS, logins],
  );
  return rows;
}

/** What became of the logins of a backup. */
export interface RestoredLogins {
  readonly made: string[];
  /** Made without a password: nobody can log in before an administrator gives them one. */
  readonly withoutPassword: string[];
  /** They were there already, of another database of this cluster perhaps, and stay as they were. */
  readonly existing: string[];
  /** The administrator may not make roles, or the name is another role's: to be made by somebody who may. */
  readonly notMade: string[];
}

/** Makes logins again, as the administrator, in the transaction under way. */
export async function makeAnalystLogins(client: pg.Client, logins: readonly AnalystLogin[]): Promise<RestoredLogins> {
  const restored: RestoredLogins = { made: [], withoutPassword: [], existing: [], notMade: [] };
  for (const { login, verifier, connection_limit, settings } of logins) {
    if (/^(pg_|selo_)/.test(login)) throw new BackupError(`${JSON.stringify(login)} is no login of an analyst`);
    const { rows } = await client.query<{ analyst: boolean }>(
      "select pg_has_role(oid, 'selo_analyst', 'member') and not rolsuper as analyst from pg_catalog.pg_roles where rolname = $1",
      [login],
    );
    if (rows[0]) {
      (rows[0].analyst ? restored.existing : restored.notMade).push(login);
      continue;
    }
    const role = pg.escapeIdentifier(login);
    const statements = [
      `create role ${role} login nosuperuser nobypassrls nocreaterole nocreatedb noreplication connection limit ${connection_limit}${
        verifier === null ? "" : ` password ${pg.escapeLiteral(verifier)}`
      } in role selo_analyst`,
      ...Object.entries(settings)
        .filter(([name]) => KEPT_SETTINGS.includes(name))
        .map(([name, value]) => `alter role ${role} set ${pg.escapeIdentifier(name)} to ${pg.escapeLiteral(value)}`),
    ];
    ((await allowed(client, statements))
      ? verifier === null
        ? restored.withoutPassword
        : restored.made
      : restored.notMade
    ).push(login);
  }
  return restored;
}

/** Runs statements, or none of them where the administrator lacks a right. */
async function allowed(client: pg.Client, statements: readonly string[]): Promise<boolean> {
  await client.query("savepoint logins");
  try {
    await client.query(statements.join("; "));
    await client.query("release savepoint logins");
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== "42501") throw error;
    await client.query("rollback to savepoint logins; release savepoint logins");
    return false;
  }
}
