// Backup and restore as an administrator who is no superuser, and the logins of analysts, which live beside the database.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { restoreAnalystLogins } from "../../src/postgres/backup/analyst-logins.ts";
import { backUp, backupFolder, restore } from "../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startGatewayOn, startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { verifyEveryProof } from "../support/verify-every-proof.ts";

const PASSWORD = "an administrator";
/** Names of this run: roles belong to the whole cluster. */
const run = randomBytes(4).toString("hex");
const folder = backupFolder();
let selo: TestGateway;
let organization: TestOrganization;
const analysts: string[] = [];
const databases: TestDatabase[] = [];

beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Held Apart" });
  for (const token of [organization.live, organization.test]) {
    for (let which = 0; which < 3; which++) {
      const answer = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ sha256: randomBytes(32).toString("hex") }),
      });
      expect(answer.status).toBe(201);
    }
  }
});
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  for (const login of analysts.splice(0)) await selo.database.admin.query(`drop role if exists ${login}`);
});
afterAll(async () => {
  await selo.stop();
  folder.remove();
});

const admin = (text: string, values: unknown[] = []) => selo.database.admin.query(text, values);
const as = (login: string, url: string) => {
  const address = new URL(url);
  address.username = login;
  address.password = encodeURIComponent(PASSWORD);
  return address.href;
};

/** To restore into: migrated and never used, or (`empty`) not even migrated. */
async function newDatabase(options?: { readonly empty: boolean }): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  databases.push(database);
  return database;
}

describe("an administrator who is no superuser", () => {
  const login = `test_admin_${run}`;
  const reader = `test_reader_${run}`;
  beforeAll(async () => {
    // As it is where the administrator made our roles: Postgres gives whoever makes a role the right to grant it. Without
    // BYPASSRLS it can make none that have it; they are there already, made by another.
    await admin(`
      create role ${login} login createrole bypassrls password '${PASSWORD}';
      grant selo_owner, selo_system, selo_backup, selo_worker, selo_app, selo_service, selo_analyst to ${login} with admin option;
      create role ${reader} login password '${PASSWORD}' in role selo_backup, selo_worker`);
  });
  afterAll(async () => {
    for (const role of [login, reader]) {
      await admin(`drop owned by ${role} cascade; drop role ${role}`);
    }
  });

  test("with selo_backup and selo_worker alone makes the backup that a superuser makes", async () => {
    await admin("select graphile_worker.add_job('waits', '{}', run_at => '2031-01-01')");
    const superuser = await backUp(selo.database, folder.file("superuser"));
    const own = await backUp({ adminUrl: as(reader, selo.database.adminUrl) }, folder.file("reader"));
    expect(own).toEqual({ ...superuser, taken_at: own.taken_at });
    expect(own.tables.find(({ name }) => name === "signature.proofs")?.rows).toBe(6);
    expect(own.jobs.rows).toBe(1);
  });

  test("without them is refused, instead of a backup that lacks what it may not see", async () => {
    await admin(`revoke selo_backup from ${reader}; grant selo_owner to ${reader}`);
    try {
      await expect(backUp({ adminUrl: as(reader, selo.database.adminUrl) }, folder.file("less"))).rejects.toThrow(
        /permission denied to set role "selo_backup"/,
      );
    } finally {
      await admin(`revoke selo_owner from ${reader}; grant selo_backup to ${reader}`);
    }
  });

  test("restores what it backed up: every proof verifies, tokens work, and no tenant sees another", async () => {
    const target = await newDatabase({ empty: true });
    await target.admin.query(`alter database ${target.name} owner to ${login}`);
    await backUp({ adminUrl: as(login, selo.database.adminUrl) }, folder.file("admin"));
    const own = { ...target, adminUrl: as(login, target.adminUrl) };
    await restore(own, folder.file("admin"));
    expect(await verifyEveryProof(target.admin)).toEqual({ count: 6, failed: [] });
    const held = await target.admin.query(`
      select count(*) filter (where not relforcerowsecurity)::integer as unforced from pg_class
      where relrowsecurity and relowner = 'selo_owner'::regrole`);
    expect(held.rows).toEqual([{ unforced: 0 }]);
    const gateway = await startGatewayOn(target.appUrl);
    try {
      const answer = await fetch(`${gateway.baseUrl}/api/v1/proofs`, {
        headers: { authorization: `Bearer ${organization.live}` },
      });
      expect(await answer.json()).toMatchObject({ total: 3 });
    } finally {
      await gateway.stop();
    }
  });
});

