import { checkPdf, type PdfCheck, type PdfCheckOptions } from "../../../src/adapters/pdf-check/check-pdf.ts";
import { check } from "../../../src/adapters/pdf-check/child/check.ts";
import { rehearse } from "../../../src/adapters/pdf-seal/child/rehearse.ts";
import { pieces } from "./pdf-file.ts";

/** The verdict in one line, such as `unprocessable: truncated`, `quarantined: launch`, `ready: 612x792 200x100`. */
export async function verdictOf(file: Buffer, options?: PdfCheckOptions): Promise<string> {
  // On a busy machine much time passes in which the program works little.
  const limits = { wallSeconds: 600, ...options?.limits };
  return inOneLine(await checkPdf(pieces(file), { ...options, limits }).deep);
}

/** The same by the same code, in this process: a process for each of a hundred small files takes a minute. */
export async function verdictHere(file: Buffer): Promise<string> {
  const verdicts: string[] = [];
  await check(file, { pages: 2000, cpuSeconds: Number.POSITIVE_INFINITY }, rehearse, (answer) => {
    if (answer.stage === "deep") verdicts.push(inOneLine(answer.verdict));
  });
  return verdicts.join(" and ");
}

function inOneLine(verdict: Awaited<PdfCheck["deep"]>): string {
  switch (verdict.verdict) {
    case "ready":
      return `ready: ${verdict.pages.map(({ width, height }) => `${width}x${height}`).join(" ")}`;
    case "failed":
      return `failed: ${verdict.detail}`;
    default:
      return `${verdict.verdict}: ${verdict.reason}`;
  }
}
