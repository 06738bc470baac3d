// /verify of envelopes in a real browser: what a code, a final PDF, the PDF before it was signed and a report come to.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { storedZip } from "../../../src/adapters/zip/stored-zip.ts";
import {
  aSession,
  complete,
  completing,
  decline,
  deliver,
  type SentWith,
  sentWith,
  storeContents,
} from "../../services/signature/completion-stage.ts";
import { dossierOf, unpacked } from "../../services/signature/dossier-stage.ts";
import { ask, contentOf, type EnvelopeStage, read } from "../../services/signature/envelope-stage.ts";
import { erase } from "../../services/signature/erasure-stage.ts";
import { attachedOf, type Attached as Report } from "../../services/signature/report-stage.ts";
import { axe } from "../../support/axe.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { tamper } from "../../support/tamper.ts";
import { madeEnvelope, opened } from "../../verifier/made-envelopes.ts";
import { live as byTest, pdf } from "../../verifier/made-proofs.ts";
import { sparseZip } from "../../verifier/sparse-zip.ts";
import {
  endVisits,
  launchBrowser,
  lead,
  openPage,
  PHONE,
  screenshot,
  shownChecks,
  threadLoaded,
  verdict,
  visit,
} from "./browser.ts";
import { finalFile, serveMade } from "./made-pages.ts";
import { type PageFile, pageFile } from "./proofs.ts";

let selo: TestGateway;
let browser: Browser;
let worker: Worker;
let live: EnvelopeStage;
let test_: EnvelopeStage;
let made: SentWith;
/** A second one, which a test alters in the end. */
let other: SentWith;
let code: string;
let final: PageFile;
let original: PageFile;
let report: Report;
let reportPdf: PageFile;

const pdfOf = async (evidence: Report, name = "report.pdf") =>
  pageFile(name, await pdf([["evidence.json", JSON.stringify(evidence)]]));
const codeOf = async (stage: EnvelopeStage, id: string): Promise<string> => (await read(stage, id)).verification_code;

async function aCompleted(stage: EnvelopeStage): Promise<SentWith> {
  const own = await sentWith(
    stage,
    [
      { body: { name: "Zuleica Prado", email: "zuleica@example.net" } },
      { body: { name: "Otávio Reis", email: "otavio@example.net" } },
    ],
    { title: "Divorce of Zuleica" },
  );
  for (const link of own.links) expect((await complete(stage, link)).status).toBe(200);
  await completing(stage, own.id, worker);
  return own;
}

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  worker = workerOf({ selo });
  const organization = await selo.newOrganization({ name: "Café & Filhos Ltda" });
  const stageOf = (environment: "live" | "test") => ({
    selo,
    tenantId: organization.id,
    token: organization[environment],
    environment,
  });
  live = stageOf("live");
  test_ = stageOf("test");
  [made, other] = [await aCompleted(live), await aCompleted(live)];
  code = await codeOf(live, made.id);
  const { body } = await ask(live, "GET", `/envelopes/${made.id}/documents/${made.documentId}/download`);
  const answer = await fetch(body.url.replace("http://selo.test", selo.baseUrl));
  final = pageFile("contract-signed.pdf", Buffer.from(await answer.arrayBuffer()));
  original = pageFile("contract.pdf", contentOf(made.documentId, 2));
  report = await attachedOf(live, made.id);
  reportPdf = await pdfOf(report);
}, 180_000);
afterAll(async () => {
  await browser.close();
  await worker.end();
  await selo.stop();
});
afterEach(endVisits);

const SIGNED = { evidence: "passed", ed25519: "passed", ml_dsa_87: "passed", keys: "not_checked" };
/** What a group of checks says above its lines and once more in one of them. */
const saidTwice = (page: Page): Promise<string[]> =>
  page.locator("[data-group]").evaluateAll((groups) =>
    groups.flatMap((group) => {
      const above = group.querySelector("summary .quiet")?.textContent ?? "";
      return [...group.querySelectorAll("li")].map((line) => line.textContent ?? "").filter((line) => line === above);
    }),
  );
const shownText = (page: Page) => page.locator("main").innerText();

