import { createHash } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { ownerPool } from "../../support/owner.ts";

let database: TestDatabase;
let operator: Operator;
let owner: pg.Pool;
let tenant: string;
beforeAll(async () => {
  database = await createTestDatabase();
  operator = await Operator.connect(database.adminUrl);
  owner = ownerPool(database);
  tenant = (await operator.createOrganization({ name: "Tokens" })).id;
});
afterAll(async () => {
  await owner.end();
  await operator.close();
  await database.drop();
});

test("a token carries 256 random bits: 43 characters of base64url behind its environment, never the same", async () => {
  const { rows } = await owner.query<{ token: string; prefix: string }>(
    "select made.token, made.prefix from generate_series(1, 300) as nth cross join lateral platform.create_token($1, 'live', 'many ' || nth, '{proofs:read}') as made",
    [tenant],
  );
  const secrets = rows.map(({ token, prefix }) => {
    expect(token).toMatch(/^svc_live_[A-Za-z0-9_-]{43}$/);
    expect(prefix).toBe(token.slice(0, 15));
    const bytes = Buffer.from(token.slice(9), "base64url");
    expect(bytes).toHaveLength(32);
    return bytes;
  });
  expect(new Set(secrets.map((secret) => secret.toString("hex"))).size).toBe(300);
  // Each of the 256 bits is set about half the time: 300 throws stay within 150 ± 60 but once in 10^11.
  for (let bit = 0; bit < 256; bit++) {
    const set = secrets.filter((secret) => ((secret[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
    expect(Math.abs(set - 150)).toBeLessThan(60);
  }
});

test("only its hash is stored: its secret stands nowhere in the whole database", async () => {
  const { id, token, prefix } = await operator.createToken(tenant, "test", "hidden", ["proofs:read", "proofs:write"]);
  const hash = createHash("sha256").update(token).digest();
  const known = await database.admin.query(
    "select kind, actor_id from platform.credentials where digest = sha256($1)",
    [hash],
  );
  expect(known.rows).toEqual([{ kind: "token", actor_id: id }]);
  const tables = await database.admin.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relkind in ('r', 'p', 'm') and relnamespace::regnamespace::text !~ '^pg_toast'",
  );
  expect(tables.rows.length).toBeGreaterThan(80);
  const secret = token.slice(15);
  const found: string[] = [];
  let prefixSeen = false;
  for (const { name } of tables.rows) {
    const { rows } = await database.admin.query<{ secret: boolean; prefix: boolean }>(
      `select coalesce(bool_or(strpos(t::text, $1) > 0), false) as secret, coalesce(bool_or(strpos(t::text, $2) > 0), false) as prefix from ${name} as t`,
      [secret, prefix],
    );
    if (rows[0]?.secret) found.push(name);
    prefixSeen ||= rows[0]?.prefix ?? false;
  }
  expect(found).toEqual([]);
  // The search does find what is there.
  expect(prefixSeen).toBe(true);
});

test("scopes are kept once each and in order; all of the documents exist", async () => {
  const { scopes } = await operator.createToken(tenant, "live", "twice", [
    "proofs:write",
    "proofs:read",
    "proofs:write",
  ]);
  expect(scopes).toEqual(["proofs:read", "proofs:write"]);
  expect(await operator.allScopes()).toHaveLength(22);
});

test.each([
  ["staging", "name", ["proofs:read"], null, "environment"],
  ["live", "", ["proofs:read"], null, "name"],
  ["live", "x".repeat(101), ["proofs:read"], null, "name"],
  ["live", "name", [], null, "scopes"],
  ["live", "name", ["proofs:read", "proofs:sing"], null, "scopes"],
  ["live", "name", ["proofs:read"], new Date(Date.now() - 1_000), "expires_at"],
])(
  "a token for %s named %j with %j until %s is refused and names %s",
  async (environment, name, scopes, expires, field) => {
    await expect(operator.createToken(tenant, environment, name, scopes, expires)).rejects.toMatchObject({
      status: 422,
      code: "invalid_request",
      fields: [{ field }],
    });
  },
);

test("a name of exactly 1 and exactly 100 characters is good, counted in code points", async () => {
  for (const name of ["x", "😀".repeat(100)])
    expect((await operator.createToken(tenant, "live", name, ["proofs:read"])).id).toBeTruthy();
  await expect(operator.createToken(tenant, "live", "😀".repeat(101), ["proofs:read"])).rejects.toMatchObject({
    status: 422,
  });
});

test("revoking is at once and for good, tells the first time, and a stranger's id is 404", async () => {
  const { id, token } = await operator.createToken(tenant, "live", "revoked", ["proofs:read"]);
  const find = () =>
    owner.query("select tenant_id from platform.find_credential($1)", [createHash("sha256").update(token).digest()]);
  expect((await find()).rows).toEqual([{ tenant_id: tenant }]);
  const first = await operator.revokeToken(id);
  expect((await find()).rows).toEqual([{ tenant_id: null }]);
  expect(await operator.revokeToken(id)).toEqual(first);
  await expect(operator.revokeToken("00000000-0000-7000-8000-000000000000")).rejects.toMatchObject({ status: 404 });
});

test("creating a token leaves no context behind in the transaction", async () => {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("select platform.create_token($1, 'live', 'left', '{proofs:read}')", [tenant]);
    expect(
      (await client.query("select platform.tenant_id() as tenant, platform.environment() as environment")).rows,
    ).toEqual([{ tenant: null, environment: null }]);
    // And so the owner, held by row-level security, sees nobody's.
    expect((await client.query("select from platform.tokens")).rowCount).toBe(0);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
