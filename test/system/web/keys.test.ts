// Keys that a visitor trusts: pasted, remembered, and what the page says when they are not the ones that sealed.
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { launchBrowser, openPage, shownChecks, verdict, type WatchedPage } from "./browser.ts";
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
  await verdict(page, "Matches", "ok");
  await page.getByText("Whose keys?").click();
}

async function paste(text: string): Promise<void> {
  await page.getByLabel("Paste keys").fill(text);
  await page.getByRole("button", { name: "Use these keys" }).click();
}

const keyCheck = (result: string) =>
  page.locator(`[data-check="keys"][data-result="${result}"]`).waitFor({ state: "attached" });
const saysOfKeys = (text: string) =>
  page.locator('[data-check="keys"]', { hasText: text }).waitFor({ state: "attached" });
const publicKeyOf = (id: string) => keys.find((key) => key.key_id === id)?.public_key ?? "";

describe("pasted", () => {
  test("the platform's keys: verified with keys the visitor trusts", async () => {
    await visit();
    await paste(JSON.stringify({ platform_keys: keys }));
    await keyCheck("passed");
    await page.getByText("Two, both valid, with keys that you trust.").waitFor();
    await page.getByRole("button", { name: "Remove the pasted keys" }).click();
    await keyCheck("not_checked");
  });

  test("one of the two, as base64: the other is only published by the server; then the other as well", async () => {
    await visit();
    await paste(publicKeyOf(proof.platform_key_id));
    await saysOfKeys("You trust one of the two keys");
    await paste(publicKeyOf(proof.platform_pq_key_id));
    // A bare key does not say what it seals.
    await saysOfKeys("You trust both keys. Only this server says that they are live keys.");
    await verdict(page, "Matches", "ok");
  });

  test("both as base64, while the service does not answer: it may be a test proof, in both languages", async () => {
    watched = await openPage(browser, selo.baseUrl);
    page = watched.page;
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.goto("/verify");
    const evidence = pageFile("evidence.json", evidenceJson(proof, keys));
    await page.locator('input[type="file"]').setInputFiles([file, evidence]);
    await verdict(page, "Pending: the service’s keys are missing", "warn");
    await page.getByText("Whose keys?").click();
    for (const id of [proof.platform_key_id, proof.platform_pq_key_id]) await paste(publicKeyOf(id));
    expect(await verdict(page, "Pending: perhaps a test", "warn")).toContain("This may be a test proof");
    expect(await shownChecks(page)).toMatchObject({ file: "passed", ed25519: "passed", keys: "not_checked" });
    await page.getByRole("link", { name: "Português" }).click();
    expect(await verdict(page, "Pendente: talvez seja um teste")).toContain("Esta pode ser uma prova de teste");
  });

  test("other keys: failed, for those of before the proof may be older", async () => {
    await visit();
    const others = keys.filter(({ environment }) => environment === "test");
    const after = new Date(Date.now() + 60_000).toISOString();
    await paste(JSON.stringify(others.map((key) => ({ ...key, created_at: after }))));
    await keyCheck("failed");
    expect(await verdict(page, "Does not match", "bad")).toContain("not signed with the keys that you trust");
    await paste(JSON.stringify(others));
    await verdict(page, "Pending: your keys may be older", "warn");
    await keyCheck("not_checked");
  });

  test("what is no key is refused beside the field", async () => {
    await visit();
    const renamed = keys.map((key) => ({ ...key, key_id: "ed25519-0000000000000000" }));
    for (const text of ["", "hello", "{}", JSON.stringify(renamed)]) {
      await paste(text);
      await page.getByText("These are not the service’s keys").waitFor();
    }
    expect(await shownChecks(page)).toMatchObject({ keys: "not_checked" });
  });
});

describe("remembered", () => {
  test("the keys of today are trusted at the next visit, until forgotten", async () => {
    await visit();
    await page.getByRole("button", { name: "Remember these keys in this browser" }).click();
    await keyCheck("passed");
    await page.reload();
    await page.locator('input[type="file"]').setInputFiles([file]);
    await page.getByText("Two, both valid, with keys that you trust.").waitFor();
    await keyCheck("passed");
    await page.getByText("Whose keys?").click();
    await page.getByText("Remembered in this browser on").waitFor();
    await page.getByRole("button", { name: "Forget the remembered keys" }).click();
    await keyCheck("not_checked");
  });

  test("keys that the server no longer uses: it seals with others, and the page notices", async () => {
    await visit();
    const old = keys.filter(({ environment }) => environment === "test");
    const remember = async (pinned_at: string, platform_keys: readonly object[]) => {
      const stored = JSON.stringify({ pinned_at, platform_keys });
      await page.evaluate(`localStorage.setItem("selo.keys", ${JSON.stringify(stored)})`);
      await page.reload();
    };
    // Remembered without their dates, before the proof.
    await remember(
      "2026-01-02T03:04:05Z",
      old.map(({ key_id, algorithm, public_key, environment }) => ({ key_id, algorithm, public_key, environment })),
    );
    await verdict(page, "Pending: your keys may be older", "warn");
    const after = new Date(Date.now() + 60_000).toISOString();
    await remember(
      after,
      old.map((key) => ({ ...key, created_at: after })),
    );
    expect(await verdict(page, "Does not match", "bad")).toContain("not signed with the keys that you trust");
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
