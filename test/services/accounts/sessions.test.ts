// Sessions (message-webhooks part B §5): where the cookie counts, what writes must send, and how a session ends.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser } from "../../../src/services/accounts/store.ts";
import { sessionCookies } from "../../../src/surfaces/http/session.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { get, graphql } from "../../support/graphql-client.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { addPerson, ageSessions, auth, PASSWORD, sessionHeaders, signedIn, trySignIn } from "./accounts-stage.ts";

let selo: TestGateway;
let acme: TestOrganization;
let beta: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  acme = await selo.newOrganization({ name: "Acme" });
  beta = await selo.newOrganization({ name: "Beta" });
});
afterAll(() => selo?.stop());

type Headers = Readonly<Record<string, string>>;
const session = (headers: Headers) => auth(selo, "GET", "/session", { headers });
const proofs = (headers: Headers) => graphql(selo, headers, "{ proofs { nodes { id label } } }");
const register = (headers: Headers, label = "by a person") => {
  const sha256 = randomBytes(32).toString("hex");
  const query = `mutation { registerProof(input: {sha256: "${sha256}", label: "${label}"}) { proof { id label } } }`;
  return graphql(selo, headers, query);
};
const codes = ({ status, errors }: Awaited<ReturnType<typeof graphql>>) => [
  status,
  ...errors.map(({ extensions }) => extensions.code),
];
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;

const age = (personId: string, interval: string) => ageSessions(selo, personId, interval);

