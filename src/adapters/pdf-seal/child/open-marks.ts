const WHITE = new Set(Buffer.from("\0\t\n\f\r "));
const DELIMITERS = new Set(Buffer.from("()<>[]{}/%"));

/** Marked contents (`BMC` or `BDC` … `EMC`) that a stream ends without having begun, and begins without ending. */
export interface Marks {
  readonly closed: number;
  readonly open: number;
}

export const NO_MARKS: Marks = { closed: 0, open: 0 };

/** What a stream of a page's content does to marked content. No operator goes on in the next stream (ISO 32000-2, 7.8.2). */
export function marksOf(content: Buffer): Marks {
  // Most contents mark nothing, and a search for bytes is far quicker than reading.
  if (!["BMC", "BDC", "EMC"].some((operator) => content.includes(operator))) return NO_MARKS;
  let { closed, open } = NO_MARKS;
  for (const operator of operators(content)) {
    if (operator === "BMC" || operator === "BDC") open += 1;
    else if (operator === "EMC" && open > 0) open -= 1;
    else if (operator === "EMC") closed += 1;
  }
  return { closed, open };
}

/** The words of a content stream (ISO 32000-2, 7.8.2), without strings, names, comments and the data of inline images. */
function* operators(content: Buffer): Generator<string> {
  let at = 0;
  let isImage = false;
  while (at < content.length) {
    const byte = content[at] ?? 0;
    if (WHITE.has(byte)) at += 1;
    else if (byte === 0x25) at = endOfLine(content, at);
    else if (byte === 0x28) at = endOfString(content, at);
    else if (byte === 0x3c && content[at + 1] !== 0x3c) at = after(content, ">", at);
    else if (byte === 0x2f) at = endOfWord(content, at + 1);
    else if (DELIMITERS.has(byte)) at += 1;
    else {
      const end = endOfWord(content, at);
      const word = content.toString("latin1", at, end);
      yield word;
      if (word === "BI") isImage = true;
      // Without its BI it is an operator that readers do not know.
      const hasData = word === "ID" && isImage;
      at = hasData ? endOfImage(content, end) : end;
      if (hasData) isImage = false;
    }
  }
}

function endOfWord(content: Buffer, from: number): number {
  let at = from;
  while (at < content.length && !WHITE.has(content[at] ?? 0) && !DELIMITERS.has(content[at] ?? 0)) at += 1;
  return at;
}

function endOfLine(content: Buffer, from: number): number {
  let at = from;
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at += 1;
  return at;
}

/** Parentheses in a string are in pairs, or escaped. */
function endOfString(content: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < content.length; at++) {
    if (content[at] === 0x5c) at += 1;
    else if (content[at] === 0x28) depth += 1;
    else if (content[at] === 0x29 && --depth === 0) return at + 1;
  }
  return content.length;
}

function after(content: Buffer, text: string, from: number): number {
  const at = content.indexOf(text, from, "latin1");
  return at < 0 ? content.length : at + text.length;
}

/** The data of an inline image end before an `EI` that stands alone. */
function endOfImage(content: Buffer, from: number): number {
  for (let at = content.indexOf("EI", from); at >= 0; at = content.indexOf("EI", at + 2)) {
    const isAlone = WHITE.has(content[at - 1] ?? 0) && (at + 2 >= content.length || WHITE.has(content[at + 2] ?? 0));
    if (isAlone) return at + 2;
  }
  return content.length;
}
