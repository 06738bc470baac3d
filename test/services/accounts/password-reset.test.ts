// Asking for another password (message-webhooks part B §5): the link, its mail, what nobody learns, and what a stolen login is worth.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { accounts } from "../../../src/services/accounts/service.ts";
import { linkSha256, mailedLinkSecret, newLinkSecret } from "../../../src/services/accounts/sign-in/password-link.ts";
import { createUser } from "../../../src/services/accounts/store.ts";
import { composeMail, prepareMail } from "../../../src/services/platform/mails/compose-mail.ts";
import { mailPasswordLinkTask } from "../../../workers/accounts/mail-password-link.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { countedCalls } from "../../support/counted-calls.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { expectError } from "../../support/rest-client.ts";
import { productMails } from "../../support/sample-mails.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { addPerson, auth, PASSWORD, sessionHeaders, trySignIn } from "./accounts-stage.ts";

let selo: TestGateway;
let acme: TestOrganization;
let beta: TestOrganization;
let worker: Worker;
beforeAll(async () => {
  // Each test asks from another address.
  selo = await startTestGateway({ TRUST_PROXY: "1" });
  acme = await selo.newOrganization({ name: "Acme", language: "pt-BR" });
  beta = await selo.newOrganization({ name: "Beta" });
  worker = workerOf({ selo });
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await selo.database.admin.query<Row>(text, values)).rows;

let places = 0;
const from = (address = `198.51.100.${++places}`) => ({ "x-forwarded-for": address });
const ask = (email: string, headers: Readonly<Record<string, string>> = from()) =>
  auth(selo, "POST", "/password-reset", { body: { email }, headers });
const confirm = (link: string, password = `${PASSWORD} again`) =>
  auth(selo, "POST", "/password-reset/confirm", { body: { link, password }, headers: from() });

/** The jobs that wait, of a task. */
const waiting = (task: string) =>
  rows<{ payload: object }>(
    `select job.payload from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
     where task.identifier = $1 order by job.id`,
    [task],
  );
const forget = () => rows("delete from graphile_worker._private_jobs");

interface MailRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly environment: string;
}
const mailsTo = (email: string) =>
  rows<MailRow>(
    "select id, tenant_id, kind, recipient, environment from platform.mails where recipient = $1 order by id",
    [email],
  );

/** Runs the jobs that wait for requests, as a worker does. */
async function mailLinks(): Promise<void> {
  const jobs = await waiting("accounts__mail_password_link");
  await forget();
  for (const { payload } of jobs) await mailPasswordLinkTask(payload, worker.context);
}

/** Composes a mail as the job does that sends it; null for one that is out of date. */
async function compose({ id, tenant_id: tenantId }: Pick<MailRow, "id" | "tenant_id">, keys = masterKeys) {
  const { jobs } = worker.context;
  const place = { tenantId, environment: "live" } as const;
  const row = await jobs.call(place, "read_mail", { id });
  const prepared = await prepareMail(row, { place, kinds: productMails, jobs, masterKeys: keys });
  return prepared === null ? null : composeMail(row, { id, site: selo.config, kinds: productMails, prepared });
}
/** What stands after # in the newest mail to somebody. */
async function linkTo(email: string): Promise<string> {
  await mailLinks();
  const mail = (await mailsTo(email)).at(-1);
  const composed = mail === undefined ? null : await compose(mail);
  return composed?.link?.split("#")[1] ?? "";
}
const mailed = async (organization = acme) => {
  const person = await addPerson(selo, organization, "owner");
  expect((await ask(person.email)).status).toBe(202);
  return { ...person, link: await linkTo(person.email) };
};

