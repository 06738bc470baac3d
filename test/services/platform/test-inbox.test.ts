// Mail of the test environment to others than the organization's contact: composed as in live, never sent, and read by programs.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createLogger } from "../../../src/main/log.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { tokenMails } from "../../../src/services/platform/mails/token-mails.ts";
import { type MailKind, mailKind, preparedMailKind } from "../../../src/surfaces/mail/mail-kind.ts";
import { type RunningWorker, startWorker } from "../../../workers/main.ts";
import { composeTestMail } from "../../../workers/platform/compose-mail.ts";
import { eraseOldMails } from "../../../workers/platform/erase-old-mails.ts";
import { mailKindsOf } from "../../../workers/platform/send-mail.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { type CatchingServer, startMailServer } from "../../support/mail-servers.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { ownerPool } from "../../support/owner.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { productMails } from "../../support/sample-mails.ts";
import { composedTestMail, type TestMail, writeMail } from "../../support/test-mail.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { taskContext } from "../../support/worker.ts";

let dataDir: string;
let selo: TestGateway;
let own: TestOrganization;
let owner: pg.Pool;
let pool: ReturnType<typeof createPool>;
let server: CatchingServer;
beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-test-inbox-"));
  selo = await startTestGateway({ SELO_DATA_DIR: dataDir });
  owner = ownerPool(selo.database);
  const { workerUrl: url } = selo.database;
  pool = createPool({ url, role: "selo_worker", applicationName: "test worker" }, 3, () => {});
  own = await selo.newOrganization({ name: "Imobiliária São João", email: "ana@example.org" });
  server = await startMailServer();
  await empty(); // its contact is told of its tokens
});
afterAll(async () => {
  await server?.close();
  await owner?.end();
  await pool?.end();
  await selo?.stop();
  fs.rmSync(dataDir, { recursive: true });
});

const empty = () => selo.database.admin.query("delete from platform.mails; delete from graphile_worker._private_jobs");

const workers: RunningWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await empty();
  server.raw.splice(0);
});

/** The real worker; answers the lines of its log. */
async function work(smtpUrl: string | null): Promise<string[]> {
  const logs: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk));
      done();
    },
  });
  const { services, config } = selo;
  const { workerUrl: databaseUrl } = selo.database;
  const log = createLogger("trace", sink);
  workers.push(await startWorker({ services, config: { ...config, smtpUrl }, databaseUrl, masterKeys, log }));
  return logs;
}

const write = (mail: TestMail) => writeMail(owner, own.id, mail);
const composed = (mail: TestMail) => composedTestMail(selo.database, own.id, mail);
const list = async (query = "", token = own.test) => (await call(selo, "GET", `/test-inbox${query}`, { token })).body;
const ids = async (query = "") => ((await list(query)).items as { id: string }[]).map(({ id }) => id);
const row = async (id: string) =>
  (await selo.database.admin.query("select * from platform.mails where id = $1", [id])).rows[0];
const waiting = async () =>
  (
    await selo.database.admin.query(
      "select identifier from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id where identifier ~ '_mail$'",
    )
  ).rows.map(({ identifier }) => identifier);

const ENVELOPE = "0197a0c0-0000-7000-8000-0000000000e1";
const PARTICIPANT = "0197a0c0-0000-7000-8000-0000000000f1";

