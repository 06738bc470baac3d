import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { changedSource } from "../../support/changed-source.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { newOrganization, type TestOrganization } from "../../support/gateway.ts";

/** Commands that only this file has: what the dispatcher makes of arguments, results and Idempotency-Keys. */
const command = (name: string, head: string, body: string, tags = "") =>
  `create function api.${name}${head} security definer set search_path = '' as $$\n${body}\n$$;\n` +
  `comment on function api.${name} is E'${tags}Made by a test.';\nrevoke execute on function api.${name} from public;\n`;
const COMMANDS = {
  "platform/api/test_arguments.sql": command(
    "test_arguments",
    `(p_text text, p_number integer default 7, p_big bigint default 9007199254740991, p_flag boolean default true,
      p_tags text[] default array['x', 'y'], p_numbers integer[] default null, p_ids uuid[] default '{}',
      p_json jsonb default '{"a": 1}', p_plain json default '[1]', p_at timestamptz default null, p_bytes bytea default null,
      p_computed text default upper('computed')) returns jsonb language plpgsql stable`,
    `begin
      perform platform.require_scope('billing:read');
      return jsonb_build_object('text', p_text, 'number', p_number, 'big', p_big, 'flag', p_flag, 'tags', p_tags, 'numbers', p_numbers,
        'ids', p_ids, 'json', p_json, 'json_is_null', p_json is null, 'plain', p_plain, 'at', p_at, 'bytes', encode(p_bytes, 'hex'), 'computed', p_computed);
    end`,
  ),
  "platform/api/test_write.sql": command(
    "test_write",
    "(p_name text, p_fail boolean default false, p_list boolean default false) returns json language plpgsql volatile",
    `begin
      perform platform.require_scope('webhooks:manage');
      insert into platform.settings (name, value) values (p_name || gen_random_uuid(), coalesce(platform.tenant_id()::text, ''));
      if p_fail then
        perform platform.fail(404, 'not_found', 'There is no such thing.');
      end if;
      return case when p_list then json_build_array(1, 2)
        else json_build_object('name', p_name, 'zeta', 1, 'alpha', json_build_object('b', 1, 'a', 2), 'shown', 'whsec_' || gen_random_uuid(),
          'password', 'svc_' || gen_random_uuid(), 'secret', 'of the function') end;
    end`,
    "@once shown, password\\n",
  ),
  "platform/api/test_void.sql": command(
    "test_void",
    "(p_name text) returns void language plpgsql volatile",
    `begin
      perform platform.require_scope('webhooks:manage');
      insert into platform.settings (name, value) values (p_name || gen_random_uuid(), 'void');
    end`,
  ),
  "platform/api/test_rows.sql": command(
    "test_rows",
    "(p_environment text default 'live') returns setof api.platform_keys language plpgsql stable",
    `begin
      perform platform.require_scope('billing:read');
      return query select key.* from api.platform_keys as key where key.environment = p_environment order by key.algorithm desc;
    end`,
  ),
  "platform/api/test_row.sql": command(
    "test_row",
    "() returns api.platform_keys language plpgsql stable",
    `declare v_key api.platform_keys;
    begin
      perform platform.require_scope('billing:read');
      select key.* into v_key from api.platform_keys as key order by key.key_id limit 1;
      return v_key;
    end`,
  ),
  "platform/api/test_count.sql": command(
    "test_count",
    "() returns integer language plpgsql stable",
    "begin\n perform platform.allow_anyone();\n return (select count(*) from platform.organizations);\nend",
  ),
};

let database: TestDatabase;
let operator: Operator;
let organization: TestOrganization;
let app: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  await migrate({ adminUrl: database.adminUrl, serviceUrls: [], source: changedSource(COMMANDS) });
  operator = await Operator.connect(database.adminUrl);
  organization = await newOrganization(operator);
  app = new pg.Pool({ connectionString: database.appUrl, max: 12 });
  app.on("error", () => {});
});
afterAll(async () => {
  await app?.end();
  await operator?.close();
  await database.drop();
});