test("202 {} for every address, and a link of an hour that sets the password once", async () => {
  const { id, email } = await addPerson(selo, acme, "owner");
  await addPerson(selo, beta, "owner", email);
  const session = await trySignIn(selo, email, PASSWORD, from());
  const first = sessionHeaders(session);
  const other = session.body.organizations.find(({ id }: { id: string }) => id !== session.body.organization.id);
  await auth(selo, "POST", "/switch", { headers: first, body: { organization_id: other.id } });
  await rows("update accounts.people set language = 'en' where id = $1", [id]);

  const left = await addPerson(selo, acme, "owner");
  await rows("update accounts.memberships set removed_at = now() where person_id = $1", [left.id]);
  const host = { host: "evil.example", "x-forwarded-host": "evil.example", ...from() };
  for (const address of [email.toUpperCase(), `${randomUUID()}@people.example`, left.email, "no address\u0007\r\n"]) {
    const answer = await ask(address, address === email.toUpperCase() ? host : from());
    expect([answer.status, answer.text]).toEqual([202, "{}"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  expect((await waiting("accounts__mail_password_link")).map(({ payload }) => Object.keys(payload).sort())).toEqual(
    Array(4).fill(["environment", "link_id", "request_id", "tenant_id"]),
  );
  await mailLinks();
  expect(await rows("select from platform.mails where kind = 'password_reset'")).toHaveLength(1);
  const [mail] = await mailsTo(email);
  // In the name of the organization that was opened last, and live.
  expect(mail).toMatchObject({ kind: "password_reset", tenant_id: other.id, environment: "live" });
  const closed = newLinkSecret();
  expectError(await confirm(closed), 404, "not_found");
  const composed = await compose(mail as MailRow);
  expect(composed).toMatchObject({
    recipient: email,
    language: "en",
    subject: "Choose another password for Selo",
    link: expect.stringMatching(/^http:\/\/selo\.test\/app\/welcome#[\w-]{43}$/),
  });
  expect(composed?.text).not.toContain("evil.example");
  const link = composed?.link?.split("#")[1] ?? "";
  const [kept] = await rows<{ minutes: number }>(
    "select extract(epoch from expires_at - created_at) / 60 as minutes from accounts.password_links where person_id = $1",
    [id],
  );
  expect(Number(kept?.minutes)).toBeCloseTo(60, 1);

  // Composed again, it is the same.
  expect(await compose(mail as MailRow)).toEqual(composed);
  // Of two at once, one sets the password.
  const statuses = (await Promise.all([confirm(link), confirm(link)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([204, 404]);
  expectError(await auth(selo, "GET", "/session", { headers: first }), 401, "unauthenticated");
  expect((await trySignIn(selo, email, `${PASSWORD} again`, from())).status).toBe(200);
  expect(await compose(mail as MailRow)).toBeNull();
  // The person had a password before, and is told.
  expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(["password_reset", "password_changed"]);
  const told = await compose((await mailsTo(email))[1] as MailRow);
  expect(told).toMatchObject({ subject: "Your password for Selo was changed", link: null });
});

test("who sets a first password is told nothing", async () => {
  const [secret, email] = [newLinkSecret(), `${randomUUID()}@people.example`];
  const invited = { tenantId: acme.id, email, role: "member", linkSha256: linkSha256(secret) };
  await createUser(selo.operator, invited);
  expect((await confirm(secret)).status).toBe(204);
  expect(await mailsTo(email)).toEqual([]);
});

test("a link that is replaced, over, or of a person who left opens nothing; a request alone takes no link away", async () => {
  const { id, email, link } = await mailed();
  // Its mail waits: the older link is good until then.
  await ask(email);
  expect(await rows("select from accounts.password_links where person_id = $1", [id])).toHaveLength(2);
  const newer = await linkTo(email);
  expect(newer).toHaveLength(43);
  expectError(await confirm(link), 404, "not_found");
  // The mail of the older one would go out late: it is given up.
  expect(await compose((await mailsTo(email))[0] as MailRow)).toBeNull();
  await rows("update accounts.password_links set expires_at = now() where person_id = $1", [id]);
  expectError(await confirm(newer), 404, "not_found");
  expect(await compose((await mailsTo(email))[1] as MailRow)).toBeNull();
  await ask(email);
  await mailLinks();
  await rows("update accounts.memberships set removed_at = now() where person_id = $1", [id]);
  expect(await compose((await mailsTo(email))[2] as MailRow)).toBeNull();
  await rows("update accounts.memberships set removed_at = null where person_id = $1", [id]);
  // The job of a request whose link is over mails nothing.
  await ask(email);
  await rows("update accounts.password_links set expires_at = now() where person_id = $1", [id]);
  expect(await linkTo(email)).toBe("");
  expect(await mailsTo(email)).toHaveLength(3);
});

test("the job of a request that runs again after a crash mails nothing more", async () => {
  const { email } = await addPerson(selo, acme, "member");
  await ask(email);
  const [job] = await waiting("accounts__mail_password_link");
  await mailLinks();
  await mailPasswordLinkTask(job?.payload, worker.context);
  expect(await mailsTo(email)).toHaveLength(1);
  expect((await confirm(await linkTo(email))).status).toBe(204);
});

test("no row, job or log holds the link, and no job or log the address", async () => {
  const { email, link } = await mailed();
  const sha256 = linkSha256(link);
  const tables = await rows<{ name: string }>(
    "select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'",
  );
  expect(tables.length).toBeGreaterThan(50);
  for (const { name } of tables) {
    const [held] = await rows<{ text: string }>(
      `select coalesce(string_agg(row::text, E'\\n'), '') as text from ${name} as row`,
    );
    for (const secret of [link, sha256]) expect(held?.text.includes(secret), name).toBe(false);
    if (name.startsWith("graphile_worker")) expect(held?.text.includes(email), name).toBe(false);
  }
  for (const secret of [link, sha256, email]) expect(selo.logs.join("")).not.toContain(secret);
});

test("a request takes the same calls whether somebody has the address or not", async () => {
  const known = await addPerson(selo, acme, "member");
  const left = await addPerson(selo, acme, "member");
  await rows("update accounts.memberships set removed_at = now() where person_id = $1", [left.id]);
  const client = await selo.database.admin.connect();
  const count = (email: string) =>
    countedCalls(client, "request_password_reset", {
      email,
      network: "192.0.2.77",
      link_id: randomUUID(),
      link_sha256: linkSha256(randomUUID()),
    });
  try {
    await count(known.email);
    const { calls, answer } = await count(known.email);
    expect(answer).toEqual({});
    expect(calls).toMatchObject({ "accounts.record_failure": 1, "accounts.add_link": 1, "platform.add_job": 1 });
    for (const email of [`${randomUUID()}@people.example`, left.email])
      expect(await count(email)).toEqual({ calls, answer });
  } finally {
    client.release();
  }
});

test("429 too_many_attempts after five requests with an address in an hour, known or not, and twenty from one place", async () => {
  const { id, email } = await addPerson(selo, acme, "member");
  for (const address of [email, `${randomUUID()}@people.example`]) {
    for (let request = 0; request < 5; request++) expect((await ask(address)).status).toBe(202);
    const answer = await ask(address.toUpperCase());
    expectError(answer, 429, "too_many_attempts");
    const seconds = Number(answer.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
  }
  const requested = await rows(
    "select from platform.audit_events where subject_id = $1 and action = 'user.reset_requested'",
    [id],
  );
  expect(requested).toHaveLength(5);
  // Failures are counted apart: the person can sign in.
  expect((await trySignIn(selo, email, PASSWORD, from())).status).toBe(200);
  const place = from("2001:db8:7:1::1");
  const statuses: number[] = [];
  for (let request = 0; request < 21; request++)
    statuses.push((await ask(`${randomUUID()}@people.example`, from(`2001:db8:7:1::${request + 2}`))).status);
  expect(statuses).toEqual([...Array(20).fill(202), 429]);
  expect((await trySignIn(selo, email, PASSWORD, place)).status).toBe(200);
  await forget();
});

test("403 csrf for a page of another origin, and 422 for what is no text of an address", async () => {
  expectError(await ask("a@b.example", { origin: "https://evil.example", ...from() }), 403, "csrf");
  for (const body of [
    {},
    { email: "" },
    { email: "a".repeat(255) },
    { email: null },
    { email: "a@b.example", url: "x" },
  ])
    expect((await auth(selo, "POST", "/password-reset", { body, headers: from() })).status).toBe(422);
});

test("neither the gateway's nor the worker's login alone makes a link that opens", async () => {
  const { email } = await addPerson(selo, acme, "owner");
  const stolen = newLinkSecret();
  const given = { email, network: "192.0.2.90", link_id: randomUUID(), link_sha256: linkSha256(stolen) };
  await rows("select from gateway.call(null, 'request_password_reset', $1)", [given]);
  expectError(await confirm(stolen), 404, "not_found");
  // The worker derives another secret, so the mail is given up, and the link stays closed.
  await mailLinks();
  expect(await compose((await mailsTo(email))[0] as MailRow)).toBeNull();
  expectError(await confirm(stolen), 404, "not_found");
  await ask(email);
  await mailLinks();
  const mail = (await mailsTo(email))[1] as MailRow;
  const [{ data } = { data: { link_id: "" } }] = await rows<{ data: { link_id: string } }>(
    "select data from platform.mails where id = $1",
    [mail.id],
  );
  const place = { tenantId: acme.id, environment: "live" } as const;
  const open = (link_sha256: string, tenantId = acme.id) =>
    worker.context.jobs.call({ ...place, tenantId }, "open_password_link", { link_id: data.link_id, link_sha256 });
  expect(await open(linkSha256(stolen))).toBeNull();
  const secret = mailedLinkSecret(masterKeys, data.link_id);
  expect(await open(linkSha256(secret), beta.id)).toBeNull();
  expectError(await confirm(secret), 404, "not_found");
  // While the master key is replaced, a worker still finds the secret that the gateway derived.
  const keys = new MasterKeyring(Buffer.alloc(32, 7), [selo.config.masterKey ?? Buffer.alloc(0)]);
  expect((await compose(mail, keys))?.link).toMatch(new RegExp(`#${secret}$`));
  expect((await confirm(secret)).status).toBe(204);
});

test("a restore ends links, and those whose mails wait, too", async () => {
  const { link, email } = await mailed();
  await ask(email);
  await mailLinks();
  await accounts.rebuild?.(selo.operator, null);
  expectError(await confirm(link), 404, "not_found");
  expect(await compose((await mailsTo(email))[1] as MailRow)).toBeNull();
});

test("the sweep deletes links that are over, those of nobody, too", async () => {
  await ask(`${randomUUID()}@people.example`);
  await rows("update accounts.password_links set expires_at = now()");
  await rows("select jobs.sweep_sessions()");
  expect(await rows("select from accounts.password_links")).toEqual([]);
});

test("the audit trail verifies after all of this", async () => {
  await rows("update accounts.memberships set removed_at = null where removed_at is not null");
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
});