describe("a mail to somebody else", () => {
  test("is composed by a worker without a mail server, and stands in REST and in GraphQL as its recipient would get it", async () => {
    const logs = await work(null);
    const data = { envelope_id: ENVELOPE, participant_id: PARTICIPANT };
    const id = await write({ recipient: "bia@example.net", name: "quiet-name", data });
    await expect.poll(() => ids()).toEqual([id]);
    const answer = await list();
    expect(answer).toMatchObject({ total: 1, limit: 50, offset: 0 });
    const [mail] = answer.items;
    expect(Object.keys(mail)).toEqual([
      "id",
      "kind",
      "envelope_id",
      "participant_id",
      "recipient",
      "subject",
      "text",
      "html",
      "link",
      "code",
      "created_at",
    ]);
    expect(mail).toMatchObject({
      kind: "token_revoked",
      envelope_id: ENVELOPE,
      participant_id: PARTICIPANT,
      recipient: "bia@example.net",
      subject: "[test] API token revoked: quiet-name",
      link: null,
      code: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/),
    });
    for (const part of [mail.text, mail.html])
      for (const said of ["This is a test: nothing changed in live.", "Imobiliária São João", "quiet-name"])
        expect(part).toContain(said);
    const query = `{ testMails { nodes { id kind envelope_id: envelopeId participant_id: participantId recipient subject text html link code
      created_at: createdAt } } }`;
    const { nodes } = answered<{ nodes: { created_at: string }[] }>(await graphql(selo, own.test, query), "testMails");
    expect(nodes.map(({ created_at: _, ...rest }) => rest)).toEqual([{ ...mail, created_at: undefined }]);
    expect(nodes[0] && new Date(nodes[0].created_at).getTime()).toBe(Date.parse(mail.created_at));
    expect(await row(id)).toMatchObject({ sent_at: null, failed_at: null, is_withheld: true });
    await expect.poll(waiting).toEqual([]);
    for (const secret of ["bia@", "example.net", "quiet-name", "São João"])
      expect([...logs, ...selo.logs].join("")).not.toContain(secret);
  });

  test("never reaches the mail server; mail to the contact and mail of live do, as ever", async () => {
    await work(server.url);
    const toOther = await write({ recipient: "bia@example.net" });
    const toContact = await write({ recipient: "ana@example.org" });
    const ofLive = await write({ recipient: "bia@example.net", environment: "live" });
    await expect.poll(waiting).toEqual([]);
    const messageIds = (await server.mails()).map(({ messageId }) => messageId);
    expect(messageIds.sort()).toEqual([`<${toContact}@selo.test>`, `<${ofLive}@selo.test>`].sort());
    expect(await ids()).toEqual([toOther]);
    for (const id of [toContact, ofLive])
      expect(await row(id)).toMatchObject({ sent_at: expect.any(Date), composed_at: null, subject: null });
  });

  test("is not listed before it is composed", async () => {
    await write({ recipient: "bia@example.net" });
    expect(await list()).toMatchObject({ items: [], total: 0 });
    expect(answered(await graphql(selo, own.test, "{ testMails { totalCount } }"), "testMails")).toEqual({
      totalCount: 0,
    });
  });

  test("leaves the audit trail as it was: selo audit verify finds no fault", async () => {
    await composed({ recipient: "bia@example.net" });
    expect((await verifyAll(selo.operator)).faults).toEqual([]);
  });
});

describe("the list", () => {
  test("is the newest first, by pages and by cursor, and of a recipient, an envelope or a kind", async () => {
    const first = await composed({ recipient: "bia@example.net" });
    const second = await composed({ recipient: "caio@example.net", data: { envelope_id: ENVELOPE } });
    const third = await composed({ recipient: "bia@example.net", data: { envelope_id: ENVELOPE } });
    expect(await ids()).toEqual([third, second, first]);
    expect(await ids("?limit=1&offset=1")).toEqual([second]);
    const page = await list("?limit=2");
    expect(page).toMatchObject({ total: 3, items: [{ id: third }, { id: second }] });
    expect(await ids(`?limit=2&cursor=${page.next_cursor}`)).toEqual([first]);
    expect(await ids("?recipient=bia@example.net")).toEqual([third, first]);
    expect(await ids(`?envelope_id=${ENVELOPE}`)).toEqual([third, second]);
    expect(await ids(`?envelope_id=${ENVELOPE}&recipient=bia@example.net&kind=token_revoked`)).toEqual([third]);
    for (const none of ["?kind=token_created", "?recipient=bia", `?envelope_id=${PARTICIPANT}`])
      expect(await ids(none)).toEqual([]);
    expect((await list("?fields=id,subject&limit=1")).items).toEqual([{ id: third, subject: expect.any(String) }]);
    const filtered = await graphql(
      selo,
      own.test,
      `{ testMails(filter: { recipient: { equalTo: "bia@example.net" }, envelopeId: { equalTo: "${ENVELOPE}" } }) { nodes { id } } }`,
    );
    expect(answered(filtered, "testMails")).toEqual({ nodes: [{ id: third }] });
  });

  test("an unknown kind is 422, and each kind of mail of the services is known", async () => {
    for (const kind of ["signing_codes", "", "x".repeat(65)])
      expectError(await call(selo, "GET", `/test-inbox?kind=${kind}`, { token: own.test }), 422, "invalid_request", [
        "kind",
      ]);
    const { rows } = await selo.database.admin.query<{ name: string }>("select name from platform.mail_kinds");
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(await mailKindsOf(selo.services)).sort());
  });

  test("is for test tokens: with a live token 403 forbidden, in REST and GraphQL, whether there is mail or not", async () => {
    for (const mail of [null, "bia@example.net"]) {
      if (mail !== null) await composed({ recipient: mail });
      const response = await call(selo, "GET", "/test-inbox", { token: own.live });
      expectError(response, 403, "forbidden");
      expect(response.body.detail.message).toBe("The test inbox needs a test token.");
      for (const query of ["{ testMails { nodes { id } } }", "{ testMails { totalCount } }"]) {
        const { errors } = await graphql(selo, own.live, query);
        expect(errors.map(({ extensions }) => extensions.code)).toEqual(["forbidden"]);
      }
    }
  });
});