describe("where the cookie counts", () => {
  test("POST /graphql: a person reads and writes as the role allows, in the organization of the session", async () => {
    const member = await signedIn(selo, acme, "member");
    const made = await register(member.headers);
    expect(codes(made)).toEqual([200]);
    const [id = ""] = /(?<="id":")[\w-]+/.exec(JSON.stringify(made.data)) ?? [];
    expect(id).toHaveLength(36);
    expect(codes(await proofs(member.headers))).toEqual([200]);
    const accountant = await signedIn(selo, acme, "accountant");
    expect(JSON.stringify((await proofs(accountant.headers)).data)).toContain(id);
    const refused = await register(accountant.headers);
    expect(codes(refused)).toEqual([403, "forbidden"]);
    expect(refused.errors[0]?.message).toBe("Your role in the organization lacks the scope proofs:write.");
    const [event] = await rows(
      "select actor_type, actor_id, channel from platform.audit_events where subject_id = $1",
      [id],
    );
    expect(event).toEqual({ actor_type: "user", actor_id: member.id, channel: "graphql" });
    const stranger = await signedIn(selo, beta, "owner");
    expect(JSON.stringify((await proofs(stranger.headers)).data)).not.toContain(id);
  });

  test("the role is read with each request", async () => {
    const { id, headers } = await signedIn(selo, acme, "accountant");
    expect(codes(await register(headers))).toEqual([403, "forbidden"]);
    await rows("update accounts.memberships set role = 'member' where person_id = $1", [id]);
    expect(codes(await register(headers))).toEqual([200]);
    await rows("update accounts.memberships set role = 'accountant' where person_id = $1", [id]);
    expect(codes(await register(headers))).toEqual([403, "forbidden"]);
  });

  test("GET /me and the GETs that answer files; elsewhere it is as if absent", async () => {
    const { headers } = await signedIn(selo, acme, "accountant");
    const me = await call(selo, "GET", "/me", { headers });
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({ organization: { id: acme.id }, environment: "live", token: null });
    const made = await call(selo, "POST", "/proofs", { token: acme.live, body: { sha256: "ab".repeat(32) } });
    const receipt = await call(selo, "GET", `/proofs/${made.body.id}/receipt`, { headers });
    expect([receipt.status, receipt.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expectError(await call(selo, "GET", `/proofs/${randomUUID()}/receipt`, { headers }), 404, "not_found");
    for (const path of ["/proofs", `/proofs/${made.body.id}`, "/audit", "/webhooks"])
      expectError(await call(selo, "GET", path, { headers }), 401, "unauthenticated");
    expectError(
      await call(selo, "POST", "/proofs", { headers, body: { sha256: "cd".repeat(32) } }),
      401,
      "unauthenticated",
    );
    expect((await call(selo, "GET", "/me", { prefix: "/v1", headers })).status).toBe(401);
    expect(codes(await get(selo, null, { query: "{ proofs { nodes { id } } }" }, headers))).toEqual([
      401,
      "unauthenticated",
    ]);
  });

  test("a request with Authorization is the token's, good or bad, and needs no X-CSRF-Token", async () => {
    const { headers } = await signedIn(selo, acme, "accountant");
    const { cookie } = headers;
    const environment = { "x-environment": "test" };
    const made = await register({ cookie, authorization: `Bearer ${acme.live}`, ...environment }, "by the token");
    expect(codes(made)).toEqual([200]);
    const [kept] = await rows("select environment from signature.proofs where label = 'by the token'");
    expect(kept).toEqual({ environment: "live" });
    for (const authorization of ["Bearer nonsense", "", `Bearer svc_live_${"A".repeat(43)}`]) {
      expect(codes(await proofs({ ...headers, authorization }))).toEqual([401, "unauthenticated"]);
      expectError(await call(selo, "GET", "/me", { headers: { ...headers, authorization } }), 401, "unauthenticated");
    }
    expectError(await session({ cookie, authorization: `Bearer ${acme.live}` }), 403, "forbidden");
  });

  test("X-Environment chooses live or test, live without it, otherwise 422, and 400 in GraphQL", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const test = { ...headers, "x-environment": "test" };
    expect(codes(await register(test, "in test"))).toEqual([200]);
    expect(JSON.stringify((await proofs(test)).data)).toContain("in test");
    for (const live of [headers, { ...headers, "x-environment": "live" }])
      expect(JSON.stringify((await proofs(live)).data)).not.toContain("in test");
    for (const environment of ["Live", "production", "live, test"]) {
      expectError(
        await call(selo, "GET", "/me", { headers: { ...headers, "x-environment": environment } }),
        422,
        "invalid_request",
        ["X-Environment"],
      );
      expect(codes(await proofs({ ...headers, "x-environment": environment }))).toEqual([400, "invalid_request"]);
    }
  });
});

test("what has no test environment is forbidden to every role there, and no scope of the session", async () => {
  const { headers, session: live } = await signedIn(selo, acme, "owner");
  const inTest = await session({ ...headers, "x-environment": "test" });
  const isOfDns = (scope: string) => /^(zone|record|dns_keys):/.test(scope);
  expect(live.scopes.filter(isOfDns)).toHaveLength(5);
  expect(inTest.body.scopes).toEqual(live.scopes.filter((scope: string) => !isOfDns(scope)));
  const zones = (more: Headers) => graphql(selo, { ...headers, ...more }, "{ dnsZones { nodes { id } } }");
  expect(codes(await zones({}))).toEqual([200]);
  expect(codes(await zones({ "x-environment": "test" }))).toEqual([403, "forbidden"]);
});

describe("403 csrf", () => {
  test("for what writes without X-CSRF-Token, and for queries of GraphQL; not for GET", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const { cookie } = headers;
    expect(codes(await proofs({ cookie }))).toEqual([403, "csrf"]);
    expect(codes(await graphql(selo, { cookie }, "{ platformKeys { nodes { keyId } } }"))).toEqual([403, "csrf"]);
    expectError(await auth(selo, "POST", "/sign-out", { headers: { cookie } }), 403, "csrf");
    expect((await session({ cookie })).status).toBe(200);
    expect((await call(selo, "GET", "/me", { headers: { cookie } })).status).toBe(200);
  });

  test("unless header, cookie and the HMAC under the session's secret are equal", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const other = await signedIn(selo, acme, "member");
    const [own = "", csrf = ""] = headers.cookie.split("; ");
    const token = headers["x-csrf-token"];
    const otherToken = other.headers["x-csrf-token"];
    const wrong: readonly Headers[] = [
      { cookie: own, "x-csrf-token": token },
      { cookie: `${own}; ${csrf}`, "x-csrf-token": otherToken },
      // Planted by a subdomain: both agree, and the session does not know the value.
      { cookie: `${own}; inv_csrf=${otherToken}`, "x-csrf-token": otherToken },
      { cookie: `${own}; inv_csrf=planted`, "x-csrf-token": "planted" },
      { cookie: `${own}; inv_csrf=; ${csrf}`, "x-csrf-token": token },
      { cookie: `${own}; ${csrf}; ${csrf}`, "x-csrf-token": token },
      { cookie: `${own}; inv_csrf=`, "x-csrf-token": "" },
      { cookie: `${own}; ${csrf}x`, "x-csrf-token": `${token}x` },
    ];
    for (const each of wrong) {
      expect([each, ...codes(await proofs(each))]).toEqual([each, 403, "csrf"]);
      expectError(await auth(selo, "POST", "/sign-out", { headers: each }), 403, "csrf");
    }
    expect(codes(await proofs(headers))).toEqual([200]);
  });

  test("who is unknown hears 401 first, also right after the session ended", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const { cookie } = headers;
    expect(codes(await proofs(headers))).toEqual([200]);
    expect((await auth(selo, "POST", "/sign-out", { headers })).status).toBe(204);
    expect(codes(await proofs({ cookie }))).toEqual([401, "unauthenticated"]);
    expectError(await auth(selo, "POST", "/sign-out", { headers: { cookie } }), 401, "unauthenticated");
    const unknown = `inv_session=${randomBytes(32).toString("base64url")}`;
    expect(codes(await proofs({ cookie: unknown }))).toEqual([401, "unauthenticated"]);
  });
});

