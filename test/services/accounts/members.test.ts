// Members of an organization (issue "Accounts", 1): who sees them, who changes whom, and that an owner is left.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser } from "../../../src/services/accounts/store.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type Asker, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { addPerson, auth, ROLES, sessionHeaders, signedIn, trySignIn } from "./accounts-stage.ts";

let selo: TestGateway;
let acme: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  acme = await selo.newOrganization({ name: "Acme" });
});
afterAll(() => selo?.stop());

type Role = (typeof ROLES)[number];
interface Member {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const ask = (asker: Asker, document: string) => graphql(selo, asker, document);
const change = (asker: Asker, id: string, role: string) =>
  ask(
    asker,
    `mutation { changeMemberRole(input: {id: "${id}", role: ${role.toUpperCase()}}) { member { id email role } } }`,
  );
const remove = (asker: Asker, id: string) => ask(asker, `mutation { removeMember(input: {id: "${id}"}) { done } }`);
const leave = (asker: Asker, { id }: Pick<TestOrganization, "id">) =>
  ask(asker, `mutation { leaveOrganization(input: {organizationId: "${id}"}) { done } }`);
async function membersOf(asker: Asker, page = "limit: 200"): Promise<Member[]> {
  const { data } = await ask(asker, `{ members(${page}) { id name email role secondFactor joinedAt lastUsedAt } }`);
  return data?.["members"] as Member[];
}
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;
const eventsOf = (id: string) =>
  rows<{ action: string; actor_type: string; actor_id: string | null; role: string | null }>(
    `select action, actor_type, actor_id, details::json ->> 'role' as role from platform.audit_events
     where subject_id = $1 and action not in ('user.signed_in', 'user.password_set', 'user.signed_out') order by tenant_id, seq`,
    [id],
  );
const roleIn = async (tenantId: string, personId: string) =>
  (
    await rows<{ role: string }>(
      "select role from accounts.memberships where tenant_id = $1 and person_id = $2 and removed_at is null",
      [tenantId, personId],
    )
  )[0]?.role ?? null;

test("members: everybody of the organization sees them by their addresses, in pages; no token does", async () => {
  const organization = await selo.newOrganization({ name: "Listed" });
  const owner = await signedIn(selo, organization, "owner");
  const accountant = await signedIn(selo, organization, "accountant");
  const all = await membersOf(accountant.headers);
  expect(all.map(({ id }) => id).sort()).toEqual([owner.id, accountant.id].sort());
  expect(all.find(({ id }) => id === owner.id)).toEqual({
    id: owner.id,
    name: owner.email.split("@")[0],
    email: owner.email,
    role: "OWNER",
    secondFactor: "none",
    joinedAt: expect.stringMatching(/Z$/),
    lastUsedAt: null,
  });
  const pages = [
    ...(await membersOf(owner.headers, "limit: 1")),
    ...(await membersOf(owner.headers, "limit: 1, offset: 1")),
  ];
  expect(pages.map(({ email }) => email)).toEqual(all.map(({ email }) => email));
  expect(await membersOf(owner.headers, "offset: 2")).toEqual([]);
  for (const token of [organization.live, organization.test])
    expect(codes(await ask(token, "{ members { id } }"))).toEqual([403, "missing_scope"]);
});

test("nobody grants a role above their own, raises their own, or touches who ranks higher", async () => {
  const caller = new Map<Role, Awaited<ReturnType<typeof signedIn>>>();
  for (const role of ROLES) caller.set(role, await signedIn(selo, acme, role));
  // An owner more, so that the rule of the last owner stays out of it.
  await addPerson(selo, acme, "owner");
  const rank = (role: Role) => ROLES.indexOf(role);
  for (const own of ROLES) {
    const { id: ownId, headers } = caller.get(own) ?? expect.fail();
    const mayManage = rank(own) >= rank("admin");
    for (const theirs of ROLES) {
      const { id } = await addPerson(selo, acme, theirs);
      for (const given of ROLES) {
        const allowed = mayManage && rank(theirs) <= rank(own) && rank(given) <= rank(own);
        await rows("update accounts.memberships set role = $2 where person_id = $1", [id, theirs]);
        const answer = await change(headers, id, given);
        expect([own, theirs, given, ...codes(answer)]).toEqual([
          own,
          theirs,
          given,
          ...(allowed ? [200] : [403, "forbidden"]),
        ]);
        expect(await roleIn(acme.id, id)).toBe(allowed ? given : theirs);
      }
      await rows("update accounts.memberships set role = $2 where person_id = $1", [id, theirs]);
      const mayRemove = mayManage && rank(theirs) <= rank(own);
      expect([own, theirs, ...codes(await remove(headers, id))]).toEqual([
        own,
        theirs,
        ...(mayRemove ? [200] : [403, "forbidden"]),
      ]);
      expect(await roleIn(acme.id, id)).toBe(mayRemove ? null : theirs);
    }
    if (own !== "owner") expect(codes(await change(headers, ownId, "owner"))).toEqual([403, "forbidden"]);
  }
});

describe("the last owner stays", () => {
  test("409 last_owner for another role, for a removal and for leaving", async () => {
    const organization = await selo.newOrganization();
    const { id, headers } = await signedIn(selo, organization, "owner");
    await signedIn(selo, organization, "admin");
    for (const answer of [
      await change(headers, id, "admin"),
      await remove(headers, id),
      await leave(headers, organization),
    ])
      expect(codes(answer)).toEqual([409, "last_owner"]);
    expect(codes(await change(headers, id, "owner"))).toEqual([200]);
    expect(await roleIn(organization.id, id)).toBe("owner");
  });

  test("also when two owners demote, remove or leave at one moment", async () => {
    const pairs = {
      "demote each other": ([one, two]) => [
        () => change(one.headers, two.id, "member"),
        () => change(two.headers, one.id, "member"),
      ],
      "remove each other": ([one, two]) => [() => remove(one.headers, two.id), () => remove(two.headers, one.id)],
      "demote themselves": ([one, two]) => [
        () => change(one.headers, one.id, "admin"),
        () => change(two.headers, two.id, "admin"),
      ],
      leave: ([one, two], organization) => [
        () => leave(one.headers, organization),
        () => leave(two.headers, organization),
      ],
    } satisfies Record<
      string,
      (owners: readonly [Owner, Owner], organization: TestOrganization) => (() => Promise<GraphqlAnswer>)[]
    >;
    for (const [name, asked] of Object.entries(pairs)) {
      const organization = await selo.newOrganization();
      const owners = [
        await signedIn(selo, organization, "owner"),
        await signedIn(selo, organization, "owner"),
      ] as const;
      const answers = await Promise.all(asked(owners, organization).map((send) => send()));
      const statuses = answers.map(({ status }) => status).sort();
      // Who was demoted first has no right any more, and who was removed first has no session.
      expect([name, statuses[0], [401, 403, 409].includes(statuses[1] ?? 0)]).toEqual([name, 200, true]);
      const left = await rows(
        "select from accounts.memberships where tenant_id = $1 and role = 'owner' and removed_at is null",
        [organization.id],
      );
      expect([name, left.length]).toEqual([name, 1]);
    }
  });
});
type Owner = Awaited<ReturnType<typeof signedIn>>;

test("who is removed is out with the next click, in this organization alone; tokens stay; the trail says who did it", async () => {
  const beta = await selo.newOrganization({ name: "Beta" });
  const owner = await signedIn(selo, acme, "owner");
  const removed = await signedIn(selo, acme, "member");
  await createUser(selo.operator, { tenantId: beta.id, email: removed.email, role: "accountant" });
  const elsewhere = sessionHeaders(
    await auth(selo, "POST", "/switch", { headers: removed.headers, body: { organization_id: beta.id } }),
  );
  const here = sessionHeaders(await trySignIn(selo, removed.email));
  const inAcme = sessionHeaders(
    await auth(selo, "POST", "/switch", { headers: here, body: { organization_id: acme.id } }),
  );
  const token = await acme.token("live", ["proofs:read"]);
  expect(codes(await remove(owner.headers, removed.id))).toEqual([200]);
  expect(codes(await ask(inAcme, "{ members { id } }"))).toEqual([401, "unauthenticated"]);
  expectError(await auth(selo, "GET", "/session", { headers: inAcme }), 401, "unauthenticated");
  const session = await auth(selo, "GET", "/session", { headers: elsewhere });
  expect([session.status, session.body.organizations.map(({ name }: { name: string }) => name)]).toEqual([
    200,
    ["Beta"],
  ]);
  expect((await call(selo, "GET", "/proofs", { token })).status).toBe(200);
  expect((await eventsOf(removed.id)).at(-1)).toMatchObject({ action: "user.joined", actor_type: "operator" });
  const [event] = (await eventsOf(removed.id)).filter(({ action }) => action === "user.removed");
  expect(event).toMatchObject({ actor_type: "user", actor_id: owner.id });
  for (const asked of [change(owner.headers, removed.id, "admin"), remove(owner.headers, removed.id)])
    expect(codes(await asked)).toEqual([404, "not_found"]);

  // The person is a member like any other after being added again.
  const again = await createUser(selo.operator, { tenantId: acme.id, email: removed.email, role: "admin" });
  expect([again.id, again.role, again.has_password]).toEqual([removed.id, "admin", true]);
  await expect(
    createUser(selo.operator, { tenantId: acme.id, email: removed.email, role: "admin" }),
  ).rejects.toMatchObject({ code: "conflict" });
  expect(codes(await ask(inAcme, "{ members { id } }"))).toEqual([401, "unauthenticated"]);
  expect(codes(await change(owner.headers, removed.id, "owner"))).toEqual([200]);
  expect(codes(await change(owner.headers, removed.id, "owner"))).toEqual([200]);
  const told = (await eventsOf(removed.id)).filter(({ action }) => /rejoined|role_changed/.test(action));
  expect(told).toEqual([
    { action: "user.rejoined", actor_type: "operator", actor_id: null, role: "admin" },
    { action: "user.role_changed", actor_type: "user", actor_id: owner.id, role: "owner" },
  ]);
});

test("who leaves is out, and names the organization of the session", async () => {
  const beta = await selo.newOrganization({ name: "Left" });
  const { id, headers } = await signedIn(selo, beta, "accountant");
  expect(codes(await leave(headers, acme))).toEqual([404, "not_found"]);
  for (const token of [beta.live, beta.test]) expect(codes(await leave(token, beta))).toEqual([403, "missing_scope"]);
  expect(codes(await leave(headers, beta))).toEqual([200]);
  expect(codes(await ask(headers, "{ members { id } }"))).toEqual([401, "unauthenticated"]);
  expect((await eventsOf(id)).at(-1)).toMatchObject({ action: "user.left", actor_type: "user", actor_id: id });
});

test("the audit trail describes what is left of all of it", async () => {
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
});
