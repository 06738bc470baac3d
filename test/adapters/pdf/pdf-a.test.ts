// A receipt is PDF/A-3b and tagged. Debian has no validator, so its structure is read by qpdf, and its XML by Python.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import type { ReceiptContent } from "../../../src/adapters/pdf/receipt-content.ts";
import { IN_UTC, receiptContent } from "./contents.ts";

/** A value of a PDF as `qpdf --json` shows it: names begin with a slash, texts with `u:`, references end with R. */
// biome-ignore lint/suspicious/noExplicitAny: any kind of object
type Value = any;

const contents: Readonly<Record<string, Partial<ReceiptContent>>> = {
  "in Portuguese": {},
  "in English, in UTC": { language: "en", ...IN_UTC, fileName: null, fileSize: null, label: null },
  "of a test": { isTest: true, operator: { name: null, details: null } },
  "with characters that show nothing": { label: "safe\u200dexe.pdf" },
  "in scripts whose letters change beside each other": {
    organization: "हिन्दी क्षत्रिय বাংলা চট্টোপাধ্যায় ਪੰਜਾਬੀ ਸ੍ਰੀ કૃષ્ણ ଶ୍ରୀ தமிழ் తెలుగు శ్రీ",
    label: "ಕ್ಷತ್ರಿಯ കൃഷ്ണ ශ්‍රී ไทย\u200bน้ำ ນ້ຳ བསྒྲུབས မြန်မာ សង្ឃរាជ អማርኛ می\u200cخواهم",
    fileName: "𠮷野家 葛\u{e0100}飾 𨋢 张伟 𬀩 홍길동 𝓜𝓪𝓻.pdf",
  },
  "in other scripts": {
    organization: "ŁĄŐ Ωж ế Нотариус 株式会社 𠮷",
    label: "عقد رقم ١٢ עברית ไทย हिन्दी é \u0301\u0301\u0301\u0301\u0301\u0301 \u202e\u0007",
    fileName: "👩‍💻 👨‍👩‍👧‍👦 🇧🇷 👍🏽 ❤️ 1️⃣.pdf",
  },
};

