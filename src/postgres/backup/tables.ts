import pg from "pg";
import copyStreams from "pg-copy-streams";
import { RUNNER_TABLES } from "../migrate/migrate.ts";
import { BackupError } from "./backup-error.ts";
import { QUALIFIED_NAME } from "./manifest.ts";

/**
 * The schemas that a backup holds are those that selo_backup may use. sql/roles.sql gives it every schema that keeps data:
 * not the schemas of views and functions, nor derived ones, nor what belongs to a database and to no copy of it.
 */
const IS_KEPT = `schema.nspowner = 'selo_owner'::regrole and exists (
  select from pg_catalog.aclexplode(schema.nspacl) as acl
  where acl.grantee = to_regrole('selo_backup') and acl.privilege_type = 'USAGE')`;

/** A table as a backup sees it. */
export interface DataTable {
  readonly name: string;
  /** All but generated ones, in their order. */
  readonly columns: readonly string[];
  /**
   * Of a table in partitions its primary key: rows of the backup need not come to lie in the partitions they came from,
   * and so are read in this order. Empty for any other, which is read as it stands.
   */
  readonly order: readonly string[];
}

/**
 * The tables a backup holds, found in the catalog, so that a migration that adds one need not be repeated here: all of the
 * schemas that keep data. Not those that survive no crash anyway (unlogged), nor the runner's own records. A table comes
 * after those it references.
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

/** The sequences of those schemas, of identity columns and alone. */
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

/** How values are written as text must not hang on a server's or a login's settings; and rows must not be left out silently. */
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

/** Where rows go that {@link copyOut} wrote. */
export function copyIn(client: pg.Client, table: DataTable): copyStreams.CopyStreamQuery {
  return client.query(copyStreams.from(`copy ${target(table)} from stdin`));
}

/** `schema.name` as an identifier: a dot stands between the two and nowhere else. */
export const quoted = (name: string) => name.split(".").map(pg.escapeIdentifier).join(".");

const listed = (columns: readonly string[]) => columns.map(pg.escapeIdentifier).join(", ");
const target = ({ name, columns }: DataTable) => `${quoted(name)} (${listed(columns)})`;

function requireName(name: string): void {
  if (!QUALIFIED_NAME.test(name)) throw new BackupError(`${name} is no name for a table or sequence of ours`);
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
