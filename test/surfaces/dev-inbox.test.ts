// /dev/inbox: what development mails is caught by a real SMTP server and shown, harmlessly; production has no such page.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { services } from "../../src/services/services.ts";
import { devInboxPlugin } from "../../src/surfaces/dev-inbox/plugin.ts";
import { loadComposeMail } from "../../workers/platform/compose-mail.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { InboxStage, type Mail } from "../support/inbox-stage.ts";
import { masterKeys } from "../support/master-keys.ts";
import { ownerPool } from "../support/owner.ts";
import { writeMail } from "../support/test-mail.ts";
import { taskContext } from "../support/worker.ts";

let stage: InboxStage;
let selo: TestGateway;
let inbox: InboxStage["inbox"];
let dataDir: string;
beforeAll(async () => {
  stage = await InboxStage.open();
  ({ selo, inbox, dataDir } = stage);
});
afterAll(() => stage.close());
beforeEach(() => stage.empty());

/** The job as a worker with these settings runs it. */
async function composeHere(config: Config, tenantId: string, id: string): Promise<void> {
  const { workerUrl: url } = selo.database;
  const pool = createPool({ url, role: "selo_worker", applicationName: "test worker" }, 1, () => {});
  const task = await loadComposeMail({ services, config });
  await task({ tenant_id: tenantId, environment: "test", id }, taskContext(pool, masterKeys));
  await pool.end();
}

const deliver = (mail: Mail) => stage.deliver(mail);
const get = (url: string) => stage.get(url);