let folder = "";
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-pdf-a-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0 || stderr !== "") throw new Error(`${program} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}

class Objects {
  readonly #objects: Readonly<Record<string, Value>>;

  constructor(file: string) {
    const { qpdf } = JSON.parse(run("qpdf", "--json", "--json-stream-data=inline", file));
    this.#objects = qpdf[1];
  }

  /** The object that a value refers to, or the value itself. */
  at(value: Value): Value {
    if (typeof value !== "string" || !value.endsWith(" R")) return value;
    const { value: plain, stream } = this.#objects[`obj:${value}`];
    return stream === undefined ? plain : { ...stream.dict, data: Buffer.from(stream.data, "base64") };
  }

  get trailer(): Value {
    return this.#objects["trailer"].value;
  }

  get catalog(): Value {
    return this.at(this.trailer["/Root"]);
  }

  /** Every object of a type. */
  ofType(type: string): Value[] {
    return this.#all().filter((object) => object?.["/Type"] === type);
  }

  /** Every structure element of a kind. */
  elements(kind: string): Value[] {
    return this.#all().filter((object) => object?.["/S"] === kind);
  }

  #all(): Value[] {
    return Object.keys(this.#objects)
      .filter((name) => name.startsWith("obj:"))
      .map((name) => this.at(name.slice("obj:".length)));
  }
}

describe.each(Object.entries(contents))("a receipt %s", (_, changes) => {
  let objects: Objects;
  let pdf: Buffer;
  beforeAll(async () => {
    pdf = await renderReceipt(receiptContent(changes));
    fs.writeFileSync(path.join(folder, "receipt.pdf"), pdf);
    objects = new Objects("receipt.pdf");
  });

  test("is sound, and not encrypted", () => {
    expect(run("qpdf", "--check", "receipt.pdf")).toContain("No syntax or stream encoding errors found");
    expect(pdf.subarray(0, 8).toString()).toBe("%PDF-1.7");
    // Four bytes above 127 behind the first line, so that nobody takes the file for a text.
    expect([...pdf.subarray(9, 14)].map((byte) => byte > 127)).toEqual([false, true, true, true, true]);
    expect(objects.trailer["/Encrypt"]).toBeUndefined();
    expect(objects.trailer["/ID"]).toHaveLength(2);
  });

  test("says in XMP that it is PDF/A, part 3, conformance B, and the same title as its dictionary", () => {
    const metadata = objects.at(objects.catalog["/Metadata"]);
    expect(metadata).toMatchObject({ "/Type": "/Metadata", "/Subtype": "/XML" });
    // Programs that know no PDF find it as well.
    expect(metadata["/Filter"]).toBeUndefined();
    fs.writeFileSync(path.join(folder, "xmp.xml"), metadata.data);
    const program = `
import json, xml.etree.ElementTree as xml
spaces = {"pdfaid": "http://www.aiim.org/pdfa/ns/id/", "dc": "http://purl.org/dc/elements/1.1/", "xmp": "http://ns.adobe.com/xap/1.0/",
  "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#"}
root = xml.parse("xmp.xml").getroot()
print(json.dumps([[each.text for each in root.findall(".//" + path, spaces)]
  for path in ("pdfaid:part", "pdfaid:conformance", "xmp:CreateDate", "dc:title/rdf:Alt/rdf:li")]))`;
    const title = objects.at(objects.at(objects.trailer["/Info"])["/Title"]).slice("u:".length);
    expect(JSON.parse(run("python3", "-c", program))).toEqual([["3"], ["B"], ["2026-11-21T22:23:34Z"], [title]]);
  });

  test("says what its colours mean: an output intent with the profile of sRGB", () => {
    const intents = objects.at(objects.catalog["/OutputIntents"]).map((intent: Value) => objects.at(intent));
    expect(intents).toMatchObject([{ "/S": "/GTS_PDFA1", "/OutputConditionIdentifier": "u:sRGB IEC61966-2.1" }]);
    const profile = objects.at(intents[0]["/DestOutputProfile"]);
    expect(profile["/N"]).toBe(3);
    // The signature, class and colour space of an ICC profile (ICC.1 §7.2).
    expect(profile.data.subarray(36, 40).toString()).toBe("acsp");
    expect(profile.data.subarray(12, 20).toString()).toBe("mntrRGB ");
  });

  test("has every font in it, as a subset, with the characters of its glyphs", () => {
    const fonts = objects.ofType("/Font").filter((font) => font["/DescendantFonts"] === undefined);
    const wholes = objects.ofType("/Font").filter((font) => font["/DescendantFonts"] !== undefined);
    expect(wholes.length).toBeGreaterThanOrEqual(4);
    expect(fonts).toHaveLength(wholes.length);
    for (const whole of wholes) {
      expect(whole).toMatchObject({ "/Subtype": "/Type0", "/Encoding": "/Identity-H" });
      expect(whole["/BaseFont"]).toMatch(/^\/[A-Z]{6}\+/);
      expect(objects.at(whole["/ToUnicode"]).data.toString()).toContain("beginbfrange");
      const [descendant] = objects.at(whole["/DescendantFonts"]).map((each: Value) => objects.at(each));
      expect(descendant).toMatchObject({ "/Subtype": "/CIDFontType2", "/CIDToGIDMap": "/Identity" });
      const descriptor = objects.at(descendant["/FontDescriptor"]);
      expect(descriptor["/FontName"]).toBe(whole["/BaseFont"]);
      // An sfnt with outlines.
      const file: Buffer = objects.at(descriptor["/FontFile2"]).data;
      const tables = Array.from({ length: file.readUInt16BE(4) }, (__, index) =>
        file.subarray(12 + index * 16, 16 + index * 16).toString(),
      );
      expect(tables).toEqual(expect.arrayContaining(["glyf", "loca", "hmtx", "head", "maxp"]));
    }
  });

  test("draws no character that its font lacks, and nothing that shines through", () => {
    const [page] = objects.ofType("/Page");
    const drawn: string = objects.at(page["/Contents"]).data.toString("latin1");
    const glyphs = [...drawn.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = ""]) => hex.match(/.{4}/g) ?? []);
    expect(glyphs.length).toBeGreaterThan(1_000);
    expect(glyphs).not.toContain("0000");
    for (const state of objects.ofType("/ExtGState"))
      expect([state["/ca"] ?? 1, state["/CA"] ?? 1, state["/SMask"] ?? "/None"]).toEqual([1, 1, "/None"]);
    // Colours of the output intent only.
    expect(drawn).not.toMatch(/\/DeviceCMYK|\s[kK]\s/);
  });

  test("has evidence.json as associated file, with type, date and relationship", () => {
    const associated = objects.at(objects.catalog["/AF"]);
    const { "/EmbeddedFiles": tree } = objects.at(objects.catalog["/Names"]);
    expect(objects.at(tree)["/Names"]).toEqual(["u:evidence.json", associated[0]]);
    expect(associated).toHaveLength(1);
    const specification = objects.at(associated[0]);
    expect(specification).toMatchObject({
      "/Type": "/Filespec",
      "/F": "u:evidence.json",
      "/UF": "u:evidence.json",
      "/AFRelationship": "/Data",
      "/Desc": expect.stringMatching(/^u:.+/),
    });
    const file = objects.at(specification["/EF"]["/F"]);
    expect(file).toMatchObject({ "/Subtype": "/application/json" });
    expect(file["/Params"]["/ModDate"]).toMatch(/^u:D:20261121222334/);
    expect(file.data.equals(Buffer.from(receiptContent(changes).evidence))).toBe(true);
  });

  test("has no script and no action but the link to its proof, which is printed", () => {
    expect(objects.catalog["/OpenAction"] ?? objects.catalog["/AA"]).toBeUndefined();
    expect(objects.ofType("/Action")).toEqual([]);
    const links = objects.ofType("/Annot");
    expect(links.map((link) => [link["/Subtype"], objects.at(link["/A"]), link["/F"]])).toEqual([
      ["/Link", { "/S": "/URI", "/URI": "u:https://selo.example/verify/GNS2-HPXT-CF41" }, 4],
    ]);
  });

  test("is tagged, in its language", () => {
    expect(objects.at(objects.catalog["/MarkInfo"])).toMatchObject({ "/Marked": true });
    expect(objects.at(objects.catalog["/StructTreeRoot"])).toMatchObject({ "/Type": "/StructTreeRoot" });
    expect(objects.catalog["/Lang"]).toBe(`u:${changes.language ?? "pt-BR"}`);
    // Everything on the page belongs to an element or is an artifact, also between them.
    const [page] = objects.ofType("/Page");
    let depth = 0;
    for (const operator of objects.at(page["/Contents"]).data.toString("latin1").split("\n")) {
      if (/ (?:BDC|BMC)$/.test(operator)) depth += 1;
      else if (operator === "EMC") depth -= 1;
      else if (/(?:^| )(?:TJ|Tj|f\*?|S|B|Do)$/.test(operator)) expect(depth).toBeGreaterThan(0);
    }
    expect(depth).toBe(0);
  });

  test("the same content gives the same bytes", async () => {
    expect((await renderReceipt(receiptContent(changes))).equals(pdf)).toBe(true);
  });
});

test("screen readers read the page in its order, the codes with what they say", async () => {
  fs.writeFileSync(path.join(folder, "read.pdf"), await renderReceipt(receiptContent({ language: "en", ...IN_UTC })));
  const read = run("pdfinfo", "-struct-text", "read.pdf");
  const texts = [...read.matchAll(/^ +"(.*)"$/gm)].map(([, text]) => text).filter((text) => text !== "");
  const [before, after] = [texts.indexOf("Selo"), texts.indexOf("How to verify")];
  expect(texts.slice(before, after)).toEqual([
    "Selo",
    "Selo Serviços Digitais Ltda",
    "CNPJ 12.345.678/0001-90, São Paulo",
    "Proof of existence",
    "contrato.pdf was registered by Acme Ltda on 21 November 2026 at 22:23 UTC.",
    "Verification code",
    "GNS2-HPXT-CF41",
    "Verify at selo.example/verify/GNS2-HPXT-CF41",
    "or point the camera of your phone at the QR code.",
    ...["Registered by", "Acme Ltda", "File name", "contrato.pdf (184,320 bytes)", "Description", "Contrato nº 12"],
    ...["Date and time", "21 November 2026, 22:23:34.346924 UTC", "Fingerprint of the file (SHA-256)"],
    ...["506ad2e5 0c15dde3 c1e09c77 0aa4e043", "ee9111ef 4eb6fd40 a0845676 855bfae4"],
    ...["Platform keys", "ed25519-01f9c38311e531f2", "ml-dsa-87-6f99a2142e8e455c"],
  ]);
  const objects = new Objects("read.pdf");
  const figures = objects.elements("/Figure").map((figure) => figure["/Alt"]);
  expect(figures).toEqual(["u:Selo", "u:QR code: https://selo.example/verify/GNS2-HPXT-CF41"]);
  expect(read.match(/^ *(?:H1|H2|Table|L)\b/gm)?.map((tag) => tag.trim())).toEqual([
    ...["H1", "H2", "Table", "H2", "L", "H2", "L", "H2"],
  ]);
});
