// The verify page in a real browser: what each combination of code, file and receipt comes to, and what leaves the browser.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { PDFDocument } from "@cantoo/pdf-lib";
import { getPublicKey, hashes, sign } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/verifier/canonical-json.ts";
import { keyId } from "../../src/verifier/key-ids.ts";
import { call } from "../rest/rest-client.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { launchBrowser, openPage, shownChecks, type WatchedPage } from "./browser.ts";
import { evidenceJson, forgedReceipt, type OwnProof, pageFile, platformKeys, receipt, register } from "./proofs.ts";

hashes.sha512 = sha512;

let selo: TestGateway;
let organization: TestOrganization;
let browser: Browser;
let proof: OwnProof;
const file = pageFile("contract.pdf", "The contract, version 3.");
const BY_SERVER_KEYS = "not_checked";
const ALL_PASSED = {
  file: "passed",
  evidence: "passed",
  ed25519: "passed",
  ml_dsa_87: "passed",
  keys: BY_SERVER_KEYS,
  record: "not_checked",
};

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  organization = await selo.newOrganization({ name: "Café & Filhos Ltda" });
  proof = await register(selo, organization.live, file);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

const open: WatchedPage[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

/** The verify page, with some files given to it. */
async function visit(path: string, ...files: ReturnType<typeof pageFile>[]): Promise<WatchedPage> {
  const watched = await openPage(browser, selo.baseUrl);
  open.push(watched);
  await watched.page.goto(path);
  if (files.length > 0) await watched.page.locator('input[type="file"]').setInputFiles(files);
  return watched;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
const summaryOf = (page: Page) => page.locator("section.summary");

describe("a file", () => {
  test("the right one, by its code: both signatures verify in the browser, with the keys of the server", async () => {
    const { page, requests } = await visit(`/verify/${proof.verification_code}`, file);
    await heading(page, "Verified");
    expect(await shownChecks(page)).toEqual(ALL_PASSED);
    await heading(page, "What was sealed");
    for (const text of ["Café & Filhos Ltda", proof.sha256, proof.verification_code, "contract.pdf", " UTC"]) {
      expect(await summaryOf(page).innerText()).toContain(text);
    }
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
  });

  test("the right one without a code: only its digest is sent, and finds the proof", async () => {
    const { page, requests } = await visit("/verify", file);
    await heading(page, "Verified");
    expect(await shownChecks(page)).toEqual(ALL_PASSED);
    const sent = requests.flatMap((request) => request.postData() ?? []);
    expect(sent).toEqual([JSON.stringify({ sha256: proof.sha256 })]);
  });

  test("under another name: the signatures stay unchecked until its name is typed", async () => {
    const { page } = await visit(`/verify/${proof.verification_code}`, { ...file, name: "renamed (1).pdf" });
    await heading(page, "The file matches the record");
    const unnamed = { file: "passed", evidence: "not_checked", ed25519: "not_checked", ml_dsa_87: "not_checked" };
    expect(await shownChecks(page)).toMatchObject(unnamed);
    await heading(page, "What the service says: signatures not checked yet");

    const name = page.getByLabel("File name when it was registered");
    expect(await name.inputValue()).toBe("renamed (1).pdf");
    await name.fill("nor this.pdf");
    await page.getByRole("button", { name: "Check with this name" }).click();
    await page.getByText("do not verify with this name either").waitFor();
    await name.fill("contract.pdf");
    await name.press("Enter");
    await heading(page, "Verified");
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
      const { page } = await visit("/verify", { ...each, name: each.name.normalize(form) });
      await heading(page, "Verified");
    }
  });

  test("a wrong one: failed, and nothing of the record is shown as sealed", async () => {
    const { page } = await visit(`/verify/${proof.verification_code}`, pageFile("contract.pdf", "Version 4."));
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ file: "failed" });
    await heading(page, "What it claims: not verified");
    expect(await page.getByRole("heading", { name: "What was sealed" }).count()).toBe(0);
  });

  test("nobody registered: the page says so and shows the digest", async () => {
    const { page } = await visit("/verify", pageFile("other.pdf", "never registered"));
    await heading(page, "No proof of this file is registered here");
    const digest = createHash("sha256").update("never registered").digest("hex");
    expect(await page.locator("p.digest code").innerText()).toBe(digest);
  });

  test("registered by its digest alone is checked by the code alone", async () => {
    const { body } = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: { sha256: "ab".repeat(32), label: "<b>Order</b> 7" },
    });
    const { page } = await visit(`/verify/${body.verification_code}`);
    await heading(page, "The proof is authentic");
    expect(await shownChecks(page)).toMatchObject({ file: "not_checked", ed25519: "passed", ml_dsa_87: "passed" });
    await page.getByText("<b>Order</b> 7").waitFor();
  });

  test("dropped anywhere on the page is taken, two at once as file and receipt", async () => {
    const { page } = await visit("/verify");
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
    await heading(page, "Verified");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
  });
});

