/** The bytes are no value in BER. */
class NotBer extends Error {
  override readonly name = "NotBer";
}

/** The value has more parts than what is read. */
export class TooManyParts extends Error {
  override readonly name = "TooManyParts";
}

/** Signatures nest some fifteen deep. */
const MOST_DEPTH = 64;
/** Of a signature with a list of 12,000 revoked certificates, as other programs put into it. It needs some 300 MiB. */
export const MOST_PARTS = 100_000;
const CONSTRUCTED = 0x20;
const UNKNOWN_LENGTH = -1;

/**
 * How long the value is with which the bytes begin, in BER (X.690, 8.1): each part must end where the one around it says, which asn1js does not
 * look at. Bounds what asn1js makes of it, too: a tree of objects.
 * @throws NotBer, TooManyParts
 */
export function berLength(bytes: Buffer): number {
  /** Where each open value ends. */
  const ends: number[] = [];
  let at = 0;
  let parts = 0;
  do {
    const end = ends.at(-1);
    if (end === UNKNOWN_LENGTH && bytes[at] === 0 && bytes[at + 1] === 0) {
      at += 2;
      ends.pop();
    } else {
      parts += 1;
      if (parts > MOST_PARTS) throw new TooManyParts();
      const value = headAt(bytes, at);
      const within = ends.findLast((each) => each !== UNKNOWN_LENGTH) ?? bytes.length;
      if (value.end !== UNKNOWN_LENGTH && value.end > within) throw new NotBer("a part ends behind the whole");
      at = value.start;
      if (value.isConstructed) ends.push(value.end);
      else at = value.end;
      if (ends.length > MOST_DEPTH) throw new NotBer("its parts nest too deeply");
    }
    while (ends.length > 0 && ends.at(-1) === at) ends.pop();
  } while (ends.length > 0);
  return at;
}

/**
 * The parts of a value, each with its own head.
 * @throws NotBer, TooManyParts
 */
export function partsOfBer(bytes: Buffer): Buffer[] {
  const { isConstructed, start, end } = headAt(bytes, 0);
  if (!isConstructed) throw new NotBer("it has no parts");
  const content = bytes.subarray(start, end === UNKNOWN_LENGTH ? bytes.length - 2 : end);
  const parts: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const part = content.subarray(at, at + berLength(content.subarray(at)));
    parts.push(part);
    at += part.length;
  }
  return parts;
}

function headAt(bytes: Buffer, at: number) {
  const tag = bytes[at];
  const first = bytes[at + 1];
  // No type here has a number above 30, and the end of a value of known length is no value.
  if (tag === undefined || first === undefined || tag === 0 || (tag & 0x1f) === 0x1f)
    throw new NotBer("it is no value");
  const isConstructed = (tag & CONSTRUCTED) !== 0;
  const start = at + 2;
  if (first < 0x80) return { isConstructed, start, end: start + first };
  const more = first & 0x7f;
  if (more === 0) {
    if (!isConstructed) throw new NotBer("a value without parts has no length");
    return { isConstructed, start, end: UNKNOWN_LENGTH };
  }
  if (more > 4 || start + more > bytes.length) throw new NotBer("a length is malformed");
  return { isConstructed, start: start + more, end: start + more + bytes.readUIntBE(start, more) };
}