describe("logins of analysts", () => {
  /** As `selo analyst create` makes it, with a password of the test's. */
  async function analyst(password: string | null): Promise<string> {
    const { login } = await selo.operator.createAnalyst(organization.id, "live");
    analysts.push(login);
    await admin(`alter role ${login} password ${password === null ? "null" : `'${password}'`}`);
    await admin(`alter role ${login} set work_mem = '77MB'`);
    return login;
  }
  async function backUpAndForget(login: string, file: string): Promise<void> {
    await backUp(selo.database, folder.file(file));
    await admin("delete from platform.analysts where login = $1", [login]);
    await admin(`drop role ${login}`);
  }
  async function logIn(login: string, password: string, target: TestDatabase) {
    const address = new URL(target.adminUrl);
    address.username = login;
    address.password = password;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    try {
      return (
        await client.query(
          "select count(*)::integer as proofs, current_setting('statement_timeout') as timeout, current_setting('work_mem') as memory from api.proofs",
        )
      ).rows;
    } finally {
      await client.end();
    }
  }

  test("are made again with their password, the limits of a new one and their binding; nothing else that was set", async () => {
    const login = await analyst("old-password");
    await backUpAndForget(login, "with");
    const target = await newDatabase();
    const { logins } = await restore(target, folder.file("with"));
    expect(logins).toEqual({ made: [login], withoutPassword: [], existing: [], notMade: [] });
    expect(await logIn(login, "old-password", target)).toEqual([{ proofs: 3, timeout: "1min", memory: "4MB" }]);
    await expect(logIn(login, "other-password", target)).rejects.toMatchObject({ code: "28P01" });
    const { rows } = await admin("select rolconnlimit as limit, rolsuper as super from pg_roles where rolname = $1", [
      login,
    ]);
    expect(rows).toEqual([{ limit: 10, super: false }]);
  });

  test("named otherwise than analysts are, are named and neither made nor touched", async () => {
    const client = new pg.Client({ connectionString: selo.database.adminUrl });
    await client.connect();
    try {
      await client.query("begin");
      const foreign = ["selo_owner", "postgres", "ana_of_accounting"];
      const logins = await restoreAnalystLogins(
        client,
        foreign.map((login) => ({ login, verifier: null })),
      );
      expect(logins).toEqual({ made: [], withoutPassword: [], existing: [], notMade: foreign });
      expect((await client.query("select from pg_roles where rolname = 'ana_of_accounting'")).rowCount).toBe(0);
      await client.query("rollback");
    } finally {
      await client.end();
    }
  });

  test("without a readable password are made and named", async () => {
    const login = await analyst(null);
    await backUpAndForget(login, "without");
    const target = await newDatabase();
    const { logins } = await restore(target, folder.file("without"));
    expect(logins).toEqual({ made: [], withoutPassword: [login], existing: [], notMade: [] });
    await expect(logIn(login, "anything", target)).rejects.toMatchObject({ code: "28P01" });
  });

  test("that exist stay as they are; a name that is another role's is named and gains nothing", async () => {
    const [ours, other] = [await analyst("kept"), await analyst("kept")];
    await backUp(selo.database, folder.file("existing"));
    await admin(`alter role ${ours} password 'newer'; revoke selo_analyst from ${other}`);
    const target = await newDatabase();
    const { logins } = await restore(target, folder.file("existing"));
    expect(logins).toEqual({ made: [], withoutPassword: [], existing: [ours], notMade: [other] });
    expect(await logIn(ours, "newer", target)).toMatchObject([{ proofs: 3 }]);
    await expect(logIn(other, "kept", target)).rejects.toMatchObject({ code: "42501" });
    await admin("delete from platform.analysts where login = any ($1)", [[ours, other]]);
  });
});
