import type { Document } from "../../pdf-check/child/document.ts";
import { Syntax } from "../../pdf-check/child/syntax.ts";
import {
  Bomb,
  type Dict,
  isInteger,
  nameText,
  Ref,
  Text,
  Unreadable,
  type Value,
} from "../../pdf-check/child/values.ts";

/** A signature of the file, as its dictionary says. */
export interface FoundSignature {
  /** The SubFilter. */
  readonly format: string | null;
  /** What the signature signs; null for a byte range that leaves out more or less than the signature itself. */
  readonly signed: SignedBytes | null;
  /** What stands between the two. */
  readonly contents: Buffer;
  /** The time that the dictionary says (/M). */
  readonly claimedAt: Date | null;
}

/** From 0 to `start`, and from `resume` to `end`. */
export interface SignedBytes {
  readonly start: number;
  readonly resume: number;
  readonly end: number;
}

/** The file has more than so many signatures. */
export class TooManySignatures extends Error {
  override readonly name = "TooManySignatures";
}

const MOST_SIGNATURES = 100;
/** Fields of a form that are looked at. */
const MOST_FIELDS = 100_000;
const FORMAT = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The signatures in the fields of the form (ISO 32000-2, 12.8), in the order of what they sign.
 * @throws TooManySignatures; Unreadable, Bomb
 */
export function findSignatures(document: Document): FoundSignature[] {
  const found: FoundSignature[] = [];
  const seen = new Set<number>();
  for (const { value, holder } of valuesOfFields(document)) {
    if (value instanceof Ref) {
      if (seen.has(value.number)) continue;
      seen.add(value.number);
    }
    const dict = document.resolve(value);
    if (!(dict instanceof Map)) continue;
    if (found.length === MOST_SIGNATURES) throw new TooManySignatures();
    found.push(readSignature(document, dict, placeOf(document, value, holder)));
  }
  return found.sort((one, other) => (one.signed?.end ?? 0) - (other.signed?.end ?? 0));
}

/** The values of fields of signatures, also those that several fields have, and where each field stands. */
function* valuesOfFields(document: Document): Generator<{ readonly value: Value; readonly holder: Value }> {
  const { resolve } = document;
  const list = (value: Value | undefined): Value[] => {
    const found = resolve(value);
    return Array.isArray(found) ? found : [];
  };
  const form = resolve(document.catalog().get("AcroForm"));
  const fields: { readonly at: Value; readonly type: string | undefined }[] = [];
  const add = (values: Value[], type: string | undefined) => {
    for (const at of values) fields.push({ at, type });
    if (fields.length > MOST_FIELDS) throw new Bomb("the form has too many fields");
  };
  if (form instanceof Map) add(list(form.get("Fields")), undefined);
  const seen = new Set<number>();
  for (const { at, type: inherited } of fields) {
    if (at instanceof Ref && seen.has(at.number)) continue;
    if (at instanceof Ref) seen.add(at.number);
    const field = resolve(at);
    if (!(field instanceof Map)) continue;
    const type = nameText(resolve(field.get("FT"))) ?? inherited;
    const value = field.get("V");
    if (value != null && (type === "Sig" || hasByteRange(resolve(value)))) yield { value, holder: at };
    add(list(field.get("Kids")), type);
  }
}

const hasByteRange = (value: Value) => value instanceof Map && value.has("ByteRange");

/** Where the dictionary begins in the file; null inside an object stream, or in an array of fields: nothing signs itself there. */
function placeOf(document: Document, value: Value, holder: Value): number | null {
  if (value instanceof Ref) return bodyOf(document, value);
  const start = holder instanceof Ref ? bodyOf(document, holder) : null;
  return start === null ? null : (membersAt(document.file, start)?.members.get("V")?.start ?? null);
}

/** Where the value of an object begins. */
function bodyOf({ file, crossReference }: Document, ref: Ref): number | null {
  const entry = crossReference.newest.get(ref.number);
  if (!entry || !("offset" in entry)) return null;
  const at = new Syntax(file, entry.offset);
  at.expectInteger();
  at.expectInteger();
  at.expectKeyword("obj");
  at.skipWhite();
  return at.position;
}

interface Member {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
}

/** The members of a dictionary, with their places. */
function membersAt(
  file: Buffer,
  start: number,
): { readonly members: Map<string, Member>; readonly end: number } | null {
  if (file.toString("latin1", start, start + 2) !== "<<") return null;
  const at = new Syntax(file, start + 2);
  const members = new Map<string, Member>();
  for (;;) {
    at.skipWhite();
    if (file.toString("latin1", at.position, at.position + 2) === ">>") return { members, end: at.position + 2 };
    const key = nameText(at.value());
    if (key === undefined) throw new Unreadable("a key of a dictionary is missing");
    at.skipWhite();
    const from = at.position;
    members.set(key, { value: at.value(), start: from, end: at.position });
  }
}

function readSignature(document: Document, dict: Dict, place: number | null): FoundSignature {
  const { file } = document;
  const given = nameText(document.resolve(dict.get("SubFilter")));
  const format = given !== undefined && FORMAT.test(given) ? given : null;
  const written = place === null ? null : membersAt(file, place);
  const contents = written?.members.get("Contents");
  const claimed = written?.members.get("M");
  const isHex = contents !== undefined && file[contents.start] === 0x3c;
  if (!written || !contents || !isHex) return { format, signed: null, contents: Buffer.alloc(0), claimedAt: null };
  return {
    format,
    signed: signedBy(written.members.get("ByteRange")?.value, contents, written.end, file.length),
    contents: bytesOfHex(file, contents),
    claimedAt: claimed === undefined ? null : timeAt(file, claimed.start),
  };
}

/** The byte range must leave out the text of the signature, all of it and nothing else, and hold the rest of its dictionary. */
function signedBy(range: Value | undefined, contents: Member, dictEnd: number, size: number): SignedBytes | null {
  if (!Array.isArray(range) || range.length !== 4) return null;
  const [first, start, resume, rest] = range;
  if (first !== 0 || !isInteger(start) || !isInteger(resume) || !isInteger(rest) || rest < 0) return null;
  const end = resume + rest;
  if (start !== contents.start || resume !== contents.end || end < dictEnd || end > size) return null;
  return { start, resume, end };
}

function bytesOfHex(file: Buffer, { start, end }: Member): Buffer {
  const text = file.toString("latin1", start + 1, end - 1);
  const digits = /^[0-9a-fA-F]*$/.test(text) ? text : text.replaceAll(/[^0-9a-fA-F]/g, "");
  // The last digit may be left out where it is 0 (7.3.4.3).
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex");
}

const DATE = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z(?:00'?(?:00'?)?)?|([+-])(\d\d)'?(\d\d)?'?)$/;

/** A time with its zone (7.9.4). Others say no instant. */
function timeAt(file: Buffer, start: number): Date | null {
  const text = new Syntax(file, start).objectValue();
  const parts = text instanceof Text ? DATE.exec(text.begin) : null;
  if (parts === null) return null;
  const [, year, month, day, hour, minute, second, sign, hours = "00", minutes = "00"] = parts;
  const zone = sign === undefined ? "Z" : `${sign}${hours}:${minutes}`;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time.getTime()) ? null : time;
}
