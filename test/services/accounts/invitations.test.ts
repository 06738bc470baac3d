// Invitations (issue "Accounts", 1 and 3): who invites whom, the link and its mail, and how it is accepted.
import { hash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accounts } from "../../../src/services/accounts/service.ts";
import { linkSha256, newLinkSecret } from "../../../src/services/accounts/sign-in/password-link.ts";
import { createUser } from "../../../src/services/accounts/store.ts";
import { newSession } from "../../../src/surfaces/http/session.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type Asker, answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import {
  addApp,
  addPerson,
  auth,
  invite as inviteBy,
  PASSWORD,
  ROLES,
  sessionHeaders,
  signedIn,
  trySignIn,
} from "./accounts-stage.ts";
import { composeOne, type MailRow, mailsTo } from "./mail-stage.ts";

let selo: TestGateway;
let acme: TestOrganization;
let beta: TestOrganization;
let owner: Awaited<ReturnType<typeof signedIn>>;
let worker: Worker;
beforeAll(async () => {
  // Each test accepts from another address.
  selo = await startTestGateway({ TRUST_PROXY: "1" });
  acme = await selo.newOrganization({ name: "Acme", language: "pt-BR" });
  beta = await selo.newOrganization({ name: "Beta" });
  worker = workerOf({ selo });
  owner = await signedIn(selo, acme, "owner");
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;
const newEmail = () => `${randomUUID()}@people.example`;
const SHOWN = "id email role invitedBy createdAt expiresAt";
const invite = (asker: Asker, email: string, role = "member") => inviteBy(selo, asker, email, role);
const invitationIn = (answer: GraphqlAnswer, field = "inviteMember") =>
  answered<{ readonly invitation: Invitation }>(answer, field).invitation;
const resend = (asker: Asker, id: string) =>
  graphql(selo, asker, `mutation { resendInvitation(input: {id: "${id}"}) { invitation { ${SHOWN} } } }`);
const withdraw = (asker: Asker, id: string) =>
  graphql(selo, asker, `mutation { withdrawInvitation(input: {id: "${id}"}) { done } }`);
const invitationsOf = async (asker: Asker) =>
  (await graphql(selo, asker, `{ invitations(limit: 200) { ${SHOWN} } }`)).data?.["invitations"] as Invitation[];

let places = 0;
const from = () => ({ "x-forwarded-for": `198.51.100.${++places}` });
const read = (link: string, headers: Readonly<Record<string, string>> = from()) =>
  auth(selo, "POST", "/invitations/read", { body: { link }, headers });
const accept = (link: string, more: object = {}, headers: Readonly<Record<string, string>> = from()) =>
  auth(selo, "POST", "/invitations/accept", { body: { link, password: PASSWORD, ...more }, headers });

const compose = (mail: Pick<MailRow, "id" | "tenant_id">) => composeOne(selo, worker, mail);
/** What stands after # in the newest mail to somebody. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailsTo(selo, email)).at(-1);
  return (mail && (await compose(mail)))?.link?.split("#")[1] ?? "";
}
async function invited(role = "member", email = newEmail()) {
  const answer = await invite(owner.headers, email, role);
  expect(codes(answer)).toEqual([200]);
  return { ...invitationIn(answer), link: await linkTo(email) };
}
/** What the gateway calls SQL with for a session, in live. */
const credentialOf = ({ cookie }: { readonly cookie: string }) =>
  hash("sha256", `${/(?<=inv_session=)[\w-]+/.exec(cookie)?.[0]} live`, "buffer");
const aMinuteLater = (id: string) =>
  rows("update accounts.invitations set sent_at = sent_at - interval '1 minute' where id = $1", [id]);
const actionsOf = async (id: string) =>
  (
    await rows<{ action: string }>("select action from platform.audit_events where subject_id = $1 order by seq", [id])
  ).map(({ action }) => action);

test("a new person: invited, told by mail, reads the invitation, sets a password, and is in", async () => {
  const email = newEmail();
  const forged = { host: "evil.example", "x-forwarded-host": "evil.example" };
  const answer = await invite({ ...owner.headers, ...forged }, email, "accountant");
  const invitation = invitationIn(answer);
  expect(invitation).toEqual({
    id: expect.any(String),
    email,
    role: "ACCOUNTANT",
    invitedBy: owner.id,
    createdAt: expect.stringMatching(/Z$/),
    expiresAt: expect.stringMatching(/Z$/),
  });
  expect(await invitationsOf(owner.headers)).toContainEqual(invitation);
  const [mail] = await mailsTo(selo, email);
  expect(mail).toMatchObject({ kind: "invitation", tenant_id: acme.id, environment: "live" });
  const composed = await compose(mail as MailRow);
  expect(composed).toMatchObject({
    language: "pt-BR",
    subject: "Acme convida você para o Selo",
    link: expect.stringMatching(/^http:\/\/selo\.test\/app\/invitation#[\w-]{43}$/),
  });
  expect(composed?.text).not.toContain("evil.example");
  expect(await compose(mail as MailRow)).toEqual(composed);
  const link = composed?.link?.split("#")[1] ?? "";
  const shown = await read(link);
  expect([shown.status, shown.body]).toEqual([200, { organization: "Acme", email, role: "accountant", known: false }]);

  // A password that is refused does not use the link up.
  expectError(await accept(link, { password: "too short" }), 422, "invalid_request", ["password"]);
  expectError(await accept(link, { password: "aaaaaaaaaaaa" }), 422, "invalid_request", ["password"]);
  for (const name of ["\ue000", "a\u0007b"])
    expectError(await accept(link, { name }), 422, "invalid_request", ["name"]);
  expectError(await accept(link, { language: "no language" }), 422, "invalid_request", ["language"]);
  const foreign = await accept(link, {}, { ...from(), origin: "https://evil.example" });
  expectError(foreign, 403, "csrf");

  // Of two at once, one is let in.
  const answers = await Promise.all([accept(link, { name: "Bruno" }), accept(link, { name: "Bruno" })]);
  const [first, second] = answers.sort((one, other) => one.status - other.status);
  expect([first?.status, second?.status]).toEqual([200, 404]);
  expect(first?.body).toMatchObject({
    user: { name: "Bruno", email, language: "pt-BR" },
    organization: { id: acme.id },
    role: "accountant",
  });
  expect((await auth(selo, "GET", "/session", { headers: sessionHeaders(first as typeof shown) })).status).toBe(200);
  expect((await trySignIn(selo, email, PASSWORD, from())).status).toBe(200);
  for (const gone of [await read(link), await accept(link)]) expectError(gone, 404, "not_found");
  expect(await compose(mail as MailRow)).toBeNull();
  expect(await actionsOf(invitation.id)).toEqual(["invitation.made", "invitation.accepted"]);
  const [joined] = await rows(
    "select action, actor_type, actor_id = subject_id as by_person from platform.audit_events where subject_id = $1 and tenant_id = $2 order by seq limit 1",
    [first?.body.user.id, acme.id],
  );
  expect(joined).toEqual({ action: "user.joined", actor_type: "user", by_person: true });
});

test("a known person with a second factor proves it, too", async () => {
  const { email, headers } = await signedIn(selo, beta, "member");
  const { used, recovery } = await addApp(selo, headers);
  const [code, next] = recovery;
  const { link } = await invited("member", email);
  expectError(await accept(link), 401, "second_factor_required");
  for (const wrong of [used, "AAAA-AAAA-AAAA"])
    expectError(await accept(link, { code: wrong }), 401, "unauthenticated");
  const { status, body } = await accept(link, { code });
  expect([status, body.second_factor, body.organization?.id]).toEqual([200, "totp", acme.id]);
  expectError(await accept(link, { code: next }), 404, "not_found");
});

test("who accepts is the person of the address, whoever is signed in; a code of a person without a second factor counts for nothing", async () => {
  const stranger = await signedIn(selo, beta, "member");
  const { email, link } = await invited();
  const { status, body } = await accept(link, { code: "123456" }, { ...stranger.headers, ...from() });
  expect([status, body.user.email, body.second_factor]).toEqual([200, email, "none"]);
  const { body: session } = await auth(selo, "GET", "/session", { headers: stranger.headers });
  expect(session.organizations.map(({ name }: { name: string }) => name)).toEqual(["Beta"]);
});

test("neither its page nor reading it uses a link up: mail servers look at the links of mails", async () => {
  const { link } = await invited();
  for (let look = 0; look < 2; look++) {
    expect((await fetch(`${selo.baseUrl}/app/invitation`)).status).toBe(200);
    expect((await read(link)).status).toBe(200);
  }
  expect((await accept(link)).status).toBe(200);
});

test("an address that looks like that of a person without a password is the address of another person", async () => {
  const known = await createUser(selo.operator, { tenantId: beta.id, email: `mike${newEmail()}`, role: "owner" });
  // In several locales the small letter of İ is i.
  const { link, email } = await invited("member", known.email.replace("mike", "m\u0130ke"));
  const { body } = await accept(link);
  expect([body.user.email, body.user.id === known.id]).toEqual([email, false]);
  expect(body.organizations.map(({ name }: { name: string }) => name)).toEqual(["Acme"]);
});

test("a known person proves the password; a wrong one is 401, counted with those of the sign-in", async () => {
  const known = await addPerson(selo, beta, "member");
  await rows("update accounts.people set language = 'en' where id = $1", [known.id]);
  const { link } = await invited("admin", known.email.toUpperCase());
  expect((await compose((await mailsTo(selo, known.email.toUpperCase()))[0] as MailRow))?.language).toBe("en");
  expect((await read(link)).body).toMatchObject({ known: true });
  expectError(await accept(link, { name: "Another" }), 422, "invalid_request", ["name"]);
  const place = from();
  for (let failure = 0; failure < 5; failure++)
    expectError(await accept(link, { password: "a wrong password" }, place), 401, "unauthenticated");
  const late = await accept(link, {}, place);
  expectError(late, 429, "too_many_attempts");
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  expectError(await trySignIn(selo, known.email, PASSWORD, place), 429, "too_many_attempts");
  const answer = await accept(link);
  expect([answer.status, answer.body.organization.id, answer.body.role]).toEqual([200, acme.id, "admin"]);
  expect(answer.body.organizations).toHaveLength(2);
});

test("links count as attempts: twenty unknown ones of an address, then 429", async () => {
  const place = from();
  const { link } = await invited();
  for (let attempt = 0; attempt < 10; attempt++) {
    expectError(await read("unknown", place), 404, "not_found");
    expectError(await accept(newLinkSecret(), {}, place), 404, "not_found");
  }
  for (const answer of [await read(link, place), await accept(link, {}, place)])
    expectError(answer, 429, "too_many_attempts");
  expect((await read(link)).status).toBe(200);
});

test("who was removed and is invited again is a member again", async () => {
  const left = await addPerson(selo, acme, "owner");
  await graphql(selo, owner.headers, `mutation { removeMember(input: {id: "${left.id}"}) { done } }`);
  const { link } = await invited("member", left.email);
  const { body } = await accept(link);
  expect([body.user.id, body.role]).toEqual([left.id, "member"]);
  expect((await actionsOf(left.id)).filter((action) => /join|removed/.test(action))).toEqual([
    "user.joined",
    "user.removed",
    "user.rejoined",
  ]);
});

describe("who invites whom", () => {
  test("nobody invites, sends again or withdraws above the own role; no token does", async () => {
    const callers = await Promise.all(ROLES.map(async (role) => ({ role, ...(await signedIn(selo, acme, role)) })));
    for (const { role: own, headers } of callers)
      for (const role of ROLES) {
        const allowed = ["admin", "owner"].includes(own) && ROLES.indexOf(role) <= ROLES.indexOf(own);
        const expected = allowed ? [200] : [403, "forbidden"];
        const answer = await invite(headers, newEmail(), role);
        expect([own, role, ...codes(answer)]).toEqual([own, role, ...expected]);
        const { id } = allowed ? invitationIn(answer) : await invited(role);
        await aMinuteLater(id);
        expect([own, role, ...codes(await resend(headers, id))]).toEqual([own, role, ...expected]);
        expect([own, role, ...codes(await withdraw(headers, id))]).toEqual([own, role, ...expected]);
        if (!allowed) expect(codes(await withdraw(owner.headers, id))).toEqual([200]);
      }
    for (const token of [acme.live, acme.test])
      expect(codes(await invite(token, newEmail()))).toEqual([403, "missing_scope"]);
  });

  test("an address that is none, a member, and an address with an invitation are refused", async () => {
    for (const email of ["nobody", "a b@people.example", "a@people.example\r\nBcc: b@people.example"])
      expect((await invite(owner.headers, email)).status).toBe(422);
    // Refused before it ran.
    expect(codes(await invite(owner.headers, `a\u0000@people.example`))).toEqual([400, "invalid_request"]);
    expect(codes(await invite(owner.headers, owner.email.toUpperCase()))).toEqual([409, "conflict"]);
    const { id, email } = await invited();
    expect(codes(await invite(owner.headers, email.toUpperCase(), "admin"))).toEqual([409, "conflict"]);
    // One that is over makes room.
    await rows("update accounts.invitations set expires_at = now() where id = $1", [id]);
    expect(codes(await invite(owner.headers, email, "admin"))).toEqual([200]);
    expect((await actionsOf(id)).at(-1)).toBe("invitation.expired");
    // Another organization may invite the address, too.
    const stranger = await signedIn(selo, beta, "admin");
    expect(codes(await invite(stranger.headers, email))).toEqual([200]);
  });

  test("100 invitations of an organization, and no more", async () => {
    const organization = await selo.newOrganization();
    const { headers, id } = await signedIn(selo, organization, "admin");
    const other = await signedIn(selo, organization, "admin");
    await rows(
      `insert into accounts.invitations (tenant_id, email, role, invited_by, link_id, digest, expires_at)
       select $1, number || '@people.example', 'member', $2, gen_random_uuid(), sha256(number::text::bytea), now() + interval '7 days' from generate_series(1, 99) as number`,
      [organization.id, id],
    );
    // Two admins of an organization without an owner: the second one waits for the first.
    const first = await selo.database.admin.connect();
    try {
      await first.query("begin");
      await first.query("select from gateway.call($1, 'create_invitation', $2)", [
        credentialOf(headers),
        { email: newEmail(), role: "member", link_id: randomUUID(), link_sha256: linkSha256(newLinkSecret()) },
      ]);
      const second = invite(other.headers, newEmail());
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await rows(waits)).length).toBe(1);
      await first.query("commit");
      expect(codes(await second)).toEqual([409, "conflict"]);
    } finally {
      first.release();
    }
    await rows("delete from accounts.invitations where email ~ '^\\d+@'");
  });

  test("who may no longer invite leaves no invitation behind", async () => {
    const admin = await signedIn(selo, acme, "admin");
    const [asAdmin, asMember] = [newEmail(), newEmail()];
    for (const [email, role] of [
      [asAdmin, "admin"],
      [asMember, "member"],
    ] as const)
      expect(codes(await invite(admin.headers, email, role))).toEqual([200]);
    const links = [await linkTo(asAdmin), await linkTo(asMember)];
    for (const link of links) expect((await read(link)).status).toBe(200);
    await graphql(
      selo,
      owner.headers,
      `mutation { changeMemberRole(input: {id: "${admin.id}", role: MEMBER}) { member { id } } }`,
    );
    for (const link of links) expectError(await read(link), 404, "not_found");
  });
});

test("sent again once a minute at most; the older link dies at once, and the new one is good for 7 days", async () => {
  const { id, email, link } = await invited();
  expect(codes(await resend(owner.headers, id))).toEqual([409, "conflict"]);
  await aMinuteLater(id);
  // Two at once send one mail.
  const answers = await Promise.all([resend(owner.headers, id), resend(owner.headers, id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expectError(await read(link), 404, "not_found");
  const mails = await mailsTo(selo, email);
  expect(mails.map(({ kind }) => kind)).toEqual(["invitation", "invitation"]);
  expect(await compose(mails[0] as MailRow)).toBeNull();
  const newer = await linkTo(email);
  expect([newer.length, newer === link, (await read(newer)).status]).toEqual([43, false, 200]);
  const [kept] = await rows<{ days: number }>(
    "select extract(epoch from expires_at - sent_at) / 86400 as days from accounts.invitations where id = $1",
    [id],
  );
  expect(Number(kept?.days)).toBeCloseTo(7, 3);
  await rows("update accounts.invitations set expires_at = now() where id = $1", [id]);
  for (const answer of [await read(newer), await accept(newer)]) expectError(answer, 404, "not_found");
});

test("withdrawn, the link is dead, and nothing is left of the address", async () => {
  const { id, email, link } = await invited();
  const stranger = await signedIn(selo, beta, "owner");
  for (const answer of [await withdraw(stranger.headers, id), await resend(stranger.headers, id)])
    expect(codes(answer)).toEqual([404, "not_found"]);
  expect(codes(await withdraw(owner.headers, id))).toEqual([200]);
  for (const answer of [await read(link), await accept(link)]) expectError(answer, 404, "not_found");
  expect(codes(await withdraw(owner.headers, id))).toEqual([404, "not_found"]);
  expect(await rows("select from accounts.invitations where lower(email) = lower($1)", [email])).toEqual([]);
});

test("selo user create for an address that is invited ends the invitation", async () => {
  const { email, link } = await invited();
  await createUser(selo.operator, { tenantId: acme.id, email, role: "member" });
  expectError(await read(link), 404, "not_found");
});

test("owners are told of a new owner, each in the own language", async () => {
  const organization = await selo.newOrganization({ name: "Owned" });
  const first = await signedIn(selo, organization, "owner");
  const next = await addPerson(selo, organization, "admin");
  await rows("update accounts.people set language = 'pt-BR' where id = $1", [first.id]);
  await graphql(
    selo,
    first.headers,
    `mutation { changeMemberRole(input: {id: "${next.id}", role: OWNER}) { member { id } } }`,
  );
  for (const { email } of [first, next]) {
    const [mail] = await mailsTo(selo, email);
    expect(mail).toMatchObject({ kind: "new_owner", tenant_id: organization.id, environment: "live" });
  }
  const told = await compose((await mailsTo(selo, first.email))[0] as MailRow);
  expect(told).toMatchObject({ language: "pt-BR", link: null });
  expect(told?.text).toContain(next.email);
});

test("mail about the organization goes to its owners; without one, to the contact", async () => {
  const organization = await selo.newOrganization({ email: "contact@owned.example" });
  const pool = ownerPool(selo.database);
  const facts = { zone_id: 1, name: "owned.example", nameservers: [], observed: [], at: "2026-11-29T10:00:00.000000Z" };
  const tell = () =>
    inContext(pool, organization.id, "live", (client) =>
      client.query("select platform.mail_owners('zone_delegation_lost', $1)", [facts]),
    );
  await tell();
  const { email } = await addPerson(selo, organization, "owner");
  await addPerson(selo, organization, "admin");
  await tell();
  await pool.end();
  const sent = await rows<{ recipient: string }>(
    "select recipient from platform.mails where tenant_id = $1 and kind = 'zone_delegation_lost' order by id",
    [organization.id],
  );
  expect(sent.map(({ recipient }) => recipient)).toEqual(["contact@owned.example", email]);
  const told = await compose((await mailsTo(selo, email))[0] as MailRow);
  expect(told?.text).toContain("you are an owner of");
});

test("no row, job or log holds the link; a closed link opens nothing, and neither login alone opens one", async () => {
  const { email, link, id } = await invited();
  const sha256 = linkSha256(link);
  const tables = await rows<{ name: string }>(
    "select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'",
  );
  for (const { name } of tables) {
    const [held] = await rows<{ text: string }>(
      `select coalesce(string_agg(row::text, E'\\n'), '') as text from ${name} as row`,
    );
    for (const secret of [link, sha256]) expect(held?.text.includes(secret), name).toBe(false);
  }
  for (const secret of [link, sha256, email]) expect(selo.logs.join("")).not.toContain(secret);

  // Committed, and the worker was killed before it sent: the mail and its job wait, and the link is the same.
  await rows("update accounts.invitations set is_open = false where id = $1", [id]);
  expectError(await read(link), 404, "not_found");
  const digests = newSession().digests;
  const { rows: forged } = await selo.database.admin.query(
    "select jobs.call($1, 'live', 'open_invitation', $2) as opened",
    [acme.id, { invitation_id: id, link_id: randomUUID(), link_sha256: digests.live_sha256 }],
  );
  expect(forged).toEqual([{ opened: null }]);
  expect(await linkTo(email)).toBe(link);
  expect((await read(link)).status).toBe(200);
});

test("old invitations are deleted, and a restore ends all of them; the trail knows", async () => {
  const { link } = await invited();
  const { id } = await invited();
  await rows("update accounts.invitations set expires_at = now() - interval '7 days' where id = $1", [id]);
  await rows("select jobs.sweep_sessions()");
  expect((await actionsOf(id)).at(-1)).toBe("invitation.expired");
  await accounts.rebuild?.(selo.operator, null);
  expectError(await read(link), 404, "not_found");
  expect(await rows("select from accounts.invitations")).toEqual([]);
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
});
