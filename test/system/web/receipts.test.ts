// Receipts on the verify page, those of forgers above all.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/verifier/canonical-json.ts";
import { keyId } from "../../../src/verifier/key-ids.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { ALL_PASSED, endVisits, heading, launchBrowser, shownChecks, visit } from "./browser.ts";
import { evidenceJson, forgedReceipt, type OwnProof, pageFile, platformKeys, receipt, register } from "./proofs.ts";

hashes.sha512 = sha512;

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
    await heading(page, "Only the record attached to this PDF was checked");
    const outcome = page.locator(".outcome");
    expect(await outcome.locator(".banner.neutral").innerText()).toContain("The pages of the PDF were not checked");
    expect(await outcome.locator(".banner").count()).toBe(1);
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, file: "not_checked", record: "passed" });
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
    await page.locator('input[type="file"]').setInputFiles([{ ...file, name: "renamed.pdf" }]);
    await heading(page, "Verified");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
    expect(await outcome.locator(".note").innerText()).toMatch(/^Of the receipt, only the attached record was checked/);
    await page.getByRole("button", { name: "Português" }).click();
    expect(await outcome.locator(".note").innerText()).toMatch(/^Do recibo, só o registro anexado foi verificado/);
    await page.getByRole("button", { name: "Remover renamed.pdf" }).click();
    await heading(page, "Só o registro anexado a este PDF foi verificado");
    expect(await outcome.locator(".banner.neutral").innerText()).toContain("O texto das páginas não foi verificado");
  });

  test("that carries somebody else's evidence is not called authentic: what its pages say, nobody checked", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo));
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(evidence));
    await heading(page, "Only the record attached to this PDF was checked");
    expect(await page.locator(".outcome .banner.good").count()).toBe(0);
    expect(await page.locator(".outcome").innerText()).not.toMatch(/authentic/i);
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
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ ed25519: "failed", ml_dsa_87: "failed", record: "failed" });
    await page.getByText("Different: “Registered by”.").waitFor();
    await heading(page, "What the proof claims: not verified");
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
    const differing = page.locator('[data-check="record"] .reason');
    await differing.waitFor();
    expect(await differing.innerText()).toMatch(/Different: “Other members”, “Keys”, “Label”, “Registered at”\.$/);
    await page.getByRole("button", { name: "Português" }).click();
    await page.getByText("Diferente: “Outros campos”, “Chaves”, “Descrição”, “Registrada em”.").waitFor();
  });

  test("signed with a forger's own keys: they are not those the service publishes", async () => {
    const { page } = await visit(browser, selo, "/verify", await forgedReceipt(signedByForger(proof)));
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ evidence: "passed", ed25519: "passed", keys: "failed" });
  });

  test("signed with a forger's own keys, while the service does not answer: nobody vouches for the keys", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.locator('input[type="file"]').setInputFiles([await forgedReceipt(signedByForger(proof))]);
    await heading(page, "Not verified yet");
    expect(await shownChecks(page)).toMatchObject({ ed25519: "passed", keys: "not_checked", record: "not_checked" });
    await heading(page, "What the proof claims: not verified");
  }, 30_000);

  test("of another proof than the code in the address", async () => {
    const other = await register(selo, organization.live, pageFile("other.txt", "other"));
    const { page } = await visit(
      browser,
      selo,
      `/verify/${other.verification_code}`,
      await receipt(selo, organization.live, proof),
    );
    await heading(page, "Not verified");
    await page.getByText("another code than the one you asked for").waitFor();
  });

  test("a PDF without evidence is a file like any other", async () => {
    const { page } = await visit(
      browser,
      selo,
      "/verify",
      pageFile("plain.pdf", await PDFDocument.create().then((pdf) => pdf.save())),
    );
    await heading(page, "No proof of this file is registered here");
  });

  test("a PDF that cannot be read is a file like any other, and the page says so", async () => {
    const { page } = await visit(browser, selo, "/verify", pageFile("broken.pdf", "%PDF-1.7 and then nothing"));
    await heading(page, "No proof of this file is registered here");
    await page.getByText("could not be searched for a receipt").waitFor();
  });

  test("a PDF that takes forever to search is a file like any other", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await page.clock.install();
    // Never answered: the thread waits for it as it would for a PDF without an end.
    await page.route("**/assets/receipt-*.js", () => {});
    await page.locator('input[type="file"]').setInputFiles([pageFile("endless.pdf", "%PDF-1.7 …")]);
    await page.getByText("Reading …").waitFor();
    await page.clock.fastForward(11_000);
    await page.getByText("could not be searched for a receipt").waitFor();
    await heading(page, "No proof of this file is registered here");
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
    await page.locator('[data-check="file"].failed').waitFor();
    await files.setInputFiles(large);
    await files.setInputFiles([file]);
    await heading(page, "Verified");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByLabel("Verification code").waitFor();
    expect(await page.locator("[data-check]").count()).toBe(0);
    fs.rmSync(folder, { recursive: true });
  });

  test("evidence as JSON is taken as well, JSON that is none is a file", async () => {
    const own = await call(selo, "GET", `/proofs/${proof.id}`, { token: organization.live });
    for (const text of [evidenceJson(proof, await platformKeys(selo)), own.text]) {
      const { page } = await visit(browser, selo, "/verify", pageFile("evidence.json", text));
      await heading(page, "The proof is authentic");
      expect(await shownChecks(page)).toMatchObject({ record: "passed" });
    }
    for (const text of ['{"payload": "[]"}', "{}", '{"a":']) {
      const { page } = await visit(browser, selo, "/verify", pageFile("some.json", text));
      await heading(page, "No proof of this file is registered here");
    }
    const other = JSON.stringify({ ...own.body, evidence: { kind: { a: 1.5 } }, redacted: ["file_name"] });
    const { page } = await visit(browser, selo, "/verify", pageFile("strange.json", other));
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ evidence: "failed" });
  });
});