describe("a code", () => {
  test("alone: what is on record, with the signatures not checked", async () => {
    const { page } = await visit(`/verify/${proof.verification_code}`);
    await heading(page, "A proof with this code exists");
    const nothing = { file: "not_checked", evidence: "not_checked", ed25519: "not_checked", ml_dsa_87: "not_checked" };
    expect(await shownChecks(page)).toMatchObject(nothing);
    expect(await summaryOf(page).innerText()).not.toContain("contract.pdf");
  });

  test("that no proof has", async () => {
    const { page } = await visit("/verify/0000-0000-0000");
    await heading(page, "No proof has the code 0000-0000-0000");
    await visit("/verify/%3Cscript%3Ealert(1)%3C%2Fscript%3E").then((other) =>
      heading(other.page, "No proof has the code <script>alert(1)</script>"),
    );
  });

  test("in lower case, without dashes, with O for 0 and l for 1, from the home page, by keyboard alone", async () => {
    const { page } = await visit("/");
    const typed = proof.verification_code.replaceAll("-", "").toLowerCase().replaceAll("0", "o").replaceAll("1", "l");
    await page.getByLabel("Verification code").focus();
    await page.keyboard.type(typed);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/verify/${proof.verification_code}`);
    await heading(page, "A proof with this code exists");
  });

  test("that is none is refused in the field, which keeps the focus", async () => {
    const { page } = await visit("/verify");
    await page.getByLabel("Verification code").fill("7Q2M-K9XT");
    await page.keyboard.press("Enter");
    await page.getByText("A verification code has 12 letters and digits").waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("code");
  });

  test("typed on the verify page stands in the address, takes the focus to the result, and Back undoes it", async () => {
    const { page } = await visit("/verify");
    await page.getByLabel("Verification code").fill(proof.verification_code);
    await page.getByRole("button", { name: "Verify" }).click();
    await heading(page, "A proof with this code exists");
    expect(new URL(page.url()).pathname).toBe(`/verify/${proof.verification_code}`);
    await page.waitForFunction("document.activeElement.getAttribute('role') === 'status'");
    await page.goBack();
    await page.getByLabel("Verification code").waitFor();
    expect(await page.locator("[data-check]").count()).toBe(0);
  });

  test("asked for too often: the page says when to come back, and asks again when told", async () => {
    const { page } = await visit("/verify");
    await page.route("**/public/proofs/**", (route) => route.fulfill({ status: 429, headers: { "retry-after": "7" } }));
    await page.getByLabel("Verification code").fill(proof.verification_code);
    await page.keyboard.press("Enter");
    await page.getByText("Try again in 7 seconds.").waitFor();
    await page.unroute("**/public/proofs/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await heading(page, "A proof with this code exists");
  });
});

describe("a receipt", () => {
  test("alone: both signatures, and the service's own record says the same", async () => {
    const { page, requests } = await visit("/verify", await receipt(selo, organization.live, proof));
    await heading(page, "The proof is authentic");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, file: "not_checked", record: "passed" });
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
    await page.locator('input[type="file"]').setInputFiles([{ ...file, name: "renamed.pdf" }]);
    await heading(page, "Verified");
    expect(await shownChecks(page)).toEqual({ ...ALL_PASSED, record: "passed" });
  });

  test("changed: the signatures fail, the record differs, and its claims are not shown as sealed", async () => {
    const evidence = evidenceJson(proof, await platformKeys(selo), { organization: "Forger Ltd" });
    const { page } = await visit(`/verify/${proof.verification_code}`, await forgedReceipt(evidence), file);
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ ed25519: "failed", ml_dsa_87: "failed", record: "failed" });
    await page.getByText("Different: organization.").waitFor();
    await heading(page, "What it claims: not verified");
  });

  test("signed with a forger's own keys: they are not those the service publishes", async () => {
    const { page } = await visit("/verify", await forgedReceipt(signedByForger(proof)));
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ evidence: "passed", ed25519: "passed", keys: "failed" });
  });

  test("signed with a forger's own keys, while the service does not answer: nobody vouches for the keys", async () => {
    const { page } = await visit("/verify");
    await page.route("**/api/**", (route) => route.fulfill({ status: 503 }));
    await page.locator('input[type="file"]').setInputFiles([await forgedReceipt(signedByForger(proof))]);
    await heading(page, "Not verified yet");
    expect(await shownChecks(page)).toMatchObject({ ed25519: "passed", keys: "not_checked", record: "not_checked" });
    await heading(page, "What it claims: not verified");
  }, 30_000);

  test("of another proof than the code in the address", async () => {
    const other = await register(selo, organization.live, pageFile("other.txt", "other"));
    const { page } = await visit(`/verify/${other.verification_code}`, await receipt(selo, organization.live, proof));
    await heading(page, "Not verified");
    await page.getByText("another code than the one you asked for").waitFor();
  });

  test("a PDF without evidence is a file like any other", async () => {
    const { page } = await visit(
      "/verify",
      pageFile("plain.pdf", await PDFDocument.create().then((pdf) => pdf.save())),
    );
    await heading(page, "No proof of this file is registered here");
  });

  test("a PDF that cannot be read is a file like any other, and the page says so", async () => {
    const { page } = await visit("/verify", pageFile("broken.pdf", "%PDF-1.7 and then nothing"));
    await heading(page, "No proof of this file is registered here");
    await page.getByText("could not be searched for a receipt").waitFor();
  });

  test("evidence as JSON is taken as well, JSON that is none is a file", async () => {
    const own = await call(selo, "GET", `/proofs/${proof.id}`, { token: organization.live });
    for (const text of [evidenceJson(proof, await platformKeys(selo)), own.text]) {
      const { page } = await visit("/verify", pageFile("evidence.json", text));
      await heading(page, "The proof is authentic");
      expect(await shownChecks(page)).toMatchObject({ record: "passed" });
    }
    for (const text of ['{"payload": "[]"}', "{}", '{"a":']) {
      const { page } = await visit("/verify", pageFile("some.json", text));
      await heading(page, "No proof of this file is registered here");
    }
    const other = JSON.stringify({ ...own.body, evidence: { kind: { a: 1.5 } }, redacted: ["file_name"] });
    const { page } = await visit("/verify", pageFile("strange.json", other));
    await heading(page, "Not verified");
    expect(await shownChecks(page)).toMatchObject({ evidence: "failed" });
  });
});

test("a test proof is called one, above everything else", async () => {
  const tried = pageFile("try.txt", "Trying it out.");
  const testProof = await register(selo, organization.test, tried);
  const { page } = await visit(`/verify/${testProof.verification_code}`, tried);
  await heading(page, "Verified");
  expect(await page.locator(".outcome h2").first().innerText()).toBe("Test proof");
  expect(await page.locator(".banner.good").count()).toBe(0);
});

test("the evidence is saved as the server gave it, the keys likewise", async () => {
  const { page } = await visit(`/verify/${proof.verification_code}`);
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
