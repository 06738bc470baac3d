// The verify page in a real browser: what a file and a code come to, and what leaves the browser.
import { createHash } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { nameAsBefore, startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { ALL_PASSED, endVisits, heading, launchBrowser, lead, shownChecks, verdict, visit } from "./browser.ts";
import { evidenceJson, type OwnProof, pageFile, platformKeys, register } from "./proofs.ts";

let selo: TestGateway;
let organization: TestOrganization;
let browser: Browser;
let proof: OwnProof;
const file = pageFile("contract.pdf", "The contract, version 3.");

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  organization = await selo.newOrganization({ name: "Café & Filhos Ltda" });
  proof = await register(selo, organization.live, file);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});
afterEach(endVisits);

const detailsOf = (page: Page) => page.locator("section.details");

describe("a file", () => {
  test("the right one, by its code: both signatures verify in the browser, with the keys of the server", async () => {
    const { page, requests } = await visit(browser, selo, `/verify/${proof.verification_code}`, file);
    const sentence = await verdict(page, "Matches", "ok");
    expect(sentence).toMatch(
      /^contract\.pdf was registered by Café & Filhos Ltda on \d+ \w+ \d{4} at \d\d:\d\d( UTC| \(.+\))\.$/,
    );
    expect(await shownChecks(page)).toEqual(ALL_PASSED);
    await heading(page, "Technical details");
    expect(await page.title()).toBe(`Matches: contract.pdf, ${proof.verification_code} · Selo`);
    for (const text of [
      "Café & Filhos Ltda",
      proof.sha256,
      proof.verification_code,
      "contract.pdf",
      "Published by this server",
    ]) {
      expect(await detailsOf(page).innerText()).toContain(text);
    }
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
  });

  test("the right one without a code: only its digest is sent, and finds the proof", async () => {
    const { page, requests } = await visit(browser, selo, "/verify", file);
    await verdict(page, "Matches", "ok");
    expect(await shownChecks(page)).toEqual(ALL_PASSED);
    const sent = requests.flatMap((request) => request.postData() ?? []);
    expect(sent).toEqual([JSON.stringify({ sha256: proof.sha256 })]);
  });

  test("under another name: the signatures stay unchecked until its name is typed", async () => {
    const { page } = await visit(browser, selo, `/verify/${proof.verification_code}`, {
      ...file,
      name: "renamed (1).pdf",
    });
    expect(await verdict(page, "Pending: the original name is missing", "info")).toContain(
      "The content of renamed (1).pdf is",
    );
    const unnamed = { file: "passed", evidence: "not_checked", ed25519: "not_checked", ml_dsa_87: "not_checked" };
    expect(await shownChecks(page)).toMatchObject(unnamed);
    await heading(page, "What the record says: signatures pending");

    const name = page.getByLabel("Name of the file when it was registered");
    expect(await name.inputValue()).toBe("renamed (1).pdf");
    await name.fill("nor this.pdf");
    await page.getByRole("button", { name: "Check with this name" }).click();
    await page.getByText("not valid with this name either").waitFor();
    await name.fill("contract.pdf");
    await name.press("Enter");
    await verdict(page, "Matches", "ok");
    expect(await shownChecks(page)).toEqual(ALL_PASSED);
  });

  test("whose name is spelled with combining accents was registered with composed ones, or the other way round", async () => {
    const composed = pageFile("declaração.pdf".normalize("NFC"), "Declaro.");
    const decomposed = pageFile("declaração2.pdf".normalize("NFD"), "Declaro 2.");
    for (const each of [composed, decomposed]) await register(selo, organization.live, each);
    for (const [each, form] of [
      [composed, "NFD"],
      [decomposed, "NFC"],
    ] as const) {
      const { page } = await visit(browser, selo, "/verify", { ...each, name: each.name.normalize(form) });
      await verdict(page, "Matches", "ok");
    }
  });

  test("a wrong one: a different file, and without the receipt nothing is shown as sealed", async () => {
    const { page } = await visit(
      browser,
      selo,
      `/verify/${proof.verification_code}`,
      pageFile("contract-v2.pdf", "Version 4."),
    );
    expect(await verdict(page, "Does not match", "bad")).toBe(
      "contract-v2.pdf is a different file: it is not the one that was registered under this code.",
    );
    expect(await shownChecks(page)).toMatchObject({ file: "failed", ed25519: "not_checked", ml_dsa_87: "not_checked" });
    expect(await lead(page)).toMatch(
      /^According to the record of this code, Café & Filhos Ltda registered another file on /,
    );
    expect(await lead(page)).not.toContain("in order");
    // What hinders both signatures is said once.
    expect(await page.locator('[data-group="signatures"] li').allTextContents()).toEqual([
      "The signatures cover the name and size of the file, which the public record leaves out.",
      "Ed25519: not checked yet.",
      "ML-DSA-87, which also withstands quantum computers: not checked yet.",
      expect.stringMatching(/^The keys are those that this server publishes\./),
    ]);
    await heading(page, "What the proof says: not verified");
    expect(await detailsOf(page).getAttribute("data-sealed")).toBe("false");
    expect(await page.title()).toBe(`Does not match: contract-v2.pdf, ${proof.verification_code} · Selo`);

    await page.getByRole("button", { name: "Look for proofs of this file" }).click();
    expect(await verdict(page, "No such proof", "warn")).toContain("contract-v2.pdf");
    expect(new URL(page.url()).pathname).toBe("/verify");
  });

  test("a wrong one, with the receipt: the proof is in order, and it is said whose it is", async () => {
    const evidence = pageFile("evidence.json", evidenceJson(proof, await platformKeys(selo)));
    const { page } = await visit(browser, selo, "/verify", evidence, pageFile("contract-v2.pdf", "Version 4."));
    await verdict(page, "Does not match", "bad");
    expect(await lead(page)).toMatch(
      /^The proof is in order, but it is of contract\.pdf, registered by Café & Filhos Ltda on /,
    );
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, file: "failed", record: "passed" });
    await heading(page, "Technical details");
    for (const [group, isOpen] of [
      ["file", true],
      ["signatures", false],
      ["record", false],
    ] as const)
      expect(await page.locator(`[data-group="${group}"]`).evaluate((each) => each.hasAttribute("open"))).toBe(isOpen);
  });

  test("nobody registered: the page says so and shows the digest", async () => {
    const { page } = await visit(browser, selo, "/verify", pageFile("other.pdf", "never registered"));
    expect(await verdict(page, "No such proof", "warn")).toBe("No proof of other.pdf is registered here.");
    const digest = createHash("sha256").update("never registered").digest("hex");
    expect(await page.locator(".fingerprint .print").innerText()).toBe(digest);
  });

  test("registered by its digest alone is checked by the code alone", async () => {
    const { body } = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: { sha256: "ab".repeat(32), label: "<b>Order</b> 7" },
    });
    const { page } = await visit(browser, selo, `/verify/${body.verification_code}`);
    expect(await verdict(page, "Pending: the file is missing", "info")).toMatch(
      /^Café & Filhos Ltda registered a file on /,
    );
    expect(await lead(page)).toContain("Both signatures are valid.");
    expect(await shownChecks(page)).toMatchObject({ file: "not_checked", ed25519: "passed", ml_dsa_87: "passed" });
    await page.getByText("<b>Order</b> 7").waitFor();
  });

  test("dropped anywhere on the page is taken, two at once as file and receipt", async () => {
    const { page } = await visit(browser, selo, "/verify");
    const evidence = evidenceJson(proof, await platformKeys(selo));
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(file.buffer.toString())}], "contract.pdf"));
      transfer.items.add(new File([${JSON.stringify(evidence)}], "evidence.json"));
      return transfer;
    })()`);
    await page.dispatchEvent("footer", "dragover", { dataTransfer: dropped });
    await page.locator(".drop.over").waitFor();
    await page.dispatchEvent("footer", "drop", { dataTransfer: dropped });
    await verdict(page, "Matches", "ok");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
  });
});

test("what others wrote cannot turn or hide text: it is printed as U+FFFD, apart from the rest", async () => {
  const [turn, isolate, bell, nothing] = ["\u202e", "\u2066", "\u0007", "\u200b"];
  const stranger = await selo.newOrganization();
  await nameAsBefore(selo, stranger.id, `Acme${turn}adtL${isolate}`);
  const hostile = pageFile(`invoice${turn}gpj.exe`, "hostile");
  const { verification_code } = await register(selo, stranger.live, hostile);
  const { page } = await visit(browser, selo, `/verify/${verification_code}`, hostile);
  await verdict(page, "Matches", "ok");
  expect(await detailsOf(page).locator("bdi").allInnerTexts()).toEqual(
    expect.arrayContaining(["Acme\ufffdadtL\ufffd", "invoice\ufffdgpj.exe"]),
  );
  expect(await page.locator("h1 bdi").allInnerTexts()).toEqual(["invoice\ufffdgpj.exe", "Acme\ufffdadtL\ufffd"]);
  expect(await page.title()).toContain("invoice\ufffdgpj.exe");
  await page.locator(".file bdi", { hasText: "invoice\ufffdgpj.exe" }).waitFor();
  await page.getByRole("button", { name: "Remove invoice\ufffdgpj.exe" }).waitFor();
  await expectNothingTurned(page);

  const { body } = await call(selo, "POST", "/proofs", {
    token: stranger.live,
    body: { sha256: "cd".repeat(32), label: `paid${turn}gnp.exe${bell}${nothing}` },
  });
  const labelled = await visit(browser, selo, `/verify/${body.verification_code}`);
  await detailsOf(labelled.page).locator("bdi", { hasText: "paid\ufffdgnp.exe\ufffd\ufffd" }).waitFor();
  await expectNothingTurned(labelled.page);

  const typed = await visit(browser, selo, `/verify/paid${turn}gnp`);
  await heading(typed.page, "This address contains no verification code.");
  await expectNothingTurned(typed.page);
});

/** No text of the page, shown or only spoken, holds what is not seen. */
async function expectNothingTurned(page: Page): Promise<void> {
  expect(await page.locator("body").innerHTML()).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
}

describe("a code", () => {
  test("alone: what is on record, with the signatures not checked", async () => {
    const { page } = await visit(browser, selo, `/verify/${proof.verification_code}`);
    expect(await verdict(page, "Pending: the file is missing", "info")).toMatch(
      /^Café & Filhos Ltda registered a file on /,
    );
    expect(await page.title()).toBe(`Pending: the file is missing, ${proof.verification_code} · Selo`);
    const nothing = { file: "not_checked", evidence: "not_checked", ed25519: "not_checked", ml_dsa_87: "not_checked" };
    expect(await shownChecks(page)).toMatchObject(nothing);
    expect(await page.innerText("body")).not.toContain("contract.pdf");
  });

  test("that no proof has stays in the field, selected when the field is entered, with the error in place of the hint", async () => {
    const { page } = await visit(browser, selo, "/verify/0000-0000-0000");
    await heading(page, "No proof has the code 0000-0000-0000.");
    expect(await page.title()).toBe("No such proof, 0000-0000-0000 · Selo");
    const field = page.getByLabel("Verification code");
    expect(await field.inputValue()).toBe("0000-0000-0000");
    expect(await page.locator("#code-hint").innerText()).toMatch(/^No proof has this code/);
    await field.focus();
    await page.keyboard.type(proof.verification_code);
    await page.keyboard.press("Enter");
    await verdict(page, "Pending: the file is missing", "info");
  });

  test("that is none does not speak through the page, whatever it says", async () => {
    for (const text of ["%3Cscript%3Ealert(1)%3C%2Fscript%3E", "Your%20proof%20is%20VALID%20call%20555"]) {
      const { page } = await visit(browser, selo, `/verify/${text}`);
      await heading(page, "This address contains no verification code.");
      expect(await page.textContent("body")).not.toMatch(/alert|VALID/);
      expect(await page.title()).toBe("Wrong address · Selo");
    }
  });

  test("in lower case, without dashes, with O for 0 and l for 1, by keyboard alone", async () => {
    const { page } = await visit(browser, selo, "/verify");
    const typed = proof.verification_code.replaceAll("-", "").toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
    await page.getByLabel("Verification code").focus();
    await page.keyboard.type(typed);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/verify/${proof.verification_code}`);
    await verdict(page, "Pending: the file is missing", "info");
  });

  test("that is none is refused in the field, which keeps the focus", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.getByLabel("Verification code").fill("7Q2M-K9XT");
    await page.keyboard.press("Enter");
    await page.getByText("it must have 12 letters and digits").waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("code");
    expect(await page.getByLabel("Verification code").inputValue()).toBe("7Q2M-K9XT");
    expect(await page.evaluate("String(getSelection())")).toBe("7Q2M-K9XT");
    expect(await page.getByText("as on the receipt").count()).toBe(0);
  });

  test("typed on the verify page stands in the address, takes the focus to the result, and Back undoes it", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.getByLabel("Verification code").fill(proof.verification_code);
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    await verdict(page, "Pending: the file is missing", "info");
    expect(new URL(page.url()).pathname).toBe(`/verify/${proof.verification_code}`);
    // Set after the next frame is painted, which a busy machine may take its time for.
    const focused = () => page.evaluate("document.activeElement.id");
    await expect.poll(focused).toBe("verdict");
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await page.getByLabel("Verification code").waitFor();
    expect(await page.locator("[data-check]").count()).toBe(0);
  });

  test("asked for too often: a button that says when it comes back, and comes back", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.clock.install();
    await page.route("**/public/proofs/**", (route) => route.fulfill({ status: 429, headers: { "retry-after": "7" } }));
    await page.getByLabel("Verification code").fill(proof.verification_code);
    await page.keyboard.press("Enter");
    await verdict(page, "Please wait", "warn");
    const wait = page.getByRole("button", { name: "Try again in 7 s" });
    expect(await wait.isDisabled()).toBe(true);
    await page.clock.runFor(4_000);
    expect(await page.getByRole("button", { name: /^Try again in [34] s$/ }).isDisabled()).toBe(true);
    await page.unroute("**/public/proofs/**");
    await page.clock.runFor(4_000);
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await verdict(page, "Pending: the file is missing", "info");
  });

  test("while the service does not answer: that is said, and asking again helps", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.getByLabel("Verification code").fill(proof.verification_code);
    await page.keyboard.press("Enter");
    await heading(page, "The service could not be asked.");
    await page.unroute("**/api/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await verdict(page, "Pending: the file is missing", "info");
  });
});

test("the policy holds: an inline script and a request to elsewhere are refused, and that is seen here", async () => {
  const { page, complaints } = await visit(browser, selo, "/verify");
  await page.evaluate(`
    document.body.append(Object.assign(document.createElement("script"), { text: "document.title = 'broken in'" }));
    fetch("http://localhost:9/").catch(() => {});
  `);
  await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2);
  for (const complaint of complaints.splice(0)) expect(complaint).toMatch(/Content Security Policy/);
  expect(await page.title()).toBe("Verify a proof · Selo");
});
