import { isUtf8 } from "node:buffer";

/** The strings of a TXT record have at most so many bytes (RFC 1035 §3.3.14). */
export const MOST_STRING = 255;

/**
 * The bytes of a word with its escapes: \DDD is a byte, a backslash before another character is that character (RFC 1035 §5.1).
 * Null for digits that are no byte.
 */
export function unescaped(text: string): Buffer | null {
  if (!text.includes("\\")) return Buffer.from(text);
  const parts: Buffer[] = [];
  for (const [, digits, one, plain] of text.matchAll(/\\(\d{3})|\\(\D)|([^\\]+)|\\/gsu)) {
    if (digits !== undefined) {
      if (Number(digits) > 255) return null;
      parts.push(Buffer.from([Number(digits)]));
    } else if (one === undefined && plain === undefined) return null;
    else parts.push(Buffer.from(one ?? plain ?? ""));
  }
  return Buffer.concat(parts);
}

/** The bytes of a text, cut into strings. */
export const cut = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / MOST_STRING) }, (_, place) =>
    bytes.subarray(place * MOST_STRING, (place + 1) * MOST_STRING),
  );

/** A string as a zone file has it: in quotation marks, everything but printable ASCII as \DDD. */
export const quoted = (bytes: Buffer): string => `"${escapedBytes(bytes)}"`;

/** Bytes as a quoted string has them, without the quotation marks. */
export const escapedBytes = (bytes: Buffer): string =>
  bytes
    .toString("latin1")
    .replaceAll(/["\\]|[^\x20-\x7e]/g, (one) =>
      one === '"' || one === "\\" ? `\\${one}` : `\\${String(one.charCodeAt(0)).padStart(3, "0")}`,
    );

const CONTROL = /\p{Cc}/u;

/**
 * Strings of a TXT record as the API takes them: the text itself, or quoted strings where the text would be cut in another way, is no
 * text, or would be read as quoted strings.
 */
export function textContent(strings: readonly Buffer[]): string {
  const whole = Buffer.concat(strings);
  const text = isUtf8(whole) ? whole.toString("utf8") : null;
  const isPlain = text !== null && text !== "" && !text.startsWith('"') && !CONTROL.test(text);
  const again = cut(whole);
  if (
    isPlain &&
    again.length === strings.length &&
    again.every((each, place) => each.length === strings[place]?.length)
  )
    return text;
  return strings.map((each) => `"${readable(each)}"`).join(" ");
}

/** Like {@link escapedBytes}, but text stays readable. */
function readable(bytes: Buffer): string {
  const text = isUtf8(bytes) ? bytes.toString("utf8") : null;
  if (text === null || CONTROL.test(text)) return escapedBytes(bytes);
  return text.replaceAll(/["\\]/g, "\\$&");
}

const QUOTED_STRING = /"((?:[^"\\]|\\.)*)"/gsu;

/** The strings of a TXT content of the API. Null for a content that SQL refuses. */
export function stringsOf(content: string): Buffer[] | null {
  if (!content.startsWith('"')) return cut(Buffer.from(content));
  const strings = [...content.matchAll(QUOTED_STRING)].map(([, text = ""]) => unescaped(text));
  return strings.every((each) => each !== null) ? strings : null;
}
