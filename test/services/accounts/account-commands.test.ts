// What people do themselves (message-webhooks part B §5): API tokens, keys of DNS, the organization, and their own account.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser } from "../../../src/services/accounts/store.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type Asker, answered, graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { PASSWORD, sessionHeaders, signedIn, trySignIn } from "./accounts-stage.ts";

let selo: TestGateway;
let acme: TestOrganization;
let beta: TestOrganization;
type Person = Awaited<ReturnType<typeof signedIn>>;
let owner: Person;
let admin: Person;
beforeAll(async () => {
  selo = await startTestGateway();
  acme = await selo.newOrganization({ name: "Acme" });
  beta = await selo.newOrganization({ name: "Beta" });
  owner = await signedIn(selo, acme, "owner");
  admin = await signedIn(selo, acme, "admin");
});
afterAll(() => selo?.stop());

const NEW_PASSWORD = "staple-orbit-lantern-42";

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;
const codes = ({ status, errors }: Awaited<ReturnType<typeof graphql>>) => [
  status,
  ...errors.map(({ extensions }) => extensions.code),
];
const fieldsOf = ({ errors }: Awaited<ReturnType<typeof graphql>>) =>
  errors.flatMap(({ extensions: { fields = [] } }) => fields.map(({ field }) => field));
const lastEvent = async (subject: string) =>
  (
    await rows(
      "select action, actor_type, actor_id, environment from platform.audit_events where subject_id = $1 order by seq desc limit 1",
      [subject],
    )
  )[0];

interface MadeToken {
  readonly apiToken: { readonly id: string; readonly environment: string; readonly [name: string]: unknown };
  readonly token: string | null;
}
const TOKEN = "id name environment prefix scopes createdAt expiresAt revokedAt lastUsedAt";
const createToken = (asker: Asker, input: object, headers = {}) =>
  graphql(
    selo,
    asker,
    `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { apiToken { ${TOKEN} } token } }`,
    { input },
    headers,
  );
const revokeToken = (asker: Asker, id: string) =>
  graphql(selo, asker, `mutation { revokeApiToken(input: {id: "${id}"}) { apiToken { ${TOKEN} } } }`);
const me = async (token: string | null) => (await call(selo, "GET", "/me", { token })).status;

