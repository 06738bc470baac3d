import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import PDFDocument from "pdfkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CATALOG, ONE_PAGE, PAGE, pdf } from "./pdf-file.ts";
import { verdictHere } from "./verdict-of.ts";

const page = (members: string) => pdf({ ...ONE_PAGE, 3: `<< /Type /Page /Parent 2 0 R ${members} >>` });
const BOX = "/MediaBox [0 0 612 792]";
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "selo-pdf-sizes-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Size and rotation of each page, as poppler reads them; poppler ignores /UserUnit. */
function byPoppler(file: Buffer): string {
  const name = path.join(folder, "file.pdf");
  writeFileSync(name, file);
  const printed = execFileSync("pdfinfo", ["-f", "1", "-l", "9999", name], { encoding: "utf8", stdio: "pipe" });
  const sizes = [...printed.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+) pts/gm)];
  const turns = [...printed.matchAll(/^Page\s+\d+ rot:\s+(\d+)/gm)];
  const shown = sizes.map(([, width, height], index) =>
    Number(turns[index]?.[1]) % 180 === 0 ? `${Number(width)}x${Number(height)}` : `${Number(height)}x${Number(width)}`,
  );
  return `ready: ${shown.join(" ")}`;
}

const sizes: [title: string, size: string, file: Buffer][] = [
  ["the media box", "612x792", page(BOX)],
  ["a media box that does not begin at 0", "500.5x300", page("/MediaBox [-100 50.0 400.5 350]")],
  ["corners the other way round", "612x792", page("/MediaBox [612 792 0 0]")],
  ["a crop box inside", "200x100", page(`${BOX} /CropBox [100 100 300 200]`)],
  ["turned by 90", "792x612", page(`${BOX} /Rotate 90`)],
  ["turned by 180", "612x792", page(`${BOX} /Rotate 180`)],
  ["turned by -90", "792x612", page(`${BOX} /Rotate -90`)],
  ["turned by 450", "792x612", page(`${BOX} /Rotate 450`)],
  ["turned and cropped", "100x200", page(`${BOX} /CropBox [100 100 300 200] /Rotate 270`)],
  ["numbers by reference", "612x792", pdf({ ...ONE_PAGE, 3: PAGE.replace("612", "4 0 R"), 4: "612" })],
  [
    "everything inherited, and overridden",
    "300x400 612x792 792x612",
    pdf({
      1: CATALOG,
      2: `<< /Type /Pages /Kids [3 0 R 7 0 R] /Count 3 ${BOX} /Rotate 90 >>`,
      3: "<< /Type /Pages /Parent 2 0 R /Kids [4 0 R 5 0 R] /Count 2 /MediaBox [0 0 400 300] >>",
      4: "<< /Type /Page /Parent 3 0 R >>",
      5: `<< /Type /Page /Parent 3 0 R ${BOX} /Rotate 0 >>`,
      7: "<< /Type /Page /Parent 2 0 R >>",
    }),
  ],
];

test.each(sizes)("%s: %s, and poppler agrees", async (_, size, file) => {
  expect(await verdictHere(file)).toBe(`ready: ${size}`);
  expect(byPoppler(file)).toBe(`ready: ${size}`);
});

test("of a crop box that sticks out, what lies inside the media box is shown; poppler ignores such a box", async () => {
  expect(await verdictHere(page(`${BOX} /CropBox [100 700 2000 2000]`))).toBe("ready: 512x92");
});

test("a crop box outside shows the media box, as in browsers", async () => {
  expect(await verdictHere(page(`${BOX} /CropBox [1000 1000 2000 2000]`))).toBe("ready: 612x792");
});

test("/UserUnit multiplies, and is not inherited", async () => {
  expect(await verdictHere(page(`${BOX} /UserUnit 2.5`))).toBe("ready: 1530x1980");
  const above = pdf({ ...ONE_PAGE, 2: "<< /Type /Pages /Kids [3 0 R] /Count 1 /UserUnit 2 >>" });
  expect(await verdictHere(above)).toBe("ready: 612x792");
});

test.each([
  ["a rotation by 45", `${BOX} /Rotate 45`],
  ["a media box of three numbers", "/MediaBox [0 0 612]"],
  ["a media box of names", "/MediaBox [/a /b /c /d]"],
  ["a media box without height", "/MediaBox [0 0 612 0]"],
  ["a negative unit", `${BOX} /UserUnit -1`],
])("%s is damage", async (_, members) => {
  expect(await verdictHere(page(members))).toBe("unprocessable: truncated");
});

test("pdfkit's files, with pictures of text, in several sizes", async () => {
  const document = new PDFDocument({ size: "A4" });
  const parts: Buffer[] = [];
  document.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => document.on("end", resolve));
  document
    .text("one")
    .addPage({ size: "LETTER", layout: "landscape" })
    .text("two")
    .addPage({ size: [100, 200] });
  document.end();
  await ended;
  const file = Buffer.concat(parts);
  expect(await verdictHere(file)).toBe("ready: 595.28x841.89 792x612 100x200");
  expect(byPoppler(file)).toBe("ready: 595.28x841.89 792x612 100x200");
});
