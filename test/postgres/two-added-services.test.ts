// Two services from other folders beside the product's. Both have keys, which are actors of one kind, and both change tables of
// the product. What one of them brings is neither missing nor too much when the other is checked.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/main/config.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import {
  catalogBeyond,
  describeCatalog,
  dumpCatalog,
  expectedCatalog,
} from "../../src/postgres/migrate/catalog-dump.ts";
import { applyNumbered, migrate } from "../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { structureFaults } from "../../src/services/platform/audit/structure-faults.ts";
import type { Service } from "../../src/services/service.ts";
import { services } from "../../src/services/services.ts";
import { backUp, restore } from "../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { newOrganization, type TestOrganization } from "../support/gateway.ts";
import { TEST_MASTER_KEY } from "../support/global-setup.ts";
import { inContext, ownerPool } from "../support/owner.ts";
import { verifyAll } from "../support/verify-all.ts";

/** SQL of actors with their own credentials. Their digest covers the credentials' environment where a kind has several. */
function actors(service: string, table: string, kind: string, environments: "one" | "both"): Record<string, string> {
  const record = `${kind}_record`;
  return {
    [`migrations/${service}-0001-${table}.sql`]: `
create table ${service}.${table} (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id));
alter table ${service}.${table} enable row level security;
alter table ${service}.${table} force row level security;
create policy tenant on ${service}.${table} using (tenant_id = (select platform.tenant_id()));
grant select on ${service}.${table} to selo_system;`,
    [`functions/${record}.sql`]: `
create or replace function ${service}.${record}(p_row ${service}.${table}) returns text language sql stable set search_path = '' as $$
  select platform.record_digest(p_row.record_salt, coalesce(jsonb_agg(jsonb_build_object('digest', encode(credential.digest, 'hex')
    ${environments === "both" ? ", 'environment', credential.environment" : ""}) order by credential.digest), '[]'))
  from platform.credentials as credential
  where credential.tenant_id = p_row.tenant_id and credential.kind = '${kind}' and credential.actor_id = p_row.id $$;
revoke execute on function ${service}.${record}(${service}.${table}) from public;
grant execute on function ${service}.${record}(${service}.${table}) to selo_system;`,
    [`functions/audit_records_${kind}.sql`]: `
create or replace function ${service}.audit_records_${kind}(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text) language sql stable set search_path = '' as $$
  select actor.tenant_id, actor.environment, actor.id, ${service}.${record}(actor) from ${service}.${table} as actor
  where p_tenant_id is null or actor.tenant_id = p_tenant_id $$;
revoke execute on function ${service}.audit_records_${kind}(uuid) from public;
grant execute on function ${service}.audit_records_${kind}(uuid) to selo_system;`,
    [`functions/create_${kind}.sql`]: `
create or replace function ${service}.create_${kind}(p_environments text[], p_digests bytea[]) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  v_row ${service}.${table};
begin
  insert into ${service}.${table} (tenant_id, environment) values (platform.tenant_id(), platform.environment()) returning * into v_row;
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
  select made.digest, '${kind}', v_row.tenant_id, made.environment, v_row.id, 'credential', '{proofs:read}'
  from unnest(p_environments, p_digests) as made (environment, digest);
  perform platform.record_audit_event('${kind}.created', '${kind}', v_row.id, jsonb_build_object('record_sha256', ${service}.${record}(v_row)));
  return v_row.id;
end $$;
revoke execute on function ${service}.create_${kind}(text[], bytea[]) from public;`,
  };
}

function auditActions(service: string, kinds: readonly string[]): Record<string, string> {
  return {
    "functions/audit_actions.sql": `
create or replace function ${service}.audit_actions() returns table (action text, says text) language sql immutable set search_path = '' as $$
  values ${kinds.map((kind) => `('${kind}.created', 'made')`).join(", ")} $$;
revoke execute on function ${service}.audit_actions() from public;
grant execute on function ${service}.audit_actions() to selo_system;`,
  };
}

/** What both do to a table of the product, each in its way. */
const changes = (service: string, privilege: string) => `
grant ${privilege} on platform.prices to selo_app, selo_system;
grant usage on schema platform to selo_${service === "alpha" ? "service" : "analyst"};
alter table platform.prices
  add column ${service}_note text default '${service}',
  add constraint ${service}_limit check (amount < 1000000);
comment on column platform.prices.${service}_note is 'What ${service} says of it:
several lines.';
create index ${service}_of_prices on platform.prices (amount);`;

