import { createHash } from "node:crypto";
import type pg from "pg";
import { inPatientTransaction, isLockFailure, type PatientOptions } from "../patient-transaction.ts";
import { MigrationError } from "./migration-error.ts";
import type { RepeatableFile, SqlSource } from "./sql-source.ts";

/** Schemas that contain only views and functions: dropped whole and made again. */
const REPEATABLE_SCHEMAS = ["api", "analytics", "gateway", "jobs"];

/**
 * Makes all views and functions again, in one transaction, if any of their files changed or a migration was applied: they also
 * depend on rows that migrations write, such as the names in a reference table. A live gateway keeps running: it waits, or repeats
 * what it had begun.
 * @param source its migrations must be applied already
 * @returns whether there was something to do
 */
export async function applyRepeatableStep(
  client: pg.Client,
  source: SqlSource,
  options: PatientOptions = {},
): Promise<boolean> {
  const recorded = await client.query<{ hash: string }>("select hash from platform.repeatable_step");
  const migrations = source.migrations.map(({ name }) => `${name}\n`);
  const files = source.repeatable.map(({ path, text }) => `${path}\n${text}\n`);
  const hash = createHash("sha256")
    .update([source.schemas, ...migrations, ...files].join(""))
    .digest("hex");
  if (recorded.rows[0]?.hash === hash) return false;
  const apply = async () => {
    await runRepeatable(client, source);
    await client.query("reset role");
    await client.query(
      "insert into platform.repeatable_step (hash) values ($1) on conflict (only_row) do update set hash = excluded.hash, applied_at = now()",
      [hash],
    );
  };
  await inPatientTransaction(client, "set local check_function_bodies = off", apply, options);
  return true;
}

async function runRepeatable(client: pg.Client, source: SqlSource): Promise<void> {
  await client.query("set local role selo_owner");
  // Every request reads this table first. Requests under way finish; the others wait here without holding locks, so no deadlock is possible.
  const known = await client.query("select to_regclass('gateway.commands') is not null as commands");
  if (known.rows[0].commands) await client.query("lock table gateway.commands in access exclusive mode");
  await refuseOutsideDependents(client);
  await client.query(`drop schema if exists ${REPEATABLE_SCHEMAS.join(", ")} cascade`);
  await client.query(source.schemas);
  await dropFreeFunctions(client, source);
  await client.query("grant create on schema platform to selo_worker");
  await applyFiles(client, source.repeatable);
  await client.query("set local role selo_owner");
  await client.query("revoke create on schema platform from selo_worker");
  await client.query("select platform.build_commands()");
  await refuseUnknownFunctions(client, source);
}

/** All files in one message: a message for each would take longer than the files themselves, and live gateways wait meanwhile. */
async function applyFiles(client: pg.Client, files: readonly RepeatableFile[]): Promise<void> {
  await client.query("savepoint before_files");
  try {
    await client.query(files.map(({ owner, text }) => `set local role ${owner};\n${text};\n`).join(""));
  } catch (error) {
    if (isLockFailure(error)) throw error;
    await client.query("rollback to savepoint before_files");
    // One by one, to name the file that fails.
    for (const file of files) await applyFile(client, file);
  }
}

async function applyFile(client: pg.Client, file: RepeatableFile): Promise<void> {
  try {
    await client.query(`set local role ${file.owner}`);
    await client.query(file.text);
  } catch (error) {
    if (isLockFailure(error)) throw error;
    throw new MigrationError(`sql/${file.path} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** The product's only cascade may drop only objects that this step makes again. */
async function refuseOutsideDependents(client: pg.Client): Promise<void> {
  const outside = await client.query<{ dependent: string }>(
    `with ours as (
       select 'pg_class'::regclass::oid as classid, oid from pg_class where relnamespace::regnamespace::text = any ($1)
       union all select 'pg_proc'::regclass, oid from pg_proc where pronamespace::regnamespace::text = any ($1)
       union all select 'pg_type'::regclass, oid from pg_type where typnamespace::regnamespace::text = any ($1)
     )
     select pg_describe_object(dependency.classid, dependency.objid, 0) as dependent
     from pg_depend as dependency
     join ours as needed on needed.classid = dependency.refclassid and needed.oid = dependency.refobjid
     -- Rules, defaults, policies, constraints and triggers belong to a relation.
     left join pg_rewrite as rule on dependency.classid = 'pg_rewrite'::regclass and rule.oid = dependency.objid
     left join pg_attrdef as preset on dependency.classid = 'pg_attrdef'::regclass and preset.oid = dependency.objid
     left join pg_policy as policy on dependency.classid = 'pg_policy'::regclass and policy.oid = dependency.objid
     left join pg_constraint as rule_of on dependency.classid = 'pg_constraint'::regclass and rule_of.oid = dependency.objid
     left join pg_trigger as fired on dependency.classid = 'pg_trigger'::regclass and fired.oid = dependency.objid
     where dependency.deptype = 'n' and not exists (
       select from ours where (ours.classid, ours.oid) in (
         (dependency.classid, dependency.objid),
         ('pg_class'::regclass::oid, coalesce(rule.ev_class, preset.adrelid, policy.polrelid, rule_of.conrelid, fired.tgrelid))))
     order by 1`,
    [REPEATABLE_SCHEMAS],
  );
  const [first] = outside.rows;
  if (first) {
    throw new MigrationError(
      `${first.dependent} depends on a view or function that is dropped and made again at every change; drop the dependent object or move it into sql/`,
    );
  }
}

/** Internal functions without dependents are dropped and made again, so their parameters and results may change. */
async function dropFreeFunctions(client: pg.Client, source: SqlSource): Promise<void> {
  const free = await client.query<{ signature: string }>(
    `select routine.oid::regprocedure::text as signature
     from pg_proc as routine
     where routine.pronamespace::regnamespace::text = any ($1)
       and format('%s.%s', routine.pronamespace::regnamespace, routine.proname) <> all ($2)
       and not exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = routine.oid and deptype <> 'e')
       and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')`,
    [internalSchemas(source), [...source.migrationFunctions]],
  );
  if (free.rows.length > 0)
    await client.query(`drop function ${free.rows.map(({ signature }) => signature).join(", ")}`);
}

async function refuseUnknownFunctions(client: pg.Client, source: SqlSource): Promise<void> {
  const known = [...source.migrationFunctions, ...source.repeatableFunctions];
  const unknown = await client.query<{ name: string }>(
    `select routine.oid::regprocedure::text as name from pg_proc as routine
     where routine.pronamespace::regnamespace::text = any ($1)
       and format('%s.%s', routine.pronamespace::regnamespace, routine.proname) <> all ($2)`,
    [internalSchemas(source), known],
  );
  const [first] = unknown.rows;
  if (first) {
    throw new MigrationError(
      `function ${first.name} is not in sql/ and cannot be dropped, because something depends on it`,
    );
  }
}

/** Schemas of tables, whose functions are dropped and made again one by one. */
function internalSchemas({ serviceSchemas }: SqlSource): string[] {
  return [...serviceSchemas.kept, ...serviceSchemas.derived];
}
