// Credentials of other kinds than tokens, made here as services will make theirs: who acts with them, and what counts by actor.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { TokenUse } from "../../../src/surfaces/http/token-use.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { call, expectError } from "../../support/rest-client.ts";

const LIMIT = 40;
let selo: TestGateway;
let owner: pg.Pool;
let organization: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ TOKEN_REQUESTS_PER_MINUTE: String(LIMIT) });
  owner = ownerPool(selo.database);
  organization = await selo.newOrganization();
  other = await selo.newOrganization();
  // As a migration of the service that makes such credentials says it.
  await owner.query(
    `update platform.scopes set kinds = '{token,api_key}' where name in ('proofs:read', 'proofs:write', 'audit:read');
     update platform.scopes set kinds = kinds || '{user}' where name = 'proofs:read'`,
  );
});
afterAll(async () => {
  await owner?.end();
  await selo?.stop();
});

interface Made {
  readonly tenantId?: string;
  readonly environment?: "live" | "test";
  readonly kind?: string;
  readonly actorId?: string;
  readonly scopesFrom?: string;
  readonly scopes?: readonly string[] | null;
}

/** Of the form that this surface takes; what it is, the table says. */
const invented = () => `svc_live_${randomBytes(32).toString("base64url")}`;
const hashOf = (secret: string) => createHash("sha256").update(secret).digest();
const scopesOf = ["proofs:read", "proofs:write", "audit:read", "billing:read"];

/** A credential of an API key, or of another kind; answers what its owner sends. */
async function make(given: Made = {}): Promise<{ readonly secret: string; readonly actorId: string }> {
  const { tenantId = organization.id, environment = "live", kind = "api_key", actorId = randomUUID() } = given;
  const { scopesFrom = "credential", scopes = scopesOf } = given;
  const secret = invented();
  await inContext(owner, tenantId, environment, (client) =>
    client.query(
      `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
       values (sha256($1), $2, $3, $4, $5, $6, $7)`,
      [hashOf(secret), kind, tenantId, environment, actorId, scopesFrom, scopes],
    ),
  );
  return { secret, actorId };
}
const change = (secret: string, what: string) =>
  selo.database.admin.query(`update platform.credentials set ${what} where digest = sha256($1)`, [hashOf(secret)]);
const list = (token: string) => call(selo, "GET", "/proofs", { token });
const register = (token: string) =>
  call(selo, "POST", "/proofs", { token, body: { sha256: randomBytes(32).toString("hex") } });

describe("an API key", () => {
  test("calls commands whose scope its kind may hold, in REST and GraphQL", async () => {
    const { secret } = await make();
    const { status, body } = await register(secret);
    expect(status).toBe(201);
    expect((await list(secret)).body.items.map((proof: { id: string }) => proof.id)).toContain(body.id);
    const { errors, data } = await graphql(selo, secret, "{ proofs(first: 1) { nodes { id } } }");
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ proofs: { nodes: [{ id: body.id }] } });
  });

  test("is refused with 403 missing_scope where its kind may not hold the scope, though the credential names it", async () => {
    const { secret } = await make();
    expect(scopesOf).toContain("billing:read");
    expectError(await call(selo, "GET", "/billing/balance", { token: secret }), 403, "missing_scope");
    const { errors } = await graphql(selo, secret, "{ creditBalances { nodes { kind } } }");
    expect(errors).toMatchObject([{ extensions: { code: "missing_scope", http: { status: 403 } } }]);
    expect((await call(selo, "GET", "/billing/balance", { token: organization.live })).status).toBe(200);
  });

  test("and where its credential does not name it", async () => {
    const { secret } = await make({ scopes: ["audit:read"] });
    expectError(await list(secret), 403, "missing_scope");
    expect((await call(selo, "GET", "/audit", { token: secret })).status).toBe(200);
  });

  test("is 401 from the instant it expires, when it is revoked, and when it is none", async () => {
    const { secret } = await make();
    await change(secret, "expires_at = clock_timestamp() + interval '1 hour'");
    expect((await list(secret)).status).toBe(200);
    await change(secret, "expires_at = clock_timestamp()");
    expectError(await list(secret), 401, "unauthenticated");
    await change(secret, "expires_at = null");
    expect((await list(secret)).status).toBe(200);
    await change(secret, "revoked_at = clock_timestamp()");
    expectError(await list(secret), 401, "unauthenticated");
    const answer = await graphql(selo, secret, "{ proofs(first: 1) { nodes { id } } }");
    expect(answer.status).toBe(401);
    expectError(await list(invented()), 401, "unauthenticated");
  });

  test("sees its own organization and environment alone", async () => {
    const own = (await register(organization.live)).body.id as string;
    for (const made of [{ tenantId: other.id }, { environment: "test" }] as const) {
      const { secret } = await make(made);
      const mine = (await register(secret)).body.id as string;
      expect((await list(secret)).body.items.map((proof: { id: string }) => proof.id)).toEqual([mine]);
      expectError(await call(selo, "GET", `/proofs/${own}`, { token: secret }), 404, "not_found");
      const { data } = await graphql(selo, secret, "{ proofs { nodes { id } } }");
      expect(data).toEqual({ proofs: { nodes: [{ id: mine }] } });
    }
  });

  test("is named by the audit trail, kind and id, and is found there by its id", async () => {
    const { secret, actorId } = await make();
    const { body } = await register(secret);
    const { body: trail } = await call(selo, "GET", `/audit?actor_id=${actorId}`, { token: secret });
    expect(trail.items).toMatchObject([
      { action: "proof.registered", subject_id: body.id, actor_type: "api_key", actor_id: actorId, channel: "rest" },
    ]);
    const { rows } = await selo.database.admin.query(
      "select platform.audit_event_text(event)::json -> 'actor' as actor from platform.audit_events as event where actor_id = $1",
      [actorId],
    );
    expect(rows).toEqual([{ actor: { id: actorId, type: "api_key" } }]);
  });
});

