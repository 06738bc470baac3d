// From the fact to the mail server: a mail is written with what it tells of, and a worker sends it, once.

import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { MailMessage, MailSender } from "../../../src/adapters/mail/mail-sender.ts";
import { SmtpSender } from "../../../src/adapters/mail/smtp-sender.ts";
import { readConfig } from "../../../src/main/config.ts";
import { createLogger } from "../../../src/main/log.ts";
import { Jobs } from "../../../src/postgres/jobs.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { erasePersonalDataOfMails } from "../../../src/services/platform/store.ts";
import { services } from "../../../src/services/services.ts";
import { type MailKind, preparedMailKind } from "../../../src/surfaces/mail/mail-kind.ts";
import { type RunningWorker, startWorker } from "../../../workers/main.ts";
import { eraseOldMails } from "../../../workers/platform/erase-old-mails.ts";
import { mailKindsOf, sendMail } from "../../../workers/platform/send-mail.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { type CatchingServer, startMailServer } from "../../support/mail-servers.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { taskContext } from "../../support/worker.ts";

const PUBLIC_URL = "https://selo.example";
const SITE = readConfig({ PUBLIC_URL });
const FROM = { name: "Selo", address: "no-reply@selo.example" };

let database: TestDatabase;
let operator: Operator;
let pool: ReturnType<typeof createPool>;
let owner: ReturnType<typeof ownerPool>;
let server: CatchingServer;
beforeAll(async () => {
  database = await createTestDatabase();
  operator = await Operator.connect(database.adminUrl);
  pool = createPool({ url: database.workerUrl, role: "selo_worker", applicationName: "test worker" }, 3, () => {});
  owner = ownerPool(database);
});
afterAll(async () => {
  await operator.close();
  await pool.end();
  await owner.end();
  await database.drop();
});
beforeEach(async () => {
  server = await startMailServer();
});

const workers: RunningWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await server.close();
  await admin("delete from platform.mails");
  await admin("delete from graphile_worker._private_jobs");
});

const admin = (text: string, values: unknown[] = []) => database.admin.query(text, values);

interface Row {
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: "live" | "test";
  readonly kind: string;
  readonly is_withheld: boolean;
  readonly recipient: string | null;
  readonly data: object | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly failed_at: Date | null;
  readonly failure: string | null;
  readonly erased_at: Date | null;
}

async function mails(): Promise<Row[]> {
  return (await admin("select * from platform.mails order by created_at, id")).rows as Row[];
}

async function jobs(
  task = "platform__send_mail",
): Promise<{ payload: object; attempts: number; last_error: string | null }[]> {
  const { rows } = await admin(
    "select payload, attempts, last_error from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id where identifier = $1",
    [task],
  );
  return rows;
}

async function organization(
  options: { name?: string; email?: string | null; language?: string; timeZone?: string } = {},
) {
  return operator.createOrganization({ name: "Imobiliária São João", email: "ana@example.org", ...options });
}

/** The real worker, on this database and the test's mail server. */
async function work(environment: Record<string, string> = {}): Promise<string[]> {
  const logs: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk));
      done();
    },
  });
  const config = readConfig({ PUBLIC_URL, SMTP_URL: server.url, ...environment });
  workers.push(
    await startWorker({
      services,
      config,
      databaseUrl: database.workerUrl,
      masterKeys,
      log: createLogger("trace", sink),
    }),
  );
  return logs;
}

const settled = () =>
  expect
    .poll(async () => (await mails()).every(({ sent_at, failed_at }) => sent_at !== null || failed_at !== null))
    .toBe(true);

/** The task alone, with some sender. */
async function run(sender: MailSender, { id, tenant_id, environment }: Row): Promise<void> {
  const kinds = await mailKindsOf(services);
  const log = createLogger("silent");
  return sendMail(sender, SITE, kinds)({ id, tenant_id, environment }, taskContext(pool, masterKeys, log));
}

class MemorySender implements MailSender {
  readonly sent: MailMessage[] = [];
  async send(message: MailMessage): Promise<void> {
    this.sent.push(message);
  }
}

