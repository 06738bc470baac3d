import pg from "pg";
import copyStreams from "pg-copy-streams";
import { RUNNER_TABLES } from "../migrate/migrate.ts";
import { BackupError } from "./backup-error.ts";
import { QUALIFIED_NAME } from "./manifest.ts";

/**
 * A backup contains the schemas that selo_backup may use. sql/roles.sql gives it every schema that keeps data:
 * not the schemas of views and functions, not derived schemas, and not schemas that belong to one database and to no copy of it.
 */
export const IS_KEPT = `schema.nspowner = 'selo_owner'::regrole and exists (
  select from pg_catalog.aclexplode(schema.nspacl) as acl
  where acl.grantee = to_regrole('selo_backup') and acl.privilege_type = 'USAGE')`;

/** A table for a backup. */
export interface DataTable {
  readonly name: string;
  /** All columns except generated ones, in order. */
  readonly columns: readonly string[];
  /**
   * For a partitioned table its primary key, which sets the order of reading: restored rows may lie in other partitions than
   * before. Empty for any other table, which is read in stored order.
   */
  readonly order: readonly string[];
}

/**
 * The tables that a backup contains, found in the catalog, so that a migration that adds a table needs no change here: all tables of the
 * schemas that keep data, without unlogged tables, which survive no crash anyway, and without the migration runner's own records. A table comes
 * after the tables that it references.
 */
export async function dataTables(client: pg.Client): Promise<DataTable[]> {
  const { rows } = await client.query<DataTable & { needs: string[] }>(
    `select format('%s.%s', schema.nspname, relation.relname) as name,
       (select coalesce(array_agg(attname::text order by attnum), '{}') from pg_catalog.pg_attribute
         where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       (select coalesce(array_agg(part.attname::text order by key.place), '{}')
         from pg_catalog.pg_index as index
         cross join unnest(index.indkey::smallint[]) with ordinality as key (number, place)
         join pg_catalog.pg_attribute as part on part.attrelid = index.indrelid and part.attnum = key.number
         where relation.relkind = 'p' and index.indrelid = relation.oid and index.indisprimary) as "order",
       (select coalesce(array_agg(format('%s.%s', target.relnamespace::regnamespace, target.relname)), '{}')
         from pg_catalog.pg_constraint join pg_catalog.pg_class as target on target.oid = confrelid
         where contype = 'f' and conrelid = relation.oid and confrelid <> conrelid) as needs
     from pg_catalog.pg_class as relation
     join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
     where ${IS_KEPT}
       and relation.relkind in ('r', 'p') and not relation.relispartition and relation.relpersistence = 'p'
       and format('%s.%s', schema.nspname, relation.relname) <> all ($1)
     order by schema.nspname, relation.relname`,
    [RUNNER_TABLES],
  );
  for (const { name } of rows) requireName(name);
  return inOrderOfReference(rows).map(({ name, columns, order }) => ({ name, columns, order }));
}

/** The sequences of those schemas, both of identity columns and separate ones. */
export async function dataSequences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%s.%s', schema.nspname, relation.relname) as name
     from pg_catalog.pg_class as relation
     join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
     where ${IS_KEPT} and relation.relkind = 'S'
     order by schema.nspname, relation.relname`,
  );
  for (const { name } of rows) requireName(name);
  return rows.map(({ name }) => name);
}

/** Settings for COPY: the text of values must not depend on the settings of a server or a login, and no row may be left out silently. */
export const COPY_SETTINGS = `
  set local search_path = '';
  set local row_security = off;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local client_encoding = 'UTF8';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local extra_float_digits = 3;
  set local bytea_output = 'hex';
  -- In the order in which the rows stand in the table, so that what was loaded can be read back and compared.
  set local synchronize_seqscans = off;
  set local max_parallel_workers_per_gather = 0;`;

/** The rows of a table as Postgres writes them (COPY, text format), in pieces. */
export function copyOut(client: pg.Client, table: DataTable): AsyncIterable<Buffer> {
  if (table.order.length === 0) return client.query(copyStreams.to(`copy ${target(table)} to stdout`));
  const rows = `select ${listed(table.columns)} from ${quoted(table.name)} order by ${listed(table.order)}`;
  return client.query(copyStreams.to(`copy (${rows}) to stdout`));
}

/** Takes rows that {@link copyOut} wrote. */
export function copyIn(client: pg.Client, table: DataTable): copyStreams.CopyStreamQuery {
  return client.query(copyStreams.from(`copy ${target(table)} from stdin`));
}

/** `schema.name` as an identifier: the only dot stands between the two. */
export const quoted = (name: string) => name.split(".").map(pg.escapeIdentifier).join(".");

const listed = (columns: readonly string[]) => columns.map(pg.escapeIdentifier).join(", ");
const target = ({ name, columns }: DataTable) => `${quoted(name)} (${listed(columns)})`;

function requireName(name: string): void {
  if (!QUALIFIED_NAME.test(name)) throw new BackupError(`${name} is not a valid name for a table or sequence of ours`);
}

function inOrderOfReference<Table extends { readonly name: string; readonly needs: readonly string[] }>(
  tables: readonly Table[],
): Table[] {
  const ordered: Table[] = [];
  const placed = new Set<string>();
  const known = new Set(tables.map(({ name }) => name));
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, needs }) => !placed.has(name) && needs.every((need) => placed.has(need) || !known.has(need)),
    );
    if (next.length === 0) throw new BackupError("tables reference each other in a circle; a backup needs an order");
    for (const table of next) placed.add(table.name);
    ordered.push(...next);
  }
  return ordered;
}
