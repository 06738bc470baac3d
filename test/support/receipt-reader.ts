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
  return withFile(pdf, (file, folder) => {
    const saved = path.join(folder, "evidence.json");
    run("pdfdetach", "-savefile", "evidence.json", "-o", saved, file);
    const info = run("pdfinfo", file).matchAll(/^([^:\n]+): +(.*)$/gm);
    return {
      text: run("pdftotext", "-layout", file, "-"),
      raw: run("pdftotext", "-raw", file, "-"),
      evidence: fs.readFileSync(saved, "utf8"),
      attachments: run("pdfdetach", "-list", file),
      info: Object.fromEntries([...info].map(([, name = "", value = ""]) => [name, value])),
    };
  });
}

/** What the QR code says, as a scanner reads it from the printed page. */
export function scanReceipt(pdf: Uint8Array): string {
  return withFile(pdf, (file, folder) => {
    run("pdftoppm", "-r", "150", "-png", "-singlefile", file, path.join(folder, "page"));
    return run(
      "zbarimg",
      "--quiet",
      "--raw",
      "--nodbus",
      "-Sdisable",
      "-Sqrcode.enable",
      path.join(folder, "page.png"),
    ).trimEnd();
  });
}

function withFile<Result>(pdf: Uint8Array, read: (file: string, folder: string) => Result): Result {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-receipt-"));
  try {
    const file = path.join(folder, "receipt.pdf");
    fs.writeFileSync(file, pdf);
    return read(file, folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Whatever a program complains of is a failure: poppler goes on with a broken PDF. */
function run(program: string, ...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: "utf8" });
  if (status !== 0 || stderr !== "") throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}
