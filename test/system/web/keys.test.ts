// Keys that a visitor trusts: pasted, pinned, and what the page says when they are not the ones that sealed.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { launchBrowser, openPage, shownChecks, type WatchedPage } from "./browser.ts";
import { evidenceJson, type OwnProof, type PublicKey, pageFile, platformKeys, register } from "./proofs.ts";

let selo: TestGateway;
let browser: Browser;
let proof: OwnProof;
let keys: PublicKey[];
let watched: WatchedPage;
let page: Page;
const file = pageFile("contract.pdf", "The contract.");

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  const organization = await selo.newOrganization();
  proof = await register(selo, organization.live, file);
  keys = await platformKeys(selo);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});
afterEach(() => watched.close());

/** The proof and its file on the page, with the section about keys open. */
async function visit(): Promise<void> {
  watched = await openPage(browser, selo.baseUrl);
  page = watched.page;
  await page.goto(`/verify/${proof.verification_code}`);
  await page.locator('input[type="file"]').setInputFiles([file]);
  await page.getByRole("heading", { name: "Verified" }).waitFor();
  await page.getByText("Whose keys?").click();
}

async function paste(text: string): Promise<void> {
  await page.getByLabel("Paste keys").fill(text);
  await page.getByRole("button", { name: "Use these keys" }).click();
}

const keyCheck = (result: string) => page.locator(`[data-check="keys"].${result}`).waitFor();
const publicKeyOf = (id: string) => keys.find((key) => key.key_id === id)?.public_key ?? "";

describe("pasted", () => {
  test("the platform's keys: verified with keys the visitor trusts", async () => {
    await visit();
    await paste(JSON.stringify({ platform_keys: keys }));
    await keyCheck("passed");
    await page.getByText("made with keys that you trust").first().waitFor();
    await page.getByRole("button", { name: "Remove pasted keys" }).click();
    await keyCheck("not_checked");
  });

  test("one of the two, as base64: the other is only published by the server; then the other as well", async () => {
    await visit();
    await paste(publicKeyOf(proof.platform_key_id));
    await page.getByText("You trust one of the two keys").waitFor();
    await paste(publicKeyOf(proof.platform_pq_key_id));
    // A bare key does not say what it seals.
    await page.getByText("You trust both keys. Only this server says that they are live keys.").waitFor();
    await page.getByRole("heading", { name: "Verified" }).waitFor();
  });

  test("both as base64, while the service does not answer: it may be a test proof, in both languages", async () => {
    watched = await openPage(browser, selo.baseUrl);
    page = watched.page;
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.goto("/verify");
    const evidence = pageFile("evidence.json", evidenceJson(proof, keys));
    await page.locator('input[type="file"]').setInputFiles([file, evidence]);
    await page.getByRole("heading", { name: "Not verified yet" }).waitFor();
    await page.getByText("Whose keys?").click();
    for (const id of [proof.platform_key_id, proof.platform_pq_key_id]) await paste(publicKeyOf(id));
    await page.getByRole("heading", { name: "This may be a test proof" }).waitFor();
    expect(await page.locator(".outcome .banner").getAttribute("class")).toContain("caution");
    expect(await shownChecks(page)).toMatchObject({ file: "passed", ed25519: "passed", keys: "not_checked" });
    await page.getByRole("button", { name: "Português" }).click();
    await page.getByRole("heading", { name: "Esta pode ser uma prova de teste" }).waitFor();
  });

  test("other keys: failed", async () => {
    await visit();
    await paste(JSON.stringify(keys.filter(({ environment }) => environment === "test")));
    await keyCheck("failed");
    await page.getByRole("heading", { name: "Not verified", exact: true }).waitFor();
  });

  test("what is no key is refused beside the field", async () => {
    await visit();
    const renamed = keys.map((key) => ({ ...key, key_id: "ed25519-0000000000000000" }));
    for (const text of ["", "hello", "{}", JSON.stringify(renamed)]) {
      await paste(text);
      await page.getByText("These are not platform keys").waitFor();
    }
    expect(await shownChecks(page)).toMatchObject({ keys: "not_checked" });
  });
});

describe("pinned", () => {
  test("the keys of today are trusted at the next visit, until forgotten", async () => {
    await visit();
    await page.getByRole("button", { name: "Pin these keys in this browser" }).click();
    await keyCheck("passed");
    await page.reload();
    await page.locator('input[type="file"]').setInputFiles([file]);
    await page.getByText("Both signatures are valid and were made with keys that you trust.").waitFor();
    await keyCheck("passed");
    await page.getByText("Whose keys?").click();
    await page.getByText("Pinned in this browser on").waitFor();
    await page.getByRole("button", { name: "Forget pinned keys" }).click();
    await keyCheck("not_checked");
  });

  test("keys that the server no longer uses: it seals with others, and the page notices", async () => {
    await visit();
    const old = keys.filter(({ environment }) => environment === "test");
    const stored = JSON.stringify({ pinned_at: "2026-01-02T03:04:05Z", platform_keys: old });
    await page.evaluate(`localStorage.setItem("selo.keys", ${JSON.stringify(stored)})`);
    await page.reload();
    await page.getByRole("heading", { name: "Not verified", exact: true }).waitFor();
    await keyCheck("failed");
  });

  test("what the browser keeps and cannot be read counts as nothing", async () => {
    await visit();
    for (const stored of ["", "{", '{"pinned_at":"x","platform_keys":[]}']) {
      await page.evaluate(`localStorage.setItem("selo.keys", ${JSON.stringify(stored)})`);
      await page.reload();
      await keyCheck("not_checked");
    }
  });
});