describe("API tokens", () => {
  test("a person lists those of both environments, makes one, whose secret is shown once, and revokes it; the audit trail names the person", async () => {
    for (const environment of ["LIVE", "TEST"]) {
      const input = { environment, name: `ERP ${environment}`, scopes: ["proofs:write", "proofs:read"] };
      const expiresAt = "2099-01-01T00:00:00.000000Z";
      const made = answered<MadeToken>(await createToken(admin.headers, { ...input, expiresAt }), "createApiToken");
      const { apiToken, token } = made;
      expect(apiToken).toMatchObject({
        environment,
        name: input.name,
        scopes: ["proofs:read", "proofs:write"],
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
        prefix: token?.slice(0, 15),
      });
      expect(token).toMatch(new RegExp(`^svc_${environment.toLowerCase()}_[\\w-]{43}$`));
      expect(await me(token)).toBe(200);
      const by = { actor_type: "user", actor_id: admin.id, environment: environment.toLowerCase() };
      expect(await lastEvent(apiToken.id)).toEqual({ action: "token.created", ...by });
      for (const asker of [admin.headers, { ...owner.headers, "x-environment": "test" }]) {
        const list = await graphql(selo, asker, "{ apiTokens { nodes { id } } }");
        expect(JSON.stringify(list.data)).toContain(apiToken.id);
        expect(JSON.stringify(list.data)).not.toContain(token);
      }
      // By another person, from either environment.
      const revoked = await revokeToken({ ...owner.headers, "x-environment": "test" }, apiToken.id);
      const { apiToken: after } = answered<MadeToken>(revoked, "revokeApiToken");
      expect(after).toMatchObject({ id: apiToken.id, revokedAt: expect.any(String) });
      expect(await me(token)).toBe(401);
      expect(await lastEvent(apiToken.id)).toEqual({ action: "token.revoked", ...by, actor_id: owner.id });
      const again = answered<MadeToken>(await revokeToken(admin.headers, apiToken.id), "revokeApiToken");
      expect(again.apiToken["revokedAt"]).toBe(after["revokedAt"]);
    }
  });

  test("a token gets no scope that its maker lacks, none that tokens cannot hold, and no bad name or time", async () => {
    const input = { environment: "LIVE", name: "x", scopes: ["proofs:read"] };
    // The role of an admin loses a scope.
    await rows("delete from accounts.role_scopes where role = 'admin' and scope = 'billing:read'");
    const more = await createToken(admin.headers, { ...input, scopes: ["proofs:read", "billing:read"] });
    await rows("insert into accounts.role_scopes (role, scope) values ('admin', 'billing:read')");
    expect(codes(more)).toEqual([403, "forbidden"]);
    expect(more.errors[0]?.message).toBe("Your role in the organization lacks the scope billing:read.");
    const before = await rows("select from platform.tokens");
    const wrong: readonly (readonly [object, string])[] = [
      [{ scopes: ["tokens:manage"] }, "scopes"],
      [{ scopes: ["signing:act"] }, "scopes"],
      [{ scopes: ["zone:read"] }, "scopes"],
      [{ scopes: ["proofs:read", "unknown"] }, "scopes"],
      [{ scopes: [] }, "scopes"],
      [{ name: "" }, "name"],
      [{ name: "x".repeat(101) }, "name"],
      [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
      [{ expiresAt: "tomorrow" }, "expiresAt"],
    ];
    for (const [member, field] of wrong) {
      const refused = await createToken(admin.headers, { ...input, ...member });
      expect([member, ...codes(refused), ...fieldsOf(refused)]).toEqual([member, 422, "invalid_request", field]);
    }
    expect(await rows("select from platform.tokens")).toHaveLength(before.length);
  });

  test("a repeated request with an Idempotency-Key makes one token, and shows its secret once; no row and no mail holds it", async () => {
    const key = { "idempotency-key": randomUUID() };
    const input = { environment: "TEST", name: "once", scopes: ["proofs:read"] };
    const first = answered<MadeToken>(await createToken(owner.headers, input, key), "createApiToken");
    const second = answered<MadeToken>(await createToken(owner.headers, input, key), "createApiToken");
    expect(second).toEqual({ ...first, token: null });
    const tables = await rows<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables)
      expect(await rows(`select from ${name} as kept where kept::text like '%' || $1 || '%'`, [first.token])).toEqual(
        [],
      );
  });
});

interface MadeKey {
  readonly dnsKey: { readonly id: string; readonly [name: string]: unknown };
  readonly secret: string | null;
}
const createKey = (asker: Asker, input: object) =>
  graphql(
    selo,
    asker,
    "mutation ($input: CreateDnsKeyInput!) { createDnsKey(input: $input) { dnsKey { id name prefix scopes zones acmeOnly revokedAt } secret } }",
    { input },
  );

test("keys of DNS: a person makes, lists and revokes them in live; the audit trail names the person", async () => {
  const made = answered<MadeKey>(
    await createKey(admin.headers, { name: "Certificates", acmeOnly: true }),
    "createDnsKey",
  );
  const { dnsKey, secret } = made;
  expect(dnsKey).toMatchObject({
    name: "Certificates",
    acmeOnly: true,
    zones: null,
    scopes: ["record:read", "record:write", "zone:read", "zone:write"],
    prefix: secret?.slice(0, 12),
  });
  const ask = () => call(selo, "GET", "/me", { prefix: "/v1", token: secret });
  expect((await ask()).status).toBe(200);
  const [kept] = await rows<{ id: string }>("select actor_id as id from dns.api_keys where id = $1", [dnsKey.id]);
  const by = { actor_type: "user", actor_id: admin.id, environment: "live" };
  expect(await lastEvent(kept?.id ?? "")).toEqual({ action: "api_key.created", ...by });
  const revoke = (id: string, asker: Asker = admin.headers) =>
    graphql(selo, asker, `mutation { revokeDnsKey(input: {id: "${id}"}) { dnsKey { revokedAt } } }`);
  for (const id of ["0", "-1", "x", "9999999999", "999999999"])
    expect(codes(await revoke(id))).toEqual([404, "not_found"]);
  expect(codes(await revoke(dnsKey.id, (await signedIn(selo, beta, "owner")).headers))).toEqual([404, "not_found"]);
  expect(codes(await revoke(dnsKey.id))).toEqual([200]);
  expect((await ask()).status).toBe(401);
  expect(await lastEvent(kept?.id ?? "")).toEqual({ action: "api_key.revoked", ...by });
  const list = await graphql(selo, owner.headers, "{ dnsKeys { nodes { id revokedAt } } }");
  expect(JSON.stringify(list.data)).toMatch(new RegExp(`"id":"${dnsKey.id}","revokedAt":"`));
  const wrong: readonly (readonly [object, string])[] = [
    [{ zones: [1] }, "zones"],
    [{ zones: [] }, "zones"],
    [{ scopes: ["proofs:read"] }, "scopes"],
    [{ name: "" }, "name"],
  ];
  for (const [member, field] of wrong) {
    const refused = await createKey(admin.headers, { name: "x", ...member });
    expect([member, ...codes(refused), ...fieldsOf(refused)]).toEqual([member, 422, "invalid_request", field]);
  }
  await rows("delete from accounts.role_scopes where role = 'admin' and scope = 'zone:write'");
  const more = await createKey(admin.headers, { name: "x" });
  await rows("insert into accounts.role_scopes (role, scope, is_live_only) values ('admin', 'zone:write', true)");
  expect(codes(more)).toEqual([403, "forbidden"]);
});