describe("by its code", () => {
  test("a completed envelope: who, how many, when, roles and fingerprints; no title and no names", async () => {
    const { page } = await visit(browser, selo, `/verify/${code}`);
    expect(await verdict(page, "Pending: the file is missing", "info")).toMatch(
      /^A document of Café & Filhos Ltda was signed by 2 participants and completed on \d+ \w+ \d{4} at \d\d:\d\d( UTC| \(.+\))\.$/,
    );
    expect(await shownChecks(page)).toEqual({
      file: "not_checked",
      ...SIGNED,
      openings: "not_checked",
      record: "passed",
    });
    const text = await shownText(page);
    const { documents } = await read(live, made.id);
    for (const shown of ["Completed", "Signer", code, documents[0].sha256, documents[0].final_sha256])
      expect(text).toContain(shown);
    for (const hidden of ["Divorce", "Zuleica", "Otávio", "example.net", "contract.pdf"])
      expect(text).not.toContain(hidden);
    expect(text).toContain("What this does not prove");
    // The instant of sending, and what each participant did: no signature covers either.
    expect(text.match(/stated by the service, not signed/g)).toHaveLength(2);
    expect(await page.title()).toBe(`Pending: the file is missing, ${code} · Selo`);
  });

  test("with the final PDF dropped: recognised as the signed document", async () => {
    const { page, requests } = await visit(browser, selo, `/verify/${code}`, final);
    expect(await verdict(page, "Matches", "ok")).toBe(
      "contract-signed.pdf is the final document of Café & Filhos Ltda, signed by 2 participants.",
    );
    expect(await lead(page)).toContain("exactly as it was completed");
    expect(await shownText(page)).toContain("The names are in the evidence report.");
    expect(await shownChecks(page)).toEqual({
      file: "passed",
      ...SIGNED,
      openings: "not_checked",
      record: "passed",
    });
    // Who acted, and when, without names: the service says it.
    expect(await page.locator(".signers li").count()).toBe(2);
    expect(await page.locator(".signers").innerText()).toMatch(/^Signed\s+\d+ \w+ \d{4} at \d\d:\d\d\s+Signed/);
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add the report" }).click();
    await (await choosing).setFiles([reportPdf]);
    await page.locator(".signers .how").first().waitFor();
    expect(await page.locator(".signers").innerText()).toContain("Zuleica Prado");
    await verdict(page, "Matches", "ok");
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
  });

  test("with the PDF as it was before it was signed: recognised as that", async () => {
    const { page } = await visit(browser, selo, `/verify/${code}`, original);
    expect(await verdict(page, "Matches", "ok")).toContain("as it was before it was signed");
    expect(await lead(page)).toContain("Its content was signed by 2 participants");
  });

  test("with another file, or with one byte more: another file", async () => {
    const { page } = await visit(
      browser,
      selo,
      `/verify/${code}`,
      pageFile("other.pdf", Buffer.concat([final.buffer, Buffer.from("\n")])),
    );
    expect(await verdict(page, "Does not match", "bad")).toContain("other.pdf is a different file");
    expect(await shownChecks(page)).toMatchObject({ file: "failed", ed25519: "passed" });
    // The sentence stands once; below it, in the open group, stands what was compared.
    const text = await shownText(page);
    expect(text.match(/No document with this code has this fingerprint/g)).toHaveLength(1);
    const { documents } = await read(live, made.id);
    for (const digest of [documents[0].sha256, documents[0].final_sha256])
      expect(await page.locator('[data-group="file"]').innerText()).toContain(digest);
    expect(text).toContain("Who signed the document of this code, which is not your file");
    expect(await saidTwice(page)).toEqual([]);
    await page.locator(".file button").click();
    await verdict(page, "Pending: the file is missing", "info");
  });
});