const sha256 = (text: string) => createHash("sha256").update(text).digest();

interface CallOptions {
  readonly token?: string | null;
  readonly status?: number;
  readonly key?: string;
  /** What the request hash covers. */
  readonly payload?: string;
}

async function call(
  name: string,
  args: object = {},
  { token = organization.live, status = 200, key, payload = "" }: CallOptions = {},
) {
  const { rows } = await app.query<{ status: number; body: string | null; replayed: boolean; left: string }>(
    `select status, body, replayed, concat(current_setting('app.tenant_id', true), current_setting('app.scopes', true)) as left
     from gateway.call($1, $2, $3, $4, $5, $6)`,
    [
      token === null ? null : sha256(token),
      name,
      JSON.stringify(args),
      status,
      key ?? null,
      key === undefined ? null : sha256(payload),
    ],
  );
  const [answer] = rows;
  if (answer === undefined) throw new Error("no answer");
  expect(answer.left).toBe("");
  return { ...answer, json: JSON.parse(answer.body ?? "null") as Record<string, unknown> };
}

const failure = (status: number, code: string) => ({
  code: `PT${status}`,
  detail: expect.stringContaining(`"${code}"`),
});
const runs = async (name: string) =>
  (
    await database.admin.query<{ runs: number }>(
      "select count(*)::integer as runs from platform.settings where name like $1",
      [`${name}%`],
    )
  ).rows[0]?.runs;

describe("arguments", () => {
  const defaults = {
    text: null,
    number: 7,
    big: Number.MAX_SAFE_INTEGER,
    flag: true,
    tags: ["x", "y"],
    numbers: null,
    ids: [],
    json: { a: 1 },
    json_is_null: false,
    plain: [1],
    at: null,
    bytes: null,
    computed: "COMPUTED",
  };

  test("that are absent keep their defaults, computed ones as well", async () => {
    expect((await call("test_arguments", { text: "a" })).json).toEqual({ ...defaults, text: "a" });
    expect((await call("test_arguments")).json).toEqual(defaults);
  });

  test("that are null are null, whatever their default and type", async () => {
    const nulls = Object.fromEntries(
      Object.keys(defaults)
        .filter((name) => name !== "json_is_null")
        .map((name) => [name, null]),
    );
    expect((await call("test_arguments", nulls)).json).toEqual({ ...nulls, json_is_null: true });
  });

  test("of every kind arrive as they were sent", async () => {
    const given = {
      text: "Ünï \"quoted\" 'and' \\ 😀\n\t",
      number: -2_147_483_648,
      big: -9_007_199_254_740_991,
      flag: false,
      tags: ["", "a,b", "{c}", 'd"e', "NULL", "\\", null],
      numbers: [1, -2, 3],
      ids: [randomUUID(), randomUUID()],
      json: { b: [null, { c: "d" }], e: "😀" },
      plain: { z: 1, a: [2] },
      computed: "",
    };
    const { json } = await call("test_arguments", {
      ...given,
      at: "2026-11-20T12:34:56.123456+00:00",
      bytes: "\\x00ff",
    });
    expect(json).toMatchObject({ ...given, bytes: "00ff" });
    expect(json.at).toBe("2026-11-20T12:34:56.123456+00:00");
  });

  test("that no function has are not looked at, and of the wrong type are a data error", async () => {
    expect((await call("test_arguments", { text: "a", p_text: "b", nothing: 1 })).json).toMatchObject({ text: "a" });
    await expect(call("test_arguments", { number: "seven" })).rejects.toMatchObject({ code: "22P02" });
    await expect(call("test_arguments", { number: 3_000_000_000 })).rejects.toMatchObject({ code: "22003" });
  });

  test("an unknown command is an error, and none of the names of other functions is one", async () => {
    for (const name of ["nothing", "call", "run_command", "proofs_json", "test_arguments; select 1", "TEST_ROW"])
      await expect(call(name), name).rejects.toMatchObject({ code: "P0002" });
  });
});

