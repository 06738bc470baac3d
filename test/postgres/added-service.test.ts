// A service from another folder beside the product's: its SQL is installed, backed up, restored and verified, and nothing of
// the product names it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { postgresUrl } from "../../src/config-values.ts";
import { readConfig } from "../../src/main/config.ts";
import { prepareDatabase, writeSettings } from "../../src/main/prepare-database.ts";
import { catalogBeyond, dumpCatalog, expectedCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { includesMigrations, lastMigrations, readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import type { Service } from "../../src/service.ts";
import { services } from "../../src/services/services.ts";
import { setting } from "../../src/setting.ts";
import { backUp, restore } from "../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { newOrganization, type TestOrganization } from "../support/gateway.ts";
import { TEST_MASTER_KEY } from "../support/global-setup.ts";
import { testRights } from "../support/service-rights.ts";
import { verifyAll } from "../support/verify-all.ts";

const LOGIN = "selo_parcels";
const PASSWORD = "of the service's own login";
/** The service's folder. */
const FILES = {
  "roles.sql": `--! login ${LOGIN}
--! derived schema parcels_index
grant usage on schema parcels, parcels_index to ${LOGIN};`,
  "migrations/parcels-0001-parcels.sql": `
insert into platform.scopes (name, grants) values ('parcels:write', 'register parcels');
create table parcels.parcels (
  tenant_id uuid not null references platform.organizations (id) on delete cascade,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments (name) on delete restrict,
  label text not null,
  record_salt bytea not null default sha256(convert_to(gen_random_uuid()::text, 'UTF8')),
  primary key (tenant_id, id));
alter table parcels.parcels enable row level security;
alter table parcels.parcels force row level security;
create policy tenant on parcels.parcels using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on parcels.parcels to selo_system;
create table parcels_index.labels (label text primary key);`,
  "functions/parcel_record.sql": `
create or replace function parcels.parcel_record(p_parcel parcels.parcels) returns text language sql stable set search_path = '' as $$
  select platform.record_digest(p_parcel.record_salt, jsonb_build_object('label', p_parcel.label)) $$;
revoke execute on function parcels.parcel_record(parcels.parcels) from public;
grant execute on function parcels.parcel_record(parcels.parcels) to selo_system;`,
  "functions/audit_records_parcel.sql": `
create or replace function parcels.audit_records_parcel(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text) language sql stable set search_path = '' as $$
  select parcel.tenant_id, parcel.environment, parcel.id, parcels.parcel_record(parcel) from parcels.parcels as parcel
  where p_tenant_id is null or parcel.tenant_id = p_tenant_id $$;
revoke execute on function parcels.audit_records_parcel(uuid) from public;
grant execute on function parcels.audit_records_parcel(uuid) to selo_system;`,
  "functions/audit_actions.sql": `
create or replace function parcels.audit_actions() returns table (action text, says text) language sql immutable set search_path = '' as $$
  values ('parcel.created', 'made') $$;
revoke execute on function parcels.audit_actions() from public;
grant execute on function parcels.audit_actions() to selo_system;`,
  "functions/count_parcels.sql": `--! owner selo_system
-- Looks across tenants: one figure for everybody's parcels.
create or replace function parcels.count_parcels() returns bigint language sql stable security definer set search_path = '' as $$
  select count(*) from parcels.parcels $$;
revoke execute on function parcels.count_parcels() from public;
grant execute on function parcels.count_parcels() to selo_owner, ${LOGIN};`,
  "functions/queue_states.sql": `
create or replace function parcels.queue_states() returns jsonb language sql stable set search_path = '' as $$
  select jsonb_build_object('parcels', jsonb_build_object('waiting', parcels.count_parcels())) $$;
revoke execute on function parcels.queue_states() from public;`,
  // Schema gateway is made anew: what may use it says so each time.
  "gateway/parcel_count.sql": `
create function gateway.parcel_count() returns bigint language sql stable security definer set search_path = '' as $$ select parcels.count_parcels() $$;
comment on function gateway.parcel_count() is 'How many parcels there are.';
revoke execute on function gateway.parcel_count() from public;
grant usage on schema gateway to ${LOGIN};
grant execute on function gateway.parcel_count() to ${LOGIN};`,
  "README.md": "",
  "api/parcels.sql": `
create view api.parcels as select parcel.id, parcel.label || '' as label from parcels.parcels as parcel where (select platform.may_read('parcels:write'));
comment on view api.parcels is 'Parcels.';
grant select on api.parcels to selo_app;`,
  "api/register_parcel.sql": `
create function api.register_parcel(p_label text) returns setof api.parcels language plpgsql volatile security definer set search_path = '' as $$
declare
  v_parcel parcels.parcels;
begin
  perform platform.require_scope('parcels:write');
  insert into parcels.parcels (tenant_id, environment, label) values (platform.tenant_id(), platform.environment(), p_label) returning * into v_parcel;
  perform platform.record_audit_event('parcel.created', 'parcel', v_parcel.id, jsonb_build_object('record_sha256', parcels.parcel_record(v_parcel)));
  return query select parcel.id, parcel.label from api.parcels as parcel where parcel.id = v_parcel.id;
end $$;
comment on function api.register_parcel(text) is 'Registers a parcel.';
revoke execute on function api.register_parcel(text) from public;`,
};
const PRODUCT = lastMigrations(readSqlSource().migrations);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-added-"));
const file = path.join(folder, "backup");
const settings = z.object({
  PARCELS_URL: setting(postgresUrl.optional(), { meaning: "the connection of the service's own login", isLogin: true }),
});
const own: Service = { name: "parcels", sqlFolder: pathToFileURL(path.join(folder, "sql")), settings };
const all = [...services, own];
const open: TestDatabase[] = [];
let database: TestDatabase;
let organization: TestOrganization;
let registered: { id: string; label: string }[];

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const place = path.join(folder, "sql", name);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
  }
}