describe("401", () => {
  test("unauthenticated for a cookie that is malformed, of 4 KB, there twice, or of another deployment", async () => {
    const { headers } = await signedIn(selo, acme, "member");
    const [own = "", csrf = ""] = headers.cookie.split("; ");
    const cookies = [
      "inv_session=",
      "inv_session=nonsense",
      `inv_session=${"A".repeat(4096)}`,
      `${own}x`,
      `${own}; ${own}`,
      `${own}; inv_session=${"A".repeat(43)}`,
      `inv_session=; ${own}`,
      `inv_session="${own.slice("inv_session=".length)}"`,
      `inv_session=${"A".repeat(43)}`,
      `inv_session=${acme.live}`,
    ];
    for (const cookie of cookies) {
      const asked = { ...headers, cookie: `${cookie}; ${csrf}` };
      expect([cookie, ...codes(await proofs(asked))]).toEqual([cookie, 401, "unauthenticated"]);
      expectError(await session(asked), 401, "unauthenticated");
      const me = await call(selo, "GET", "/me", { headers: asked });
      expectError(me, 401, "unauthenticated");
      expect(me.body.detail.message).toBe("The session is unknown or has ended. Sign in again.");
    }
    for (const cookie of ["", "inv_sessions=x", "x=inv_session=y"])
      expectError(await session({ cookie }), 401, "unauthenticated");
  });

  test("the secret of a session is no token, and nothing that the database keeps is a session", async () => {
    const { id, headers } = await signedIn(selo, acme, "member");
    const [secret = ""] = /(?<=inv_session=)[\w-]+/.exec(headers.cookie) ?? [];
    expectError(await call(selo, "GET", "/me", { token: secret }), 401, "unauthenticated");
    expectError(await call(selo, "GET", "/me", { token: `svc_live_${secret}` }), 401, "unauthenticated");
    const [kept] = await rows<{ live_digest: Buffer; test_digest: Buffer }>(
      "select live_digest, test_digest from accounts.sessions where person_id = $1",
      [id],
    );
    for (const bytes of [kept?.live_digest, kept?.test_digest, createHash("sha256").update(`${secret} live`).digest()])
      expectError(await session({ cookie: `inv_session=${bytes?.toString("base64url")}` }), 401, "unauthenticated");
  });

  test("session_expired after 12 hours whatever happens, for a week; then unauthenticated", async () => {
    const { id, headers } = await signedIn(selo, acme, "member");
    await age(id, "11 hours 59 minutes");
    expect(codes(await proofs(headers))).toEqual([200]);
    await age(id, "1 minute");
    const asExpired = async () => {
      expect(codes(await proofs(headers))).toEqual([401, "session_expired"]);
      for (const answer of [await session(headers), await call(selo, "GET", "/me", { headers })])
        expectError(answer, 401, "session_expired");
      expectError(await auth(selo, "POST", "/sign-out", { headers }), 401, "session_expired");
      expect(codes(await proofs({ cookie: headers.cookie }))).toEqual([401, "session_expired"]);
    };
    await asExpired();
    await age(id, "6 days 23 hours");
    await rows("select jobs.sweep_sessions()");
    await asExpired();
    await age(id, "1 hour");
    await rows("select jobs.sweep_sessions()");
    expect(codes(await proofs(headers))).toEqual([401, "unauthenticated"]);
    expect(await rows("select from accounts.sessions where person_id = $1", [id])).toEqual([]);
    expect(await rows("select from platform.credentials where actor_id = $1", [id])).toEqual([]);
    const [last] = await rows(
      "select action, actor_type from platform.audit_events where subject_id = $1 order by seq desc limit 1",
      [id],
    );
    expect(last).toEqual({ action: "user.sessions_forgotten", actor_type: "system" });
  });

  test("unauthenticated for an expired session of somebody whose membership ended, or that was ended before", async () => {
    const left = await signedIn(selo, acme, "member");
    const ended = await signedIn(selo, acme, "member");
    await auth(selo, "POST", "/sign-out", { headers: ended.headers });
    for (const { id } of [left, ended]) await age(id, "13 hours");
    await rows("update accounts.memberships set removed_at = now() where person_id = $1", [left.id]);
    for (const { headers } of [left, ended]) expectError(await session(headers), 401, "unauthenticated");
  });

  test("a token or key that expired stays unauthenticated", async () => {
    const token = await acme.token("live", ["proofs:read"]);
    await rows("update platform.credentials set expires_at = now() where digest = sha256(sha256($1::bytea))", [token]);
    expectError(await call(selo, "GET", "/proofs", { token }), 401, "unauthenticated");
  });
});