describe("results", () => {
  test("rows of a view are an array of its wire form, in the function's order; none is []", async () => {
    const { json } = await call("test_rows");
    expect(json).toMatchObject([
      { algorithm: "ML-DSA-87", environment: "live", retired_at: null },
      { algorithm: "Ed25519", environment: "live" },
    ]);
    const [first] = json as unknown as { created_at: string }[];
    expect(first?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect((await call("test_rows", { environment: "none" })).body).toBe("[]");
  });

  test("one row is an object, a scalar is itself, and void has no body", async () => {
    expect(Object.keys((await call("test_row")).json)[0]).toBe("key_id");
    expect(await call("test_void", { name: "void" }, { status: 204 })).toMatchObject({
      status: 204,
      body: null,
      replayed: false,
    });
  });

  test("a command for anyone needs no token, and then sees no tenant", async () => {
    expect((await call("test_count", {}, { token: null })).body).toBe("0");
    expect((await call("test_count")).body).toBe("1");
  });
});

describe("credentials and scopes", () => {
  test("an unknown, revoked or expired token is 401, and so is none where a scope is asked", async () => {
    const { id } = await operator.createOrganization({ name: "Other" });
    const revoked = await operator.createToken(id, "live", "revoked", ["billing:read"]);
    await operator.revokeToken(revoked.id);
    const expired = await operator.createToken(id, "live", "expired", ["billing:read"]);
    await database.admin.query("update platform.credentials set expires_at = clock_timestamp() where actor_id = $1", [
      expired.id,
    ]);
    for (const token of ["svc_live_unknown", revoked.token, expired.token, null])
      await expect(call("test_row", {}, { token })).rejects.toMatchObject(failure(401, "unauthenticated"));
  });

  test("a token without the scope is 403 missing_scope, which names it", async () => {
    const token = await organization.token("live", ["proofs:read"]);
    await expect(call("test_row", {}, { token })).rejects.toMatchObject({
      ...failure(403, "missing_scope"),
      message: "The token lacks the scope billing:read.",
    });
  });
});

describe("Idempotency-Key", () => {
  test("a command runs once; its answer is replayed with its status and without the members that its comment shows once", async () => {
    const key = randomUUID();
    const first = await call("test_write", { name: "once " }, { key, status: 201 });
    expect(first).toMatchObject({
      status: 201,
      replayed: false,
      json: { shown: expect.any(String), password: expect.any(String), secret: "of the function" },
    });
    const replay = await call("test_write", { name: "once " }, { key, status: 201 });
    const { shown, password, ...kept } = first.json;
    expect(replay).toMatchObject({ status: 201, replayed: true });
    expect(replay.json).toEqual(kept);
    expect(Object.keys(replay.json)).toEqual(Object.keys(kept));
    expect(await runs("once ")).toBe(1);
    const stored = await database.admin.query(
      "select coalesce(string_agg(k::text, ''), '') as text from platform.idempotency_keys as k",
    );
    expect(stored.rows[0].text).toContain("zeta");
    expect(stored.rows[0].text).not.toContain(String(shown));
    expect(stored.rows[0].text).not.toContain(String(password));
  });

  test("an array and no body at all are replayed as they are", async () => {
    for (const [name, args, body] of [
      ["test_write", { name: "list ", list: true }, "[1, 2]"],
      ["test_void", { name: "empty " }, null],
    ] as const) {
      const key = randomUUID();
      expect(await call(name, args, { key })).toMatchObject({ body, replayed: false });
      expect(await call(name, args, { key })).toMatchObject({ body, replayed: true });
      expect(await runs(args.name)).toBe(1);
    }
  });

  test("the same key with another request is 409, and changes nothing", async () => {
    const key = randomUUID();
    await call("test_write", { name: "other " }, { key, payload: "a" });
    await expect(call("test_write", { name: "other " }, { key, payload: "b" })).rejects.toMatchObject(
      failure(409, "conflict"),
    );
    expect(await runs("other ")).toBe(1);
    expect(await call("test_write", { name: "other " }, { key, payload: "a" })).toMatchObject({ replayed: true });
  });

  test("an error rolls the claim back with everything else: the same key may try again", async () => {
    const key = randomUUID();
    await expect(call("test_write", { name: "failed ", fail: true }, { key })).rejects.toMatchObject(
      failure(404, "not_found"),
    );
    expect(await runs("failed ")).toBe(0);
    expect((await database.admin.query("select from platform.idempotency_keys where key = $1", [key])).rowCount).toBe(
      0,
    );
    expect(await call("test_write", { name: "failed " }, { key, payload: "another" })).toMatchObject({
      replayed: false,
    });
  });

  test("the scope is asked before a replay, and before a conflict is told", async () => {
    const key = randomUUID();
    await call("test_write", { name: "scoped " }, { key });
    const token = await organization.token("live", ["proofs:read"]);
    for (const payload of ["", "another"])
      await expect(call("test_write", { name: "scoped " }, { key, token, payload })).rejects.toMatchObject(
        failure(403, "missing_scope"),
      );
  });

  test("twelve at once run once, and all get the one answer", async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => call("test_write", { name: "race " }, { key })));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ json }) => json.name))).toEqual(new Set(["race "]));
    expect(await runs("race ")).toBe(1);
  });

  test("a key belongs to its tenant and environment", async () => {
    const key = randomUUID();
    const other = await newOrganization(operator, { name: "Other" });
    for (const token of [organization.live, organization.test, other.live, other.test])
      expect(await call("test_write", { name: "apart " }, { key, token })).toMatchObject({ replayed: false });
    expect(await runs("apart ")).toBe(4);
  });

  test("without a key every call runs", async () => {
    await call("test_write", { name: "twice " });
    await call("test_write", { name: "twice " });
    expect(await runs("twice ")).toBe(2);
  });

  test("a command that only reads claims no key, but is told of a conflict", async () => {
    const key = randomUUID();
    expect(await call("test_row", {}, { key, payload: "read" })).toMatchObject({ replayed: false });
    expect((await database.admin.query("select from platform.idempotency_keys where key = $1", [key])).rowCount).toBe(
      0,
    );
    expect(await call("test_write", { name: "after a read " }, { key, payload: "write" })).toMatchObject({
      replayed: false,
    });
    await expect(call("test_row", {}, { key, payload: "read" })).rejects.toMatchObject(failure(409, "conflict"));
  });

  test.each(["", "a b", "é", "x".repeat(256)])("%j is no key", async (key) => {
    await expect(call("test_write", { name: "never " }, { key })).rejects.toMatchObject({ code: "23514" });
    expect(await runs("never ")).toBe(0);
  });

  test("keys older than the retention are forgotten, the rest is kept, and a forgotten key may be used again", async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    for (const key of [old, young]) await call("test_write", { name: "swept " }, { key });
    await database.admin.query(
      "update platform.idempotency_keys set created_at = now() - interval '7 days 1 minute' where key = $1",
      [old],
    );
    const worker = new pg.Client({ connectionString: database.workerUrl });
    await worker.connect();
    const sweep = async (limit: number) =>
      (await worker.query<{ swept: number }>("select jobs.sweep_idempotency_keys($1) as swept", [limit])).rows[0]
        ?.swept;
    expect(await sweep(0)).toBe(0);
    expect(await sweep(10)).toBe(1);
    expect(await sweep(10)).toBe(0);
    await worker.end();
    expect(await call("test_write", { name: "swept " }, { key: young })).toMatchObject({ replayed: true });
    expect(await call("test_write", { name: "swept " }, { key: old })).toMatchObject({ replayed: false });
  });
});

