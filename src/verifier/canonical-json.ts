/**
 * The canonical form of JSON that is signed: keys sorted by code point, no whitespace, non-ASCII unescaped.
 *
 * Equal to Python's `json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`, so that anyone can
 * rebuild the signed bytes with a standard library. It is not RFC 8785: that one orders keys by UTF-16 unit, which puts
 * U+1F600 before U+FB01, and it allows fractions, which no two languages print alike.
 */

/** Values with a canonical form. Numbers must be safe integers; the type cannot say so, so the function checks it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Most levels of arrays and objects. The limit also stops a cycle before the stack overflows. */
export const CANONICAL_JSON_MAX_DEPTH = 64;

/** The path to a value, as a linked list, so that a text is built only for an error. */
interface Place {
  readonly parent: Place | null;
  readonly key: string | number;
}

/** Printable ASCII without `"` and `\`: needs no escape, and sorts the same by UTF-16 unit and by code point. */
const PLAIN = /^[ !#-[\]-~]*$/;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Returns the canonical text of a value. Its UTF-8 encoding is what both keys sign.
 *
 * @param value strings, safe integers, booleans, null, and arrays and plain objects of these, at most 64 levels deep.
 * @throws TypeError for every other value; it names the place (`$.evidence.sizes[2]`) and never the value: fractions, -0 and
 *   integers beyond 2^53 - 1 (languages print them differently), undefined, bigint, class instances, symbol keys, lone
 *   surrogates (they have no UTF-8), and U+0000 (Postgres text cannot hold it).
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, null, 0);
}

function write(value: unknown, place: Place | null, depth: number): string {
  switch (typeof value) {
    case "string":
      return writeString(value, place);
    case "number":
      return writeNumber(value, place);
    case "boolean":
      return value ? "true" : "false";
    case "object": {
      if (value === null) return "null";
      if (depth >= CANONICAL_JSON_MAX_DEPTH) refuse(`nested deeper than ${CANONICAL_JSON_MAX_DEPTH} levels`, place);
      return Array.isArray(value) ? writeArray(value, place, depth) : writeObject(value, place, depth);
    }
    default:
      return refuse(`${typeof value} is not JSON`, place);
  }
}

function writeNumber(value: number, place: Place | null): string {
  if (!Number.isSafeInteger(value)) refuse("number is not a safe integer", place);
  // Python reads "-0" as 0 and prints -0.0 as "-0.0"; JavaScript prints "0". No member that we sign needs it.
  if (value === 0 && Object.is(value, -0)) refuse("number is negative zero", place);
  return String(value);
}

function writeString(value: string, place: Place | null): string {
  if (PLAIN.test(value)) return `"${value}"`;
  if (!value.isWellFormed()) refuse("string has a lone surrogate", place);
  if (value.includes("\u0000")) refuse("string has U+0000", place);
  // For well-formed text JSON.stringify escapes exactly what Python does: ", \ and U+0001..U+001F, in lower-case hex.
  return JSON.stringify(value);
}

function writeArray(value: readonly unknown[], place: Place | null, depth: number): string {
  let text = "[";
  // By index, so that a hole counts as undefined and is refused, not skipped.
  for (let index = 0; index < value.length; index++) {
    const item = value[index];
    if (index > 0) text += ",";
    text += write(item, { parent: place, key: index }, depth + 1);
  }
  return `${text}]`;
}

function writeObject(value: object, place: Place | null, depth: number): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse("object is not a plain object", place);
  if (Object.getOwnPropertySymbols(value).length > 0) refuse("object has a symbol key", place);

  const members = value as Readonly<Record<string, unknown>>;
  let text = "";
  for (const key of sortByCodePoint(Object.keys(members))) {
    const here: Place = { parent: place, key };
    text += `${text === "" ? "{" : ","}${writeString(key, here)}:${write(members[key], here, depth + 1)}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** Sorts in place. The two orders differ only between a surrogate and U+E000..U+FFFF, so most calls take the first path. */
function sortByCodePoint(keys: string[]): string[] {
  return keys.every((key) => PLAIN.test(key)) ? keys.sort() : keys.sort(compareCodePoints);
}

function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      // Surrogates stand for U+10000 and above, so they sort after every other unit.
      const aIsSurrogate = a >= 0xd800 && a <= 0xdfff;
      const bIsSurrogate = b >= 0xd800 && b <= 0xdfff;
      if (aIsSurrogate !== bIsSurrogate) return aIsSurrogate ? 1 : -1;
      return a - b;
    }
  }
  return left.length - right.length;
}

function refuse(reason: string, place: Place | null): never {
  throw new TypeError(`no canonical JSON: ${reason} at ${describe(place)}`);
}

function describe(place: Place | null): string {
  const steps: string[] = [];
  for (let at = place; at !== null; at = at.parent) {
    if (typeof at.key === "number") steps.push(`[${at.key}]`);
    else steps.push(IDENTIFIER.test(at.key) ? `.${at.key}` : `[${JSON.stringify(at.key)}]`);
  }
  return `$${steps.reverse().join("")}`;
}
