// Evidence reports, and what other programs find in them, for tests.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestGateway } from "../../support/gateway.ts";
import { readBack, readReceipt } from "../../support/receipt-reader.ts";
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

/** What the programs of others find, each in a file of its name. */
const COMMANDS = {
  qpdf: "qpdf --check file.pdf >qpdf",
  pdfsig: "pdfsig -nocert file.pdf >pdfsig",
  metadata: "pdfinfo -meta file.pdf >metadata",
  structure: "qpdf --qdf --object-streams=disable file.pdf structure",
  attachments: "pdfdetach -list file.pdf >attachments",
  text: "pdftotext -layout file.pdf text",
  words: "pdftotext -bbox file.pdf words",
  info: "pdfinfo file.pdf >info",
  fonts: "pdffonts file.pdf >fonts",
} as const;
type Found = keyof typeof COMMANDS;

/** Runs the programs of these names; answers what each found. */
export const inspected = <Name extends Found>(pdf: Uint8Array, ...names: readonly Name[]) =>
  readBack<Name>(pdf, Object.fromEntries(names.map((name) => [name, COMMANDS[name]])) as Pick<typeof COMMANDS, Name>);

/** Fonts as pdffonts lists them. */
export const fontsOf = ({ fonts }: Pick<Record<Found, string>, "fonts">) =>
  fonts
    .split("\n")
    .slice(2)
    .filter((row) => row !== "")
    .map((row) => ({
      name: row.split(" ")[0] ?? "",
      isEmbedded: / yes (?:yes|no) +(?:yes|no) +\d+ +\d+$/.test(row),
    }));

/** Words that reach beyond the margins of their page. */
export const outsideOf = ({ words }: Pick<Record<Found, string>, "words">): string[] =>
  [...words.matchAll(/<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g)]
    .filter(
      ([, left, top, right, below]) =>
        Number(left) < 40 || Number(right) > 556 || Number(top) < 0 || Number(below) > 842,
    )
    .map(([, , , , , word = ""]) => word);

/** How many dots of all pages are nearly black (below 100 of 255), at 75 dots an inch. */
export const darkDots = (pdf: Uint8Array): number =>
  Number(readBack(pdf, { dots: "pdftoppm -r 75 -gray file.pdf | LC_ALL=C tr -d '\\144-\\377' | wc -c >dots" }).dots);

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
