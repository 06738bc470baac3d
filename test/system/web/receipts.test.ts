// Receipts on the verify page, those of forgers above all.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import {
  ALL_PASSED,
  endVisits,
  heading,
  launchBrowser,
  lead,
  openPage,
  shownChecks,
  verdict,
  visit,
} from "./browser.ts";
import {
  evidenceJson,
  forgedReceipt,
  type OwnProof,
  pageFile,
  platformKeys,
  receipt,
  register,
  signedByForger,
} from "./proofs.ts";

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

describe("a receipt", () => {
  test("alone: only the record in it is checked, and that is said where the verdict stands, in both languages", async () => {
    const { page, requests } = await visit(browser, selo, "/verify", await receipt(selo, organization.live, proof));
    await verdict(page, "Pending: the file is missing", "info");
    expect(await lead(page)).toMatch(/^Of this PDF, only the attached record was checked/);
    expect(await lead(page)).toContain("The text of the pages was not checked");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, file: "not_checked", record: "passed" });
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
    await page.locator('input[type="file"]').setInputFiles([{ ...file, name: "renamed.pdf" }]);
    expect(await verdict(page, "Matches", "ok")).toMatch(/^contract\.pdf was registered by Café & Filhos Ltda/);
    expect(await lead(page)).toContain("Your file is called renamed.pdf.");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
    const note = page.locator(".verdict .note");
    expect(await note.innerText()).toMatch(/^Of the receipt, only the attached record was checked/);
    await page.getByRole("link", { name: "Português" }).click();
    await expect.poll(() => note.innerText()).toMatch(/^Do recibo, só o registro anexado foi verificado/);
    await page.getByRole("button", { name: "Remover renamed.pdf" }).click();
    await verdict(page, "Pendente: falta o arquivo", "info");
    expect(await lead(page)).toContain("O texto das páginas não foi verificado");
  });

  test("that carries somebody else's evidence is not called authentic: what its pages say, nobody checked", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo));
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(evidence));
    await verdict(page, "Pending: the file is missing", "info");
    expect(await lead(page)).toContain("anyone can attach a genuine record to another document");
    expect(await page.locator(".verdict.ok").count()).toBe(0);
  });

  test("changed: the signatures fail, the record differs, and its claims are not shown as sealed", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo), { organization: "Forger Ltd" });
    const { page } = await visit(
      browser,
      selo,
      `/verify/${proof.verification_code}`,
      await forgedReceipt(evidence),
      file,
    );
    expect(await verdict(page, "Does not match", "bad")).toBe(
      "This receipt was altered after it was issued: the organization is not the one that was registered.",
    );
    expect(await lead(page)).toMatch(/^The record stands: a file was registered by Café & Filhos Ltda on /);
    expect(await page.locator(".verdict").innerText()).not.toContain("Forger");
    expect(await page.title()).toBe(`Does not match: receipt altered, ${proof.verification_code} · Selo`);
    expect(await shownChecks(page)).toMatchObject({ ed25519: "failed", ml_dsa_87: "failed", record: "failed" });
    await page.getByText("Different: organization.").waitFor();
    const row = page.locator('.compare [data-member="organization"] td');
    // The comparison is loaded when something differs.
    await row.first().waitFor();
    expect(await row.allInnerTexts()).toEqual(["Forger Ltd", "Café & Filhos Ltda"]);
    expect(await page.locator(".compare tbody tr").first().getAttribute("data-member")).toBe("organization");
    await heading(page, "What the proof says: not verified");

    await page.getByRole("button", { name: "Verify by the code" }).click();
    expect(await verdict(page, "Matches", "ok")).toContain("Café & Filhos Ltda");
    await page.locator("text=Forger").waitFor({ state: "detached" });
  });

  test("of which evidence.json alone is given: it is called by its name, and no receipt is spoken of", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo), { organization: "Forger Ltd" });
    const { page } = await visit(browser, selo, "/verify", pageFile("evidence.json", evidence));
    expect(await verdict(page, "Does not match", "bad")).toContain("This evidence file was altered");
    await heading(page, "What the evidence file says and what was registered");
    expect(await page.locator(".compare thead th").allTextContents()).toEqual([
      "Fact",
      "The evidence file says",
      "Registered",
    ]);
    expect(await lead(page)).toContain("Ask the sender for a new evidence file.");
    await page.getByRole("link", { name: "Português" }).click();
    await heading(page, "O que o arquivo de evidência diz e o que foi registrado");
  });

  test("changed into words without end: the page says at once that it was altered, and shows their beginning", async () => {
    const endless = "W".repeat(100_000);
    const changes = { organization: endless, label: endless, registered_at: endless };
    const evidence = evidenceJson(proof, await platformKeys(selo), changes);
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(evidence));
    expect(await verdict(page, "Does not match", "bad")).toContain("These differ from the record");
    const row = page.locator('.compare [data-member="organization"] td');
    await row.first().waitFor();
    expect((await row.allInnerTexts())[0]).toMatch(/^W{500}…$/);
  });

  test("with something else in place of its code: the page does not show it as a code", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo), { verification_code: "<b>ask@example.com</b>" });
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(evidence));
    await verdict(page, "Does not match", "bad");
    expect(await page.title()).not.toContain("ask@example.com");
    expect(await page.locator(".verdict").innerText()).not.toContain("ask@example.com");
  });

  test("changed everywhere: the page names what differs by its own words, in the visitor's language", async () => {
    const changes = {
      label: "another",
      registered_at: "2020-01-01T00:00:00.000000+00:00",
      key_id: "ed25519-0000000000000000",
      pq_key_id: "ml-dsa-87-0000000000000000",
      constructor: "a member of the forger's own",
    };
    const evidence = evidenceJson(proof, await platformKeys(selo), changes);
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(evidence));
    await verdict(page, "Does not match", "bad");
    const differing = page.locator('[data-check="record"]');
    expect(await differing.innerText()).toBe("Different: other content, keys, description, date and time.");
    await page.getByRole("link", { name: "Português" }).click();
    await page.getByText("Diferente: outros dados, chaves, descrição, data e hora.").waitFor();
  });

  test("changed, while the service does not answer: it is not said what was registered", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo), { organization: "Forger Ltd" });
    const { page } = await visit(browser, selo, "/verify");
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.locator('input[type="file"]').setInputFiles([await forgedReceipt(evidence), file]);
    expect(await verdict(page, "Does not match", "bad")).toContain("altered or was not issued by this service");
    expect(await page.locator(".verdict").innerText()).not.toContain("Forger");
    expect(await page.locator(".compare").count()).toBe(0);
  });

  test("signed with a forger's own keys: they are not those the service publishes", async () => {
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(signedByForger(proof)));
    expect(await verdict(page, "Does not match", "bad")).toBe("This receipt was not signed by this service.");
    expect(await shownChecks(page)).toMatchObject({ evidence: "passed", ed25519: "passed", keys: "failed" });
    expect(await page.locator('[data-group="signatures"] .word').innerText()).toBe("Do not match");
  });

  test("signed with a forger's own keys, while the service does not answer: nobody vouches for the keys", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.locator('input[type="file"]').setInputFiles([await forgedReceipt(signedByForger(proof))]);
    expect(await verdict(page, "Pending: the service’s keys are missing", "warn")).not.toContain("registered by");
    expect(await shownChecks(page)).toMatchObject({ ed25519: "passed", keys: "not_checked", record: "not_checked" });
    expect(await page.locator('[data-group="signatures"] .word').innerText()).toBe("Pending");
    await heading(page, "What the proof says: not verified");
  });

  test("of another proof than the code in the address", async () => {
    const other = await register(selo, organization.live, pageFile("other.txt", "other"));
    const { page } = await visit(
      browser,
      selo,
      `/verify/${other.verification_code}`,
      await receipt(selo, organization.live, proof),
    );
    expect(await verdict(page, "Does not match", "bad")).toContain("belongs to another proof");
    await page.getByText("another code than the one you asked for").waitFor();
    await page.getByRole("button", { name: "Verify that other proof" }).click();
    await verdict(page, "Pending: the file is missing", "info");
    expect(await shownChecks(page)).toMatchObject({ record: "passed" });
  });

  test("a PDF without evidence is a file like any other", async () => {
    const { page } = await visit(
      browser,
      selo,
      "/verify",
      pageFile("plain.pdf", await PDFDocument.create().then((pdf) => pdf.save())),
    );
    await verdict(page, "No such proof", "warn");
  });

  test("a PDF that cannot be read is a file like any other, and the page says so", async () => {
    const { page } = await visit(browser, selo, "/verify", pageFile("broken.pdf", "%PDF-1.7 and then nothing"));
    await verdict(page, "No such proof", "warn");
    await page.getByText("could not be searched for a receipt").waitFor();
  });

  test("a PDF that takes forever to search is a file like any other", async () => {
    const { page, close } = await openPage(browser, selo.baseUrl);
    await page.clock.install();
    // Never answered: the thread waits for it as it would for a PDF without an end.
    await page.route("**/assets/receipt-*.js", () => {});
    await page.goto("/verify");
    await page.locator('input[type="file"]').setInputFiles([pageFile("endless.pdf", "%PDF-1.7 …")]);
    await page.locator(".verdict .state", { hasText: "Reading the file" }).waitFor();
    await page.clock.fastForward(11_000);
    await page.getByText("could not be searched for a receipt").waitFor();
    await verdict(page, "No such proof", "warn");
    await close();
  });

  test("can be added while a large file is being hashed, and a file replaced by another", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-web-"));
    const large = path.join(folder, "large.bin");
    fs.writeFileSync(large, "");
    fs.truncateSync(large, 50_000_000);
    const { page } = await visit(browser, selo, "/verify");
    const files = page.locator('input[type="file"]');
    await files.setInputFiles(large);
    await files.setInputFiles([await receipt(selo, organization.live, proof)]);
    await page.locator('[data-check="file"][data-result="failed"]').waitFor();
    await files.setInputFiles(large);
    await files.setInputFiles([file]);
    await verdict(page, "Matches", "ok");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
    await page.getByRole("button", { name: "Verify another code" }).click();
    await page.getByLabel("Verification code").waitFor();
    expect(await page.locator("[data-check]").count()).toBe(0);
    fs.rmSync(folder, { recursive: true });
  });

  test("evidence as JSON is taken as well, JSON that is none is a file", async () => {
    const own = await call(selo, "GET", `/proofs/${proof.id}`, { token: organization.live });
    for (const text of [evidenceJson(proof, await platformKeys(selo)), own.text]) {
      const { page } = await visit(browser, selo, "/verify", pageFile("evidence.json", text));
      await verdict(page, "Pending: the file is missing", "info");
      expect(await lead(page)).toMatch(/^Both signatures are valid\./);
      expect(await shownChecks(page)).toMatchObject({ ed25519: "passed", ml_dsa_87: "passed", record: "passed" });
    }
    for (const text of ['{"payload": "[]"}', "{}", '{"a":']) {
      const { page } = await visit(browser, selo, "/verify", pageFile("some.json", text));
      await verdict(page, "No such proof", "warn");
    }
    const other = JSON.stringify({ ...own.body, evidence: { kind: { a: 1.5 } }, redacted: ["file_name"] });
    const { page } = await visit(browser, selo, "/verify", pageFile("strange.json", other));
    await verdict(page, "Does not match", "bad");
    expect(await shownChecks(page)).toMatchObject({ evidence: "failed" });
  });
});

