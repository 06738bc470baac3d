// A gateway at its own public address, because pages sign people in, and a browser whose cookies, requests and complaints are known.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { linkSha256, newLinkSecret } from "../../../src/services/accounts/sign-in/password-link.ts";
import { createUser } from "../../../src/services/accounts/store.ts";
import { PASSWORD } from "../../services/accounts/accounts-stage.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { freePort } from "../../support/selo-process.ts";
import { launchBrowser } from "../web/browser.ts";

const PHONE = { width: 390, height: 844 };

export interface AppStage {
  readonly selo: TestGateway;
  readonly browser: Browser;
  readonly organization: TestOrganization;
  close(): Promise<void>;
}

/** @param host of the public address; browsers keep passkeys for names alone */
export async function openAppStage(
  environment: Readonly<Record<string, string>> = {},
  host = "127.0.0.1",
): Promise<AppStage> {
  const port = await freePort();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-app-"));
  const [selo, browser] = await Promise.all([
    startTestGateway({
      PORT: String(port),
      PUBLIC_URL: `http://${host}:${port}`,
      SELO_DATA_DIR: dataDir,
      ...environment,
    }),
    launchBrowser(),
  ]);
  const organization = await selo.newOrganization({ name: "Acme Tecnologia Ltda.", language: "pt-BR" });
  return {
    selo,
    browser,
    organization,
    close: async () => {
      await browser.close();
      await selo.stop();
      fs.rmSync(dataDir, { recursive: true });
    },
  };
}

/** A person of the stage's organization without a password, and the link that sets one, as `selo user create` prints it. */
export async function welcomeLink(
  { selo, organization }: AppStage,
  person: { readonly email: string; readonly role: string; readonly name?: string; readonly language?: string },
): Promise<string> {
  const secret = newLinkSecret();
  await createUser(selo.operator, { tenantId: organization.id, linkSha256: linkSha256(secret), ...person });
  return `/app/welcome#${secret}`;
}

export interface AppPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Closes it, and makes sure that nothing complained and nothing left the origin. */
  close(): Promise<void>;
}

export async function openApp(
  { browser, selo }: Pick<AppStage, "browser" | "selo">,
  options: BrowserContextOptions = {},
): Promise<AppPage> {
  const baseUrl = selo.config.publicUrl;
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    viewport: PHONE,
    ...options,
  });
  const complaints: string[] = [];
  context.on("console", (message) => {
    // The browser logs by itself that a request was refused.
    if (["error", "warning"].includes(message.type()) && !/status of (401|403|404|409|422|429)/.test(message.text()))
      complaints.push(message.text());
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(baseUrl) && !/^(blob|data):/.test(request.url())) complaints.push(request.url());
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("pageerror", (error) => complaints.push(String(error)));
  return {
    page,
    context,
    close: async () => {
      await context.close();
      expect(complaints).toEqual([]);
    },
  };
}

/** Opens the link of the newest mail to an address, which /dev/inbox shows. */
export async function openMailed(
  { browser, selo: { baseUrl: baseURL } }: AppStage,
  page: Page,
  email: string,
): Promise<void> {
  // A browser of its own: Chromium complains of the inbox's headers beside those of other pages.
  const inbox = await browser.newPage({ baseURL });
  const mail = inbox.locator(".mails li", { hasText: email }).getByRole("link").first();
  await expect
    .poll(async () => {
      await inbox.goto("/dev/inbox");
      return mail.isVisible();
    })
    .toBe(true);
  await mail.click();
  const text = await inbox.locator("pre").first().innerText();
  await inbox.close();
  await page.goto(/http\S+\/app\/\w+#[\w-]+/.exec(text)?.[0] ?? `no link in: ${text}`);
}

export const button = (page: Page | Locator, name: string | RegExp): Locator => page.getByRole("button", { name });

export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole("heading", { level: 1, name }).waitFor();

/** Fills in the form to sign in, and sends it. */
export async function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel(/^E-mail/).fill(email);
  await page.getByLabel(/^(Senha|Password)$/).fill(password);
  await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
}