describe("a token's creation and revocation", () => {
  test("arrive at the organization's contact: text and HTML, with name, beginning, environment and time, without the secret", async () => {
    const { id } = await organization({ timeZone: "America/Sao_Paulo" });
    const token = await operator.createToken(id, "live", "warehouse", ["proofs:read"]);
    await operator.revokeToken(token.id);
    await work();
    await settled();
    const arrived = await server.mails();
    const [created, revoked] = ["New", "revoked"].map((what) => arrived.find(({ subject }) => subject?.includes(what)));
    expect(created).toMatchObject({
      subject: "New API token: warehouse",
      from: FROM,
      to: [{ name: "", address: "ana@example.org" }],
    });
    expect(revoked?.subject).toBe("API token revoked: warehouse");
    const [row] = await mails();
    for (const part of [created?.text, created?.html]) {
      for (const fact of [
        "warehouse",
        token.prefix,
        "proofs:read",
        "João, live",
        "(Brasilia Standard Time)",
        String(row?.created_at.getUTCFullYear()),
      ]) {
        expect(part).toContain(fact);
      }
      expect(part).not.toContain(token.token);
      expect(part).not.toContain(token.token.slice(15, 25));
    }
    const raw = Buffer.concat(server.raw).toString();
    expect(raw).not.toContain(token.token.slice(15));
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(created?.attachments).toMatchObject([{ contentId: "<mark@selo>", mimeType: "image/png" }]);
  });

  test("are told in Portuguese to whoever's language is pt or pt-…, in English to others", async () => {
    for (const [language, subject] of [
      ["pt-BR", "Novo token de API: pt-BR"],
      ["pt", "Novo token de API: pt"],
      ["PT-pt", "Novo token de API: PT-pt"],
      ["en-GB", "New API token: en-GB"],
      ["ptx", "New API token: ptx"],
      ["ja", "New API token: ja"],
    ] as const) {
      await operator.createToken((await organization({ language })).id, "live", language, ["proofs:read"]);
      const row = (await mails()).at(-1) as Row;
      const sender = new MemorySender();
      await run(sender, row);
      expect({ language, subject: sender.sent[0]?.subject }).toEqual({ language, subject });
      expect(sender.sent[0]?.text).toContain(
        subject.startsWith("Novo") ? "Começa com: svc_live_" : "Begins with: svc_live_",
      );
    }
  });

  test("are told of the test environment too, marked as such: its contact is no stranger", async () => {
    const { id } = await organization();
    const token = await operator.createToken(id, "test", "trial", ["proofs:read"]);
    await operator.revokeToken(token.id);
    expect((await mails()).map(({ kind, environment }) => [kind, environment])).toEqual([
      ["token_created", "test"],
      ["token_revoked", "test"],
    ]);
    const sender = new MemorySender();
    for (const row of await mails()) await run(sender, row);
    for (const { subject } of sender.sent) expect(subject).toMatch(/^\[test\] (New )?API token/);
    for (const { text, html } of sender.sent)
      for (const part of [text, html]) expect(part).toContain("This is a test: nothing changed in live.");
  });

  test("without a contact nobody is told, and the token is made all the same", async () => {
    const { id } = await organization({ email: null });
    expect((await operator.createToken(id, "live", "quiet", ["proofs:read"])).prefix).toMatch(/^svc_live_/);
    expect(await mails()).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  test("a second revocation of the same token is not told again, and answers the first time", async () => {
    const { id } = await organization();
    const token = await operator.createToken(id, "live", "once", ["proofs:read"]);
    const first = await operator.revokeToken(token.id);
    expect(await operator.revokeToken(token.id)).toEqual(first);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["token_created", "token_revoked"]);
  });

  test("two revocations at once are told once", async () => {
    const { id } = await organization();
    const token = await operator.createToken(id, "live", "twice", ["proofs:read"]);
    const revoke = () => owner.query("select platform.revoke_token($1, $2) as at", [id, token.id]);
    const answers = await Promise.all([revoke(), revoke(), revoke()]);
    expect(new Set(answers.map(({ rows }) => rows[0].at.getTime())).size).toBe(1);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["token_created", "token_revoked"]);
  });

  test("a fact that is rolled back leaves no mail and no job", async () => {
    const { id } = await organization();
    const client = await owner.connect();
    await client.query("begin");
    await client.query("select platform.create_token($1, 'live', 'gone', array['proofs:read'])", [id]);
    expect((await client.query("select from platform.mails")).rowCount).toBe(0); // the context has been left
    await client.query("rollback");
    client.release();
    expect([await mails(), await jobs()]).toEqual([[], []]);
  });

  test("the job holds the mail's id, tenant and environment, and nothing of what it says", async () => {
    const { id } = await organization();
    await operator.createToken(id, "live", "private name", ["proofs:read"]);
    const [row] = await mails();
    expect((await jobs()).map(({ payload }) => payload)).toEqual([
      { id: row?.id, tenant_id: id, environment: "live", request_id: expect.any(String) },
    ]);
  });
});