async function newDatabase(options?: { readonly empty: boolean }): Promise<TestDatabase> {
  const made = await createTestDatabase(options);
  open.push(made);
  return made;
}

const loginUrl = ({ adminUrl }: TestDatabase) => {
  const url = new URL(adminUrl);
  Object.assign(url, { username: LOGIN, password: PASSWORD });
  return url.href;
};

async function one<Value>(url: string, text: string, values: unknown[] = []): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return Object.values((await client.query(text, values)).rows[0])[0] as Value;
  } finally {
    await client.end();
  }
}

const config = (to: TestDatabase) =>
  readConfig(
    {
      SELO_MASTER_KEY: TEST_MASTER_KEY,
      PUBLIC_URL: "http://selo.test",
      DATABASE_URL: to.appUrl,
      PARCELS_URL: loginUrl(to),
    },
    all,
  );
const prepare = (to: TestDatabase) =>
  prepareDatabase(config(to), { ...to, description: "", close: async () => {} }, () => {}, all);

async function withOperator<Result>(to: TestDatabase, work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const operator = await Operator.connect(to.adminUrl);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

const faults = (of: TestDatabase) =>
  withOperator(of, async (operator) => (await verifyAll(operator, { structure: expectedCatalog(all) })).faults);

write(FILES);
beforeAll(async () => {
  database = await newDatabase();
  expect(await prepare(database)).toEqual(["parcels-0001-parcels", "repeatable"]);
  expect(await prepare(database)).toEqual([]);
  organization = await withOperator(database, (operator) => newOrganization(operator));
  const digest = createHash("sha256").update(organization.live).digest();
  const body = await one<string>(
    database.appUrl,
    `select body from gateway.call($1, 'register_parcel', '{"label": "north"}', 201)`,
    [digest],
  );
  registered = JSON.parse(body);
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  write({ "database.sql": catalogBeyond(await dumpCatalog(client), expectedCatalog()) });
  await client.end();
  await backUp(database, file);
}, 120_000);
afterAll(async () => {
  const admin = open[0];
  for (const each of open.slice(1)) await each.drop();
  await admin?.admin.query(`drop owned by ${LOGIN}; drop role ${LOGIN}`);
  await admin?.drop();
  fs.rmSync(folder, { recursive: true });
});

describe("its rights are those that it lists", () => {
  testRights(
    own,
    {
      commands: { "parcels:write": ["register_parcel"] },
      views: { "parcels:write": ["api.parcels"] },
      logins: { [LOGIN]: ["gateway.parcel_count", "parcels.count_parcels"] },
      loginsOnTables: [],
      systemOnTables: ["select parcels.parcels"],
      tables: {
        ofEnvironments: ["parcels.parcels"],
        ofOrganizations: [],
        lookUps: [],
        ofNobody: ["parcels_index.labels"],
        refuse: {},
      },
      unrecorded: {},
      refusedToGateway: [
        "select parcels.count_parcels()",
        "select api.register_parcel('x')",
        "select * from parcels.parcels",
      ],
    },
    async () => {
      const made = await createTestDatabase();
      await migrate({ adminUrl: made.adminUrl, serviceUrls: [], source: readSqlSource(all) });
      return made;
    },
  );
});

test("a command of its own runs through gateway.call, and its event is in the audit trail", async () => {
  expect(registered).toEqual([{ id: expect.any(String), label: "north" }]);
  const events = await database.admin.query("select action from platform.audit_events where subject_id = $1", [
    registered[0]?.id,
  ]);
  expect(events.rows).toEqual([{ action: "parcel.created" }]);
});

test("its queue stands beside the product's", async () => {
  const states = await one<object>(database.appUrl, "select gateway.queue_states()");
  expect(Object.keys(states).sort()).toEqual(["jobs", "parcels", "unverified_proofs", "webhook_deliveries"]);
  expect(states).toMatchObject({ parcels: { waiting: 1 } });
});

test("its login has the password of its address, and only what the service gives it", async () => {
  for (const count of ["parcels.count_parcels()", "gateway.parcel_count()"])
    expect(await one(loginUrl(database), `select ${count}`)).toBe("1");
  for (const refused of [
    "select id from parcels.parcels",
    "select gateway.queue_states()",
    "select id from api.parcels",
  ])
    await expect(one(loginUrl(database), refused)).rejects.toMatchObject({ code: "42501" });
});

test("selo audit verify finds nothing amiss, its checks and the structure included; an edit it finds", async () => {
  expect(await faults(database)).toEqual([]);
  const outside = withOperator(database, (operator) => verifyAll(operator, { structure: expectedCatalog() }));
  expect((await outside).faults.map(({ fault }) => fault)).toContain("Selo does not make it: create schema parcels;");
  await database.admin.query("update parcels.parcels set label = 'south'");
  expect((await faults(database)).map(({ fault }) => fault)).toEqual(["the parcel is not what was recorded"]);
  await database.admin.query("update parcels.parcels set label = 'north'");
});

test("a backup has its schema and not its derived one; a version with a newer migration of it restores it", async () => {
  write({
    "migrations/parcels-0002-read.sql":
      "insert into platform.scopes (name, grants) values ('parcels:read', 'read parcels');",
  });
  const target = await newDatabase({ empty: true });
  const { manifest, upgraded } = await restore(target, file, readSqlSource(all));
  const names = manifest.tables.map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("parcels"))).toEqual(["parcels.parcels"]);
  expect(upgraded).toEqual(["parcels-0002-read", "repeatable"]);
  expect((await target.admin.query("select id, label from parcels.parcels")).rows).toEqual(registered);
  expect((await target.admin.query("select from parcels_index.labels")).rowCount).toBe(0);
  // What its migration did to reference data is recorded, though the product's newest migration is the same.
  await withOperator(target, (operator) => writeSettings(config(target), operator));
  expect(await faults(target)).toEqual([]);
  await expect(restore(await newDatabase({ empty: true }), file)).rejects.toThrow("service parcels (schema parcels)");
});

