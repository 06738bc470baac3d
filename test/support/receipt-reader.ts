import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

/** A receipt as programs read it that know nothing of ours: poppler. */
export interface ReadReceipt {
  /** What is printed, line by line as it stands on the page. */
  readonly text: string;
  /** The same in the order it was drawn. */
  readonly raw: string;
  /** The attachment evidence.json. */
  readonly evidence: string;
  /** What pdfdetach lists. */
  readonly attachments: string;
  /** What pdfinfo says, by its own names. */
  readonly info: Readonly<Record<string, string>>;
}

/** Reads a receipt back: its text by pdftotext, its attachment by pdfdetach. */
export function readReceipt(pdf: Uint8Array): ReadReceipt {
  const files = readBack(pdf, {
    evidence: "pdfdetach -savefile evidence.json -o evidence file.pdf",
    info: "pdfinfo file.pdf >info",
    text: "pdftotext -layout file.pdf text",
    raw: "pdftotext -raw file.pdf raw",
    attachments: "pdfdetach -list file.pdf >attachments",
  });
  return { ...files, info: infoOf(files.info) };
}

/** What pdfinfo says, by its own names. */
export function infoOf(said: string): Readonly<Record<string, string>> {
  const lines = said.matchAll(/^([^:\n]+): +(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value]));
}

/** What is printed as the payload, its lines joined. */
export function printedPayload({ text }: ReadReceipt): string {
  const [, below = ""] = text.split(/^(?:Signed content|Conteúdo assinado)$/m);
  const payload = below.slice(below.indexOf("{"), below.lastIndexOf("}") + 1);
  return payload.replaceAll(/[\n\f]/g, "");
}

/** What can be read from the page once it is printed in grey: its letters, and its QR code. */
export function readGrey(pdf: Uint8Array): { readonly text: string; readonly qrCode: string } {
  const { text, code } = readBack(pdf, {
    "page.pgm": "pdftoppm -r 200 -gray -singlefile file.pdf page",
    // In one thread: several only wait for each other on a busy machine.
    text: "OMP_THREAD_LIMIT=1 tesseract page.pgm stdout --psm 6 >text 2>tesseract.log",
    code: "zbarimg --quiet --raw --nodbus -Sdisable -Sqrcode.enable page.pgm >code",
  });
  return { text, qrCode: code.trimEnd() };
}

/** What the QR code says, as a scanner reads it from the printed page. */
export function scanReceipt(pdf: Uint8Array): string {
  return readBack(pdf, SCAN).code.trimEnd();
}

/** Makes `code`: what the QR code of the first page says. */
export const SCAN = {
  "page.pgm": "pdftoppm -r 150 -gray -singlefile file.pdf page",
  code: "zbarimg --quiet --raw --nodbus -Sdisable -Sqrcode.enable page.pgm >code",
} as const;

/**
 * Runs one command after the other in a folder with `file.pdf`; answers the file that each made, by its name.
 * One shell runs them all: this process is large, and starting a program from it takes longer than the program does.
 * Whatever a program complains of is a failure: poppler goes on with a broken PDF.
 */
export function readBack<Name extends string>(
  pdf: Uint8Array,
  commands: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-pdf-"));
  try {
    fs.writeFileSync(path.join(folder, "file.pdf"), pdf);
    const script = Object.values<string>(commands).join("\n");
    const { status, stderr } = spawnSync("sh", ["-euc", script], { cwd: folder, encoding: "utf8" });
    if (status !== 0 || stderr !== "") throw new Error(`a program ended with ${status}: ${stderr}\nof\n${script}`);
    const made = Object.keys(commands).map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]);
    return Object.fromEntries(made) as Record<Name, string>;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