describe("without a code", () => {
  test("the final PDF finds its envelope, and only its digest is sent", async () => {
    const { page, requests } = await visit(browser, selo, "/verify", final);
    expect(await verdict(page, "Matches", "ok")).toContain("is the final document of Café & Filhos Ltda");
    const sha256 = (await read(live, made.id)).documents[0].final_sha256;
    expect(requests.flatMap((request) => request.postData() ?? [])).toEqual([
      JSON.stringify({ sha256 }),
      JSON.stringify({ sha256 }),
    ]);
  });

  test("the PDF before it was signed finds nothing: only the code leads to it", async () => {
    const { page } = await visit(browser, selo, "/verify", original);
    await verdict(page, "No such proof", "warn");
  });

  test("a dossier is read in the browser: all its documents match, and names stand in it", async () => {
    const { bytes } = await dossierOf(live, made.id);
    const { page, requests } = await visit(browser, selo, "/verify", pageFile("dossier.zip", bytes));
    expect(await verdict(page, "Matches", "ok")).toContain("This dossier has the documents of Café & Filhos Ltda");
    expect(await lead(page)).toContain("Not checked: the pages of report.pdf, and the signatures inside the PDFs");
    expect(await shownChecks(page)).toMatchObject({
      file: "passed",
      records: "passed",
      events: "passed",
      openings: "passed",
    });
    expect(await shownText(page)).toContain("zuleica@example.net");
    expect(await saidTwice(page)).toEqual([]);
    expect(requests.filter((request) => request.method() !== "GET")).toEqual([]);
    expect((await axe(page).analyze()).violations).toEqual([]);
  });

  test("a dossier without one of its files, or with another document, does not match", async () => {
    const { names, read: readFile, remove } = unpacked((await dossierOf(live, made.id)).bytes);
    const entries = names.map((name) => ({ name, content: readFile(name) }));
    remove();
    const zipped = async (changed: readonly { name: string; content: Buffer }[]) => {
      const { length, open } = await storedZip(
        changed.map((each) => ({ ...each, size: each.content.length })),
        new Date(0),
      );
      return pageFile("dossier.zip", await buffer(open(0, length - 1)));
    };
    const less = await zipped(entries.filter(({ name }) => name !== "report.pdf"));
    const other = await zipped(
      entries.map((each) => (each.name.startsWith("final/") ? { ...each, content: Buffer.from("%PDF-") } : each)),
    );
    for (const file of [less, other]) {
      const { page } = await visit(browser, selo, "/verify", file);
      expect(await verdict(page, "Does not match", "bad")).toContain("This dossier was altered");
      expect(await shownChecks(page)).toMatchObject({ file: "failed", ed25519: "passed" });
    }
  });

  test("a damaged ZIP is called one, and a ZIP that is no dossier is a file like any other", async () => {
    const { bytes } = await dossierOf(live, made.id);
    const flipped = Buffer.from(bytes);
    flipped[200] = (flipped[200] ?? 0) ^ 1;
    for (const damaged of [flipped, bytes.subarray(0, -1), Buffer.from("PK\u0003\u0004 and so on")]) {
      const { page } = await visit(browser, selo, "/verify", pageFile("dossier.zip", damaged));
      expect(await verdict(page, "Damaged ZIP", "warn")).toContain("dossier.zip is a ZIP that is damaged");
      expect((await axe(page).analyze()).violations).toEqual([]);
    }
    const { length, open } = await storedZip([{ name: "a.txt", size: 1, content: Buffer.from("a") }], new Date(0));
    const plain = pageFile("some.zip", await buffer(open(0, length - 1)));
    const { page } = await visit(browser, selo, "/verify", plain);
    await verdict(page, "No such proof", "warn");
  });

  test.each(["en", "pt-BR"] as const)(
    "a dossier of one that was declined, on a phone, in %s: what it says, and what the seal proves",
    async (locale) => {
      const own = await sentWith(live, [{}, { body: { name: "Otávio Reis", email: "otavio@example.net" } }]);
      const [first, second] = own.links;
      await complete(live, first);
      await storeContents(live, own.id, worker);
      await decline(live, second ?? first);
      const before = (await dossierOf(live, own.id)).bytes;
      await selo.seal();
      const sealed = (await dossierOf(live, own.id)).bytes;
      const states = {
        en: ["Ended, not proved yet", "Matches: ended, not completed", "A participant declined the document on"],
        "pt-BR": [
          "Encerrado, ainda sem prova",
          "Confere: encerrado sem conclusão",
          "Um participante recusou o documento em",
        ],
      }[locale];
      const watched = await openPage(browser, selo.baseUrl, { locale, viewport: PHONE });
      const { page } = watched;
      await page.goto("/verify");
      const give = (bytes: Buffer) =>
        page.locator('input[type="file"]').setInputFiles([pageFile("dossier.zip", bytes)]);
      await give(sealed);
      expect(await verdict(page, states[1] ?? "", "ok")).toContain(states[2]);
      expect(await shownChecks(page)).toMatchObject({
        file: "passed",
        records: "passed",
        events: "passed",
        seal: "passed",
      });
      expect(await saidTwice(page)).toEqual([]);
      expect((await axe(page).analyze()).violations).toEqual([]);
      await screenshot(page, `verify-dossier-ended-${locale}`);
      // Without an answer of the service, the dossier alone says that it has ended.
      await page.route("**/api/v1/public/envelopes/**", (asked) => asked.abort());
      await page.goto("/verify");
      await give(before);
      expect(await verdict(page, states[0] ?? "", "warn")).toContain(states[2]);
      await screenshot(page, `verify-dossier-unsealed-${locale}`);
      await page.context().close();
    },
  );

  test.each(["en", "pt-BR"] as const)(
    "a dossier after an erasure, on a phone, in %s: what is erased, before and after a seal says so",
    async (locale) => {
      const own = await sentWith(live, [
        { body: { name: "Zuleica Prado", email: "zuleica@example.net" }, fields: [{ type: "anexo" }] },
        { body: { name: "Otávio Reis", email: "otavio@example.net" } },
      ]);
      const [first, ...others] = own.links;
      const session = await aSession(live, first);
      await deliver(live, first, own.fields[0]?.[0] ?? "", undefined, { session });
      await complete(live, first, { session });
      for (const link of others) await complete(live, link);
      await completing(live, own.id, worker);
      await erase(live, own.id, first.participantId);
      const before = (await dossierOf(live, own.id)).bytes;
      await selo.seal();
      const sealed = (await dossierOf(live, own.id)).bytes;
      const words = {
        en: ["Erased, not proved yet", "Matches", "were erased since", "Name erased", "says the report"],
        "pt-BR": ["Apagado, ainda sem prova", "Confere", "foram apagados", "Nome apagado", "segundo o relatório"],
      }[locale];
      const [unproved = "", matches = "", since, erased = "", said = ""] = words;
      const { page } = await openPage(browser, selo.baseUrl, { locale, viewport: PHONE });
      await page.goto("/verify");
      const give = (bytes: Buffer) =>
        page.locator('input[type="file"]').setInputFiles([pageFile("dossier.zip", bytes)]);
      const names = () => page.locator(".signers li").allInnerTexts();
      await give(sealed);
      await verdict(page, matches, "ok");
      expect(await lead(page)).toContain(since);
      expect(await names()).toEqual([expect.stringContaining(erased), expect.stringContaining("Otávio Reis")]);
      expect((await names())[0]).not.toContain(said);
      expect(await saidTwice(page)).toEqual([]);
      expect((await axe(page).analyze()).violations).toEqual([]);
      await screenshot(page, `verify-dossier-erased-${locale}`);
      await page.goto("/verify");
      await give(before);
      await verdict(page, unproved, "warn");
      expect((await names())[0]).toContain(said);
      expect(await saidTwice(page)).toEqual([]);
      await screenshot(page, `verify-dossier-erasure-unsealed-${locale}`);
      await page.context().close();
    },
  );

  test("a large dossier shows how far it is, and can be cancelled", async () => {
    const { page } = await visit(browser, selo, "/verify");
    await threadLoaded(page);
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "selo-web-")), "dossier.zip");
    onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }));
    // So long that nobody reads it before a button is pressed, and all of it is zeros.
    const original = { name: `originals/1-${made.documentId}.pdf`, content: 7 * 1024 ** 3 };
    sparseZip([original, { name: "evidence.json", content: Buffer.from("{}") }], false).write(file);
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.locator(".verdict .state", { hasText: "Reading the ZIP" }).waitFor();
    await screenshot(page, "verify-dossier-reading");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.locator(".verdict .state", { hasText: "Reading the ZIP" }).waitFor({ state: "detached" });
    await page.locator("h1", { hasText: "Verify a proof" }).waitFor();
  });

  test("a report is recognised by what is attached to it, and names who signed", async () => {
    const { page } = await visit(browser, selo, "/verify", reportPdf);
    await verdict(page, "Pending: the file is missing", "info");
    expect(await lead(page)).toContain("The text of its pages was not checked");
    expect(await shownText(page)).toMatch(
      /signed by Zuleica Prado and 1 more participant[\s\S]*Who signed, by the report[\s\S]*Zuleica Prado[\s\S]*Code by e-mail to zuleica@example\.net[\s\S]*Otávio Reis[\s\S]*Where the names come from: the evidence report/,
    );
    expect(await shownChecks(page)).toEqual({
      file: "not_checked",
      ...SIGNED,
      record: "passed",
      records: "passed",
      events: "passed",
      openings: "passed",
    });
    await page.locator('input[type="file"]').setInputFiles([final]);
    expect(await verdict(page, "Matches", "ok")).toContain("contract-signed.pdf");
  });

  test("names have the time of Brasília there, and the way they were checked, in Portuguese", async () => {
    const own = await openPage(browser, selo.baseUrl, { locale: "pt-BR", timezoneId: "America/Sao_Paulo" });
    const at = { signed_at: "2026-11-20T17:47:09.412338+00:00" };
    const envelope = await madeEnvelope(byTest, {}, [
      opened({ name: "Marina Costa", email: "marina@example.com" }, at),
    ]);
    await serveMade(own.page, envelope);
    await own.page.goto("/verify");
    const add = (...files: PageFile[]) => own.page.locator('input[type="file"]').setInputFiles(files);
    await add(finalFile("contrato.pdf"));
    await verdict(own.page, "Confere", "ok");
    expect(await shownText(own.page)).toMatch(/Assinou\s+20 de novembro de 2026 às 14:47[\s\S]*Horários de Brasília\./);
    await add(await pdfOf(envelope.report));
    await own.page.locator(".signers .how").waitFor();
    expect(await own.page.locator("section:has(> #names)").innerText()).toMatch(
      /Quem assinou\s+Marina Costa\s+assinou\s+20 de novembro de 2026 às 14:47\s+Código por e-mail para marina@example\.com\s+De onde vêm os nomes: [\s\S]* Horários de Brasília\.$/,
    );
    expect(await own.page.locator('[data-group="names"] summary').innerText()).toMatch(/Nomes Conferem/);
    await own.page.context().close();
  });

  test("hostile names under valid signatures: what turns the text is shown as such, and a name of 1 MB is cut", async () => {
    const { page, complaints } = await openPage(browser, selo.baseUrl, { viewport: PHONE });
    const names = [
      "Marina\u202eatsoC\u2066\u200b\u0007",
      `<img src=x onerror=alert(1)>`,
      "M".repeat(1_048_576),
      "\u200b\u3164",
    ];
    const envelope = await madeEnvelope(
      byTest,
      {},
      names.map((name) => opened({ name }, { authentication: [{ method: "constructor" }] })),
    );
    await serveMade(page, envelope);
    await page.goto("/verify");
    await page.locator('input[type="file"]').setInputFiles([await pdfOf(envelope.report)]);
    await page.locator(".signers .how").first().waitFor();
    const shown = await page.locator(".signers .who").allInnerTexts();
    expect(shown[0]).toBe("Marina\ufffdatsoC\ufffd\ufffd\ufffd");
    expect(shown[1]).toBe(names[1]);
    expect(shown[2]?.length).toBeLessThan(600);
    expect(shown[3]).toBe("Name not given");
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(await page.locator(".signers .how").first().innerText()).toBe("constructor");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("a report of another envelope after the final PDF: the file is not its document, and one of too many signers or bytes is no report", async () => {
    const { page } = await visit(browser, selo, "/verify", final);
    await verdict(page, "Matches", "ok");
    const add = (file: PageFile) => page.locator('input[type="file"]').setInputFiles([file]);
    await add(await pdfOf(await attachedOf(live, other.id)));
    expect(await verdict(page, "Does not match", "bad")).toContain("contract-signed.pdf is a different file");
    expect(await shownText(page)).toContain("Who signed the document of this code, which is not your file");
    const { records } = report;
    const ofSigners = (count: number) =>
      JSON.stringify({ ...report, records: Array(count).fill({ ...records[0], signatures: [] }) });
    // Beyond 60 signers, and beyond 8 MiB.
    const noReports = [
      ofSigners(61),
      JSON.stringify(report).padEnd(8_388_609),
      ...byLane({ lane: [], full: [ofSigners(10_000)] }),
    ];
    for (const [place, text] of noReports.entries()) {
      const name = `evidence-${place}.json`;
      await add(pageFile(name, text));
      await page.locator(".file", { hasText: name }).waitFor();
      expect(await verdict(page, "Does not match", "bad")).toContain(`${name} is a different file`);
    }
  });

  test("a report whose name was changed is altered, and says nothing else", async () => {
    const forged = structuredClone(report);
    forged.records[0].openings.name.value = "Somebody Else";
    const { page } = await visit(browser, selo, "/verify", await pdfOf(forged), final);
    expect(await verdict(page, "Does not match", "bad")).toContain("altered");
    expect(await shownText(page)).not.toContain("Somebody Else");
    expect(await shownChecks(page)).toMatchObject({ openings: "failed" });
    expect(await saidTwice(page)).toEqual([]);
  });

  test("a report in which nothing is signed proves nothing, also beside the record, and nobody's keys are trusted", async () => {
    const own = await sentWith(live);
    const { page } = await visit(browser, selo, "/verify", await pdfOf(await attachedOf(live, own.id)));
    expect(await verdict(page, "Proves nothing by itself", "warn")).toBe("Nothing is signed in this report.");
    const { tenant_id, environment, envelope_id } = JSON.parse(report.payload);
    const envelope = { tenant_id, environment, envelope_id };
    const unsigned = await pdfOf({ envelope, records: [], events: report.events.slice(0, -1), keys: [] });
    const beside = await visit(browser, selo, `/verify/${code}`, unsigned, final);
    await verdict(beside.page, "Proves nothing by itself", "warn");
    expect(await shownChecks(beside.page)).toMatchObject({ file: "passed", record: "not_checked" });
    expect(await shownText(beside.page)).toContain("Nothing is signed in the report that could be compared");
  });

  test("a report from before the end is not called equal, and one of another envelope is refused", async () => {
    const own = await sentWith(live, [{}, {}]);
    const [first, ...others] = own.links;
    expect((await complete(live, first)).status).toBe(200);
    const early = await attachedOf(live, own.id);
    for (const link of others) expect((await complete(live, link)).status).toBe(200);
    await completing(live, own.id, worker);
    const { page } = await visit(browser, selo, "/verify", await pdfOf(early));
    await verdict(page, "Pending: the file is missing", "info");
    expect(await shownText(page)).toContain("The report is from before the end.");
    expect(await shownChecks(page)).toMatchObject({ ...SIGNED, record: "not_checked" });
    const unsigned = await pdfOf({ ...early, records: [] });
    const beside = await visit(browser, selo, `/verify/${code}`, unsigned);
    expect(await verdict(beside.page, "Does not match", "bad")).toContain("altered");
  });

  test("a report of another code than the one in the address", async () => {
    const { page } = await visit(browser, selo, `/verify/${await codeOf(live, other.id)}`, reportPdf);
    expect(await verdict(page, "Does not match", "bad")).toContain("another code");
    await page
      .getByRole("button", { name: /Verify/ })
      .first()
      .click();
    await verdict(page, "Pending: the file is missing", "info");
  });
});

