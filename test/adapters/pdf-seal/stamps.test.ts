// What is drawn on sealed PDFs, as poppler, pdfium and qpdf see it.
import { beforeAll, describe, expect, test } from "vitest";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import type { Drawn, Stamp } from "../../../src/adapters/pdf-seal/stamp.ts";
import { onePage, pdf, stream } from "../pdf-check/pdf-file.ts";
import { byPdfium } from "./by-pdfium.ts";
import { covered } from "./covered.ts";
import { firstPage, inkOf } from "./page-image.ts";
import { aKey, isSound, OURS, run, seal, signaturesOf } from "./seal-stage.ts";

let key: SealKey;
beforeAll(async () => {
  key = await aKey();
});

const LETTER = { width: 612, height: 792 };
const TEXT: Drawn = { kind: "text", text: "Maria 😀 漢字" };
const onPage = (page: number, more: Partial<Stamp> = {}): Stamp => ({
  page,
  pageSize: LETTER,
  x: 0.1,
  y: 0.2,
  width: 0.5,
  height: 0.05,
  drawn: TEXT,
  ...more,
});

const pages = (count: number): Buffer => {
  const kids = Array.from({ length: count }, (_, index) => 3 + index);
  return pdf({
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(" ")}] /Count ${count} >>`,
    ...Object.fromEntries(kids.map((kid) => [kid, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"])),
  });
};

/** The box of what is dark on the page as displayed: parts of its width and height. */
function darkBox(file: Buffer) {
  const { across, down, shades } = firstPage(file);
  const box = { left: 1, right: 0, top: 1, bottom: 0 };
  for (let place = 0; place < shades.length; place += 1) {
    if ((shades[place] ?? 255) >= 128) continue;
    const [x, y] = [(place % across) / across, Math.floor(place / across) / down];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

describe("fonts are embedded once in a document", () => {
  test("stamps on 20 pages need little more than stamps on two, and each page shows its text", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const two = await seal(
      key,
      pages(20),
      [1, 2].map((number) => onPage(number)),
    );
    const all = await seal(
      key,
      pages(20),
      numbers.map((number) => onPage(number, { drawn: { kind: "text", text: `Maria ${number} 漢字` } })),
    );
    expect(signaturesOf(all)).toEqual([OURS]);
    expect(isSound(all)).toBe(true);
    const { said } = run({ "a.pdf": all }, "pdftotext", "a.pdf", "-");
    const texts = said.split("\f").map((text) => text.trim());
    expect(texts.slice(0, 20)).toEqual(numbers.map((number) => `Maria ${number} 漢字`));
    const fonts = (file: Buffer) =>
      new Set(run({ "a.pdf": file }, "pdffonts", "a.pdf").said.match(/\b\d+ +0$/gm) ?? []).size;
    expect(fonts(two)).toBeGreaterThan(1);
    expect(fonts(all)).toBeLessThanOrEqual(fonts(two));
  });
});

test("letters of any script are those of the stamp: rare Chinese characters, and Devanagari that is shaped", async () => {
  const text = "𠮷野家 𨋢 क्षत्रिय हिन्दी";
  const drawn: Drawn = {
    kind: "text",
    text,
    isSignature: true,
    caption: { name: text, time: "", code: "", codeAndAddress: "" },
  };
  const sealed = await seal(key, pages(1), [onPage(1, { height: 0.2, drawn })]);
  expect(isSound(sealed)).toBe(true);
  const { said } = run({ "a.pdf": sealed }, "pdftotext", "a.pdf", "-");
  expect(said.trim().split(/\n+/)).toEqual([text, text]);
});

describe("a stamp stands where it is displayed", () => {
  let plain: Buffer;
  let plainBox: ReturnType<typeof darkBox>;
  beforeAll(async () => {
    plain = await seal(key, pdf(onePage()), [onPage(1)]);
    plainBox = darkBox(plain);
  });

  test.each([
    ["an upright page", "", LETTER],
    ["a page turned by 90°", "/Rotate 90", { width: 792, height: 612 }],
    ["a page turned by 180°", "/Rotate 180", LETTER],
    ["a page turned by 270°", "/Rotate 270", { width: 792, height: 612 }],
    ["a cropped page", "/CropBox [100 100 400 500]", { width: 300, height: 400 }],
    ["a page that counts in a larger unit", "/UserUnit 2", { width: 1224, height: 1584 }],
  ])("on %s", async (_, page, pageSize) => {
    const made = await seal(key, pdf(onePage({ page })), [onPage(1, { pageSize })]);
    expect(signaturesOf(made)).toEqual([OURS]);
    const { left, right, top, bottom } = darkBox(made);
    expect(left).toBeGreaterThan(0.1);
    expect(left).toBeLessThan(0.12);
    expect(right).toBeLessThan(0.6);
    expect(top).toBeGreaterThan(0.2);
    expect(bottom).toBeLessThan(0.25);
    // A line that is read from left to right.
    expect(right - left).toBeGreaterThan(3 * (bottom - top));
  });

  test("with the same bytes each time", async () => {
    expect((await seal(key, pdf(onePage()), [onPage(1)])).equals(plain)).toBe(true);
  });

  test.each([
    ["leaves states open", "q q 2 0 0 2 50 50 cm"],
    ["closes states that it did not open, and clips all away", "Q Q Q 0 0 0 0 re W n 3 0 0 3 99 99 cm"],
    ["closes first and leaves open then", "Q q 0 0 0 0 re W n"],
    ["leaves a text open", "BT 50 0 0 50 0 0 Tm"],
  ])("after a content that %s", async (_, content) => {
    const uneven = onePage({ page: "/Contents 9 0 R", objects: { 9: stream("", content) } });
    const made = await seal(key, pdf(uneven), [onPage(1)]);
    expect([signaturesOf(made), isSound(made)]).toEqual([[OURS], true]);
    expect(darkBox(made)).toEqual(plainBox);
  });
});

describe("a stamp is seen, and changes nothing beside it", () => {
  // Poppler and pdfium in turn; each of these files by both, and by ghostscript, in stamps.full.test.ts.
  const readers = [firstPage, byPdfium];
  test.each(covered.map(([name, file], place) => [name, file, readers[place % 2] ?? firstPage] as const))(
    "%s",
    async (_, file, draw) => {
      const stamps = [onPage(1), onPage(1, { x: 0.7, y: 0.8, width: 0.2, drawn: { kind: "mark" } })];
      const made = await seal(key, file, stamps);
      expect([signaturesOf(made), isSound(made)]).toEqual([[OURS], true]);
      const drawn = { before: await draw(file), after: await draw(made) };
      expect(inkOf(stamps, drawn)).toEqual({ inked: [true, true], beside: 0 });
    },
  );

  test("by a button with a free name, where a form field lies below it, and only there", async () => {
    const widget = (name: string) =>
      pdf(
        onePage({
          catalog: "/AcroForm << /Fields [4 0 R] >>",
          page: "/Annots [4 0 R]",
          objects: {
            4: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /Rect [0 0 306 792] /F 4 /P 3 0 R >>`,
          },
        }),
      );
    const buttonsOf = async (file: Buffer, x: number) => {
      const made = await seal(key, file, [onPage(1, { x, width: 0.3 })]);
      return made.toString("latin1", file.length).match(/\(Selo stamps[^)]*\)/g) ?? [];
    };
    expect(await buttonsOf(widget("a"), 0.1)).toEqual(["(Selo stamps)"]);
    expect(await buttonsOf(widget("Selo stamps"), 0.1)).toEqual(["(Selo stamps 2)"]);
    expect(await buttonsOf(widget("a"), 0.6)).toEqual([]);
  });

  test("on a page that inherits its box, and does not name the node above it", async () => {
    const file = pdf({
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: "<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 612 792] >>",
      3: "<< /Type /Page >>",
      4: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    });
    const made = await seal(key, file, [onPage(1)]);
    expect([signaturesOf(made), isSound(made)]).toEqual([[OURS], true]);
    expect(run({ "a.pdf": made }, "pdftotext", "a.pdf", "-").said.trim()).toBe("Maria 😀 漢字");
  });

  test.each([
    ["one of them under a wrong generation", "[5 1 R]", "5 0 R"],
    ["one of them as an array in an array", "[6 0 R]", "6 0 R"],
  ])("on a page whose content has an open layer, and another page names it, too: %s", async (_, wrong, right) => {
    const file = pdf({
      1: "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [7 0 R] /D << /OFF [7 0 R] >> >> >>",
      2: "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${right} /Resources << /Properties << /L 7 0 R >> >> >>`,
      4: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${wrong} >>`,
      5: stream("", "/OC /L BDC 0 0 10 10 re f"),
      6: "[5 0 R]",
      7: "<< /Type /OCG /Name (Draft) >>",
    });
    // The page with the odd name is drawn first.
    const made = await seal(key, file, [onPage(2), onPage(1)]);
    const ink = inkOf([onPage(1)], { before: firstPage(file), after: firstPage(made) });
    expect(ink).toEqual({ inked: [true], beside: 0 });
  });

  test("on each of two pages that share their annotations", async () => {
    const file = pdf({
      1: "<< /Type /Catalog /Pages 2 0 R >>",
      2: "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
      3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots 5 0 R >>",
      4: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Annots 5 0 R >>",
      5: "[6 0 R]",
      6: "<< /Type /Annot /Subtype /Link /Rect [0 0 10 10] >>",
    });
    const made = await seal(key, file, [onPage(1), onPage(2, { drawn: { kind: "text", text: "João" } })]);
    expect(isSound(made)).toBe(true);
    const { said } = run({ "a.pdf": made }, "pdftotext", "a.pdf", "-");
    expect(said.split("\f").map((text) => text.trim())).toEqual(["Maria 😀 漢字", "João", ""]);
  });
});

describe("below a signature stand name, time and code", () => {
  const caption = {
    name: "Marina Costa de Oliveira",
    time: "21/11/2026, 14:47:09 (horário de Brasília, UTC−3)",
    code: "Código K7QF-2MXR-9TDA",
    codeAndAddress: "Código K7QF-2MXR-9TDA, verifique em selo.example/verify",
  };
  const typed: Drawn = { kind: "text", text: "Marina", isSignature: true, caption };
  const paths: Drawn = {
    kind: "paths",
    ratio: 400_000,
    paths: [
      [
        [0, 0],
        [1_000_000, 1_000_000],
      ],
    ],
    caption,
  };
  test.each([
    ["typed", typed, { width: 0.35, height: 0.08 }, ["Marina", caption.name, caption.time, caption.codeAndAddress]],
    ["drawn", paths, { width: 0.35, height: 0.08 }, [caption.name, caption.time, caption.codeAndAddress]],
    ["in a narrow field", typed, { width: 0.15, height: 0.08 }, ["Marina", caption.name, caption.time, caption.code]],
    ["in a low field", typed, { width: 0.35, height: 0.03 }, ["Marina", caption.name, caption.code]],
    ["in a flat field", typed, { width: 0.35, height: 0.015 }, ["Marina", `${caption.name}, ${caption.code}`]],
  ] as const)("%s", async (_, drawn, size, lines) => {
    const stamp = onPage(1, { drawn, ...size });
    const made = await seal(key, pdf(onePage()), [stamp]);
    const { said } = run({ "a.pdf": made }, "pdftotext", "-layout", "a.pdf", "-");
    expect(
      said
        .split(/\n|\f/)
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    ).toEqual(lines);
    expect(inkOf([stamp], { before: firstPage(pdf(onePage())), after: firstPage(made) })).toEqual({
      inked: [true],
      beside: 0,
    });
  });

  test("but not where nobody could read them", async () => {
    const made = await seal(key, pdf(onePage()), [onPage(1, { drawn: typed, width: 0.01, height: 0.0077 })]);
    expect(run({ "a.pdf": made }, "pdftotext", "a.pdf", "-").said.trim()).toBe("Marina");
  });
});
