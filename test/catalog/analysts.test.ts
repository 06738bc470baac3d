import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/db/migrate.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";

const LOGIN = `analyst_${randomBytes(6).toString("hex")}`;

let selo: TestGateway;
let own: TestOrganization;
let other: TestOrganization;
let analyst: pg.Client;
beforeAll(async () => {
  selo = await startTestGateway();
  // A copied database does not inherit the rights on the database itself: the runner's first step grants them anew.
  expect(await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [] })).toEqual([]);
  own = await selo.newOrganization({ name: "Own" });
  other = await selo.newOrganization({ name: "Other" });
  for (const [token, label] of [
    [own.live, "own live"],
    [own.test, "own test"],
    [other.live, "other live"],
  ] as const)
    await register(token, label);
  await selo.seal();
  await selo.database.admin.query(`create role ${LOGIN} login password 'secret' in role selo_analyst`);
  await selo.database.admin.query(
    "insert into platform.analysts (login, tenant_id, environment) values ($1, $2, 'live')",
    [LOGIN, own.id],
  );
  analyst = await connect();
});
afterAll(async () => {
  await analyst?.end();
  await selo.database.admin.query(`drop role if exists ${LOGIN}`);
  await selo.stop();
});

async function connect(): Promise<pg.Client> {
  const url = new URL(selo.database.adminUrl);
  url.username = LOGIN;
  url.password = "secret";
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  return client;
}

async function register(token: string, label: string): Promise<void> {
  const answer = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      sha256: createHash("sha256").update(label).digest("hex"),
      label,
      file_name: "a.pdf",
      file_size: 1,
    }),
  });
  expect(answer.status).toBe(201);
}

async function labels(client = analyst): Promise<string[]> {
  return (await client.query<{ label: string }>("select label from api.proofs order by label")).rows.map(
    ({ label }) => label,
  );
}

test("an analyst sees the proofs of the bound tenant and environment, and the public keys", async () => {
  expect(await labels()).toEqual(["own live"]);
  expect((await analyst.query("select key_id from api.platform_keys")).rowCount).toBe(4);
});

test("an analyst reads every column of every view, and of public proofs the bound ones alone", async () => {
  const { rows: views } = await selo.database.admin.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind = 'v' and relnamespace = 'api'::regnamespace",
  );
  expect(views.length).toBeGreaterThan(2);
  for (const { name } of views)
    expect((await analyst.query(`select * from ${name}`)).rowCount, name).toBeGreaterThan(0);
  const { rows } = await analyst.query("select * from api.public_proofs");
  expect(rows).toEqual([
    expect.objectContaining({
      label: "own live",
      redacted: ["file_name", "file_size"],
      evidence: expect.not.objectContaining({ file_name: expect.anything() }),
    }),
  ]);
});

test("an analyst who sets the context gains nothing", async () => {
  for (const scope of ["session", "local"]) {
    await analyst.query(`begin; set ${scope} app.tenant_id = '${other.id}'; set ${scope} app.environment = 'test';
      set ${scope} app.scopes = 'proofs:read proofs:write'; set ${scope} app.token_id = '${other.id}'`);
    expect(await labels()).toEqual(["own live"]);
    await analyst.query("commit");
    expect(await labels()).toEqual(["own live"]);
  }
  const asStartOption = new pg.Client({
    connectionString: `${selo.database.adminUrl.replace(/\/\/[^@]*@/, `//${LOGIN}:secret@`)}`,
    options: `-c app.tenant_id=${other.id}`,
  });
  await asStartOption.connect();
  expect(await labels(asStartOption)).toEqual(["own live"]);
  await asStartOption.end();
  await analyst.query("discard all");
});

test("an analyst without a binding, or bound elsewhere, sees what the binding says, at once", async () => {
  const bind = (set: string, value: string) =>
    selo.database.admin.query(`update platform.analysts set ${set} = $1 where login = $2`, [value, LOGIN]);
  await bind("environment", "test");
  expect(await labels()).toEqual(["own test"]);
  await bind("tenant_id", other.id);
  expect(await labels()).toEqual([]);
  await bind("environment", "live");
  expect(await labels()).toEqual(["other live"]);
  await selo.database.admin.query("delete from platform.analysts where login = $1", [LOGIN]);
  expect(await labels()).toEqual([]);
  await selo.database.admin.query(
    "insert into platform.analysts (login, tenant_id, environment) values ($1, $2, 'live')",
    [LOGIN, own.id],
  );
  expect(await labels()).toEqual(["own live"]);
});

test("an analyst reads no table, calls no command, writes nothing, takes on no role and makes no temporary table", async () => {
  const refused = [
    "select id from signature.proofs",
    "select hash from platform.token_hashes",
    "select login from platform.analysts",
    "select sealed_seed from platform.platform_keys",
    "select name from platform.environments",
    "select id from platform.organizations",
    "select * from graphile_worker.jobs",
    "select * from api.search_proofs('own')",
    "select gateway.call(null, 'list_platform_keys')",
    "select gateway.call_many('[]')",
    "select gateway.readiness()",
    "select gateway.signing_keys()",
    "select gateway.list_proofs()",
    "select gateway.run_command('list_platform_keys', '{}')",
    "select jobs.proof_alarms()",
    "select platform.create_organization('Mine')",
    `select platform.grant_credits('${own.id}', 'signature', 1)`,
    "select platform.enter_context(null, null, null, null)",
    "select platform.tenant_id()",
    "insert into api.proofs (id) values (gen_random_uuid())",
    "update api.proofs set label = 'mine'",
    "delete from api.proofs",
    "insert into platform.analysts values (session_user, gen_random_uuid(), 'live')",
    "set role selo_owner",
    "set role selo_app",
    "set role selo_service",
    "set role selo_system",
    "set session authorization postgres",
    "create temporary table mine (id integer)",
    "create table public.mine (id integer)",
    "create schema mine",
    "create view api.mine as select 1",
    "create function public.mine() returns integer language sql return 1",
    "copy (select 1) to program 'true'",
  ];
  for (const statement of refused)
    await expect(analyst.query(statement), statement).rejects.toMatchObject({ code: "42501" });
  await expect(analyst.query("truncate api.proofs")).rejects.toMatchObject({ code: "42809" });
});

test("an analyst cannot look through a view with a function of its own", async () => {
  // Without a schema to make it in there is none; a DO block runs as the analyst, too.
  await expect(analyst.query("do $$ begin perform id from signature.proofs; end $$")).rejects.toMatchObject({
    code: "42501",
  });
});

test("set role selo_analyst changes nothing: the login that connected counts", async () => {
  await analyst.query("set role selo_analyst");
  expect(await labels()).toEqual(["own live"]);
  await analyst.query("reset role");
});
