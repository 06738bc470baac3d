/** Text as the fields of the layout may hold it. */

/** Code points that XML 1.0 cannot hold, and DEL and the C1 controls, which nobody means. */
const NOT_TEXT = /[^\t\n\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const BEYOND_LATIN_1 = /[^\u0020-\u00FF]/gu;
const ACCENTS = /\p{M}/gu;
/** Signs that people paste from word processors, in what Latin-1 has for them. */
const LATIN_SIGNS = new Map([
  ["‐", "-"],
  ["‑", "-"],
  ["–", "-"],
  ["—", "-"],
  ["‘", "'"],
  ["’", "'"],
  ["“", '"'],
  ["”", '"'],
  ["•", "·"],
  ["…", "..."],
  ["€", "EUR"],
  ["™", "(TM)"],
]);

/** Text with its lines, cut to `most` code points. */
export function freeText(text: string, most: number): string {
  const clean = text.replace(/\r\n?/g, "\n").replace(NOT_TEXT, "").trim();
  return [...clean].slice(0, most).join("").trimEnd() || "-";
}

/** One line of Latin-1 (TSString), cut to `most` characters. A letter that Latin-1 lacks loses its accent, and otherwise becomes "?". */
export function latinText(text: string, most: number): string {
  const line = text
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(NOT_TEXT, "")
    .replace(BEYOND_LATIN_1, latinSign)
    .trim();
  return line.slice(0, most).trimEnd() || "-";
}

function latinSign(sign: string): string {
  const known = LATIN_SIGNS.get(sign);
  if (known !== undefined) return known;
  return sign.normalize("NFKD").replace(ACCENTS, "").replace(BEYOND_LATIN_1, "?") || "";
}
