// /dev/inbox: what development mails is caught by a real SMTP server and shown, harmlessly; production has no such page.
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { createTransport } from "nodemailer";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "../../src/main/log.ts";
import { services } from "../../src/services/services.ts";
import type { Inbox } from "../../src/surfaces/dev-inbox/inbox.ts";
import { type MailCatcher, startMailCatcher } from "../../src/surfaces/dev-inbox/mail-catcher.ts";
import { inboxOf } from "../../src/surfaces/dev-inbox/plugin.ts";
import { startWorker } from "../../workers/main.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { masterKeys } from "../support/master-keys.ts";
import { DESKTOP, launchBrowser, PHONE, screenshot } from "../system/web/browser.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-inbox-"));
let selo: TestGateway;
let inbox: Inbox;
let catcher: MailCatcher;
beforeAll(async () => {
  selo = await startTestGateway({ SELO_DATA_DIR: dataDir });
  inbox = inboxOf(selo.config);
  catcher = await startMailCatcher(inbox);
});
afterAll(async () => {
  await catcher.close();
  await selo.stop();
  fs.rmSync(dataDir, { recursive: true });
});
beforeEach(() => fs.rmSync(path.join(dataDir, "inbox"), { recursive: true, force: true }));

interface Mail {
  readonly subject?: string;
  readonly to?: string;
  readonly text?: string;
  readonly html?: string;
}

/** As any program would, by SMTP; answers its id in the inbox. */
async function deliver(mail: Mail): Promise<string> {
  const transport = createTransport({ url: catcher.url });
  await transport.sendMail({ from: "selo@selo.example", to: "ana@example.org", text: "Text.", ...mail });
  transport.close();
  return inbox.list()[0]?.id ?? "";
}

const get = (url: string) => fetch(`${selo.baseUrl}${url}`, { redirect: "manual" });