describe("an envelope that is not completed", () => {
  test("sent and partly signed: how far it is; the document that was sent is recognised", async () => {
    const own = await sentWith(live, [{}, {}]);
    const address = `/verify/${await codeOf(live, own.id)}`;
    const first = await visit(browser, selo, address);
    expect(await verdict(first.page, "Pending: not completed yet", "info")).toContain("not everything is done yet");
    expect(await lead(first.page)).toContain("0 of 2 participants have finished.");
    expect((await complete(live, own.links[0])).status).toBe(200);
    const { page } = await visit(browser, selo, address, pageFile("sent.pdf", contentOf(own.documentId, 2)));
    await verdict(page, "Pending: not completed yet", "info");
    expect(await shownText(page)).toContain("None of it is signed before the end.");
    await expect.poll(() => lead(page)).toContain("Your file is the document that was sent.");
    expect(await lead(page)).toContain("1 of 2 participants has finished.");
  });

  test("declined, cancelled, expired, failed", async () => {
    const declined = await sentWith(live);
    expect((await decline(live, declined.links[0])).status).toBe(200);
    const { page } = await visit(browser, selo, `/verify/${await codeOf(live, declined.id)}`);
    expect(await verdict(page, "Declined", "warn")).toContain("declined the document that Café & Filhos Ltda sent");
    expect(await shownText(page)).not.toContain("The rent is wrong");
    const { id } = await sentWith(live);
    for (const [status, state] of [
      ["cancelled", "Cancelled"],
      ["expired", "Expired"],
      ["failed", "Not completed"],
    ] as const) {
      await selo.database.admin.query("update signature.envelopes set status = $2 where id = $1", [id, status]);
      const shown = await visit(browser, selo, `/verify/${await codeOf(live, id)}`);
      await verdict(shown.page, state, "warn");
    }
  });
});