/** With another Host than the address has, which fetch does not offer. */
function statusFor(
  url: string,
  host: string,
  { baseUrl, forwardedHost }: { baseUrl: string; forwardedHost?: string } = selo,
): Promise<number | undefined> {
  const { hostname, port } = new URL(baseUrl);
  const headers = { host, ...(forwardedHost === undefined ? {} : { "x-forwarded-host": forwardedHost }) };
  return new Promise((resolve, reject) => {
    http
      .get({ hostname, port, path: url, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on("error", reject);
  });
}

test("what a token's creation mails arrives: listed, and shown with text, HTML and headers", async () => {
  const { id } = await selo.operator.createOrganization({ name: "Açaí & Filhos", email: "ana@example.org" });
  const token = await selo.operator.createToken(id, "live", "warehouse", ["proofs:read"]);
  await stage.sendOne();
  const list = await (await get("/dev/inbox")).text();
  expect(list).toContain("New API token: warehouse");
  expect(list).toContain("ana@example.org");
  const [mail] = inbox.list();
  const page = await (await get(`/dev/inbox/${mail?.id}`)).text();
  for (const shown of [token.prefix, "warehouse", "Auto-Submitted: auto-generated", `/dev/inbox/${mail?.id}/html`])
    expect(page).toContain(shown);
  const html = await (await get(`/dev/inbox/${mail?.id}/html`)).text();
  for (const shown of [token.prefix, "Açaí &amp; Filhos", 'src="data:image/png;base64,iVBORw0KGgo'])
    expect(html).toContain(shown);
  expect(html).not.toContain("cid:");
  const raw = await get(`/dev/inbox/${mail?.id}/raw`);
  expect(raw.headers.get("content-type")).toBe("message/rfc822");
  expect(raw.headers.get("content-disposition")).toBe(`attachment; filename="${mail?.id}.eml"`);
  expect(await raw.text()).toMatch(/^Subject: /m);
});

test("test mail to others stands there too, marked as not sent; composed again after a crash, it stands there once", async () => {
  const { id } = await selo.operator.createOrganization({ name: "Açaí & Filhos" });
  const owner = ownerPool(selo.database);
  const mail = await writeMail(owner, id, { recipient: "bia@example.net", name: "warehouse" });
  await owner.end();
  await stage.sendOne();
  const list = await (await get("/dev/inbox")).text();
  expect(list.match(/Test mail, not sent/g)).toHaveLength(1);
  for (const shown of ["[test] API token revoked: warehouse", "bia@example.net"]) expect(list).toContain(shown);
  const [kept] = inbox.list();
  expect(kept?.id.endsWith(mail.slice(-8))).toBe(true);
  const page = await (await get(`/dev/inbox/${kept?.id}`)).text();
  for (const shown of ["Test mail, not sent", "X-Selo-Not-Sent: test"]) expect(page).toContain(shown);
  const html = await (await get(`/dev/inbox/${kept?.id}/html`)).text();
  for (const shown of ["Açaí &amp; Filhos", 'src="data:image/png;base64,iVBORw0KGgo']) expect(html).toContain(shown);
  const { rows } = await selo.database.admin.query("select subject, html from platform.mails where id = $1", [mail]);
  expect(rows[0]).toEqual({
    subject: "[test] API token revoked: warehouse",
    html: expect.stringContaining("warehouse"),
  });
  await selo.database.admin.query(
    "update platform.mails set composed_at = null, subject = null, text = null, html = null where id = $1",
    [mail],
  );
  await composeHere(selo.config, id, mail);
  expect(inbox.list()).toEqual([kept]);
});

test("mail that was sent is not marked", async () => {
  await deliver({ subject: "sent" });
  expect(await (await get("/dev/inbox")).text()).not.toContain("Test mail, not sent");
});

test("a worker in production, and one whose data folder takes no file, compose test mail all the same", async () => {
  const { id } = await selo.operator.createOrganization({ name: "Açaí & Filhos" });
  const file = path.join(dataDir, "no-folder");
  fs.writeFileSync(file, "");
  const owner = ownerPool(selo.database);
  for (const config of [
    { ...selo.config, production: true },
    { ...selo.config, dataDir: file },
  ]) {
    const mail = await writeMail(owner, id, { recipient: "bia@example.net" });
    await composeHere(config, id, mail);
    const { rows } = await selo.database.admin.query("select composed_at from platform.mails where id = $1", [mail]);
    expect(rows).toEqual([{ composed_at: expect.any(Date) }]);
  }
  await owner.end();
  expect(inbox.list()).toEqual([]);
});

test("an image of a mail is shown in its HTML; an attachment that is no image, and an image that the mail lacks, are not", async () => {
  const attachments = [
    { cid: "a@b", content: Buffer.from("png"), contentType: "image/png" },
    { cid: "svg@b", content: Buffer.from("<svg/>"), contentType: "image/svg+xml" },
  ];
  const html = '<img src="cid:a@b"><img src="cid:svg@b"><img src="cid:missing@b">';
  const id = await deliver({ html, attachments });
  expect(await (await get(`/dev/inbox/${id}/html`)).text()).toContain(
    '<img src="data:image/png;base64,cG5n"><img src="cid:svg@b"><img src="cid:missing@b">',
  );
});

test("its pages have the style of the other pages; where these are not built, it is plain and works", async () => {
  const sheets = (page: string) =>
    [...page.matchAll(/<link rel="stylesheet"[^>]* href="([^"]*)"/g)].map(([, href]) => href);
  const list = await (await get("/dev/inbox")).text();
  // A font that is not asked for at once comes too late to be used.
  expect(list).toMatch(/<link rel="preload" href="\/assets\/inter-[\w-]+\.woff2" as="font"/);
  const styled = sheets(list);
  expect(styled.length).toBeGreaterThan(1);
  expect(styled.pop()).toBe("/dev/inbox/style.css");
  for (const href of styled) expect(href).toMatch(/^\/assets\/[\w-]+\.css$/);
  for (const href of styled) expect((await get(href ?? "")).status).toBe(200);
  const app = Fastify();
  await app.register(
    (scope) => devInboxPlugin(scope, { config: selo.config, webApp: path.join(dataDir, "not-there") }),
    {
      prefix: "/dev/inbox",
    },
  );
  const plain = await app.inject("/dev/inbox");
  expect([plain.statusCode, sheets(plain.body)]).toEqual([200, ["/dev/inbox/style.css"]]);
  await app.close();
});

test("empty, it says how mail comes there; with SMTP_URL, that mail goes elsewhere", async () => {
  const response = await get("/dev/inbox");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toContain("No mail yet.");
});

test("the newest 200 mails are kept, for the owner's eyes alone", () => {
  const folder = path.join(dataDir, "inbox");
  for (let n = 0; n < 205; n++) inbox.keep(Buffer.from(`Subject: ${n}\r\n\r\n`));
  const kept = inbox.list();
  expect(kept).toHaveLength(200);
  expect(fs.readdirSync(folder)).toHaveLength(200);
  expect(kept.map(({ id }) => id)).toEqual(
    kept
      .map(({ id }) => id)
      .sort()
      .reverse(),
  );
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of fs.readdirSync(folder)) expect(fs.statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
});

test("a mail of more than 10 MiB is refused, and leaves nothing", async () => {
  await expect(deliver({ text: "x".repeat(10 * 1024 * 1024 + 1) })).rejects.toMatchObject({ responseCode: 552 });
  expect(inbox.list()).toEqual([]);
});

test.each([
  "/dev/inbox/0000000000000-00000000",
  "/dev/inbox/0000000000000-00000000/html",
  "/dev/inbox/0000000000000-00000000/raw",
  "/dev/inbox/..%2F..%2Fdemo",
  "/dev/inbox/..%2fmaster-key/raw",
  "/dev/inbox/%00",
  "/dev/inbox/x/y",
])("%s is 404", async (url) => {
  fs.writeFileSync(path.join(dataDir, "master-key"), "secret");
  const response = await get(url);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("secret");
});

test("a mail without HTML has no frame, and no HTML to get; what is no mail at all is shown as it is", async () => {
  const id = await deliver({ subject: "plain" });
  expect(await (await get(`/dev/inbox/${id}`)).text()).not.toContain("<iframe");
  expect((await get(`/dev/inbox/${id}/html`)).status).toBe(404);
  inbox.keep(Buffer.from([0xff, 0xfe, 0, 10, 13]));
  expect((await get(`/dev/inbox/${inbox.list()[0]?.id}`)).status).toBe(200);
  expect(await (await get("/dev/inbox")).text()).toContain("(no subject)");
});

test("a page that makes its own name point at this machine reads nothing", async () => {
  await deliver({ subject: "private" });
  for (const host of ["evil.example", "evil.example:4000", "localhost.evil.example"])
    expect(await statusFor("/dev/inbox", host)).toBe(404);
  for (const host of ["localhost", "localhost:4000", "127.0.0.1:4000", "selo.test"])
    expect(await statusFor("/dev/inbox", host)).toBe(200);
});

test("nor does its script with a header that only proxies should write", async () => {
  const { baseUrl, stop } = await startGatewayBeside(selo, { TRUST_PROXY: "loopback", SELO_DATA_DIR: dataDir });
  onTestFinished(stop);
  expect(await statusFor("/dev/inbox", "evil.example", { baseUrl, forwardedHost: "localhost" })).toBe(404);
  expect(await statusFor("/dev/inbox", "localhost", { baseUrl, forwardedHost: "selo.example" })).toBe(200);
});

test("production has no such page, for browsers and programs alike, even with mail in the data folder", async () => {
  const id = await deliver({ subject: "kept from before" });
  const production = await startTestGateway({ NODE_ENV: "production", SELO_DATA_DIR: dataDir });
  try {
    for (const url of [
      "/dev/inbox",
      "/dev/inbox/",
      `/dev/inbox/${id}`,
      `/dev/inbox/${id}/raw`,
      "/dev/inbox/style.css",
    ]) {
      for (const accept of ["text/html", "application/json"]) {
        const response = await fetch(`${production.baseUrl}${url}`, { headers: { accept } });
        expect([url, response.status]).toEqual([url, 404]);
        expect(await response.text()).not.toContain("kept from before");
      }
    }
  } finally {
    await production.stop();
  }
});
