import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import type { BenchGateway } from "./bench-gateway.ts";

/** Tables whose rows are not of envelopes. */
const OTHERS = [
  "platform.tokens",
  "platform.actor_uses",
  "platform.credit_balances",
  "platform.idempotency_keys",
  "platform.request_counts",
  "signature.data_keys",
  "signature.documents",
  "signature.templates",
];

/**
 * The rows that envelopes left behind, to be written again bare: into copies of their tables with the same keys, checks and indexes, under new ids, with one
 * statement for each table.
 */
export async function bareRows(gateway: BenchGateway, pool: pg.Pool, ...others: string[]) {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
     where relkind in ('r', 'p') and not relispartition and nspname in ('platform', 'signature', 'webhooks') order by 1`,
  );
  await pool.query("create schema bench");
  const written: { table: string; name: string; rows: object[] }[] = [];
  for (const { name } of tables) {
    if (OTHERS.includes(name)) continue;
    // What is about the document or the template alone was there before.
    const { rows } = await pool.query<{ row: object }>(
      `select to_jsonb(kept) as row from ${name} as kept where tenant_id = $1 and (to_jsonb(kept) ->> 'subject_id' = any ($2)) is not true
         and (to_jsonb(kept) ->> 'resource_id' = any ($2)) is not true`,
      [gateway.organization.id, others],
    );
    const ofEnvelope = rows.filter(({ row }) => !/"reason": ?"grant|organization\./.test(JSON.stringify(row)));
    if (ofEnvelope.length === 0) continue;
    const table = `bench.${name.replace(".", "_")}`;
    await pool.query(`create table ${table} (like ${name} including all)`);
    written.push({ table, name, rows: ofEnvelope.map(({ row }) => row) });
  }
  const texts = written.map(({ table, rows }) => ({ table, text: JSON.stringify(rows) }));
  const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/g;
  return {
    count: written.reduce((sum, { rows }) => sum + rows.length, 0),
    /** The rows of each table under new ids and codes. */
    anew() {
      const known = new Map([[gateway.organization.id, gateway.organization.id]]);
      const replaced = (old: string, make: () => string) => {
        const made = known.get(old) ?? make();
        known.set(old, made);
        return made;
      };
      return texts.map(({ table, text }) => ({
        table,
        text: text.replaceAll(ID, (id) => replaced(id, randomUUID)).replaceAll(CODE, (code) => replaced(code, newCode)),
      }));
    },
    async write(client: pg.PoolClient, rows: readonly { readonly table: string; readonly text: string }[]) {
      await client.query("begin");
      for (const { table, text } of rows)
        await client.query({
          name: table,
          // A row whose key is no id is there already. Places of documents are unique at the end of a statement, which has no such clause.
          text: `insert into ${table} select (jsonb_populate_recordset(null::${table}, $1)).* ${table.endsWith("envelope_documents") ? "" : "on conflict do nothing"}`,
          values: [text],
        });
      await client.query("commit");
    },
  };
}

const newCode = () =>
  randomBytes(6)
    .toString("hex")
    .toUpperCase()
    .replace(/(.{4})(.{4})(.{4})/, "$1-$2-$3");