const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alpha: {
    ...actors("alpha", "keys", "api_key", "one"),
    ...actors("alpha", "people", "user", "both"),
    ...auditActions("alpha", ["api_key", "user"]),
    "migrations/alpha-0002-product.sql": `${changes("alpha", "insert")}
grant insert on platform.channels to selo_app;`,
  },
  beta: {
    ...actors("beta", "keys", "api_key", "one"),
    ...auditActions("beta", ["api_key"]),
    "migrations/beta-0002-product.sql": `${changes("beta", "update")}
alter table platform.channels drop constraint channels_name_check, alter column description set default 'unknown';`,
  },
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-two-added-"));
const own = Object.keys(FILES).map(
  (name): Service => ({ name, sqlFolder: pathToFileURL(path.join(folder, name, "sql")) }),
);
const all = [...services, ...own];
const open: TestDatabase[] = [];
let database: TestDatabase;
/** What both describe together. */
let structure: string;
let operator: Operator;
let owner: pg.Pool;
let organization: TestOrganization;

function write(service: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(folder, service, "sql", name);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
  }
}

async function newDatabase(options?: { readonly empty: boolean }): Promise<TestDatabase> {
  const made = await createTestDatabase(options);
  open.push(made);
  return made;
}

/** What a service brings where the other is not. Of the repeatable step its own functions are enough: no other depends on them. */
async function catalogOf(service: Service): Promise<string> {
  const { adminUrl } = await newDatabase();
  const source = readSqlSource([...services, service]);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await applyNumbered(client, { adminUrl, serviceUrls: [], source });
    await client.query("set role selo_owner; set check_function_bodies = off");
    for (const file of source.repeatable) if (file.path.startsWith(`${service.name}/`)) await client.query(file.text);
    return catalogBeyond(await dumpCatalog(client), expectedCatalog());
  } finally {
    await client.end();
  }
}

/** Makes an actor with a credential in each of these environments; the first is that of its record. */
const create = (
  service: string,
  kind: string,
  tenantId: string,
  environments: readonly ["live" | "test", ...string[]],
) =>
  inContext(owner, tenantId, environments[0], async (client) => {
    const digests = environments.map(() => randomBytes(32));
    const { rows } = await client.query<{ id: string }>(`select ${service}.create_${kind}($1, $2) as id`, [
      environments,
      digests,
    ]);
    return { id: rows[0]?.id ?? "", digests };
  });

const faults = async (structure?: string) => {
  const verified = await verifyAll(operator, structure === undefined ? {} : { structure });
  return verified.faults.map(({ fault }) => fault);
};

/** What is found after an edit, which is then taken back by another. */
async function found(edit: string, back: string): Promise<string[]> {
  await database.admin.query(edit);
  try {
    return await faults();
  } finally {
    await database.admin.query(back);
  }
}