test("an envelope of the test environment: impossible to overlook, whatever its file is", async () => {
  const own = await aCompleted(test_);
  const { page } = await visit(browser, selo, `/verify/${await codeOf(test_, own.id)}`);
  expect(await verdict(page, "Test", "warn")).toContain("tried out");
  expect(await shownText(page)).toContain("A test proves nothing");
});

test("a record at fault: said, and nothing of it is shown", async () => {
  const address = `/verify/${await codeOf(live, other.id)}`;
  await tamper(selo.database, [
    "update signature.signature_records set platform_signature = set_byte(platform_signature, 7, get_byte(platform_signature, 7) # 1) where envelope_id = $1 and participant_id is null",
    [other.id],
  ]);
  const { page } = await visit(browser, selo, address);
  expect(await verdict(page, "Does not match", "bad")).toBe("The record of this code is not valid.");
  expect(await shownChecks(page)).toMatchObject({ ed25519: "failed", record: "failed" });
  expect(await saidTwice(page)).toEqual([]);
});

test("the page does not take the service's word: an answer whose facts differ from what was signed is at fault", async () => {
  const { page } = await openPage(browser, selo.baseUrl);
  await page.route("**/api/v1/public/envelopes/**", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Report;
    await route.fulfill({ response: answer, json: { ...body, completed_at: "2020-01-01T00:00:00.000000Z" } });
  });
  await page.goto(`/verify/${code}`);
  expect(await verdict(page, "Does not match", "bad")).toBe("The record of this code is not valid.");
  await page.context().close();
});

