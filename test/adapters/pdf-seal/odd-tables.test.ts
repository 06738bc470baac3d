// PDFs with cross-references that few programs write: the check accepts them, and each is sealed.
import { beforeAll, describe, expect, test } from "vitest";
import { Document } from "../../../src/adapters/pdf-check/child/document.ts";
import { pageSizes } from "../../../src/adapters/pdf-check/child/page-tree.ts";
import { openPdf } from "../../../src/adapters/pdf-seal/child/open-pdf.ts";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import type { Stamp } from "../../../src/adapters/pdf-seal/stamp.ts";
import { verdictHere, verdictOf } from "../pdf-check/verdict-of.ts";
import { oddTables } from "./odd-tables.ts";
import { aKey, OURS, run, seal, signaturesOf } from "./seal-stage.ts";

let key: SealKey;
beforeAll(async () => {
  key = await aKey();
});

const STAMP: Stamp = {
  page: 1,
  pageSize: { width: 612, height: 792 },
  x: 0.1,
  y: 0.2,
  width: 0.5,
  height: 0.05,
  drawn: { kind: "text", text: "Maria" },
};
const textOf = (file: Buffer) => run({ "a.pdf": file }, "pdftotext", "a.pdf", "-").stdout.toString();

describe.each(Object.entries(oddTables))("%s", (_, file) => {
  test("is ready, and sealed: other programs find text, stamp and signature, and qpdf repairs nothing", async () => {
    expect(await verdictHere(file)).toBe("ready: 612x792");
    const sealed = await seal(key, file, [STAMP]);
    expect(sealed.subarray(0, file.length).equals(file)).toBe(true);
    expect(signaturesOf(sealed)).toEqual([OURS]);
    expect(textOf(sealed)).toMatch(/Maria[\s\S]*Hello|Hello[\s\S]*Maria/);
    const { said } = run({ "a.pdf": sealed }, "qpdf", "--check", "a.pdf");
    expect(said).toContain("No syntax or stream encoding errors found");
  });
});

test("the check's own process rehearses the seal", async () => {
  const [file] = Object.values(oddTables) as [Buffer];
  expect(await verdictOf(file)).toBe("ready: 612x792");
});

test("our cross-reference is added only where a reader needs it", async () => {
  const added = async (file: Buffer) => {
    const document = new Document(file);
    return (await openPdf(document, pageSizes(document, 1))).table.length > 0;
  };
  const needing: string[] = [];
  for (const [name, file] of Object.entries(oddTables)) if (await added(file)) needing.push(name);
  expect(needing).toEqual([
    "an update by a stream with /W [1 8 2], as pyHanko writes",
    "startxref names the end of the line before",
    "startxref of an update names the end of the line before",
    "/Prev names the end of the line before",
    "a hybrid file",
    "a hybrid file with an update",
    "ten updates, and the last /Prev is wrong by one",
  ]);
});
