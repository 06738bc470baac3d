import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPdf } from "../../../src/adapters/pdf-check/check-pdf.ts";
import { type Objects, ONE_PAGE, PAGE, PAGES, pdf, pdfWithStreams, pieces, row, startOf, stream } from "./pdf-file.ts";
import { verdictHere, verdictOf } from "./verdict-of.ts";

const text = (file: Buffer) => file.toString("latin1");
const ordinary = pdf(ONE_PAGE);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "selo-pdf-check-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function byQpdf(file: Buffer, ...options: string[]): Buffer {
  const [before, after] = [path.join(folder, "before.pdf"), path.join(folder, "after.pdf")];
  writeFileSync(before, file);
  execFileSync("qpdf", [...options, before, after]);
  return readFileSync(after);
}

describe("not_pdf", () => {
  test.each([
    ["empty", Buffer.alloc(0)],
    ["a picture", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["a version that does not exist", pdf(ONE_PAGE, { header: "%PDF-9.9\n" })],
    ["junk before the header", Buffer.concat([Buffer.from("junk\n"), ordinary])],
    ["a polyglot that begins as a ZIP", Buffer.concat([Buffer.from("PK\x03\x04"), ordinary])],
  ])("%s", async (_, file) => expect(await verdictHere(file)).toBe("unprocessable: not_pdf"));
});

describe("truncated: nothing is repaired", () => {
  test.each([
    ["%PDF-1.7 and garbage", Buffer.from("%PDF-1.7\ngarbage")],
    ["the first half", ordinary.subarray(0, ordinary.length / 2)],
    ["without the last line", ordinary.subarray(0, ordinary.length - 7)],
    ["a polyglot that ends as a ZIP", Buffer.concat([ordinary, Buffer.from("PK\x05\x06")])],
    ["startxref leads nowhere", Buffer.from(text(ordinary).replace(/startxref\n\d+/, "startxref\n3"), "latin1")],
    ["startxref leads behind the end", Buffer.from(text(ordinary).replace(/startxref\n\d+/, "startxref\n999999"))],
    [
      "an object is elsewhere",
      Buffer.from(text(ordinary).replace("%PDF-1.7\n", "%PDF-1.7\n%%%%%%%%%%%%%%\n"), "latin1"),
    ],
    ["the object of a page is missing", pdf({ 1: ONE_PAGE[1] ?? "", 2: PAGES })],
    ["/Count says more pages", pdf({ ...ONE_PAGE, 2: PAGES.replace("/Count 1", "/Count 2") })],
    ["a key twice", pdf({ ...ONE_PAGE, 3: PAGE.replace(">>", "/MediaBox [0 0 9 9] >>") })],
    ["a page without a media box", pdf({ ...ONE_PAGE, 3: PAGE.replace("/MediaBox", "/Box") })],
    ["/Prev leads to itself", pdf(ONE_PAGE, { trailer: `/Prev ${startOf(ordinary)}` })],
    ["a stream with a wrong length", pdf({ ...ONE_PAGE, 4: stream("", "12345").replace("/Length 5", "/Length 3") })],
    ["an unfinished object that no page needs", pdf({ ...ONE_PAGE, 4: "<< /A (b >>" })],
  ])("%s", async (_, file) => expect(await verdictHere(file)).toBe("unprocessable: truncated"));

  test("a file of each length that is cut", async () => {
    const file = pdf({ 1: ONE_PAGE[1] ?? "", 2: PAGES, 3: PAGE });
    for (let length = 16; length < file.length - 1; length += 1) {
      expect(await verdictHere(file.subarray(0, length)), `${length} bytes`).toBe("unprocessable: truncated");
    }
  });
});

describe("encrypted", () => {
  test.each([
    ["with a password to open it", ["user", "owner"]],
    ["with an owner's password only", ["", "owner"]],
  ])("%s", async (_, [user, owner]) => {
    for (const bits of ["40", "128", "256"]) {
      const weak = bits === "256" ? [] : ["--allow-weak-crypto"];
      const file = byQpdf(ordinary, ...weak, "--encrypt", user ?? "", owner ?? "", bits, "--");
      expect(await verdictHere(file)).toBe("unprocessable: encrypted");
    }
  });
});

describe("pages", () => {
  const withPages = (count: number): Objects => {
    const kids = Array.from({ length: count }, (_, index) => index + 3);
    return {
      1: ONE_PAGE[1] ?? "",
      2: `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] /Count ${count} >>`,
      ...Object.fromEntries(kids.map((kid) => [kid, PAGE])),
    };
  };

  test("no pages", async () => expect(await verdictOf(pdf(withPages(0)))).toBe("unprocessable: no_pages"));

  test("2,000 pages are checked, 2,001 are too many", async () => {
    expect(await verdictOf(pdf(withPages(2000)))).toMatch(/^ready: (612x792 ?){2000}$/);
    expect(await verdictOf(pdf(withPages(2001)))).toBe("unprocessable: too_many_pages");
  });
});

test("what is unprocessable is told by the first promise, before the deep check", async () => {
  const check = checkPdf(pieces(Buffer.from("no PDF")));
  expect(await check.shallow).toEqual({ verdict: "unprocessable", reason: "not_pdf" });
  expect(await check.deep).toEqual({ verdict: "unprocessable", reason: "not_pdf" });
  expect(await checkPdf(pieces(ordinary)).shallow).toBeUndefined();
});

describe("other ways to write a file are read", () => {
  test("cross-reference and object streams", async () => {
    expect(await verdictHere(pdfWithStreams({}, ONE_PAGE))).toBe("ready: 612x792");
  });

  test.each([
    ["linearized", ["--linearize"]],
    ["object streams", ["--object-streams=generate"]],
    ["linearized, object streams", ["--linearize", "--object-streams=generate"]],
    ["QDF", ["--qdf"]],
  ])("qpdf: %s", async (_, options) => {
    expect(await verdictHere(byQpdf(ordinary, ...options))).toBe("ready: 612x792");
  });

  test("a hybrid file: its hidden objects count", async () => {
    const plain = text(pdf({ 1: ONE_PAGE[1] ?? "", 2: PAGES }));
    const body = plain.slice(0, plain.indexOf("xref\n"));
    const page = body.length;
    const hidden = `${body}3 0 obj\n${PAGE}\nendobj\n`;
    const data = row([1, page, 0]);
    const more = hidden.length;
    const start = `${hidden}5 0 obj\n${stream("/Type /XRef /Size 6 /W [1 4 4] /Index [3 1]", data)}\nendobj\n`;
    const table = plain
      .slice(plain.indexOf("xref\n"), plain.indexOf("startxref"))
      .replace("trailer", "3 1\n0000000000 00000 f \ntrailer")
      .replace("/Root", `/XRefStm ${more} /Root`);
    const file = Buffer.from(`${start}${table}startxref\n${start.length}\n%%EOF`, "latin1");
    expect(await verdictHere(file)).toBe("ready: 612x792");
    // Updates name its stream again: it counts before all that stands behind the newest of them.
    const naming = { trailer: `/XRefStm ${more}` };
    const updated = pdf({ 4: "<< >>" }, { before: file, ...naming });
    expect(await verdictHere(pdf({ 4: "null" }, { before: updated, ...naming }))).toBe("ready: 612x792");
    const other = PAGE.replace("792", "793");
    expect(await verdictHere(pdf({ 3: other }, { before: file, ...naming }))).toBe("ready: 612x793");
    const replaced = pdf({ 3: other }, { before: updated, ...naming });
    expect(await verdictHere(pdf({ 4: "null" }, { before: replaced, ...naming }))).toBe("unprocessable: truncated");
  });
});