describe("scopes of another source", () => {
  test("are asked with each request of the function that a service names, and held to what the kind may hold", async () => {
    await owner.query(
      `create table platform.sample_keys (tenant_id uuid, environment text, id uuid, scopes text[]);
       grant select on platform.sample_keys to selo_system;
       create function platform.scopes_of_sample(p_tenant_id uuid, p_environment text, p_actor_id uuid) returns text[]
         language sql stable set search_path = '' as $$
         select sample.scopes from platform.sample_keys as sample
         where sample.tenant_id = p_tenant_id and sample.environment = p_environment and sample.id = p_actor_id $$;
       revoke execute on function platform.scopes_of_sample(uuid, text, uuid) from public;
       grant execute on function platform.scopes_of_sample(uuid, text, uuid) to selo_system;
       insert into platform.scope_sources (name, function_name, description)
       values ('sample', 'platform.scopes_of_sample', 'In the row of a sample key.');
       select platform.build_scope_sources()`,
    );
    const { secret, actorId } = await make({ scopesFrom: "sample", scopes: null });
    // There is no such key.
    expectError(await list(secret), 401, "unauthenticated");
    await owner.query("insert into platform.sample_keys values ($1, 'live', $2, '{proofs:read,billing:read}')", [
      organization.id,
      actorId,
    ]);
    expect((await list(secret)).status).toBe(200);
    expectError(await register(secret), 403, "missing_scope");
    expectError(await call(selo, "GET", "/billing/balance", { token: secret }), 403, "missing_scope");
    await owner.query("update platform.sample_keys set scopes = '{proofs:write}' where id = $1", [actorId]);
    expect((await register(secret)).status).toBe(201);
    expectError(await list(secret), 403, "missing_scope");
    await owner.query("delete from platform.sample_keys where id = $1", [actorId]);
    expectError(await register(secret), 401, "unauthenticated");
  });
});

