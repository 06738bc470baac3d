// The page that the build rendered becomes alive as it stands: nothing of it is thrown away, whatever the browser knows of its own.
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { launchBrowser, openPage, shownChecks, threadLoaded, verdict } from "./browser.ts";
import { type OwnProof, type PageFile, pageFile, platformKeys, receipt, register } from "./proofs.ts";

let selo: TestGateway;
let browser: Browser;
let proof: OwnProof;
let ownReceipt: PageFile;
let stored: string;
const file = pageFile("contract.pdf", "The contract.");

beforeAll(async () => {
  [selo, browser] = await Promise.all([
    startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000", OPERATOR_NAME: `A "b" & <c> Ltda` }),
    launchBrowser(),
  ]);
  const organization = await selo.newOrganization({ name: "Acme Ltda" });
  proof = await register(selo, organization.live, file);
  ownReceipt = await receipt(selo, organization.live, proof);
  const keys = (await platformKeys(selo)).filter(({ environment }) => environment === "live");
  stored = JSON.stringify({ pinned_at: "2026-01-02T03:04:05Z", platform_keys: keys });
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

const PATHS = ["/verify", "/verify/{code}", "/verify/{code}?lang=pt-BR", "/verify/0000-0000-0000"];
const VISITORS: Readonly<Record<string, BrowserContextOptions>> = {
  "from Brazil": { locale: "pt-BR", timezoneId: "America/Sao_Paulo" },
  "from New Zealand, on a dark screen": { locale: "en-NZ", timezoneId: "Pacific/Auckland", colorScheme: "dark" },
  "whose language is another than the one kept here": { locale: "pt-BR" },
};

/** Each path by one visitor, in turn; in `npm run test:full` by all. */
const pathsOf = (visitor: number) =>
  PATHS.filter((_, path) => byLane({ lane: path % Object.keys(VISITORS).length === visitor, full: true }));

describe.each(Object.entries(VISITORS).map(([who, options], place) => ({ who, options, place })))(
  "a visitor $who",
  ({ who, options, place }) => {
    test.each(pathsOf(place))("%s", async (url) => {
      const { page, close } = await openPage(browser, selo.baseUrl, options);
      const language = who.includes("kept") ? "en" : null;
      await page.addInitScript(`
      localStorage.setItem("selo.keys", ${JSON.stringify(stored)});
      if (${JSON.stringify(language)} !== null) localStorage.setItem("selo.language", "en");
    `);
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await page.route(/\/assets\/verify-[^/]*\.js$/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(url.replace("{code}", proof.verification_code), { waitUntil: "commit" });
      await page.locator("footer").waitFor();
      const marked = await page.evaluate<number>(`(() => {
      const parts = document.querySelectorAll("#app > *, main > *, footer");
      for (const part of parts) part.rendered = true;
      return parts.length;
    })()`);
      expect(marked).toBeGreaterThan(3);
      letGo();
      const isAlive = () =>
        page.evaluate(`Object.keys(document.querySelector("footer")).some((name) => name.startsWith("__react"))`);
      await expect.poll(isAlive).toBe(true);
      // A root that did not fit is rendered again as a whole; the frame around the page changes in no other way.
      expect(
        await page.evaluate(`[...document.querySelectorAll("#app > *, footer")].every((part) => part.rendered)`),
      ).toBe(true);
      // The console says so as well: close() makes sure that it said nothing.
      await close();
    });
  },
);

test("opened by its code, the page still checks file and receipt when the network is gone, in both languages", async () => {
  const { page, complaints, close } = await openPage(browser, selo.baseUrl);
  await page.goto(`/verify/${proof.verification_code}`);
  await verdict(page, "Pending: the file is missing", "info");
  await threadLoaded(page);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  const add = (...files: PageFile[]) => page.locator('input[type="file"]').setInputFiles(files);
  await add(file);
  await verdict(page, "Matches", "ok");
  await add(ownReceipt);
  await expect.poll(() => shownChecks(page)).toMatchObject({ file: "passed", record: "passed", ml_dsa_87: "passed" });
  await add(pageFile("contract.pdf", "Another."));
  await verdict(page, "Does not match", "bad");
  await add(file);
  await verdict(page, "Matches", "ok");
  await page.getByRole("link", { name: "Português" }).click();
  await verdict(page, "Confere", "ok");
  await page.getByRole("img", { name: /^QR Code: / }).waitFor();
  for (const complaint of complaints.splice(0)) expect(complaint).toMatch(/ERR_INTERNET_DISCONNECTED/);
  await close();
});

test("a thread that hashed a file reads the receipt after it: no other thread could load its code without a network", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.goto(`/verify/${proof.verification_code}`);
  await threadLoaded(page);
  await page.waitForLoadState("networkidle");
  // As if the browser had kept nothing: a route also turns its cache off.
  await page.context().route(/\/assets\/(worker|receipt|dossier)-/, (route) => route.abort());
  const add = (...files: PageFile[]) => page.locator('input[type="file"]').setInputFiles(files);
  await add(file);
  await verdict(page, "Matches", "ok");
  await add(ownReceipt);
  await expect.poll(() => shownChecks(page)).toMatchObject({ file: "passed", record: "passed", ml_dsa_87: "passed" });
  await close().catch(() => {}); // the console complains of what was refused
});