test("a test proof is called one, above everything else", async () => {
  const tried = pageFile("try.txt", "Trying it out.");
  const testProof = await register(selo, organization.test, tried);
  const { page } = await visit(browser, selo, `/verify/${testProof.verification_code}`, tried);
  expect(await verdict(page, "Test proof", "warn")).toContain("registered as a test on");
  await page.locator('[data-check="file"][data-result="passed"]').waitFor({ state: "attached" });
  expect(await shownChecks(page)).toEqual(ALL_PASSED);
  expect(await page.locator(".test-bar").innerText()).toMatch(/^TEST\. .* proves nothing\.$/);
  expect(await page.locator('[data-group="signatures"] .word').innerText()).toBe("Test");
  await heading(page, "A test proof proves nothing");
  await page.locator('input[type="file"]').setInputFiles([{ ...tried, buffer: Buffer.from("Another file.") }]);
  await verdict(page, "Does not match", "bad");
  expect(await page.locator(".test-bar").count()).toBe(1);
  expect(await lead(page)).not.toContain("in order");
});

test("the evidence is saved as the server gave it, the keys likewise", async () => {
  const { page } = await visit(browser, selo, `/verify/${proof.verification_code}`);
  const served = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  for (const [name, expected] of [
    ["Download the evidence", served.text],
    ["Download the keys", (await call(selo, "GET", "/public/platform-key")).text],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByText(name).click();
    expect(fs.readFileSync(await (await download).path(), "utf8")).toBe(expected);
  }
  const verifier = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the verifier" }).click();
  expect(fs.readFileSync(await (await verifier).path(), "utf8")).toContain("#!/usr/bin/env node");
});
