import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { UnreadableError } from "../../src/verifier/keys.ts";
import { readReceipt } from "../../src/verifier/receipt.ts";
import { bomb, CATALOG, FILE_SPECIFICATION, pdfOf, stream, withAttachment } from "./hostile-pdf.ts";
import { evidenceFile, live, pdf } from "./made-proofs.ts";

const text = JSON.stringify(await evidenceFile(live), null, 2);

describe("the attachment is found", () => {
  test.for(["1.3", "1.4", "1.7"] as const)("in a PDF %s by pdfkit, packed or not", async (pdfVersion) => {
    for (const compress of [true, false])
      expect(await readReceipt(await pdf([["evidence.json", text]], { pdfVersion, compress }))).toBe(text);
  });

  test("among others", async () => {
    const receipt = await pdf([
      ["a.txt", "a"],
      ["evidence.json", text],
      ["evidence.json.txt", "b"],
      ["Evidence.json", "c"],
    ]);
    expect(await readReceipt(receipt)).toBe(text);
  });

  test("after another program saved the receipt", async () => {
    const document = await PDFDocument.load(await pdf([["evidence.json", text]]));
    document.addPage();
    for (const useObjectStreams of [true, false])
      expect(await readReceipt(await document.save({ useObjectStreams }))).toBe(text);
  });

  test("deeper in the tree, and with a name in UTF-16", async () => {
    const kids = "<< /Type /Catalog /Names << /EmbeddedFiles << /Kids [<< /Names [(x) 2 0 R] >>] >> >> >>";
    const name = Buffer.from("\ufeffevidence.json", "utf16le").swap16().toString("hex");
    const specification = `<< /UF <${name}> /EF << /F 3 0 R >> >>`;
    expect(await readReceipt(pdfOf([kids, specification, stream(Buffer.from(text))]))).toBe(text);
  });

  test("and another one is not looked at, whatever it is", async () => {
    const broken = "<< /F (bomb.bin) /EF << /F << >> >> >>";
    const names = "<< /Names [(bomb.bin) 4 0 R (evidence.json) 2 0 R] >>";
    const catalog = `<< /Type /Catalog /Names << /EmbeddedFiles ${names} >> >>`;
    expect(await readReceipt(pdfOf([catalog, FILE_SPECIFICATION, stream(Buffer.from(text)), broken]))).toBe(text);
  });
});

describe("there is no attachment", () => {
  test.for([[], [["evidence.txt", "a"]], [["EVIDENCE.JSON", "a"]]] as const)("among %j", async (attachments) => {
    expect(await readReceipt(await pdf(attachments))).toBeNull();
  });
});

describe("it is not read", () => {
  test.for<[string, () => Uint8Array | Promise<Uint8Array>]>([
    ["from nothing", () => new Uint8Array(0)],
    ["from zeros", () => new Uint8Array(1_000)],
    ["from JSON", () => Buffer.from(text)],
    ["from the beginning of a PDF", async () => (await pdf([["evidence.json", text]])).subarray(0, 3_000)],
    ["when encrypted", () => pdf([["evidence.json", text]], { userPassword: "a", ownerPassword: "b" })],
    ["when encrypted without a password", () => pdf([["evidence.json", text]], { ownerPassword: "b" })],
    [
      "when there are two",
      async () => {
        const twice = await PDFDocument.load(await pdf([["evidence.json", text]]));
        await twice.attach(Buffer.from("{}"), "evidence.json");
        return twice.save();
      },
    ],
    [
      "when another one can be taken for it",
      () =>
        pdfOf([
          CATALOG.replace("]", " (other.json) 4 0 R]"),
          FILE_SPECIFICATION,
          stream(Buffer.from(text)),
          "<< /F (other.json) /UF (evidence.json) /EF << /F 3 0 R >> >>",
        ]),
    ],
    ["when larger than 1 MiB", () => pdf([["evidence.json", " ".repeat(1_048_577)]])],
    ["when larger, not packed", () => pdf([["evidence.json", " ".repeat(1_048_577)]], { compress: false })],
    ["when it unpacks to 50 MB", () => withAttachment(bomb(50_000_000, 2))],
    ["when not UTF-8", () => pdf([["evidence.json", Buffer.from([0x7b, 0xff, 0x7d])]])],
    ["when only named", () => withAttachment("null")],
    ["when packed in an unknown way", () => withAttachment(stream(Buffer.from(text), "/Filter /JBIG2Decode "))],
    ["when packed wrongly", () => withAttachment(stream(Buffer.from(text), "/Filter /FlateDecode "))],
  ])("%s", async ([, receipt]) => {
    await expect(readReceipt(await receipt())).rejects.toThrow(UnreadableError);
  });

  test("but up to 1 MiB it is", async () => {
    expect(await readReceipt(await pdf([["evidence.json", " ".repeat(1_048_576)]]))).toHaveLength(1_048_576);
  });
});

test("a byte order mark stays, so that the JSON is refused", async () => {
  expect(await readReceipt(await pdf([["evidence.json", "\ufeff{}"]]))).toBe("\ufeff{}");
});