describe("what counts by actor", () => {
  test("the limit of requests: two credentials of one actor share it, and another actor has its own", async () => {
    const { secret, actorId } = await make();
    const { secret: second } = await make({ actorId });
    const { secret: another } = await make();
    const statuses: number[] = [];
    for (let asked = 0; asked < LIMIT; asked++) statuses.push((await list(asked % 2 === 0 ? secret : second)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expectError(await list(secret), 429, "rate_limited");
    expectError(await list(second), 429, "rate_limited");
    expect((await list(another)).status).toBe(200);
    // The kind is part of an actor, so the same id of another kind is another actor. A person's role decides, so the refusal names no token.
    expectError(await list((await make({ actorId, kind: "user", scopes: ["audit:read"] })).secret), 403, "forbidden");
  });

  test("a user has a limit in live, one in test, and one in each organization", async () => {
    const user = { kind: "user", actorId: randomUUID(), scopes: ["proofs:read"] };
    const first = await make(user);
    const sessions = [
      await make(user),
      await make({ ...user, environment: "test" }),
      await make({ ...user, tenantId: other.id }),
    ];
    const statuses: number[] = [];
    for (let asked = 0; asked < LIMIT; asked++) statuses.push((await list(first.secret)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const after = await Promise.all(sessions.map(({ secret }) => list(secret)));
    // The second session in live is of the same actor.
    expect(after.map(({ status }) => status)).toEqual([429, 200, 200]);
  });

  test("the last use: a row for an actor, whichever credential it came with", async () => {
    const pool = createPool({ url: selo.database.appUrl, role: "selo_app", applicationName: "test" }, 1, () => {});
    const errors: unknown[] = [];
    interface Use {
      readonly kind: string;
      readonly tenant_id: string;
      readonly environment: string;
      readonly last_used_at: Date;
    }
    const use = new TokenUse(new Database(pool), (error) => errors.push(error));
    const uses = async (actorId: string) =>
      (
        await selo.database.admin.query<Use>(
          "select kind, tenant_id, environment, last_used_at from platform.actor_uses where actor_id = $1 order by kind",
          [actorId],
        )
      ).rows;
    try {
      const { secret, actorId } = await make();
      const { secret: second } = await make({ actorId });
      for (const each of [secret, second]) use.seen(hashOf(each));
      await use.flush();
      const [first, ...more] = await uses(actorId);
      expect(more).toEqual([]);
      expect(first).toMatchObject({ kind: "api_key", tenant_id: organization.id });
      use.seen(hashOf(second));
      await use.flush();
      const [again] = await uses(actorId);
      expect(Number(again?.last_used_at)).toBeGreaterThanOrEqual(Number(first?.last_used_at));
      expect(await uses(actorId)).toHaveLength(1);
      // A user who was there in live and test, and in another organization.
      const user = { kind: "user", actorId };
      for (const session of [user, user, { ...user, environment: "test" }, { ...user, tenantId: other.id }] as const)
        use.seen(hashOf((await make(session)).secret));
      await use.flush();
      const of = ({ tenant_id, environment, kind }: Use) => `${kind} ${tenant_id} ${environment}`;
      expect((await uses(actorId)).map(of).sort()).toEqual(
        [
          `api_key ${organization.id} live`,
          `user ${organization.id} live`,
          `user ${organization.id} test`,
          `user ${other.id} live`,
        ].sort(),
      );
      expect(errors).toEqual([]);
    } finally {
      await use.stop();
      await pool.end();
    }
  });

  test("turns of lists: two credentials of one actor take them together, and another actor has its own", async () => {
    // A quarter of its connections for the lists of one actor: one.
    const pool = createPool({ url: selo.database.appUrl, role: "selo_app", applicationName: "turns" }, 4, () => {});
    const database = new Database(pool);
    const { secret, actorId } = await make();
    const { secret: second } = await make({ actorId });
    const { secret: another } = await make();
    const holder = new pg.Client({ connectionString: selo.database.adminUrl });
    await holder.connect();
    const origin = { requestId: "turns", address: "", channel: "rest" as const };
    const ask = async (key: string) => {
      // As every request does first.
      await database.countActorRequests(hashOf(key), 1, 60);
      return () => database.list({ credentialHash: hashOf(key), command: "list_proofs", arguments: {}, origin });
    };
    const waiting = async () => {
      const { rows } = await selo.database.admin.query<{ waiting: number }>(
        `select count(*)::integer as waiting from pg_locks
         where relation = 'signature.proofs'::regclass and not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows[0]?.waiting;
    };
    try {
      const [first, next, others] = [await ask(secret), await ask(second), await ask(another)];
      await holder.query("begin; lock table signature.proofs in access exclusive mode");
      const lists = [first(), next()];
      await expect.poll(waiting).toBe(1);
      lists.push(others());
      await expect.poll(waiting).toBe(2);
      // What would have come by now, had it its own turn.
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await waiting()).toBe(2);
      await holder.query("rollback");
      for (const answer of await Promise.all(lists)) expect(answer.status).toBe(200);
    } finally {
      await holder.end();
      await pool.end();
    }
  });
});

describe("the table", () => {
  test("shows selo_owner the credentials of the context's organization alone", async () => {
    await make({ tenantId: other.id });
    const seen = await inContext(owner, organization.id, "live", (client) =>
      client.query<{ tenant_id: string }>("select distinct tenant_id from platform.credentials"),
    );
    expect(seen.rows).toEqual([{ tenant_id: organization.id }]);
    expect((await owner.query("select from platform.credentials")).rowCount).toBe(0);
  });

  test("refuses a kind that has no credentials, an unknown kind or source, and scopes that are missing or in two places", async () => {
    for (const kind of ["operator", "system"]) await expect(make({ kind })).rejects.toMatchObject({ code: "23514" });
    await expect(make({ kind: "robot" })).rejects.toMatchObject({ code: "23503" });
    await expect(make({ scopesFrom: "nowhere", scopes: null })).rejects.toMatchObject({ code: "23503" });
    await expect(make({ scopes: null })).rejects.toMatchObject({ code: "23514" });
    await expect(make({ scopes: [] })).rejects.toMatchObject({ code: "23514" });
    await expect(make({ scopesFrom: "token" })).rejects.toMatchObject({ code: "23514" });
  });
});

test("an event names the kind of whoever acts: the actor, the command line or the system", async () => {
  const recorded = async (...settings: [name: string, value: string][]) => {
    const subject = randomUUID();
    await inContext(owner, organization.id, "live", async (client) => {
      for (const [name, value] of settings) await client.query("select set_config($1, $2, true)", [name, value]);
      await client.query("select platform.record_audit_event('thing.changed', 'thing', $1)", [subject]);
    });
    const { rows } = await selo.database.admin.query(
      "select actor_type, actor_id from platform.audit_events where subject_id = $1",
      [subject],
    );
    return rows;
  };
  expect(await recorded()).toEqual([{ actor_type: "system", actor_id: null }]);
  expect(await recorded(["app.channel", "cli"])).toEqual([{ actor_type: "operator", actor_id: null }]);
  expect(await recorded(["app.actor_kind", "user"], ["app.actor_id", organization.id])).toEqual([
    { actor_type: "user", actor_id: organization.id },
  ]);
  // A job says that it is one, whatever the settings of its session say.
  expect(await recorded(["app.channel", "cli"], ["app.actor_kind", "system"])).toEqual([
    { actor_type: "system", actor_id: null },
  ]);
});

test("a token gets no scope that tokens may not hold, and all scopes are those it may", async () => {
  await owner.query("insert into platform.scopes (name, grants, kinds) values ('keys:use', 'nothing', '{api_key}')");
  expect(await selo.operator.allScopes()).not.toContain("keys:use");
  await expect(
    selo.operator.createToken(organization.id, "live", "x", ["proofs:read", "keys:use"]),
  ).rejects.toMatchObject({
    status: 422,
    fields: [{ field: "scopes", message: expect.not.stringContaining("keys:use") }],
  });
});

test("every kind that may hold a scope is one of those that there are", async () => {
  const { rows } = await selo.database.admin.query(
    `select scope.name, kind from platform.scopes as scope, unnest(scope.kinds) as kind
     where kind not in (select known.name from platform.actor_kinds as known)`,
  );
  expect(rows).toEqual([]);
});

test("the audit trail takes no kind of actor and no channel that the reference tables do not have", async () => {
  for (const column of ["actor_type", "channel"])
    await expect(
      selo.database.admin.query(
        `insert into platform.audit_events
         select (jsonb_populate_record(event, jsonb_build_object($1::text, 'robot', 'id', gen_random_uuid(), 'subject_id', gen_random_uuid()))).*
         from platform.audit_events as event limit 1`,
        [column],
      ),
    ).rejects.toMatchObject({ code: "23503", constraint: `audit_events_${column}_fkey` });
});

test("an Idempotency-Key is an actor's own: another actor with the same key and request writes for himself", async () => {
  const body = { url: "https://example.com/hook", event_types: ["*"] };
  await owner.query("update platform.scopes set kinds = '{token,api_key}' where name = 'webhooks:manage'");
  const scopes = [...scopesOf, "webhooks:manage"];
  const [first, second] = [await make({ scopes }), await make({ scopes })];
  const create = ({ secret }: { secret: string }) =>
    call(selo, "POST", "/webhooks", { token: secret, body, headers: { "idempotency-key": "mine" } });
  const made = [await create(first), await create(second)];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect(made[0]?.body.id).not.toBe(made[1]?.body.id);
  const again = await create(first);
  expect(again.body.id).toBe(made[0]?.body.id);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("a source of scopes runs no function but ours", async () => {
  await owner.query(
    "insert into platform.scope_sources (name, function_name, description) values ('stolen', 'graphile_worker.scopes_of_x', 'not ours')",
  );
  await expect(owner.query("select platform.build_scope_sources()")).rejects.toThrow("permission denied");
  const { secret } = await make({ scopesFrom: "stolen", scopes: null });
  expect((await call(selo, "GET", "/proofs", { token: secret })).status).toBe(500);
});