describe("POST sign-out", () => {
  test("204, ends this session alone, and takes the cookies away", async () => {
    const { email, headers } = await signedIn(selo, acme, "member");
    const other = sessionHeaders(await trySignIn(selo, email));
    for (const body of ["[]", '"a"'])
      expectError(await auth(selo, "POST", "/sign-out", { headers, body }), 422, "invalid_request");
    const third = sessionHeaders(await trySignIn(selo, email));
    expect((await auth(selo, "POST", "/sign-out", { headers: third, body: "{}" })).status).toBe(204);
    const answer = await auth(selo, "POST", "/sign-out", { headers });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.getSetCookie()).toEqual([
      "inv_session=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly",
      "inv_csrf=; Path=/; Max-Age=0; SameSite=Lax",
    ]);
    expectError(await session(headers), 401, "unauthenticated");
    expect((await session(other)).status).toBe(200);
  });
});

describe("POST switch", () => {
  const switchTo = (headers: Headers, organization_id: string, key?: string) =>
    auth(selo, "POST", "/switch", { headers, body: { organization_id }, ...(key === undefined ? {} : { key }) });
  async function ofBoth() {
    const person = await signedIn(selo, acme, "owner");
    await createUser(selo.operator, { tenantId: beta.id, email: person.email, role: "accountant" });
    return person;
  }

  test("opens a session in the other organization with a new secret, and ends the old one", async () => {
    const { id, headers, email, session: first } = await ofBoth();
    await age(id, "1 hour");
    const answer = await switchTo(headers, beta.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      user: { email },
      organization: { id: beta.id },
      role: "accountant",
      organizations: [
        { id: acme.id, role: "owner" },
        { id: beta.id, role: "accountant" },
      ],
    });
    // 12 hours after the sign-in, whatever happens.
    const hours = (Date.parse(first.expires_at) - Date.parse(answer.body.expires_at)) / 3_600_000;
    expect(hours).toBeCloseTo(1, 3);
    const now = sessionHeaders(answer);
    expect(now.cookie).not.toBe(headers.cookie);
    expectError(await session(headers), 401, "unauthenticated");
    expect((await call(selo, "GET", "/me", { headers: now })).body.organization.id).toBe(beta.id);
    expect(codes(await register(now))).toEqual([403, "forbidden"]);
    // A tab of the former organization: the browser has the new cookies, the page its former value.
    expect(codes(await proofs({ ...now, "x-csrf-token": headers["x-csrf-token"] }))).toEqual([403, "csrf"]);
    // The next sign-in opens the organization that was opened last, also once the sessions are forgotten.
    expect((await trySignIn(selo, email)).body.organization.id).toBe(beta.id);
    await age(id, "20 days");
    await rows("select jobs.sweep_sessions()");
    expect(await rows("select from accounts.sessions where person_id = $1", [id])).toEqual([]);
    expect((await trySignIn(selo, email)).body.organization.id).toBe(beta.id);
  });

  test("404 not_found for an organization that is not the person's, or that the person left", async () => {
    const { id, headers } = await ofBoth();
    const other = await selo.newOrganization();
    for (const organization of [other.id, randomUUID()])
      expectError(await switchTo(headers, organization), 404, "not_found");
    await rows("update accounts.memberships set removed_at = now() where person_id = $1 and tenant_id = $2", [
      id,
      beta.id,
    ]);
    expectError(await switchTo(headers, beta.id), 404, "not_found");
    expect((await session(headers)).status).toBe(200);
  });

  test("of two switches at once one makes a session, and the other finds the session ended", async () => {
    const { headers } = await ofBoth();
    const answers = await Promise.all([switchTo(headers, beta.id), switchTo(headers, beta.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("a switch during a write: what was begun in the old organization is written there, and nothing after the switch", async () => {
    const { headers } = await ofBoth();
    const writtenTo = (label: string) =>
      rows<{ tenant_id: string }>("select tenant_id from signature.proofs where label = $1", [label]);
    const holder = await selo.database.admin.connect();
    const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let now: Headers;
    try {
      await holder.query("begin");
      await holder.query("lock table signature.proofs in share mode");
      const made = register(headers, "meanwhile");
      await expect.poll(async () => (await rows(waits)).length).toBe(1);
      const switched = await switchTo(headers, beta.id);
      expect(switched.status).toBe(200);
      now = sessionHeaders(switched);
      await holder.query("commit");
      expect(codes(await made)).toEqual([200]);
    } finally {
      holder.release();
    }
    expect(await writtenTo("meanwhile")).toEqual([{ tenant_id: acme.id }]);
    expect(codes(await register(headers, "too late"))).toEqual([401, "unauthenticated"]);
    // The page of the old organization, in a browser that has the new cookies.
    const stale = { ...now, "x-csrf-token": headers["x-csrf-token"] };
    expect(codes(await register(stale, "too late"))).toEqual([403, "csrf"]);
    expect(await writtenTo("too late")).toEqual([]);
  });
});

test("Idempotency-Keys are the person's own, as of every actor but tokens", async () => {
  const [one, other] = [await signedIn(selo, acme, "member"), await signedIn(selo, acme, "member")];
  const body = `mutation { createEnvelope(input: {title: "by key"}) { envelope { id } } }`;
  const ask = (headers: Headers) => graphql(selo, { ...headers, "idempotency-key": "same" }, body);
  const first = await ask(one.headers);
  expect(codes(first)).toEqual([200]);
  const again = await ask(one.headers);
  expect([again.headers.get("idempotent-replayed"), again.data]).toEqual(["true", first.data]);
  const others = await ask(other.headers);
  expect([others.headers.get("idempotent-replayed"), ...codes(others)]).toEqual([null, 200]);
  expect(others.data).not.toEqual(first.data);
});

test("cookies are Secure unless PUBLIC_URL is http", () => {
  for (const cookie of sessionCookies("secret", 10, "https://selo.example"))
    expect(cookie).toMatch(
      /; Path=\/; Max-Age=10; SameSite=Lax; Secure(; HttpOnly)?$|Path=\/; Max-Age=10; SameSite=Lax; Secure/,
    );
  for (const cookie of sessionCookies("secret", 10, "http://localhost:4000")) expect(cookie).not.toContain("Secure");
});

describe("a person has a hundred sessions at most", () => {
  /** Opens sessions as a sign-in does, without hashing a password. */
  const open = (id: string, count: number) =>
    rows(
      `select accounts.open_session($1, $2, 'password', encode(sha256(gen.secret || 'live'), 'hex'), encode(sha256(gen.secret || 'test'), 'hex'), '192.0.2.1')
       from (select convert_to(gen_random_uuid()::text, 'UTF8') as secret from generate_series(1, $3)) as gen`,
      [id, acme.id, count],
    );
  const counts = async (id: string) =>
    (
      await rows<{ sessions: number; open: number; credentials: number }>(
        `select count(*)::integer as sessions, count(*) filter (where ended_at is null)::integer as open,
           (select count(*)::integer from platform.credentials where actor_id = $1) as credentials
         from accounts.sessions where person_id = $1`,
        [id],
      )
    )[0];

  test("the oldest open session ends when another one is opened", async () => {
    const { id, email, headers } = await signedIn(selo, acme, "member");
    const second = sessionHeaders(await trySignIn(selo, email));
    await open(id, 98);
    for (const each of [headers, second]) expect((await session(each)).status).toBe(200);
    await open(id, 1);
    expectError(await session(headers), 401, "unauthenticated");
    expect((await session(second)).status).toBe(200);
    expect(await counts(id)).toEqual({ sessions: 100, open: 100, credentials: 200 });
    const [event] = await rows(
      `select details::jsonb -> 'sessions' as sessions from platform.audit_events
       where subject_id = $1 and action = 'user.signed_out' order by seq desc limit 1`,
      [id],
    );
    expect(event).toEqual({ sessions: 1 });
  });

  test("one that has ended makes room before an open one", async () => {
    const { id, email, headers } = await signedIn(selo, acme, "member");
    const second = sessionHeaders(await trySignIn(selo, email));
    await open(id, 98);
    expect((await auth(selo, "POST", "/sign-out", { headers: second })).status).toBe(204);
    await open(id, 1);
    expect((await session(headers)).status).toBe(200);
    expectError(await session(second), 401, "unauthenticated");
    expect(await counts(id)).toEqual({ sessions: 100, open: 100, credentials: 200 });
    const { faults } = await verifyAll(selo.operator);
    expect(faults.filter(({ subject_id }) => subject_id === id)).toEqual([]);
  });
});

test("selo_owner reaches no person, session or link: only functions of selo_system do", async () => {
  await signedIn(selo, acme, "owner");
  const owner = ownerPool(selo.database);
  const tables = ["accounts.people", "accounts.sessions", "accounts.password_links"];
  await rows(`insert into accounts.password_links (person_id, digest, expires_at, is_open)
    select id, sha256(id::text::bytea), now(), true from accounts.people on conflict do nothing`);
  for (const table of tables) {
    const all = await rows(`select from ${table}`);
    expect(all.length).toBeGreaterThan(0);
    await inContext(owner, acme.id, "live", async (client) => {
      for (const statement of [`select from ${table}`, `delete from ${table}`])
        expect((await client.query(statement)).rowCount).toBe(0);
    });
    const [one] = await rows<{ row: object }>(`select to_jsonb(own) as row from ${table} as own limit 1`);
    const copied = inContext(owner, acme.id, "live", (client) =>
      client.query(`insert into ${table} select (jsonb_populate_record(null::${table}, $1)).*`, [one?.row]),
    );
    await expect(copied, table).rejects.toMatchObject({
      code: "42501",
      message: expect.stringContaining("row-level security policy"),
    });
    expect(await rows(`select from ${table}`)).toHaveLength(all.length);
  }
  await owner.end();
});

test("one person's sessions, and nobody else's, end with accounts.end_sessions", async () => {
  const [one, other] = [await signedIn(selo, acme, "owner"), await signedIn(selo, acme, "owner")];
  const owner = ownerPool(selo.database);
  await inContext(owner, acme.id, "live", (client) => client.query("select accounts.end_sessions($1)", [one.id]));
  await owner.end();
  expectError(await session(one.headers), 401, "unauthenticated");
  expect((await session(other.headers)).status).toBe(200);
});

test("a person who is added twice at once is one person", async () => {
  const email = `${randomUUID()}@people.example`;
  await Promise.allSettled([acme, beta].map((organization) => addPerson(selo, organization, "member", email)));
  expect(await rows("select from accounts.people where email = $1", [email])).toHaveLength(1);
  expect((await trySignIn(selo, email, PASSWORD)).status).toBe(200);
});

test("a restore ends all sessions and links", async () => {
  const { headers } = await signedIn(selo, acme, "owner");
  const { accounts } = await import("../../../src/services/accounts/service.ts");
  expect(await accounts.rebuild?.(selo.operator, null)).toEqual([]);
  expectError(await session(headers), 401, "unauthenticated");
  expect(await rows("select from accounts.password_links")).toEqual([]);
});

test("the audit trail verifies, and finds a session that somebody opened by hand", async () => {
  // Other tests changed roles and times as nothing of the product does.
  const { headers, id } = await signedIn(selo, acme, "owner");
  expect((await session(headers)).status).toBe(200);
  const before = (await verifyAll(selo.operator)).faults.filter(({ subject_id }) => subject_id === id);
  expect(before).toEqual([]);
  await rows(
    `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from)
     values (sha256('by hand'), 'user', $1, 'live', $2, 'role')`,
    [acme.id, id],
  );
  const { faults } = await verifyAll(selo.operator);
  expect(faults).toContainEqual(
    expect.objectContaining({ check_name: "records", subject_type: "user", subject_id: id }),
  );
});