describe("gateway.call_many", () => {
  interface Row {
    readonly place: number;
    readonly status: number | null;
    readonly body: string | null;
    readonly replayed: boolean;
    readonly failure: { readonly code: string; readonly message: string; readonly detail: string } | null;
  }

  async function callMany(calls: readonly { token: string | null; command: string; args?: object; key?: string }[]) {
    const client = await app.connect();
    try {
      await client.query("begin");
      const { rows } = await client.query<Row>(
        "select place, status, body, replayed, failure from gateway.call_many($1) order by place",
        [
          JSON.stringify(
            calls.map(({ token, command: name, args = {}, key }) => ({
              credential_hash: token === null ? null : sha256(token).toString("hex"),
              command: name,
              arguments: args,
              status: 200,
              idempotency_key: key ?? null,
              request_hash: key === undefined ? null : sha256("").toString("hex"),
            })),
          ),
        ],
      );
      const left = await client.query(
        "select concat(current_setting('app.tenant_id', true), current_setting('app.environment', true), current_setting('app.actor_kind', true), current_setting('app.actor_id', true), current_setting('app.scopes', true)) as context",
      );
      expect(left.rows).toEqual([{ context: "" }]);
      await client.query("commit");
      return rows;
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      client.release();
    }
  }

  test("calls of two tenants, of nobody and of a stranger each run in their own context and answer at their own place", async () => {
    const other = await newOrganization(operator, { name: "Other" });
    const name = `many ${randomUUID()} `;
    const rows = await callMany([
      { token: other.live, command: "test_write", args: { name } },
      { token: organization.live, command: "test_write", args: { name } },
      { token: null, command: "test_count" },
      { token: "svc_live_stranger", command: "test_write", args: { name } },
      { token: other.test, command: "test_count" },
      { token: null, command: "test_write", args: { name } },
    ]);
    expect(rows.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rows.map(({ failure: failed }) => failed?.code ?? null)).toEqual([null, null, null, "PT401", null, "PT401"]);
    expect([rows[2]?.body, rows[4]?.body]).toEqual(["0", "1"]);
    const written = await database.admin.query<{ value: string }>(
      "select value from platform.settings where name like $1",
      [`${name}%`],
    );
    expect(written.rows.map(({ value }) => value).sort()).toEqual([organization.id, other.id].sort());
  });

  test("a failure undoes its own call only, whatever kind it is, and carries what the decoder needs", async () => {
    const name = `hurt ${randomUUID()} `;
    const key = randomUUID();
    const rows = await callMany([
      { token: organization.live, command: "test_write", args: { name } },
      { token: organization.live, command: "test_write", args: { name, fail: true }, key },
      { token: organization.live, command: "test_arguments", args: { number: "seven" } },
      { token: organization.live, command: "no_such_command" },
      { token: organization.live, command: "test_write", args: { name } },
    ]);
    expect(rows.map(({ failure: failed }) => failed?.code ?? null)).toEqual([null, "PT404", "22P02", "P0002", null]);
    expect(rows[1]?.failure).toEqual({
      code: "PT404",
      message: "There is no such thing.",
      detail: '{"code": "not_found"}',
    });
    expect(await runs(name)).toBe(2);
    expect((await database.admin.query("select from platform.idempotency_keys where key = $1", [key])).rowCount).toBe(
      0,
    );
  });

  test("the same key twice in one batch runs once", async () => {
    const name = `pair ${randomUUID()} `;
    const key = randomUUID();
    const pair = { token: organization.live, command: "test_write", args: { name }, key };
    const rows = await callMany([pair, pair]);
    expect(rows.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(await runs(name)).toBe(1);
  });

  test("more than fifty are refused before any of them runs", async () => {
    const name = `crowd ${randomUUID()} `;
    const one = { token: organization.live, command: "test_write", args: { name } };
    await expect(callMany(Array.from({ length: 51 }, () => one))).rejects.toMatchObject(
      failure(422, "invalid_request"),
    );
    expect(await runs(name)).toBe(0);
  });

  test("a batch of fifty and an empty one", async () => {
    expect(await callMany([])).toEqual([]);
    const rows = await callMany(
      Array.from({ length: 50 }, () => ({ token: organization.live, command: "test_count" })),
    );
    expect(rows.map(({ place, body }) => [place, body])).toEqual(
      Array.from({ length: 50 }, (_, place) => [place, "1"]),
    );
  });
});
