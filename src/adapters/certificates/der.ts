/** A value of ASN.1 in DER (X.690), as certificates and what authorities publish have it. */
export interface Der {
  /** The first byte: class, whether it has parts, number. */
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly whole: Buffer;
}

/** Tags of universal types. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;
/** Tag of the context-specific type [n]: with parts, or without. */
export const context = (number: number): number => 0xa0 | number;
export const primitive = (number: number): number => 0x80 | number;

/** The bytes are not DER, or not of the type that they should be. */
export class DerError extends Error {
  override readonly name = "DerError";
}

/**
 * Reads bytes that are one value, and no more. Only the value's own length is checked: its parts are read when they are asked for, so nesting
 * costs nothing.
 * @param tag the type that it must have
 * @throws DerError
 */
export function readDer(bytes: Buffer, tag?: number): Der {
  const value = valueAt(bytes, 0);
  if (value.whole.length !== bytes.length) throw new DerError("there are bytes behind the value");
  return tag === undefined ? value : expectTag(value, tag);
}

/** The parts of a value, one by one. A list may have hundreds of thousands. */
export function* eachPart(value: Der): Generator<Der, void, undefined> {
  if ((value.tag & 0x20) === 0) throw new DerError("the value has no parts");
  for (let offset = 0; offset < value.content.length; ) {
    const part = valueAt(value.content, offset);
    offset += part.whole.length;
    yield part;
  }
}

/** @throws DerError for more than `most` parts */
export function partsOf(value: Der, most = 1_000): Der[] {
  const parts: Der[] = [];
  for (const part of eachPart(value)) {
    if (parts.length === most) throw new DerError("the value has too many parts");
    parts.push(part);
  }
  return parts;
}

/** @throws DerError for another type, or for none */
export function expectTag(value: Der | undefined, tag: number): Der {
  if (value?.tag !== tag) throw new DerError(`a value of type ${tag} is missing`);
  return value;
}

/** The dotted form of an object identifier. */
export function readOid(value: Der | undefined): string {
  const { content } = expectTag(value, TAG.oid);
  if (content.length === 0 || content.length > 64) throw new DerError("the object identifier has another length");
  const numbers: bigint[] = [];
  let number = 0n;
  for (const byte of content) {
    number = (number << 7n) | BigInt(byte & 0x7f);
    if (byte & 0x80) continue;
    numbers.push(number);
    number = 0n;
  }
  const [first = 0n, ...others] = numbers;
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...others].join(".");
}

function valueAt(bytes: Buffer, offset: number): Der {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw new DerError("the value ends too early");
  // No type here has a number above 30.
  if ((tag & 0x1f) === 0x1f) throw new DerError("the type is unknown");
  let start = offset + 2;
  let length = first;
  if (first > 0x7f) {
    const more = first & 0x7f;
    if (more < 1 || more > 4 || start + more > bytes.length) throw new DerError("the length is malformed");
    length = bytes.readUIntBE(start, more);
    start += more;
    if (length < 0x80 || length < 2 ** (8 * (more - 1))) throw new DerError("the length is not as short as it can be");
  }
  const end = start + length;
  if (end > bytes.length) throw new DerError("the value ends too early");
  return { tag, content: bytes.subarray(start, end), whole: bytes.subarray(offset, end) };
}
