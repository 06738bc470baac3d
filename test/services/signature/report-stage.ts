// Evidence reports, and what other programs find in them, for tests.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestGateway } from "../../support/gateway.ts";
import { readReceipt } from "../../support/receipt-reader.ts";
import { call, type RestResponse } from "../../support/rest-client.ts";
import type { EnvelopeStage } from "./envelope-stage.ts";

const PDF = "application/pdf";

interface Asked {
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks for the evidence of an envelope; for its report unless `accept` says otherwise. */
export const reportOf = (
  { selo, token }: Pick<EnvelopeStage, "selo" | "token">,
  id: string,
  { headers = {}, ...asked }: Asked = {},
): Promise<RestResponse> => {
  const accept = "accept" in asked ? asked.accept : PDF;
  return call(selo, "GET", `/envelopes/${id}/evidence`, {
    token,
    headers: { ...(accept === undefined ? {} : { accept }), ...headers },
  });
};

/** Text and attachment, by poppler. */
export const readReport = readReceipt;

/** The text in one line, without what stands at the head and the foot of each page. */
export const proseOf = ({ text }: { readonly text: string }): string =>
  text
    .split(/[\n\f]/)
    .filter((line) => !/^ *(?:TESTE? · |(?:Evidence report|Relatório de evidências) +[\dA-Z-]{14} )/.test(line))
    .join(" ")
    .replaceAll(/\s+/g, " ");

export interface Inspected {
  readonly qpdf: string;
  readonly pdfsig: string;
  readonly qrCode: string;
  readonly metadata: string;
  readonly structure: string;
  readonly attachments: string;
  readonly text: string;
  /** How many dots of all pages are nearly black, at 75 dots an inch. */
  readonly darkDots: number;
  readonly info: Readonly<Record<string, string>>;
  readonly fonts: readonly { readonly name: string; readonly isEmbedded: boolean }[];
  /** Words that reach beyond the margins of their page, or stand over other words of their line. */
  readonly outside: readonly string[];
}

/** What programs find that know nothing of ours. */
export function inspected(pdf: Uint8Array): Inspected {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-report-"));
  try {
    const file = path.join(folder, "report.pdf");
    fs.writeFileSync(file, pdf);
    const run = (program: string, ...args: readonly string[]) => {
      const { stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
      if (error !== undefined) throw error;
      return stdout + stderr;
    };
    run("pdftoppm", "-r", "150", "-gray", "-f", "1", "-l", "1", "-singlefile", file, "page");
    run("pdftoppm", "-r", "75", "-gray", file, "all");
    const dots = fs
      .readdirSync(folder)
      .filter((name) => /^all-\d+\.pgm$/.test(name))
      // Behind three lines of header each byte is a dot.
      .map(
        (name) =>
          fs
            .readFileSync(path.join(folder, name))
            .subarray(20)
            .filter((grey) => grey < 100).length,
      );
    const info = run("pdfinfo", file).matchAll(/^([^:\n]+): +(.*)$/gm);
    const words = [
      ...run("pdftotext", "-bbox", file, "-").matchAll(
        /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g,
      ),
    ];
    return {
      qpdf: run("qpdf", "--check", file),
      pdfsig: run("pdfsig", "-nocert", file),
      qrCode: run(
        "zbarimg",
        "--quiet",
        "--raw",
        "--nodbus",
        "-Sdisable",
        "-Sqrcode.enable",
        path.join(folder, "page.pgm"),
      ).trim(),
      metadata: run("pdfinfo", "-meta", file),
      structure: run("pdfinfo", "-struct-text", file) + run("qpdf", "--qdf", "--object-streams=disable", file, "-"),
      attachments: run("pdfdetach", "-list", file),
      text: run("pdftotext", "-layout", file, "-"),
      darkDots: dots.reduce((sum, each) => sum + each, 0),
      info: Object.fromEntries([...info].map(([, name = "", value = ""]) => [name, value])),
      fonts: run("pdffonts", file)
        .split("\n")
        .slice(2)
        .filter((row) => row !== "")
        .map((row) => ({
          name: row.split(" ")[0] ?? "",
          isEmbedded: / yes (?:yes|no) +(?:yes|no) +\d+ +\d+$/.test(row),
        })),
      outside: words
        .filter(
          ([, left, top, right, below]) =>
            Number(left) < 40 || Number(right) > 556 || Number(top) < 0 || Number(below) > 842,
        )
        .map(([, , , , , word = ""]) => word),
    };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it
export type Attached = any;

/** evidence.json of the report of an envelope. */
export const attachedOf = async (stage: Pick<EnvelopeStage, "selo" | "token">, id: string): Promise<Attached> =>
  JSON.parse(readReport((await reportOf(stage, id)).bytes).evidence);

/** What python3 finds in evidence.json, which shares no code with us, and whether the file is a document of the envelope. */
export async function byPython(
  selo: Pick<TestGateway, "baseUrl">,
  attached: Attached,
  file: Uint8Array,
): Promise<{ readonly file: string; readonly faults: readonly string[] }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-report-"));
  try {
    const keys = (await call(selo, "GET", "/public/platform-key")).text;
    const files = { "file.pdf": file, "evidence.json": JSON.stringify(attached), "keys.json": keys };
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content);
    const program = path.join(import.meta.dirname, "../../verifier/envelope_report.py");
    const paths = Object.keys(files).map((name) => path.join(folder, name));
    return JSON.parse(execFileSync("python3", [program, ...paths], { encoding: "utf8" }));
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