describe("platform.send_mail", () => {
  const send = (tenant: string, environment: "live" | "test", recipient: string) =>
    inContext(owner, tenant, environment, (client) =>
      client.query("select platform.send_mail('token_created', $1, 'en', '{}')", [recipient]),
    );

  test("mails others from the live environment only; from test it writes mail to them that is only composed", async () => {
    const { id } = await organization();
    await send(id, "test", "stranger@example.org");
    expect((await mails()).map(({ is_withheld }) => is_withheld)).toEqual([true]);
    expect([await jobs(), await jobs("platform__compose_mail")]).toEqual([[], [expect.anything()]]);
    await send(id, "test", "ana@example.org");
    await send(id, "live", "stranger@example.org");
    expect((await mails()).slice(1)).toMatchObject([
      { environment: "test", recipient: "ana@example.org", is_withheld: false },
      { environment: "live", recipient: "stranger@example.org", is_withheld: false },
    ]);
    expect([await jobs(), await jobs("platform__compose_mail")]).toMatchObject([{ length: 2 }, { length: 1 }]);
  });

  test("the job that sends passes over mail that is only composed", async () => {
    const { id } = await organization();
    await send(id, "test", "stranger@example.org");
    const [row] = await mails();
    const sender = new MemorySender();
    await run(sender, row as Row);
    expect([sender.sent, await mails()]).toEqual([[], [row]]);
  });
});