const link = "/sign/0197a0c0-0000-7000-8000-0000000000f1#secret";
const words = tokenMails["token_revoked"]?.words as MailKind<object>["words"];
/** A kind whose mails have a link and a code; the button leads to the link, or elsewhere. */
const inviting = (code: string, path = link) =>
  mailKind(z.looseObject({ name: z.string(), prefix: z.string() }), (data, facts, language) => ({
    ...words(data, facts, language),
    subject: "Your code is 123456",
    button: { label: "Sign", path },
    link,
    code,
  }));

/** The task alone. */
const compose = (id: string, options: Partial<Parameters<typeof composeTestMail>[0]> = {}) =>
  composeTestMail({ site: selo.config, kinds: productMails, show: null, ...options })(
    { tenant_id: own.id, environment: "test", id },
    taskContext(pool, masterKeys),
  );

describe("composing", () => {
  test("keeps the link and the code that the kind of mail names", async () => {
    const id = await write({ recipient: "bia@example.net" });
    await compose(id, { kinds: { token_revoked: inviting("123456") } });
    const [mail] = (await list()).items;
    expect(mail).toMatchObject({ link: `http://selo.test${link}`, code: "123456" });
    expect(mail.text).toContain(mail.link);
    expect(mail.subject).toContain(mail.code);
  });

  test("refuses a kind that names a link which its mail does not have", async () => {
    const id = await write({ recipient: "bia@example.net" });
    await expect(compose(id, { kinds: { token_revoked: inviting("123456", "/guides") } })).rejects.toThrow(
      "lacks its link",
    );
    expect(await row(id)).toMatchObject({ composed_at: null });
  });

  /** A kind whose code only the job knows; without a code the mail is out of date. */
  const prepared = (code: string | null) =>
    preparedMailKind(
      z.looseObject({ name: z.string() }),
      async ({ name }, { tenantId, environment }) =>
        code === null ? null : { code: `${code}-${name}-${environment}-${tenantId === own.id}` },
      (data, facts, language) => ({
        ...words(data, facts, language),
        subject: `Your code is ${data.code}`,
        code: data.code,
      }),
    );

  test("asks the kind first for what the row does not hold, and keeps it in what was composed only", async () => {
    const id = await write({ recipient: "bia@example.net" });
    await compose(id, { kinds: { token_revoked: prepared("123456") } });
    expect((await list()).items).toMatchObject([
      { subject: "Your code is 123456-a token-test-true [test]", code: "123456-a token-test-true" },
    ]);
    expect(JSON.stringify((await row(id))?.["data"])).not.toContain("123456-a token-test-true");
  });

  test("gives a mail up quietly for which the kind prepares nothing", async () => {
    const id = await write({ recipient: "bia@example.net" });
    await compose(id, { kinds: { token_revoked: prepared(null) } });
    expect(await row(id)).toMatchObject({ composed_at: null, failed_at: expect.any(Date), failure: "out of date" });
    await compose(id, { kinds: { token_revoked: prepared("123456") } });
    expect(await row(id)).toMatchObject({ composed_at: null });
  });

  test("a crash between composing and recording composes the same mail again; then never again", async () => {
    const id = await write({ recipient: "bia@example.net" });
    const seen: object[] = [];
    const show = async (_id: string, mail: object) => void seen.push(mail);
    const crashing = taskContext(pool, masterKeys);
    crashing.jobs.call = async (context, name, ...rest) => {
      if (name === "record_mail_composed") throw new Error("killed");
      return Object.getPrototypeOf(crashing.jobs).call.call(crashing.jobs, context, name, ...rest);
    };
    const task = composeTestMail({ site: selo.config, kinds: productMails, show });
    await expect(task({ tenant_id: own.id, environment: "test", id }, crashing)).rejects.toThrow("killed");
    expect(await row(id)).toMatchObject({ composed_at: null, subject: null });
    await compose(id, { show });
    const kept = await row(id);
    await compose(id, { show });
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(await row(id)).toEqual(kept);
  });

  test("two workers at once keep one mail: what is recorded first stays", async () => {
    const id = await write({ recipient: "bia@example.net" });
    await Promise.all([compose(id), compose(id), compose(id)]);
    const kept = await row(id);
    expect(kept).toMatchObject({ subject: "[test] API token revoked: a token" });
    const { jobs } = taskContext(pool, masterKeys);
    const other = { id, subject: "other", text: "other", html: "other", link: null, code: null };
    await jobs.call({ tenantId: own.id, environment: "test" }, "record_mail_composed", other);
    expect(await row(id)).toEqual(kept);
    expect(await ids()).toEqual([id]);
  });

  test("neither composes nor changes another tenant's mail, one of the other environment, or one that is sent", async () => {
    const stranger = await selo.newOrganization({ name: "Stranger" });
    const id = await write({ recipient: "bia@example.net" });
    const live = await write({ recipient: "bia@example.net", environment: "live" });
    const task = composeTestMail({ site: selo.config, kinds: productMails, show: null });
    const { jobs } = taskContext(pool, masterKeys);
    const before = [await row(id), await row(live)];
    for (const [tenantId, environment, mail] of [
      [stranger.id, "test", id],
      [own.id, "live", id],
      [own.id, "live", live],
    ] as const) {
      await task({ tenant_id: tenantId, environment, id: mail }, taskContext(pool, masterKeys));
      const other = { id: mail, subject: "other", text: "other", html: "other" };
      await jobs.call({ tenantId, environment }, "record_mail_composed", other);
    }
    expect([await row(id), await row(live)]).toEqual(before);
  });
});