test("a test proof is called one, above everything else", async () => {
  const tried = pageFile("try.txt", "Trying it out.");
  const testProof = await register(selo, organization.test, tried);
  const { page } = await visit(browser, selo, `/verify/${testProof.verification_code}`, tried);
  await page.locator('[data-check="file"].passed').waitFor();
  expect(await shownChecks(page)).toEqual(ALL_PASSED);
  expect(await page.locator(".outcome h2").allInnerTexts()).toEqual(["Test proof"]);
});

test("the evidence is saved as the server gave it, the keys likewise", async () => {
  const { page } = await visit(browser, selo, `/verify/${proof.verification_code}`);
  const served = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  for (const [name, expected] of [
    ["Download evidence (JSON)", served.text],
    ["Download platform keys (JSON)", (await call(selo, "GET", "/public/platform-key")).text],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByText(name).click();
    expect(fs.readFileSync(await (await download).path(), "utf8")).toBe(expected);
  }
});

/** Everything consistent, but with keys that the service never had. */
function signedByForger({ evidence }: OwnProof): string {
  const secrets = { ed25519: randomBytes(32), mlDsa87: ml_dsa87.keygen(randomBytes(32)) };
  const publicKeys = { Ed25519: getPublicKey(secrets.ed25519), "ML-DSA-87": secrets.mlDsa87.publicKey };
  const ids = {
    Ed25519: keyId("Ed25519", publicKeys.Ed25519),
    "ML-DSA-87": keyId("ML-DSA-87", publicKeys["ML-DSA-87"]),
  };
  const payload = canonicalJson({ ...evidence, key_id: ids.Ed25519, pq_key_id: ids["ML-DSA-87"] });
  const signatures = {
    Ed25519: sign(Buffer.from(payload), secrets.ed25519),
    "ML-DSA-87": ml_dsa87.sign(Buffer.from(payload), secrets.mlDsa87.secretKey),
  };
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const algorithms = ["Ed25519", "ML-DSA-87"] as const;
  return JSON.stringify({
    payload,
    signatures: algorithms.map((algorithm) => ({
      algorithm,
      key_id: ids[algorithm],
      signature: base64(signatures[algorithm]),
    })),
    keys: algorithms.map((algorithm) => ({
      key_id: ids[algorithm],
      algorithm,
      public_key: base64(publicKeys[algorithm]),
      environment: "live",
    })),
  });
}