describe("sending", () => {
  async function oneMail(options: Parameters<typeof organization>[0] = {}, name = "a token"): Promise<Row> {
    const { id } = await organization(options);
    await operator.createToken(id, "live", name, ["proofs:read"]);
    return (await mails()).at(-1) as Row;
  }

  test("a crash between sending and recording sends the same mail again, with the same Message-ID and date; then never again", async () => {
    const row = await oneMail();
    const { url } = server;
    const sender = new SmtpSender({ url, from: FROM, dkim: null });
    const crashing: MailSender = {
      send: async (message) => {
        await sender.send(message);
        throw new Error("killed");
      },
    };
    await expect(run(crashing, row)).rejects.toThrow("killed");
    expect((await mails())[0]).toMatchObject({ sent_at: null, failed_at: null });
    await run(sender, row);
    await run(sender, row);
    const [first, second, ...more] = await server.mails();
    expect(more).toEqual([]);
    expect(first?.messageId).toBe(`<${row.id}@selo.example>`);
    const said = ({ messageId, date, subject, text, html }: NonNullable<typeof first>) => ({
      messageId,
      date,
      subject,
      text,
      html,
    });
    expect(second && said(second)).toEqual(first && said(first));
    expect((await mails())[0]?.sent_at).not.toBeNull();
  });

  test("a permanent refusal is recorded by its codes and not tried again; logs hold neither address nor text", async () => {
    server.answer = { code: 550, text: "5.1.1 <ana@example.org> is unknown here" };
    await oneMail({}, "quiet-name");
    const logs = await work();
    await settled();
    const [row] = await mails();
    expect(row).toMatchObject({ sent_at: null, failed_at: expect.any(Date), failure: "550 5.1.1 to RCPT TO" });
    await expect.poll(() => jobs()).toEqual([]);
    expect(logs.join("")).toContain(row?.id);
    for (const secret of ["ana@", "example.org", "quiet-name", "São João"]) expect(logs.join("")).not.toContain(secret);
  });

  test("a temporary refusal is tried again until the mail is taken; neither logs nor the job hold the address", async () => {
    server.answer = { code: 451, text: "4.7.1 <ana@example.org> come back later" };
    const row = await oneMail();
    const logs = await work();
    await expect.poll(async () => (await jobs())[0]?.last_error).toBeTruthy();
    expect((await jobs())[0]?.last_error).toContain("451 4.7.1 to RCPT TO");
    expect((await jobs())[0]?.last_error).not.toContain("ana@");
    expect((await mails())[0]).toMatchObject({ sent_at: null, failed_at: null });
    server.answer = null;
    await admin("update graphile_worker._private_jobs set run_at = now() where attempts > 0");
    await settled();
    expect((await server.mails()).map(({ messageId }) => messageId)).toEqual([`<${row.id}@selo.example>`]);
    expect(logs.join("")).toContain("451 4.7.1");
    for (const secret of ["ana@", "example.org"]) expect(logs.join("")).not.toContain(secret);
  });

  test("hostile names are harmless: they add no header, no line and no markup, and turn no text around", async () => {
    const name = 'x\r\nBcc: thief@example.net\r\n\r\n<script>alert(1)</script>\u202Egnp"><img src=x>';
    const row = await oneMail({ name: `Evil\nSubject: other <b>${"&amp;"}`, language: "en" }, name);
    await run(new SmtpSender({ url: server.url, from: FROM, dkim: null }), row);
    const [mail] = await server.mails();
    expect(
      mail?.headers
        .filter(({ key }) => ["bcc", "subject", "to", "from"].includes(key))
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["from", "subject", "to"]);
    expect(mail?.subject).toBe('New API token: x Bcc: thief@example.net <script>alert(1)</script>gnp"><img src=x>');
    expect(mail?.text).toContain('  Name: x Bcc: thief@example.net <script>alert(1)</script>gnp"><img src=x>\n');
    expect(mail?.html).not.toMatch(/<script|<img src=x|<b>|\u202E/);
    expect(mail?.html?.match(/<img/g)).toHaveLength(1);
    expect(mail?.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;gnp&quot;&gt;&lt;img src=x&gt;");
    expect(mail?.html).toContain("Evil Subject: other &lt;b&gt;&amp;amp;");
  });

  test("a contact that is more than one mailbox is refused before anything is sent", async () => {
    for (const email of ["thief,ana@example.org", "a<b@example.org", "ana@example.org,", "ana@example.org>"]) {
      const row = await oneMail();
      // From before addresses were judged.
      await database.admin.query("update platform.mails set recipient = $2 where id = $1", [row.id, email]);
      await run(new SmtpSender({ url: server.url, from: FROM, dkim: null }), row);
    }
    expect((await mails()).map(({ failure }) => failure)).toEqual(
      Array(4).fill("the recipient is not an e-mail address"),
    );
    expect(server.raw).toEqual([]);
  });

  test("another tenant's mail, and the other environment's, is neither read nor changed", async () => {
    const row = await oneMail();
    const stranger = await organization();
    const sender = new MemorySender();
    for (const context of [{ tenant_id: stranger.id }, { environment: "test" as const }, { id: randomUUID() }]) {
      await run(sender, { ...row, ...context });
      const { tenant_id: tenantId, environment, id } = { ...row, ...context };
      for (const job of ["record_mail_sent", "record_mail_failed"])
        await new Jobs(pool).call({ tenantId, environment }, job, { id, failure: "stolen" });
    }
    expect(sender.sent).toEqual([]);
    expect(await mails()).toEqual([row]);
  });

  test("a worker that is stopped while a mail is on its way leaves nothing to do again", async () => {
    const { id } = await organization();
    for (let n = 0; n < 5; n++) {
      await operator.createToken(id, "live", `token ${n}`, ["proofs:read"]);
      await work();
      await expect.poll(() => server.raw.length, { interval: 1 }).toBe(n + 1);
      await workers.pop()?.stop();
      expect((await mails()).filter(({ sent_at }) => sent_at === null)).toEqual([]);
      expect(await jobs()).toEqual([]);
    }
  });

  test("a mail that its kind finds out of date is given up and not sent; its row keeps nothing of what the kind makes", async () => {
    const row = await oneMail();
    const sender = new MemorySender();
    const words = (await mailKindsOf(services))["token_created"]?.words as MailKind<object>["words"];
    const kind = (made: { link: string } | null) =>
      preparedMailKind(
        z.object({}),
        async () => made,
        (data, facts, language) => ({
          ...words({ name: "warehouse", prefix: "svc_", ...data }, facts, language),
          button: { label: "Sign", path: data.link },
          link: data.link,
        }),
      );
    const send = (made: { link: string } | null) =>
      sendMail(sender, SITE, { token_created: kind(made) })(
        { id: row.id, tenant_id: row.tenant_id, environment: row.environment },
        taskContext(pool, masterKeys),
      );
    await send(null);
    expect(sender.sent).toEqual([]);
    expect(await mails()).toMatchObject([{ sent_at: null, failed_at: expect.any(Date), failure: "out of date" }]);
    await admin("update platform.mails set failed_at = null, failure = null");
    await send({ link: "/sign/1#secret" });
    expect(sender.sent).toMatchObject([{ text: expect.stringContaining(`${PUBLIC_URL}/sign/1#secret`) }]);
    expect(JSON.stringify(await mails())).not.toContain("#secret");
  });

  test.each([{}, { id: "1" }, { id: "'; drop", tenant_id: "x", environment: "live" }, null])(
    "a payload that is none (%j) is refused by the task",
    async (payload) => {
      const context = taskContext(pool, masterKeys);
      await expect(sendMail(new MemorySender(), SITE, {})(payload, context)).rejects.toThrow(/invalid/i);
    },
  );

  test("a mail of a kind this version does not know waits for one that does", async () => {
    const row = await oneMail();
    await admin("update platform.mails set kind = 'of_tomorrow'");
    const sender = new MemorySender();
    await expect(run(sender, row)).rejects.toThrow();
    expect(sender.sent).toEqual([]);
    expect((await mails())[0]).toMatchObject({ sent_at: null, failed_at: null });
  });

  test.each([
    ["development", 40, {}],
    [
      "production",
      50,
      {
        NODE_ENV: "production",
        SELO_MASTER_KEY: "11".repeat(32),
        DATABASE_URL: "postgres://a@h/d",
        STORAGE_FOLDER: ".data/objects",
      },
    ],
  ] as const)(
    "without SMTP_URL in %s the worker says so once and mails wait for one that has it",
    async (_, level, environment) => {
      await oneMail();
      const logs = await work({ ...environment, SMTP_URL: "" });
      const warnings = logs.map((line) => JSON.parse(line)).filter((line) => /mails wait/.test(line.msg));
      expect(warnings.map((line) => line.level)).toEqual([level]);
      // It does other work meanwhile, and leaves this.
      await admin("select graphile_worker.add_job('platform__sweep_request_counts', job_key => 'after')");
      const left = "select from graphile_worker._private_jobs where key = 'after'";
      await expect.poll(async () => (await admin(left)).rowCount).toBe(0);
      expect((await jobs()).map(({ attempts }) => attempts)).toEqual([0]);
      await work();
      await settled();
      expect((await mails())[0]?.sent_at).not.toBeNull();
    },
  );
});

describe("retention", () => {
  const erase = () => eraseOldMails({}, taskContext(pool, masterKeys));
  const age = (id: string, created: string, sent: string | null, failed: string | null = null) =>
    admin(
      `update platform.mails set created_at = now() - $2::interval, sent_at = now() - $3::interval,
         failed_at = now() - $4::interval, failure = case when $4 is null then null else '550' end where id = $1`,
      [id, created, sent, failed],
    );

  test("after 30 days recipient and content of what was sent, given up or never sent are erased; the row stays", async () => {
    const { id } = await organization();
    for (let n = 0; n < 5; n++) await operator.createToken(id, "live", `token ${n}`, ["proofs:read"]);
    const [sent, failed, waiting, late, young] = await mails();
    await age(sent?.id ?? "", "31 days", "30 days 1 minute");
    await age(failed?.id ?? "", "31 days", null, "30 days 1 minute");
    await age(waiting?.id ?? "", "30 days 1 minute", null);
    await age(late?.id ?? "", "31 days", "29 days 23:59");
    await age(young?.id ?? "", "29 days 23:59", null);
    await erase();
    const rows = new Map((await mails()).map((row) => [row.id, row]));
    for (const { id: erased } of [sent, failed, waiting] as Row[]) {
      expect(rows.get(erased)).toMatchObject({ recipient: null, data: null, erased_at: expect.any(Date) });
    }
    expect(rows.get(sent?.id ?? "")).toMatchObject({ failed_at: null, failure: null });
    expect(rows.get(failed?.id ?? "")).toMatchObject({ failure: "550" });
    expect(rows.get(waiting?.id ?? "")).toMatchObject({ failure: "waited too long" });
    for (const { id: kept } of [late, young] as Row[]) {
      expect(rows.get(kept)).toMatchObject({ recipient: "ana@example.org", erased_at: null });
    }
    // Its job finds nothing left to send.
    const sender = new MemorySender();
    await run(sender, waiting as Row);
    expect(sender.sent).toEqual([]);
    expect(await erasePersonalDataOfMails(new Jobs(pool), 10)).toBe(0);
  });

  test("MAIL_RETENTION_DAYS says how long", async () => {
    const { id } = await organization();
    await operator.createToken(id, "live", "a", ["proofs:read"]);
    await age((await mails())[0]?.id ?? "", "3 days", "2 days 1 minute");
    await operator.changeSetting("mail_retention_days", "2");
    await erase();
    await operator.changeSetting("mail_retention_days", "30");
    expect((await mails())[0]).toMatchObject({ recipient: null });
  });
});
