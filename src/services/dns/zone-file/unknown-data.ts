import type { Token } from "./entries.ts";
import { nameOnWire } from "./presentation-name.ts";
import { escapedBytes, textContent } from "./text-strings.ts";
import type { Data } from "./zone-record.ts";

/** Types that a file may also name by their numbers (RFC 3597 §5): `TYPE1` is `A`. */
const TYPES: Readonly<Record<string, string>> = {
  1: "A",
  2: "NS",
  5: "CNAME",
  6: "SOA",
  12: "PTR",
  15: "MX",
  16: "TXT",
  28: "AAAA",
  33: "SRV",
  257: "CAA",
};

/** The name of a type in upper case. */
export function typeOf(word: string): string {
  const type = word.toUpperCase();
  return TYPES[/^TYPE0*(\d{1,5})$/.exec(type)?.[1] ?? ""] ?? type;
}

/** Whether data have the form of RFC 3597 §5: `\# 4 c0000201`. */
export const isUnknownForm = ([first]: readonly Token[]): boolean => first?.text === "\\#" && !first.isQuoted;

/**
 * The content that the bytes of RFC 3597 §5 stand for.
 * @returns null for bytes that are no data of the type; undefined for a type that the service does not have
 */
export function contentOfUnknownForm(type: string, [, length, ...hex]: readonly Token[]): Data | null | undefined {
  const read = READERS[type];
  if (read === undefined) return undefined;
  const digits = hex.map(({ text }) => text).join("");
  if (!/^\d{1,5}$/.test(length?.text ?? "") || digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) return null;
  const bytes = Buffer.from(digits, "hex");
  return bytes.length === Number(length?.text) ? read(bytes) : null;
}

const plain = (content: string): Data => ({ content, priority: null });

/** The name that ends the data; the root is a dot. */
function hostAt(bytes: Buffer, from: number): string | null {
  const found = nameOnWire(bytes, from);
  return found?.end === bytes.length ? found.name || "." : null;
}

function hostAlone(bytes: Buffer): Data | null {
  const host = hostAt(bytes, 0);
  return host === null ? null : plain(host);
}

const READERS: Readonly<Record<string, (bytes: Buffer) => Data | null>> = {
  A: (bytes) => (bytes.length === 4 ? plain(bytes.join(".")) : null),
  AAAA: (bytes) => (bytes.length === 16 ? plain((bytes.toString("hex").match(/.{4}/g) ?? []).join(":")) : null),
  NS: hostAlone,
  CNAME: hostAlone,
  PTR: hostAlone,
  MX: (bytes) => {
    const host = hostAt(bytes, 2);
    return host === null ? null : { content: host, priority: bytes.readUInt16BE(0) };
  },
  SRV: (bytes) => {
    const host = hostAt(bytes, 6);
    return host === null
      ? null
      : { content: `${bytes.readUInt16BE(2)} ${bytes.readUInt16BE(4)} ${host}`, priority: bytes.readUInt16BE(0) };
  },
  TXT: (bytes) => {
    const strings: Buffer[] = [];
    for (let place = 0; place < bytes.length; ) {
      const end = place + 1 + (bytes[place] ?? 0);
      if (end > bytes.length) return null;
      strings.push(bytes.subarray(place + 1, end));
      place = end;
    }
    return strings.length === 0 ? null : plain(textContent(strings));
  },
  CAA: (bytes) => {
    const value = 2 + (bytes[1] ?? 0);
    const tag = bytes.subarray(2, value).toString("latin1");
    if (value > bytes.length || !/^[a-z0-9]+$/i.test(tag)) return null;
    return plain(`${bytes[0]} ${tag} "${escapedBytes(bytes.subarray(value))}"`);
  },
};
