// `selo analyst`: what kind of login it makes, what a revocation leaves, and who may do it on which Postgres.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Command } from "commander";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { addAnalystCommands } from "../../../src/services/platform/commands/analyst-commands.ts";
import type { CommandContext } from "../../../src/surfaces/cli/command-group.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [] });
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const admin = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;
const suffix = () => `t_${randomBytes(6).toString("hex")}`;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {}); // revoked, its session ends
  await client.connect();
  return client;
}

test("the login has no attribute but to log in, ten times, and its password is stored as SCRAM alone", async () => {
  const made = await selo.operator.createAnalyst(organization.id, "live", suffix());
  try {
    const password = new URL(made.url).password;
    expect(Buffer.from(password, "base64url")).toHaveLength(32);
    const [role] = await admin<Record<string, unknown>>(
      `select rolcanlogin, rolinherit, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolconnlimit, rolpassword
       from pg_authid where rolname = $1`,
      [made.login],
    );
    expect(role).toEqual({
      rolcanlogin: true,
      rolinherit: true,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      rolconnlimit: 10,
      rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$4096:/),
    });
    const groups = await admin(
      "select roleid::regrole::text as role, admin_option from pg_auth_members where member = $1::regrole",
      [made.login],
    );
    expect(groups).toEqual([{ role: "selo_analyst", admin_option: false }]);
    const client = await connect(made.url);
    const shown = async (name: string) => Object.values((await client.query(`show ${name}`)).rows[0])[0];
    expect(await shown("default_transaction_read_only")).toBe("on");
    expect(await shown("statement_timeout")).toBe("1min");
    expect(await shown("idle_in_transaction_session_timeout")).toBe("1min");
    expect(await shown("lock_timeout")).toBe("5s");
    expect(await shown("temp_file_limit")).toBe("1GB");
    expect(await shown("search_path")).toBe("analytics, api, pg_catalog");
    await client.end();
  } finally {
    await selo.operator.revokeAnalyst(made.login);
  }
});

test("a pool of eight asks at once, psql beside it; Postgres refuses what is more than the address said, and what it says holds", async () => {
  const { login, url, limits } = await selo.operator.createAnalyst(organization.id, "live", suffix());
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // The end of the pool does not wait for its connections to close, and the revocation cuts them.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const more: pg.Client[] = [];
  try {
    const asked = Array.from({ length: 32 }, () => pool.query("select pg_backend_pid() as pid, pg_sleep(0.2)"));
    const psql = spawnSync(
      "psql",
      ["-XAt", "-c", "select count(*) from pg_stat_activity where usename = session_user", url],
      {
        encoding: "utf8",
      },
    );
    const pids = (await Promise.all(asked)).map(({ rows }) => rows[0]?.pid);
    expect(new Set(pids).size).toBe(8);
    expect(psql).toMatchObject({ status: 0, stderr: "" });
    for (let count = pool.totalCount; count < limits.connections; count++) more.push(await connect(url));
    await expect(connect(url)).rejects.toMatchObject({ code: "53300" });
    const [one] = more as [pg.Client];
    const shown = async (name: string) =>
      (await one.query(`select extract(epoch from current_setting('${name}')::interval)::integer as seconds`)).rows[0]
        ?.seconds;
    expect(await shown("statement_timeout")).toBe(limits.statement_seconds);
    expect(await shown("lock_timeout")).toBe(limits.lock_wait_seconds);
    expect(await shown("idle_in_transaction_session_timeout")).toBe(limits.idle_in_transaction_seconds);
    await one.query("set default_transaction_read_only = off");
    await expect(one.query("create temporary table mine (id integer)")).rejects.toMatchObject({
      code: "42501",
    });
    expect(limits.temporary_tables).toBe(false);
  } finally {
    await Promise.all([pool.end(), ...more.map((client) => client.end())]);
    await selo.operator.revokeAnalyst(login);
  }
});