describe("the organization", () => {
  const ORGANIZATION = "id number name contactEmail language timeZone jurisdiction";
  const update = (asker: Asker, input: object) =>
    graphql(
      selo,
      asker,
      `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { ${ORGANIZATION} } } }`,
      { input },
    );

  test("owners change it, with an event; every role reads it", async () => {
    const input = {
      name: "Acme Tecnologia",
      contactEmail: "contato@acme.example",
      language: "pt-BR",
      timeZone: "America/Sao_Paulo",
      jurisdiction: "BR",
    };
    const changed = answered<{ organization: object }>(await update(owner.headers, input), "updateOrganization");
    expect(changed.organization).toEqual({ id: acme.id, number: String(acme.number), ...input });
    expect(await lastEvent(acme.id)).toEqual({
      action: "organization.changed",
      actor_type: "user",
      actor_id: owner.id,
      environment: "live",
    });
    const accountant = await signedIn(selo, acme, "accountant");
    const read = await graphql(selo, accountant.headers, `{ organization { ${ORGANIZATION} } }`);
    expect(answered(read, "organization")).toEqual(changed.organization);
    expect(accountant.session.organization.name).toBe(input.name);
    // From test, and one member alone.
    const inTest = await update({ ...owner.headers, "x-environment": "test" }, { contactEmail: "" });
    expect(answered(inTest, "updateOrganization")).toEqual({
      organization: { ...changed.organization, contactEmail: null },
    });
  });

  test("refuses what the operator's command refuses, and changes nothing", async () => {
    const before = await rows("select * from platform.organizations where id = $1", [acme.id]);
    const wrong: readonly (readonly [object, string])[] = [
      [{ name: "" }, "name"],
      [{ name: "\ue000" }, "name"],
      [{ contactEmail: "acme" }, "contactEmail"],
      [{ contactEmail: "a@b.example\r\nBcc: c@d.example" }, "contactEmail"],
      [{ language: "português" }, "language"],
      [{ timeZone: "Brasília" }, "timeZone"],
    ];
    for (const [member, field] of wrong) {
      const refused = await update(owner.headers, { name: "Another", ...member });
      expect([member, ...codes(refused), ...fieldsOf(refused)]).toEqual([member, 422, "invalid_request", field]);
    }
    expect(codes(await update(admin.headers, { name: "Another" }))).toEqual([403, "forbidden"]);
    expect(await rows("select * from platform.organizations where id = $1", [acme.id])).toEqual(before);
  });
});

interface Account {
  readonly id: string;
  readonly organizations: readonly { readonly id: string; readonly role: string; readonly current: boolean }[];
  readonly sessions: readonly { readonly id: string; readonly current: boolean; readonly userAgent: string | null }[];
}

