// Every tenant table, asked as its owner: row-level security, forced, shows and takes nothing of another tenant's.
import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionOf } from "../../src/surfaces/http/session.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { productFacts } from "../support/service-facts.ts";
import { heldTables, isPerEnvironment, type Table, tenantColumn, tenantViews } from "../support/tables.ts";
import { composedTestMail } from "../support/test-mail.ts";

let selo: TestGateway;
let mine: TestOrganization;
let stranger: TestOrganization;
let client: pg.Client;
let tables: readonly Table[];
const hashOf = (secret: string) => createHash("sha256").update(secret).digest();
beforeAll(async () => {
  selo = await startTestGateway();
  // Told of their tokens, each has mails.
  const email = "contact@example.org";
  mine = await selo.newOrganization({ name: "Mine", email });
  stranger = await selo.newOrganization({ name: "Stranger", email });
  for (const organization of [mine, stranger])
    for (const { rows } of productFacts) await (await rows()).writeOne?.(selo, organization);
  await selo.seal();
  tables = await heldTables(selo.database);
  client = new pg.Client({ connectionString: selo.database.adminUrl, options: "-c role=selo_owner" });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await selo.stop();
});

interface Context {
  readonly tenant: TestOrganization | null;
  readonly environment: "live" | "test" | null;
}

/** In a context, as selo_owner; nothing of it stays. */
async function within<Result>({ tenant, environment }: Context, work: () => Promise<Result>): Promise<Result> {
  await client.query("begin");
  try {
    await client.query("select platform.enter_context($1, $2, null, null, null)", [tenant?.id ?? null, environment]);
    return await work();
  } finally {
    await client.query("rollback");
  }
}

/** How many rows of `mine` in live a statement sees, changes or deletes; of both environments where these are one. */
async function counted(table: Table, verb: "select" | "update" | "delete"): Promise<number | null> {
  const column = tenantColumn(table);
  const where = `where ${column} = $1 ${isPerEnvironment(table) ? "and environment = 'live'" : ""}`;
  const statement = {
    select: `select from ${table.name} ${where}`,
    update: `update ${table.name} set ${column} = ${column} ${where}`,
    delete: `delete from ${table.name} ${where}`,
  }[verb];
  return (await client.query(statement, [mine.id])).rowCount;
}

test("every tenant table has a row of either tenant (or the loops below show nothing)", async () => {
  expect(tables.length).toBeGreaterThan(7);
  for (const table of tables) {
    const { name } = table;
    const own = await within({ tenant: mine, environment: "live" }, () => counted(table, "select"));
    const all = await selo.database.admin.query(
      `select distinct ${tenantColumn(table)} from ${name} where ${tenantColumn(table)} = any ($1)`,
      [[mine.id, stranger.id]],
    );
    expect({ name, own: (own ?? 0) > 0, tenants: all.rowCount }).toEqual({ name, own: true, tenants: 2 });
  }
});

test("with its credentials an organization reads every view of such tables (or those that hold others off show nothing)", async () => {
  await composedTestMail(selo.database, mine.id, { recipient: "bia@example.net" });
  const hashes: Buffer[] = [mine.live, mine.test].map(hashOf);
  for (const { credentials } of productFacts.flatMap(({ surfaces }) => surfaces ?? [])) {
    const headers = await credentials(selo, mine);
    const session = sessionOf(headers);
    if (session !== null) hashes.push(session.credentialHash);
    else hashes.push(...Object.values(headers).map((header) => hashOf(header.replace(/^\w+ /, ""))));
  }
  const app = new pg.Client({ connectionString: selo.database.appUrl });
  await app.connect();
  const read = new Set<string>();
  const all = await tenantViews(selo.database);
  // What analysts alone read is asked in catalog/analysts.test.ts.
  const { rows: views } = await selo.database.admin.query<{ name: string }>(
    `select name from unnest($1::text[]) as view (name)
     where has_table_privilege('selo_app', name, 'select') or not has_table_privilege('selo_analyst', name, 'select')`,
    [all.map(({ name }) => name)],
  );
  for (const hash of hashes) {
    for (const { name } of views) {
      await app.query("begin");
      try {
        await app.query("select from gateway.enter($1, null)", [hash]);
        if ((await app.query(`select from ${name}`)).rowCount) read.add(name);
      } catch {
        // Another of its credentials reads it.
      } finally {
        await app.query("rollback");
      }
    }
  }
  await app.end();
  expect([...read].sort()).toEqual(views.map(({ name }) => name).sort());
});

describe.each<[string, () => Context]>([
  ["another tenant's live", () => ({ tenant: stranger, environment: "live" })],
  ["another tenant's test", () => ({ tenant: stranger, environment: "test" })],
  ["nobody's context", () => ({ tenant: null, environment: null })],
])("from %s", (_, context) => {
  test.each(["select", "update", "delete"] as const)("%s reaches no row of any tenant table", async (verb) => {
    for (const table of tables) {
      const reached = await within(context(), () => counted(table, verb));
      expect({ name: table.name, reached }).toEqual({ name: table.name, reached: 0 });
    }
  });

  test("without a condition nothing of another's is seen either", async () => {
    for (const table of tables) {
      const column = tenantColumn(table);
      const { rows } = await within(context(), () =>
        client.query<{ tenant: string }>(`select distinct ${column} as tenant from ${table.name}`),
      );
      const seen = rows.map(({ tenant }) => tenant).filter((tenant) => tenant !== context().tenant?.id);
      expect({ name: table.name, seen }).toEqual({ name: table.name, seen: [] });
    }
  });

  test("a row for the tenant is refused by the policy", async () => {
    for (const table of tables) await expectRefused(table, context());
  });
});

test("from the same tenant's other environment neither, in every table that keeps them apart", async () => {
  const apart = tables.filter(isPerEnvironment);
  expect(apart.length).toBeGreaterThan(2);
  const context: Context = { tenant: mine, environment: "test" };
  for (const table of apart) {
    for (const verb of ["select", "update", "delete"] as const)
      expect([table.name, verb, await within(context, () => counted(table, verb))]).toEqual([table.name, verb, 0]);
    await expectRefused(table, context);
  }
});

/** A row of `mine`, whole, as it might be copied. */
async function expectRefused(table: Table, context: Context): Promise<void> {
  const where = isPerEnvironment(table) ? "and environment = 'live'" : "";
  const { rows } = await selo.database.admin.query<{ row: object }>(
    `select to_jsonb(own) as row from ${table.name} as own where ${tenantColumn(table)} = $1 ${where} limit 1`,
    [mine.id],
  );
  const columns = table.columns.join(", ");
  const inserted = within(context, () =>
    client.query(
      `insert into ${table.name} (${columns}) overriding system value
       select ${columns} from jsonb_populate_record(null::${table.name}, $1)`,
      [JSON.stringify(rows[0]?.row)],
    ),
  );
  await expect(inserted, table.name).rejects.toMatchObject({
    code: "42501",
    message: expect.stringContaining("row-level security policy"),
  });
}