/** What the check of the structure alone says after an edit, of which nothing stays. */
async function toldOf(edit: string, expected: string): Promise<string[]> {
  const client = await database.admin.connect();
  try {
    await client.query(`begin; ${edit}`);
    return structureFaults(await describeCatalog(client), expected).map(({ fault }) => fault);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

for (const [service, files] of Object.entries(FILES)) write(service, { "README.md": "", ...files });
beforeAll(async () => {
  for (const service of own) write(service.name, { "database.sql": await catalogOf(service) });
  structure = expectedCatalog(all);
  database = await newDatabase();
  const config = readConfig(
    { SELO_MASTER_KEY: TEST_MASTER_KEY, PUBLIC_URL: "http://selo.test", DATABASE_URL: database.appUrl },
    all,
  );
  await prepareDatabase(config, { ...database, description: "", close: async () => {} }, () => {}, all);
  owner = ownerPool(database);
  operator = await Operator.connect(database.adminUrl);
  organization = await newOrganization(operator);
}, 120_000);
afterAll(async () => {
  await operator?.close();
  await owner?.end();
  for (const each of open) await each.drop();
  fs.rmSync(folder, { recursive: true });
});

describe("actors of one kind that two services have", () => {
  let keys: { readonly id: string; readonly digests: readonly Buffer[] }[];
  beforeAll(async () => {
    keys = [];
    for (const service of ["alpha", "beta"]) keys.push(await create(service, "api_key", organization.id, ["live"]));
  });

  test("nothing is amiss with either", async () => {
    expect(await faults()).toEqual([]);
    const { rows } = await database.admin.query("select id from platform.records_of('api_key', $1) order by id", [
      organization.id,
    ]);
    expect(rows).toEqual(keys.map(({ id }) => ({ id })).sort((left, right) => (left.id < right.id ? -1 : 1)));
  });

  test.each(["alpha", "beta"])("a key of %s that is gone, or another, is found once", async (service) => {
    const salt = `update ${service}.keys set record_salt = sha256(record_salt)`;
    const { rows } = await database.admin.query(`select to_jsonb(key)::text as key from ${service}.keys as key`);
    const restoring = `insert into ${service}.keys select (jsonb_populate_record(null::${service}.keys, '${rows[0].key}')).*`;
    const restored = `delete from ${service}.keys; ${restoring}`;
    expect(await found(salt, restored)).toEqual(["the api_key differs from what was recorded"]);
    expect((await found(`delete from ${service}.keys`, restored)).sort()).toEqual([
      "the api_key that a credential opens does not exist",
      "the api_key that was created is gone",
    ]);
  });

  test("a key that stands in both is found", async () => {
    const copy =
      "insert into beta.keys select (jsonb_populate_record(null::beta.keys, to_jsonb(key))).* from alpha.keys as key";
    const back = "delete from beta.keys as key using alpha.keys as other where key.id = other.id";
    expect(await found(copy, back)).toContain("the api_key has 2 rows");
  });

  test("a key acts in one environment: its credential in another is found", async () => {
    const move = (to: string) => `update platform.credentials set environment = '${to}' where kind = 'api_key'`;
    const fault = "a credential opens the api_key in another environment";
    expect(await found(move("test"), move("live"))).toEqual([fault, fault]);
  });
});

describe("an actor of both environments", () => {
  test("has credentials of both, and nothing is amiss; a credential in the other environment is found", async () => {
    const user = await create("alpha", "user", organization.id, ["live", "test"]);
    expect(await faults()).toEqual([]);
    const hex = user.digests.map((digest) => `'\\x${digest.toString("hex")}'`);
    const move = (which: number, to: string) =>
      `update platform.credentials set environment = '${to}' where digest = ${hex[which]}`;
    expect(await found(move(1, "live"), move(1, "test"))).toEqual(["the user differs from what was recorded"]);
    expect(await found(move(0, "test"), move(0, "live"))).toEqual(["the user differs from what was recorded"]);
    expect(await faults()).toEqual([]);
  });
});

describe("the structure", () => {
  test("is what both describe together, though each describes it alone", async () => {
    expect(await faults(structure)).toEqual([]);
    expect(await toldOf("", expectedCatalog([...all].reverse()))).toEqual([]);
  });

  test.each(["alpha", "beta"])("without %s the other's description does not do", async (missing) => {
    const told = await toldOf("", expectedCatalog(all.filter(({ name }) => name !== missing)));
    for (const name of [`create schema ${missing};`, `create table ${missing}.keys (`])
      expect(told).toContain(`not made by Selo: ${name}`);
    for (const name of [
      "create table platform.prices (",
      "create table platform.channels (",
      "create schema platform;",
    ])
      expect(told).toContain(`different from what Selo makes: ${name}`);
  });

  test.each([
    ["a right of the one", "prices", "revoke insert on platform.prices from selo_app"],
    ["a right of the other", "prices", "revoke update on platform.prices from selo_app"],
    ["a right of the product", "prices", "revoke select on platform.prices from selo_backup"],
    ["a right that nobody gives", "prices", "grant delete on platform.prices to selo_app"],
    ["a check that is gone", "prices", "alter table platform.prices drop constraint alpha_limit"],
    ["an index that is gone", "prices", "drop index platform.beta_of_prices"],
    ["a comment that is another", "prices", "comment on column platform.prices.alpha_note is 'other'"],
    ["a default that is another", "prices", "alter table platform.prices alter column beta_note set default 'x'"],
    [
      "a check that one takes away",
      "channels",
      "alter table platform.channels add constraint channels_name_check check (name ~ '^[a-z_]{1,64}$')",
    ],
  ])("%s is told of a table that both change", async (_, table, edit) => {
    expect(await toldOf(edit, structure)).toEqual([`different from what Selo makes: create table platform.${table} (`]);
  });
});

describe("a program without these services", () => {
  test("restores no backup that holds them, and names those that it does not have", async () => {
    const file = path.join(folder, "backup");
    await backUp(database, file);
    const target = await newDatabase({ empty: true });
    const [alpha] = own;
    await expect(restore(target, file)).rejects.toThrow(
      "the backup contains service alpha (schema alpha), service beta (schema beta), which this program lacks: restore it with a program that has it",
    );
    await expect(restore(target, file, readSqlSource([...services, ...(alpha ? [alpha] : [])]))).rejects.toThrow(
      "the backup contains service beta (schema beta), which",
    );
    const { rows } = await target.admin.query("select from pg_namespace where nspname = 'platform'");
    expect(rows).toEqual([]);
    expect((await restore(await newDatabase(), file, readSqlSource(all))).upgraded).toEqual(["repeatable"]);
  });

  test("migrates no database that holds them", async () => {
    const { adminUrl } = database;
    await expect(migrate({ adminUrl, serviceUrls: [] })).rejects.toThrow(
      "the database contains service alpha (schema alpha), service beta (schema beta), which this program lacks",
    );
  });
});