describe("one's own account", () => {
  const readAccount = (asker: Asker) =>
    graphql(
      selo,
      asker,
      "{ account { id email name language organizations { id number name role current } sessions { id current userAgent way createdAt expiresAt } } }",
    );
  const account = async (asker: Asker) => answered<Account>(await readAccount(asker), "account");
  const again = async ({ email }: Pick<Person, "email">, password = PASSWORD, agent = "Firefox") =>
    sessionHeaders(await trySignIn(selo, email, password, { "user-agent": agent }));
  const endSession = (asker: Asker, id: string) =>
    graphql(selo, asker, `mutation { endSession(input: {id: "${id}"}) { done } }`);
  const endOthers = (asker: Asker) => graphql(selo, asker, "mutation { endOtherSessions { ended } }");
  const refused = [401, "unauthenticated"];

  test("lists organizations and open sessions, never an address; ends one session, and the others", async () => {
    const person = await signedIn(selo, acme, "member");
    const [second, third, fourth] = [await again(person), await again(person), await again(person)];
    const inTest = { ...second, "x-environment": "test" };
    const own = await account(inTest);
    expect(own).toMatchObject({
      id: person.id,
      email: person.email,
      organizations: [{ id: acme.id, role: "MEMBER", current: true }],
    });
    expect(own.sessions.map(({ current, userAgent }) => [current, userAgent])).toEqual([
      [false, "Firefox"],
      [false, "Firefox"],
      [true, "Firefox"],
      [false, expect.anything()],
    ]);
    expect(JSON.stringify(own)).not.toMatch(/127\.0\.0\.1|address/);
    const [newest] = own.sessions;
    expect(codes(await endSession(admin.headers, newest?.id ?? ""))).toEqual([404, "not_found"]);
    expect(codes(await endSession(inTest, newest?.id ?? ""))).toEqual([200]);
    expect(codes(await endSession(inTest, newest?.id ?? ""))).toEqual([404, "not_found"]);
    expect(codes(await readAccount(fourth))).toEqual(refused);
    expect(answered(await endOthers(inTest), "endOtherSessions")).toEqual({ ended: 2 });
    for (const headers of [third, person.headers]) expect(codes(await readAccount(headers))).toEqual(refused);
    expect((await account(second)).sessions.map(({ current }) => current)).toEqual([true]);
    expect(answered(await endOthers(second), "endOtherSessions")).toEqual({ ended: 0 });
    // Ended by an own request: the next one says so.
    expect(codes(await endSession(second, (await account(second)).sessions[0]?.id ?? ""))).toEqual([200]);
    expect(codes(await readAccount(second))).toEqual(refused);
  });

  test("changes name and language, in the session's answer and for every organization; refuses wrong ones", async () => {
    const person = await signedIn(selo, acme, "accountant");
    const update = (input: object) =>
      graphql(
        selo,
        person.headers,
        "mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { name language } }",
        { input },
      );
    expect(answered(await update({ name: "Ana Lima" }), "updateAccount")).toMatchObject({ name: "Ana Lima" });
    expect(answered(await update({ language: "pt-BR" }), "updateAccount")).toEqual({
      name: "Ana Lima",
      language: "pt-BR",
    });
    expect(await lastEvent(person.id)).toMatchObject({
      action: "user.changed",
      actor_type: "user",
      actor_id: person.id,
    });
    const wrong: readonly (readonly [object, string])[] = [
      [{ name: "" }, "name"],
      [{ name: "x".repeat(256) }, "name"],
      [{ name: "\ue000" }, "name"],
      [{ language: "" }, "language"],
      [{ language: "x".repeat(36) }, "language"],
    ];
    for (const [member, field] of wrong) {
      const answer = await update(member);
      expect([member, ...codes(answer), ...fieldsOf(answer)]).toEqual([member, 422, "invalid_request", field]);
    }
    expect(await account(person.headers)).toMatchObject({ name: "Ana Lima", language: "pt-BR" });
  });

  test("an organization that the person has left learns of the change, and not from where it was made", async () => {
    const former = await selo.newOrganization({ name: "Former" });
    const person = await signedIn(selo, acme, "member");
    await createUser(selo.operator, { tenantId: former.id, email: person.email, role: "accountant" });
    const update = (name: string) =>
      graphql(selo, person.headers, `mutation { updateAccount(input: { name: "${name}" }) { name } }`);
    const told = () =>
      rows(
        `select personal #>> '{address,value}' is not null as is_told from platform.audit_events
         where subject_id = $1 and action = 'user.changed' and tenant_id in ($2, $3) order by tenant_id = $2 desc, seq`,
        [person.id, acme.id, former.id],
      );
    await update("Ana");
    const owner = await signedIn(selo, former, "owner");
    const removed = await graphql(
      selo,
      owner.headers,
      `mutation { removeMember(input: { id: "${person.id}" }) { done } }`,
    );
    expect(removed.errors).toEqual([]);
    await update("Ana Lima");
    expect(await told()).toEqual([true, true, true, false].map((is_told) => ({ is_told })));
  });

  const changePassword = (asker: Asker, presentPassword: string, password = NEW_PASSWORD, headers = {}) =>
    graphql(
      selo,
      asker,
      "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { changed } }",
      { input: { presentPassword, password } },
      headers,
    );

  test("changes the password with the present one, and ends all other sessions; what an Idempotency-Key keeps of requests does not hold it", async () => {
    const person = await signedIn(selo, acme, "member");
    const other = await again(person);
    for (const [password, field] of [
      ["short", "password"],
      ["aaaaaaaaaaaaaaaa", "password"],
      [person.email, "password"],
    ] as const)
      expect(fieldsOf(await changePassword(person.headers, PASSWORD, password))).toEqual([field]);
    const wrong = await changePassword(person.headers, "another-password-yet");
    expect([...codes(wrong), ...fieldsOf(wrong)]).toEqual([422, "invalid_request", "presentPassword"]);
    expect((await trySignIn(selo, person.email)).status).toBe(200);
    const kept = async () => (await rows("select from platform.idempotency_keys")).length;
    const before = await kept();
    const key = { "idempotency-key": randomUUID() };
    expect(codes(await changePassword(person.headers, PASSWORD, NEW_PASSWORD, key))).toEqual([200]);
    expect(await kept()).toBe(before);
    expect(codes(await readAccount(other))).toEqual(refused);
    expect((await account(person.headers)).sessions).toHaveLength(1);
    expect(await rows("select kind from platform.mails where recipient = $1", [person.email])).toEqual([
      { kind: "password_changed" },
    ]);
    expect((await trySignIn(selo, person.email)).status).toBe(401);
    expect((await trySignIn(selo, person.email, NEW_PASSWORD)).status).toBe(200);
    const events = await rows(
      "select action from platform.audit_events where subject_id = $1 and action = 'user.password_set' and actor_type = 'user'",
      [person.id],
    );
    expect(events).toHaveLength(1);
  });

  test("a wrong present password counts as a failed sign-in: five, then 429, and the right one waits too", async () => {
    const person = await signedIn(selo, acme, "member");
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => changePassword(person.headers, "another-password-yet")),
    );
    const counts = Map.groupBy(tries, ({ status }) => status);
    expect([counts.get(422)?.length, counts.get(429)?.length]).toEqual([5, 3]);
    expect(counts.get(429)?.[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(codes(await changePassword(person.headers, PASSWORD))).toEqual([429, "too_many_attempts"]);
    expect((await trySignIn(selo, person.email)).status).toBe(429);
    expect(codes(await readAccount(person.headers))).toEqual([200]);
  });

  test("of two changes at one moment one wins, and the loser's session has ended", async () => {
    const person = await signedIn(selo, acme, "member");
    const other = await again(person);
    const answers = await Promise.all([
      changePassword(person.headers, PASSWORD, "first-of-two-passwords-77"),
      changePassword(other, PASSWORD, "second-of-two-passwords-88"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const won = answers[0]?.status === 200 ? "first-of-two-passwords-77" : "second-of-two-passwords-88";
    expect((await trySignIn(selo, person.email, won)).status).toBe(200);
  });

  test("is refused to tokens with 403 forbidden, and to who left the organization with 401", async () => {
    const gone = await signedIn(selo, acme, "member");
    await rows("update accounts.memberships set removed_at = now() where person_id = $1", [gone.id]);
    const asks = [
      readAccount,
      endOthers,
      (asker: Asker) => endSession(asker, randomUUID()),
      (asker: Asker) => changePassword(asker, PASSWORD),
    ];
    for (const ask of asks) {
      expect(codes(await ask(acme.live))).toEqual([403, "forbidden"]);
      expect(codes(await ask(gone.headers))).toEqual(refused);
    }
  });
});

test("the audit trail verifies with all of it", async () => {
  // Those that a test removed by hand.
  await rows(`update accounts.memberships as membership set removed_at = null where removed_at is not null and not exists (
    select from platform.audit_events as event where event.action = 'user.removed'
      and event.tenant_id = membership.tenant_id and event.subject_id = membership.person_id)`);
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
});