test.each([
  ["en", "Matches", "desktop"],
  ["pt-BR", "Confere", "phone"],
] as const)(
  "%s: axe finds nothing, nothing overflows, and it prints",
  async (locale, state, size) => {
    const { page, complaints } = await openPage(browser, selo.baseUrl, {
      locale,
      ...(size === "phone" ? { viewport: PHONE } : {}),
    });
    const states: readonly (readonly [string, string, readonly PageFile[]])[] = [
      ["final", `/verify/${code}`, [final]],
      ["alone", `/verify/${code}`, []],
      ["different", `/verify/${code}`, [original, pageFile("other.pdf", "x")].slice(1)],
      ["report", "/verify", [reportPdf, final]],
    ];
    // Each state in one language, in turn; in `npm run test:full` in both.
    const shown = states.filter((_, place) => byLane({ lane: (place % 2 === 0) === (locale === "en"), full: true }));
    for (const [name, address, files] of shown) {
      await page.goto(address);
      if (files.length > 0) await page.locator('input[type="file"]').setInputFiles([...files]);
      await page.locator("section.card.checks").waitFor();
      if (name === "final") await page.locator(".verdict .state", { hasText: state }).waitFor();
      const { violations } = await axe(page).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    }
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".verdict .on-paper").first().isVisible()).toBe(true);
    expect(complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
    await page.context().close();
  },
  60_000,
);
