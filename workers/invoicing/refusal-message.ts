import type { AuthorityError } from "../../src/adapters/tax-authority/authority-answers.ts";

/** Characters of the message of a refused invoice, which lists of invoices answer. */
const MOST = 2_000;

/**
 * Every code with its words, a line each. If all together are too long, each line has an equal share, so that no code is missing. The transmission keeps the
 * whole answer, and the invoice's event all words but the complements.
 */
export function refusalMessage(errors: readonly AuthorityError[]): string {
  const lines = errors.map(lineOf);
  const whole = lines.join("\n");
  if (countOf(whole) <= MOST) return whole;
  const share = Math.floor((MOST + 1) / lines.length) - 1;
  return lines.map((line) => shortened(line, share)).join("\n");
}

const lineOf = ({ code, message, complement }: AuthorityError): string =>
  [`${code}: ${message}`, ...(complement ? [complement] : [])].join(" ");

const countOf = (text: string): number => [...text].length;

const shortened = (line: string, most: number): string =>
  countOf(line) <= most ? line : `${[...line].slice(0, most - 1).join("")}…`;
