// What `selo audit verify` covers: each service names every column of its tables in audit_coverage, and each column that a
// check is named for is edited here, as a superuser, for that check to find it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnEdit } from "../../support/column-edit.ts";
import type { Edit } from "../../support/tamper.ts";
import { AuditStage } from "./audit-stage.ts";

let stage: AuditStage;
beforeAll(async () => {
  stage = await AuditStage.open();
}, 120_000);
afterAll(() => stage?.close());

test("untouched, everything is as it was recorded", async () => {
  expect(await stage.faults()).toEqual([]);
});

test("every column of every table that keeps data has one row, and no row names what is not there", async () => {
  const columns = await stage.rows<{ name: string }>(
    `select relation.oid::regclass || '.' || attname as name
     from pg_class as relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
     where relation.relkind in ('r', 'p') and not relation.relispartition
       and relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole)`,
  );
  const named = stage.coverage.map(({ table_name, column_name }) => `${table_name}.${column_name}`);
  expect(named.sort()).toEqual(columns.map(({ name }) => name).sort());
  for (const { how, check_name, table_name } of stage.coverage) {
    expect(how).toMatch(/[a-z]{3}/);
    if (check_name !== null) expect(table_name).not.toMatch(/^(gateway|secrets)\./);
  }
});

/** Which row is edited, where not the first: `true` for any. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  "dns.changes": ["json_array_length(removed) = 0", "json_array_length(removed) > 0"],
  "dns.dnssec_keys": ["true", "id = (select max(id) from dns.dnssec_keys)"],
  "dns.records": ["comment is null", "priority is not null and comment is not null", "disabled"],
  "pdns.records": ["type = 'SOA'", "type = 'NS' and not auth", "type = 'MX'", "type is null"],
  "platform.audit_events": ["personal is not null"],
  "platform.credentials": ["revoked_at is null", "revoked_at is not null"],
  "platform.credit_ledger": ["amount > 0", "amount < 0"],
  "platform.platform_keys": ["status = 'active'", "status = 'retired'"],
  // A check constraint keeps a time of retirement out of an active row.
  "platform.seal_certificates": ["status = 'retired'"],
  "platform.settings": ["name = 'public_url'"],
  "signature.envelope_documents": ["final_size is not null"],
  // JSON is edited by adding to it.
  "signature.fields": ["value is not null"],
  "signature.documents": ["status = 'ready'", "status = 'quarantined'"],
  "signature.participants": ["cpf_mask is not null"],
  "signature.signature_records": [
    "envelope_id in (select id from signature.envelopes where status = 'partially_signed')",
    "participant_id is null",
  ],
  "signature.proofs": ["environment = 'live'", "environment = 'test'"],
};

/** Personal data that anybody may see erased. */
const ERASED: ReadonlySet<string> = new Set(["platform.audit_events.personal", "signature.signature_records.openings"]);

/** Edits that are not those of their column's type. */
const EDITS: Readonly<Record<string, string>> = {
  "platform.audit_events.personal": `jsonb_set(personal, '{address}', '{"salt": "00", "value": "x"}')`,
  // The record of the end has none.
  "signature.signature_records.openings": `'[]'::jsonb`,
  // A check constraint keeps to the form.
  "dns.api_keys.prefix": "'dns_00000000'",
  // Check constraints keep to the forms.
  "dns.dnssec_keys.algorithm": "algorithm || 'x'",
  "dns.dnssec_keys.dnskey":
    "overlay(dnskey placing case substring(dnskey from 12 for 1) when 'A' then 'B' else 'A' end from 12 for 1)",
  "dns.dnssec_keys.ds_records": "array[ds_records[2], ds_records[1]]",
  "dns.dnssec_keys.key_tag": "(key_tag + 1) % 65536",
  // Known to within an hour.
  "platform.credit_ledger.created_at": "created_at + interval '1 day'",
  "platform.seal_certificates.created_at": "created_at + interval '1 day'",
  "platform.seal_certificates.retired_at": "coalesce(retired_at, now()) + interval '1 day'",
  "platform.platform_keys.created_at": "created_at + interval '1 day'",
  "platform.platform_keys.retired_at": "coalesce(retired_at, now()) + interval '1 day'",
};

test("a value taken out of any column that a check is named for is found", async () => {
  const keys = await stage.rows<{ name: string }>(
    `select attrelid::regclass || '.' || attname as name from pg_index
     join pg_attribute on attrelid = indrelid and attnum = any (indkey::smallint[]) where indisprimary`,
  );
  const missed: string[] = [];
  for (const { table_name, column_name, check_name } of stage.coverage) {
    const name = `${table_name}.${column_name}`;
    if (check_name === null || keys.some((key) => key.name === name)) continue;
    for (const which of ROWS[table_name] ?? ["true"]) {
      const one = `ctid = (select ctid from ${table_name} where ${which} and ${column_name} is not null order by ctid limit 1)`;
      const [there] = await stage.rows<{ there: boolean }>(
        `select exists (select from ${table_name} where ${one}) as there`,
      );
      // Erasing personal data is what anybody may see: nothing else may be taken away.
      if (!there?.there || ERASED.has(name)) continue;
      const edit: Edit = [`update ${table_name} set ${column_name} = null where ${one}`, []];
      const { isFound, said } = await stage.foundBy(check_name, table_name, edit);
      if (!isFound && said.length === 0) missed.push(`${name} (${which})`);
    }
  }
  expect(missed).toEqual([]);
}, 600_000);

test("an edit of any column that a check is named for is found by that check", async () => {
  const missed: string[] = [];
  const seen = new Set<string>();
  for (const { table_name, column_name, check_name } of stage.coverage) {
    if (check_name === null) continue;
    const name = `${table_name}.${column_name}`;
    const [type] = await stage.rows<{ type: string }>(
      "select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2",
      [table_name, column_name],
    );
    const change = EDITS[name] ?? columnEdit(column_name, type?.type ?? "");
    for (const which of ROWS[table_name] ?? ["true"]) {
      const one = `ctid = (select ctid from ${table_name} where ${which} order by ctid limit 1)`;
      const edit: Edit = [`update ${table_name} set ${column_name} = ${change} where ${one}`, []];
      const { isFound, said } = await stage.foundBy(check_name, table_name, edit);
      if (isFound) seen.add(check_name);
      else missed.push(`${name} (${which}): ${said.join("; ")}`);
    }
  }
  expect(missed).toEqual([]);
  expect([...seen].sort()).toEqual([...new Set(stage.coverage.flatMap(({ check_name }) => check_name ?? []))].sort());
}, 600_000);