/** With another Host than the address has, which fetch does not offer. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(selo.baseUrl);
  return new Promise((resolve, reject) => {
    http
      .get({ hostname, port, path: url, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on("error", reject);
  });
}

const HOSTILE: Mail = {
  subject: '<script>document.title = "stolen"</script> "quoted" & more',
  to: '"<img src=x onerror=alert(1)>" <ana@example.org>',
  text: "</pre><script>alert(2)</script>",
  html: '<!doctype html><html><body><script>parent.document.title = "stolen"; document.title = "stolen"</script><p>Shown.</p><form action="/x"><button>Go</button></form><img src="/healthz"><a href="javascript:alert(3)">link</a></body></html>',
};

test("what a token's creation mails arrives: listed, and shown with text, HTML and headers", async () => {
  const { id } = await selo.operator.createOrganization({ name: "Açaí & Filhos", email: "ana@example.org" });
  const token = await selo.operator.createToken(id, "live", "warehouse", ["proofs:read"]);
  const config = { ...selo.config, smtpUrl: catcher.url };
  const worker = await startWorker({
    services,
    config,
    databaseUrl: selo.database.workerUrl,
    masterKeys,
    log: createLogger("silent"),
  });
  await expect.poll(() => inbox.list().length, { timeout: 15_000 }).toBe(1);
  await worker.stop();
  const list = await (await get("/dev/inbox")).text();
  expect(list).toContain("An API token was created for Açaí &amp; Filhos");
  expect(list).toContain("ana@example.org");
  const [mail] = inbox.list();
  const page = await (await get(`/dev/inbox/${mail?.id}`)).text();
  for (const shown of [token.prefix, "warehouse", "Auto-Submitted: auto-generated", `/dev/inbox/${mail?.id}/html`])
    expect(page).toContain(shown);
  expect(await (await get(`/dev/inbox/${mail?.id}/html`)).text()).toContain(token.prefix);
  const raw = await get(`/dev/inbox/${mail?.id}/raw`);
  expect(raw.headers.get("content-type")).toBe("message/rfc822");
  expect(raw.headers.get("content-disposition")).toBe(`attachment; filename="${mail?.id}.eml"`);
  expect(await raw.text()).toMatch(/^Subject: /m);
});

test("empty, it says how mail comes there; with SMTP_URL, that mail goes elsewhere", async () => {
  const response = await get("/dev/inbox");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toContain("Nothing yet.");
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

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("hostile mail runs nothing, loads nothing, goes nowhere", async () => {
    const id = await deliver(HOSTILE);
    const page = await browser.newPage({ baseURL: selo.baseUrl });
    page.setDefaultTimeout(5_000);
    const requests: string[] = [];
    // What a policy stops never finishes.
    page.on("requestfinished", (request) => requests.push(new URL(request.url()).pathname));
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    await page.goto("/dev/inbox");
    expect(await page.locator("li a").textContent()).toBe(HOSTILE.subject);
    await page.locator("li a").click();
    await page.frameLocator("iframe").getByText("Shown.").waitFor();
    expect(await page.locator("h1").textContent()).toBe(HOSTILE.subject);
    expect(await page.locator("pre").first().textContent()).toContain(HOSTILE.text);
    expect(await page.locator("script, img").count()).toBe(0);
    expect(await page.title()).toContain("<script>");
    for (const what of ["link", "Go"]) await page.frameLocator("iframe").getByText(what).dispatchEvent("click");
    // Alone in a window of its own it may do no more.
    await page.goto(`/dev/inbox/${id}/html`);
    expect(await page.getByText("Shown.").isVisible()).toBe(true);
    expect(await page.title()).not.toBe("stolen");
    for (const what of ["link", "Go"]) await page.getByText(what).dispatchEvent("click");
    expect(dialogs).toBe(0);
    expect([...new Set(requests)].sort()).toEqual(
      ["/dev/inbox", "/dev/inbox/style.css", `/dev/inbox/${id}`, `/dev/inbox/${id}/html`].sort(),
    );
    await page.close();
  });

  test("the frame is of another origin and may run no scripts; the policies say the same", async () => {
    const id = await deliver(HOSTILE);
    expect(await (await get(`/dev/inbox/${id}`)).text()).toContain('<iframe class="card" sandbox=""');
    const policyOf = async (url: string) => (await get(url)).headers.get("content-security-policy");
    expect(await policyOf(`/dev/inbox/${id}`)).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(await policyOf(`/dev/inbox/${id}`)).not.toMatch(/script-src|unsafe/);
    expect(await policyOf(`/dev/inbox/${id}/html`)).toMatch(/^default-src 'none';.*sandbox$/);
    expect(await policyOf(`/dev/inbox/${id}/html`)).not.toMatch(/script-src|allow-/);
  });

  test.each([
    ["phone", PHONE, "light"],
    ["phone-dark", PHONE, "dark"],
    ["desktop", DESKTOP, "light"],
    ["desktop-dark", DESKTOP, "dark"],
  ] as const)(
    "%s: list and mail have no fault that axe finds (WCAG 2.2 AA), and no sideways scrolling",
    async (name, viewport, colorScheme) => {
      const { id } = await selo.operator.createOrganization({
        name: "Imobiliária São João",
        email: `${"long".repeat(14)}@example.org`,
      });
      await selo.operator.createToken(id, "live", "x".repeat(100), ["proofs:read"]);
      const config = { ...selo.config, smtpUrl: catcher.url };
      const worker = await startWorker({
        services,
        config,
        databaseUrl: selo.database.workerUrl,
        masterKeys,
        log: createLogger("silent"),
      });
      await expect.poll(() => inbox.list().length, { timeout: 15_000 }).toBe(1);
      await worker.stop();
      await deliver({ subject: "A second mail" });
      const context = await browser.newContext({ baseURL: selo.baseUrl, viewport, colorScheme, locale: "en" });
      const page = await context.newPage();
      for (const [state, open] of [
        ["list", () => page.goto("/dev/inbox")],
        ["mail", () => page.getByRole("link", { name: /^An API token was created/ }).click()],
      ] as const) {
        await open();
        await page.locator(state === "list" ? ".mails" : "iframe").waitFor();
        if (state === "mail") await page.locator("summary").click();
        const { violations } = await new AxeBuilder({ page })
          .withTags(RULES)
          .exclude("iframe")
          .setLegacyMode()
          .analyze();
        expect(violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual(
          [],
        );
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(overflow)).toBe(0);
        await screenshot(page, `inbox-${state}-${name}`);
      }
      await context.close();
    },
  );
});
