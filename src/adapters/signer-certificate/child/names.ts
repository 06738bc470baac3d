import { type Der, partsOf, readDer, readOid, TAG } from "../../certificates/der.ts";

const COMMON_NAME = "2.5.4.3";
const T61_STRING = 0x14;

/**
 * Whether two names are the same: by their bytes, or by their texts without case and further spaces (RFC 5280, 7.1). Authorities write the name of
 * their issuer as a PrintableString where the issuer has a UTF8String.
 */
export function isSameName(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  return JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));
}

/** The last common name; null for a name without one. */
export function commonName(name: Buffer): string | null {
  const found = attributes(name)
    .flat()
    .findLast(({ type }) => type === COMMON_NAME);
  return found ? textOf(found.value) : null;
}

const comparable = (name: Buffer): unknown =>
  attributes(name).map((set) =>
    set.map(({ type, value }) => [type, textOf(value).trim().replaceAll(/\s+/g, " ").toLowerCase()]),
  );

function attributes(name: Buffer): { type: string; value: Der }[][] {
  return partsOf(readDer(name, TAG.sequence), 50).map((set) =>
    partsOf(set, 20).flatMap((attribute) => {
      const [type, value] = partsOf(attribute, 2);
      return value ? [{ type: readOid(type), value }] : [];
    }),
  );
}

/** On one line: without control characters, which Postgres, PDFs and terminals read each in their own way. */
function textOf({ tag, content }: Der): string {
  const text =
    tag === TAG.bmpString && content.length % 2 === 0
      ? Buffer.from(content).swap16().toString("utf16le")
      : content.toString(tag === T61_STRING ? "latin1" : "utf8");
  return oneLine(text);
}

/** Without control characters and lone surrogates. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, " ")
    .toWellFormed()
    .trim();