test("where the address is printed, its limits are", async () => {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  let login = "";
  try {
    const program = new Command("selo");
    addAnalystCommands(program, {
      withOperator: (work: (operator: Operator) => unknown) => work(selo.operator),
    } as unknown as CommandContext);
    await program.parseAsync(["analyst", "create", "--org", organization.id], { from: "user" });
    const text = printed.mock.calls.flat().join("\n");
    login = /selo_analyst_\w+/.exec(text)?.[0] ?? "";
    expect(text).toContain("the live data of one organization");
    for (const words of ["At most 10 connections", "60 s for a statement", "It can create no temporary tables"])
      expect(text).toContain(words);
  } finally {
    printed.mockRestore();
    if (login !== "") await selo.operator.revokeAnalyst(login);
  }
});

test("the password reaches Postgres nowhere: no statement has it", async () => {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    statements.push(JSON.stringify(args.slice(0, 2)));
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  let made: { login: string; url: string };
  try {
    made = await selo.operator.createAnalyst(organization.id, "test");
  } finally {
    pg.Client.prototype.query = query;
  }
  expect(statements.join("\n")).toContain("create role");
  expect(statements.join("\n")).not.toContain(new URL(made.url).password);
  await selo.operator.revokeAnalyst(made.login);
});

test("revoked, its open session ends, nobody logs in any more, and nothing is left; again it is 404", async () => {
  const { login, url } = await selo.operator.createAnalyst(organization.id, "live");
  const client = await connect(url);
  const ended = new Promise((resolve) => client.once("end", resolve));
  await client.query("select from api.proofs");
  // What every role may do, and what would hold a role that is merely dropped.
  await client.query(
    "begin; set transaction read write; alter default privileges grant select on tables to public; commit",
  );
  expect(await selo.operator.listAnalysts()).toEqual([
    expect.objectContaining({ login, organization_id: organization.id, environment: "live", sessions: 1 }),
  ]);
  await selo.operator.revokeAnalyst(login);
  await ended;
  await expect(connect(url)).rejects.toMatchObject({ code: "28P01" });
  expect(await admin("select from pg_roles where rolname = $1", [login])).toEqual([]);
  expect(await selo.operator.listAnalysts()).toEqual([]);
  await expect(selo.operator.revokeAnalyst(login)).rejects.toMatchObject({ status: 404, code: "not_found" });
});

test("a revocation that broke off half-way is finished by the next; a foreign login is left alone", async () => {
  const { login, url } = await selo.operator.createAnalyst(organization.id, "live");
  await admin("delete from platform.analysts where login = $1", [login]);
  // It can still log in: it might be another database's.
  await expect(selo.operator.revokeAnalyst(login)).rejects.toMatchObject({ code: "not_found" });
  await (await connect(url)).end();
  await admin(`alter role ${login} nologin`);
  await selo.operator.revokeAnalyst(login);
  expect(await admin("select from pg_roles where rolname = $1", [login])).toEqual([]);
  for (const foreign of ["postgres", "selo_app", "selo_analyst", "selo_owner", "pg_monitor"])
    await expect(selo.operator.revokeAnalyst(foreign)).rejects.toMatchObject({ code: "not_found" });
});

