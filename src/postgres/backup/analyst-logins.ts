import pg from "pg";
import { makeLogin } from "../operator/analyst-logins.ts";
import type { AnalystLogin } from "./manifest.ts";

const INSUFFICIENT_PRIVILEGE = "42501";

/** Logins of analysts, which belong to the cluster and not to the database, with the verifier of their password if it may be read. */
export async function readAnalystLogins(client: pg.Client, logins: readonly string[]): Promise<AnalystLogin[]> {
  const { rows: may } = await client.query<{ may: boolean }>(
    "select has_table_privilege('pg_catalog.pg_authid', 'select') as may",
  );
  const verifier = may[0]?.may
    ? "(select rolpassword from pg_catalog.pg_authid where oid = role.oid and rolpassword like 'SCRAM-SHA-256$%')"
    : "null::text";
  const { rows } = await client.query<AnalystLogin>(
    `select analyst.login::text as login, ${verifier} as verifier
     from unnest($1::name[]) as analyst (login)
     left join pg_catalog.pg_roles as role on role.rolname = analyst.login
     order by 1`,
    [logins],
  );
  return rows;
}

/** The result for each login of a backup. */
export interface RestoredLogins {
  readonly made: string[];
  /** Made without a password: nobody can log in before an administrator sets one. */
  readonly withoutPassword: string[];
  /** Logins that existed already, perhaps for another database of this cluster, and stay unchanged. */
  readonly existing: string[];
  /** Logins with a name that analysts do not have, names of other roles, and logins that this administrator may not make. */
  readonly notMade: string[];
}

/** The beginning of every analyst's login; a file must not be able to name other roles. */
const ANALYST = /^selo_analyst_/;

/** Makes logins again, as the administrator, in the transaction under way. */
export async function restoreAnalystLogins(
  client: pg.Client,
  logins: readonly AnalystLogin[],
): Promise<RestoredLogins> {
  const restored: RestoredLogins = { made: [], withoutPassword: [], existing: [], notMade: [] };
  for (const { login, verifier } of logins) {
    if (!ANALYST.test(login)) {
      restored.notMade.push(login);
      continue;
    }
    const { rows } = await client.query<{ analyst: boolean }>(
      "select pg_has_role(oid, 'selo_analyst', 'member') and not rolsuper as analyst from pg_catalog.pg_roles where rolname = $1",
      [login],
    );
    const [known] = rows;
    if (known) (known.analyst ? restored.existing : restored.notMade).push(login);
    else if (!(await isMade(client, login, verifier))) restored.notMade.push(login);
    else (verifier === null ? restored.withoutPassword : restored.made).push(login);
  }
  return restored;
}

/** Makes a login; if the administrator lacks the right, nothing is changed. */
async function isMade(client: pg.Client, login: string, verifier: string | null): Promise<boolean> {
  await client.query("savepoint logins");
  try {
    await makeLogin(client, login, verifier);
    await client.query("release savepoint logins");
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    await client.query("rollback to savepoint logins; release savepoint logins");
    return false;
  }
}