test("the newest migrations are told by row of numbers", async () => {
  const last = await one<string>(database.appUrl, "select last_migration from gateway.readiness()");
  expect(last).toBe(`${PRODUCT},parcels-0001-parcels`);
  expect(lastMigrations(readSqlSource(all).migrations)).toBe(`${PRODUCT},parcels-0002-read`);
  expect(includesMigrations(last, PRODUCT)).toBe(true);
  expect(includesMigrations(last, `${PRODUCT},parcels-0001-parcels`)).toBe(true);
  expect(includesMigrations(last, `${PRODUCT},parcels-0002-read`)).toBe(false);
  expect(includesMigrations(`0001-platform,parcels-0002-read`, last)).toBe(false);
  expect(includesMigrations(PRODUCT, last)).toBe(false);
});

test("a migration outside its row of numbers, a name that is no schema's, or an unknown line of roles.sql, is refused when the source is read", () => {
  write({ "migrations/0099-wrong.sql": "select 1;" });
  expect(() => readSqlSource(all)).toThrow("0099-wrong.sql");
  fs.rmSync(path.join(folder, "sql/migrations/0099-wrong.sql"));
  write({ "roles.sql": `${FILES["roles.sql"]}\n--! user somebody\n` });
  expect(() => readSqlSource(all)).toThrow("--! user somebody is no login, schema or derived schema");
  write(FILES);
  expect(() => readSqlSource([{ name: "a b" }])).toThrow("cannot be the name of a schema");
});