test("a name that is taken is 409, and a login that fails to be made leaves no binding", async () => {
  const name = suffix();
  const { login } = await selo.operator.createAnalyst(organization.id, "live", name);
  await expect(selo.operator.createAnalyst(organization.id, "live", name)).rejects.toMatchObject({ status: 409 });
  await selo.operator.revokeAnalyst(login);
  // Somebody else's role of that name is never bound.
  await admin(`create role ${login}`);
  await expect(selo.operator.createAnalyst(organization.id, "live", name)).rejects.toMatchObject({ status: 409 });
  await admin(`drop role ${login}`);
  // The binding is written before the role: when the group is not the administrator's to give, neither stays.
  const limited = `limited_${suffix()}`;
  await admin(`create role ${limited} login createrole password 'limited'`);
  await admin(`grant selo_owner, selo_app to ${limited}`);
  const url = new URL(selo.database.adminUrl);
  [url.username, url.password] = [limited, "limited"];
  const operator = await Operator.connect(url.toString());
  try {
    await expect(operator.createAnalyst(organization.id, "live", name)).rejects.toMatchObject({ code: "42501" });
  } finally {
    await operator.close();
    await admin(`revoke selo_owner, selo_app from ${limited}`);
    await admin(`drop role ${limited}`);
  }
  expect(await admin("select from platform.analysts where login = $1", [login])).toEqual([]);
  expect(await admin("select from pg_roles where rolname = $1", [login])).toEqual([]);
});

test("what is wrong is named, and nothing is made", async () => {
  const before = await admin("select rolname from pg_roles order by 1");
  for (const wrong of ["", "Ana", "a b", "ana-1", "é", "x".repeat(51), 'a"b', "a'b"])
    await expect(selo.operator.createAnalyst(organization.id, "live", wrong)).rejects.toMatchObject({
      status: 422,
      fields: [{ field: "name" }],
    });
  await expect(selo.operator.createAnalyst(organization.id, "prod")).rejects.toMatchObject({
    status: 422,
    fields: [{ field: "env" }],
  });
  expect(await admin("select rolname from pg_roles order by 1")).toEqual(before);
  const longest = await selo.operator.createAnalyst(organization.id, "live", randomBytes(25).toString("hex"));
  expect(longest.login).toHaveLength(63);
  await (await connect(longest.url)).end();
  await selo.operator.revokeAnalyst(longest.login);
});

test("making and revoking are in the audit trail of the organization, the login as personal data", async () => {
  const other = await selo.newOrganization();
  const { login } = await selo.operator.createAnalyst(other.id, "test");
  await selo.operator.revokeAnalyst(login);
  const events = await admin(
    `select action, environment, seq::integer, actor_type, details::jsonb - 'record_sha256' as details, personal #>> '{login,value}' as login, commitments::jsonb ? 'login' as committed
     from platform.audit_events where tenant_id = $1 and subject_type = 'analyst' order by seq`,
    [other.id],
  );
  const event = { environment: "test", actor_type: "operator", details: {}, login, committed: true };
  expect(events).toEqual([
    { ...event, action: "analyst.created", seq: 1 },
    { ...event, action: "analyst.revoked", seq: 2 },
  ]);
});

describe("an administrator that is no superuser, with CREATEROLE and the roles given to it", () => {
  test("makes, lists and revokes analysts", async () => {
    const name = `keeper_${suffix()}`;
    await admin(`create role ${name} login createrole password 'keeper'`);
    // What sql/roles.sql gives to whoever migrates; and who makes a role may give it to others.
    await admin(`grant selo_owner, selo_system, selo_worker, selo_app to ${name}`);
    await admin(`grant selo_analyst to ${name} with admin option`);
    const url = new URL(selo.database.adminUrl);
    [url.username, url.password] = [name, "keeper"];
    const operator = await Operator.connect(url.toString());
    try {
      const { login, url: address } = await operator.createAnalyst(organization.id, "live");
      const client = await connect(address);
      const ended = new Promise((resolve) => client.once("end", resolve));
      expect((await client.query("select kind from api.credit_balances")).rowCount).toBe(2);
      expect(await operator.listAnalysts()).toMatchObject([{ login, sessions: 1 }]);
      await operator.revokeAnalyst(login);
      await ended;
      expect(await admin("select from pg_roles where rolname = $1", [login])).toEqual([]);
    } finally {
      await operator.close();
      await admin(`revoke selo_owner, selo_system, selo_worker, selo_app, selo_analyst from ${name} cascade`);
      await admin(`drop role ${name}`);
    }
  });
});
