import {
  BOUNDS,
  Bomb,
  type Dict,
  isInteger,
  Name,
  Ref,
  STRING,
  Stream,
  Text,
  Unreadable,
  type Value,
} from "./values.ts";

const WHITE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const DELIMITERS = new Set([...Buffer.from("()<>[]{}/%")]);
const CR = 0x0d;
const LF = 0x0a;

export function isWhite(byte: number | undefined): boolean {
  return byte !== undefined && WHITE.has(byte);
}

/** White space, a delimiter, or the end: what ends a token of regular characters (7.2.3). */
function endsToken(byte: number | undefined): boolean {
  return byte === undefined || WHITE.has(byte) || DELIMITERS.has(byte);
}

/** Asks for the value of an indirect `/Length`. */
export type ReadLength = (ref: Ref) => number;

/**
 * Reads PDF syntax (ISO 32000-2, 7.2 and 7.3) from one place of a buffer on, and repairs nothing.
 * @throws Unreadable where the bytes break the syntax
 * @throws Bomb where arrays and dictionaries nest too deeply, or one object has too many values
 */
export class Syntax {
  position: number;
  readonly #bytes: Buffer;
  #values = 0;

  constructor(bytes: Buffer, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  /** Skips white space and comments. */
  skipWhite(): void {
    for (;;) {
      const byte = this.#bytes[this.position];
      if (byte === 0x25) {
        while (this.position < this.#bytes.length) {
          const inComment = this.#bytes[this.position];
          if (inComment === CR || inComment === LF) break;
          this.position += 1;
        }
      } else if (isWhite(byte)) this.position += 1;
      else return;
    }
  }

  /** Takes the keyword if it stands here; a longer word that begins with it is another one. */
  takeKeyword(word: string): boolean {
    this.skipWhite();
    const end = this.position + word.length;
    if (end > this.#bytes.length || this.#bytes.toString("latin1", this.position, end) !== word) return false;
    if (!endsToken(this.#bytes[end])) return false;
    this.position = end;
    return true;
  }

  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) throw new Unreadable(`${word} is missing at ${this.position}`);
  }

  expectInteger(): number {
    this.skipWhite();
    const start = this.position;
    while (this.#isDigit()) this.position += 1;
    if (this.position === start || this.position - start > 15 || !endsToken(this.#bytes[this.position]))
      throw new Unreadable(`an integer is missing at ${start}`);
    return Number(this.#bytes.toString("latin1", start, this.position));
  }

  /** One value that is no stream: streams are indirect objects, see {@link indirectObject}. */
  value(depth = 0): Value {
    if (depth > BOUNDS.depth) throw new Bomb("arrays and dictionaries nest too deeply");
    this.#values += 1;
    if (this.#values > BOUNDS.values) throw new Bomb("an object has too many values");
    this.skipWhite();
    const byte = this.#bytes[this.position];
    switch (byte) {
      case undefined:
        throw new Unreadable("the file ends inside an object");
      case 0x2f: // "/"
        return new Name(this.#name());
      case 0x28: // "("
        return this.#literalString();
      case 0x5b: // "["
        return this.#array(depth);
      case 0x3c: // "<"
        return this.#bytes[this.position + 1] === 0x3c ? this.#dict(depth) : this.#hexString();
      default:
        return this.#numberOrKeyword();
    }
  }

  /**
   * Reads `number generation obj … endobj` (7.3.10).
   * @throws Unreadable also when another object stands here
   */
  indirectObject(expected: Ref | undefined, readLength: ReadLength): { ref: Ref; value: Value } {
    const ref = new Ref(this.expectInteger(), this.expectInteger());
    if (expected && (ref.number !== expected.number || ref.generation !== expected.generation))
      throw new Unreadable(`object ${expected.number} is not where the cross-reference says`);
    this.expectKeyword("obj");
    return { ref, value: this.objectBody(readLength) };
  }

  /** The value of an object: a string may be the address that another object names. */
  objectValue(): Value {
    return this.#textOr(() => this.value());
  }

  /** Reads what stands between `obj` and `endobj`. */
  objectBody(readLength: ReadLength): Value {
    if (this.takeKeyword("endobj")) return null;
    let value = this.objectValue();
    if (value instanceof Map && this.takeKeyword("stream")) value = this.#stream(value, readLength);
    this.expectKeyword("endobj");
    return value;
  }

  #isDigit(): boolean {
    const byte = this.#bytes[this.position];
    return byte !== undefined && byte >= 0x30 && byte <= 0x39;
  }

  #stream(dict: Dict, readLength: ReadLength): Stream {
    // The keyword is followed by CR LF or LF: after a lone CR it is open where the data begin (7.3.8.1).
    if (this.#bytes[this.position] === CR) this.position += 1;
    if (this.#bytes[this.position] !== LF) throw new Unreadable("no end of line follows the keyword stream");
    const start = this.position + 1;
    const given = dict.get("Length");
    const length = given instanceof Ref ? readLength(given) : given;
    if (!isInteger(length) || length < 0 || start + length > this.#bytes.length)
      throw new Unreadable("a stream has no length");
    this.position = start + length;
    if (this.#bytes[this.position] === CR) this.position += 1;
    if (this.#bytes[this.position] === LF) this.position += 1;
    if (this.#bytes.toString("latin1", this.position, this.position + 9) !== "endstream")
      throw new Unreadable("a stream does not end where its length says");
    this.position += 9;
    return new Stream(dict, start, length);
  }

  #name(): string {
    const start = this.position + 1;
    let end = start;
    let escaped = false;
    while (!endsToken(this.#bytes[end])) {
      if (this.#bytes[end] === 0x23) escaped = true;
      end += 1;
    }
    this.position = end;
    const raw = this.#bytes.toString("latin1", start, end);
    if (!escaped) return raw;
    return raw.replace(/#([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  }

  #literalString(): typeof STRING {
    let open = 0;
    for (let at = this.position; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at];
      if (byte === 0x5c) at += 1;
      else if (byte === 0x28) open += 1;
      else if (byte === 0x29) {
        open -= 1;
        if (open === 0) {
          this.position = at + 1;
          return STRING;
        }
      }
    }
    throw new Unreadable("a string does not end");
  }

  #hexString(): typeof STRING {
    for (let at = this.position + 1; at < this.#bytes.length; at += 1) {
      const byte = this.#bytes[at] as number;
      if (byte === 0x3e) {
        this.position = at + 1;
        return STRING;
      }
      const isHex = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
      if (!isHex && !isWhite(byte)) break;
    }
    throw new Unreadable("a string of hexadecimal digits does not end");
  }

  /** What is read, where a string that may be an address keeps its begin. */
  #textOr(read: () => Value): Value {
    this.skipWhite();
    const start = this.position;
    const value = read();
    if (value !== STRING) return value;
    return new Text(beginOf(this.#bytes, start, this.position), this.position - start - 2 <= MOST_READ);
  }

  #array(depth: number): Value[] {
    this.position += 1;
    const members: Value[] = [];
    for (;;) {
      this.skipWhite();
      if (this.#bytes[this.position] === 0x5d) {
        this.position += 1;
        return members;
      }
      members.push(this.value(depth + 1));
    }
  }

  #dict(depth: number): Dict {
    this.position += 2;
    const dict: Dict = new Map();
    for (;;) {
      this.skipWhite();
      const byte = this.#bytes[this.position];
      if (byte === 0x3e && this.#bytes[this.position + 1] === 0x3e) {
        this.position += 2;
        return dict;
      }
      if (byte !== 0x2f) throw new Unreadable("a key of a dictionary is missing");
      const key = this.#name();
      // Readers disagree on which of two equal keys counts: the file would have two meanings (7.3.7).
      if (dict.has(key)) throw new Unreadable("a dictionary has a key twice");
      dict.set(key, ADDRESSES.has(key) ? this.#textOr(() => this.value(depth + 1)) : this.value(depth + 1));
    }
  }

  #numberOrKeyword(): Value {
    const start = this.position;
    while (!endsToken(this.#bytes[this.position])) this.position += 1;
    const token = this.#bytes.toString("latin1", start, Math.min(this.position, start + 64));
    switch (token) {
      case "true":
        return true;
      case "false":
        return false;
      case "null":
        return null;
    }
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(token)) throw new Unreadable(`no value stands at ${start}`);
    const number = Number(token);
    return /^\d{1,10}$/.test(token) ? (this.#restOfReference(number) ?? number) : number;
  }

  /** After an integer: ` generation R`, or undefined, with the position as it was. */
  #restOfReference(number: number): Ref | undefined {
    const back = this.position;
    this.skipWhite();
    const start = this.position;
    while (this.#isDigit() && this.position - start < 6) this.position += 1;
    const generation = this.position > start ? Number(this.#bytes.toString("latin1", start, this.position)) : undefined;
    if (generation !== undefined && isWhite(this.#bytes[this.position]) && this.takeKeyword("R"))
      return new Ref(number, generation);
    this.position = back;
    return undefined;
  }
}

/** Keys of addresses (ISO 32000-2, 12.6.4.8). */
const ADDRESSES = new Set(["URI", "Base"]);
/** Bytes of an address that are read. Addresses of the field are shorter. */
const MOST_READ = 8192;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** How a string begins, without its escapes (7.3.4). */
function beginOf(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString("latin1", start + 1, Math.min(end - 1, start + 1 + MOST_READ));
  if (bytes[start] === 0x3c) return Buffer.from(raw.replace(/[^0-9a-fA-F]/g, ""), "hex").toString("latin1");
  return raw.replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal: string | undefined, other: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    return /[\r\n]/.test(other) ? "" : (ESCAPES[other] ?? other);
  });
}