describe("retention", () => {
  const age = (id: string, column: "composed_at" | "created_at", since: string) =>
    selo.database.admin.query(`update platform.mails set ${column} = now() - $2::interval where id = $1`, [id, since]);

  test("after 30 days what was composed is erased with recipient and data, and the mail stays listed without them", async () => {
    const old = await composed({ recipient: "bia@example.net", data: { envelope_id: ENVELOPE } });
    const young = await composed({ recipient: "bia@example.net" });
    const never = await write({ recipient: "bia@example.net" });
    for (const id of [old, young, never]) await age(id, "created_at", "31 days");
    await age(old, "composed_at", "30 days 1 minute");
    await age(young, "composed_at", "29 days 23:59");
    await eraseOldMails({}, taskContext(pool, masterKeys));
    expect((await list()).items).toEqual([
      expect.objectContaining({ id: young, recipient: "bia@example.net", subject: expect.any(String) }),
      {
        id: old,
        kind: "token_revoked",
        envelope_id: ENVELOPE,
        participant_id: null,
        recipient: null,
        subject: null,
        text: null,
        html: null,
        link: null,
        code: null,
        created_at: expect.any(String),
      },
    ]);
    expect(await row(old)).toMatchObject({ data: null, failed_at: null, erased_at: expect.any(Date) });
    // Its job finds nothing left to compose.
    expect(await row(never)).toMatchObject({ failure: "waited too long", data: null });
    await compose(never);
    expect(await row(never)).toMatchObject({ composed_at: null });
  });
});
