import zlib from "node:zlib";
import { BOUNDS, Bomb, type Dict, isInteger, nameText, type Stream, Unreadable, type Value } from "./values.ts";

/** Filters that say what an image looks like. What they decode to is bounded by the image's width and height. */
const IMAGE_FILTERS = new Set(["DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"]);
/** More filters than this on one stream serve only to hide it. */
const MOST_FILTERS = 8;
/** A stream that inflates to less is inflated in one go, which is quicker. */
const IN_ONE_GO = 16 * 1024 * 1024;

interface Step {
  filter: string;
  parameters: Dict | undefined;
}

/** Follows a reference: the filters of a stream may be written as references. */
export type Resolve = (value: Value | undefined) => Value;

/**
 * The decoded bytes of a cross-reference stream, of an object stream, or of a page's content (ISO 32000-2, 7.4).
 * @throws Unreadable where a filter is unknown or its data are damaged
 * @throws Bomb where the data grow beyond {@link BOUNDS.inflatedStream}
 */
export function decode(file: Buffer, stream: Stream, resolve: Resolve): Buffer {
  let data = file.subarray(stream.start, stream.start + stream.length);
  for (const { filter, parameters } of stepsOf(stream.dict, resolve)) {
    const decoded = decodeStep({ filter, parameters }, data, BOUNDS.inflatedStream);
    if (!decoded) throw new Unreadable(`a stream of objects has the filter ${filter.slice(0, 40)}`);
    data = withoutPredictor(decoded, parameters, resolve);
  }
  return data;
}

/**
 * Counts the bytes that any stream decodes to.
 * It counts up to an image filter, up to an unknown filter, and up to damage: readers show nothing beyond.
 * @param tell gets the bytes where they were inflated in one go, and are what `decode` returns
 * @throws Bomb where a step has more than `limit` bytes
 */
export async function decodedSize(
  file: Buffer,
  stream: Stream,
  resolve: Resolve,
  limit: number,
  tell?: (decoded: Buffer) => void,
): Promise<number> {
  let data = file.subarray(stream.start, stream.start + stream.length);
  const steps = stepsOf(stream.dict, resolve);
  for (const [index, { filter, parameters }] of steps.entries()) {
    const isLast = index === steps.length - 1 || IMAGE_FILTERS.has(steps[index + 1]?.filter ?? "");
    try {
      if (isLast && filter === "FlateDecode") {
        return await inflatedSize(data, limit, steps.length === 1 && !parameters ? tell : undefined);
      }
      const decoded = decodeStep({ filter, parameters }, data, BOUNDS.inflatedStream);
      if (!decoded) return data.length;
      data = isLast ? decoded : withoutPredictor(decoded, parameters, resolve);
    } catch (error) {
      if (error instanceof Unreadable) return data.length;
      throw error;
    }
  }
  return data.length;
}

function stepsOf(dict: Dict, resolve: Resolve): Step[] {
  const filters = listed(resolve(dict.get("Filter")));
  if (filters.length > MOST_FILTERS) throw new Bomb("a stream has too many filters");
  const parameters = listed(resolve(dict.get("DecodeParms")));
  return filters.map((filter, index) => {
    const text = nameText(resolve(filter));
    if (text === undefined) throw new Unreadable("a filter is no name");
    const given = resolve(parameters[index]);
    return { filter: text, parameters: given instanceof Map ? given : undefined };
  });
}

function listed(value: Value): Value[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Undefined where the filter is unknown, or an image's. */
function decodeStep({ filter, parameters }: Step, data: Buffer, limit: number): Buffer | undefined {
  switch (filter) {
    case "FlateDecode":
      return inflate(data, limit);
    case "ASCIIHexDecode":
      return asciiHex(data);
    case "ASCII85Decode":
      return ascii85(data);
    case "RunLengthDecode":
      return runLength(data, limit);
    case "LZWDecode":
      return lzw(data, limit, parameters?.get("EarlyChange") === 0 ? 0 : 1);
    default:
      return undefined;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

function inflate(data: Buffer, limit: number): Buffer {
  // Few large pieces where much is expected: each piece is an allocation.
  const chunkSize = Math.min(Math.max(4 * data.length, 1024), 1024 * 1024);
  try {
    return zlib.inflateSync(data, { maxOutputLength: limit, chunkSize });
  } catch (error) {
    if (isTooLarge(error)) throw new Bomb("a stream inflates enormously");
    throw new Unreadable("a stream cannot be inflated");
  }
}

async function inflatedSize(data: Buffer, limit: number, tell?: (inflated: Buffer) => void): Promise<number> {
  try {
    const inflated = inflate(data, Math.min(limit, IN_ONE_GO));
    tell?.(inflated);
    return inflated.length;
  } catch (error) {
    if (!(error instanceof Bomb) || limit <= IN_ONE_GO) throw error;
  }
  let size = 0;
  const inflating = zlib.createInflate({ chunkSize: 256 * 1024 });
  inflating.end(data);
  try {
    for await (const piece of inflating) {
      size += (piece as Buffer).length;
      if (size > limit) throw new Bomb("a stream inflates enormously");
    }
  } catch (error) {
    if (error instanceof Bomb) throw error;
    // Damage: readers show what came before it.
  }
  return size;
}

function asciiHex(data: Buffer): Buffer {
  const end = data.indexOf(">");
  const digits = data.toString("latin1", 0, end < 0 ? data.length : end).replace(/[\0\t\n\f\r ]/g, "");
  if (!/^[0-9a-fA-F]*$/.test(digits)) throw new Unreadable("a stream has a wrong hexadecimal digit");
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex");
}

function ascii85(data: Buffer): Buffer {
  const out = Buffer.alloc(4 * data.length);
  let size = 0;
  let group = 0;
  let digits = 0;
  const flush = (bytes: number) => {
    for (let shift = 0; shift < bytes; shift += 1) out[size++] = Math.floor(group / 256 ** (3 - shift)) % 256;
    group = 0;
    digits = 0;
  };
  for (const byte of data) {
    if (byte === 0x7e) break; // "~>"
    if (byte === 0x7a && digits === 0)
      flush(4); // "z"
    else if (byte >= 0x21 && byte <= 0x75) {
      group = group * 85 + (byte - 0x21);
      digits += 1;
      if (digits === 5) flush(4);
    } else if (byte > 0x20) throw new Unreadable("a stream has a wrong digit of base 85");
  }
  if (digits > 1) {
    const bytes = digits - 1;
    while (digits < 5) {
      group = group * 85 + 84;
      digits += 1;
    }
    flush(bytes);
  }
  return out.subarray(0, size);
}

function runLength(data: Buffer, limit: number): Buffer {
  // Twice: once for the size, so that the many short runs need no buffer each.
  let size = 0;
  eachRun(data, (length) => {
    size += length;
    if (size > limit) throw new Bomb("a stream unpacks enormously");
  });
  const out = Buffer.alloc(size);
  let filled = 0;
  eachRun(data, (length, at, isRepeated) => {
    if (isRepeated) out.fill(data[at] ?? 0, filled, filled + length);
    else data.copy(out, filled, at, at + length);
    filled += length;
  });
  return out;
}

/** The runs of 7.4.5: `length` bytes that stand at `at`, or the byte there, repeated. */
function eachRun(data: Buffer, run: (length: number, at: number, isRepeated: boolean) => void): void {
  for (let at = 0; at < data.length; ) {
    const code = data[at] as number;
    if (code === 128) return;
    if (code < 128) run(code + 1, at + 1, false);
    else run(257 - code, at + 1, true);
    at += code < 128 ? code + 2 : 2;
  }
}

/** LZW with codes of 9 to 12 bits; codes grow one code early unless `/EarlyChange` is 0 (7.4.4). */
function lzw(data: Buffer, limit: number, early: 0 | 1): Buffer {
  let out = Buffer.alloc(Math.min(limit, Math.max(8 * data.length, 4096)));
  let size = 0;
  // A code stands for bytes that were already written: where they begin, and how many they are.
  const starts = new Int32Array(4097);
  const lengths = new Int32Array(4097);
  let next = 258;
  let width = 9;
  let before: { start: number; length: number } | undefined;
  let bits = 0;
  let held = 0;
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff;
    held += 8;
    if (held < width) continue;
    held -= width;
    const code = (bits >> held) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      next = 258;
      width = 9;
      before = undefined;
      continue;
    }
    if (before && next < 4096) {
      starts[next] = before.start;
      lengths[next] = before.length + 1;
      next += 1;
    }
    if (code >= next && code > 255) throw new Unreadable("a stream of LZW has an unknown code");
    const length = code < 256 ? 1 : (lengths[code] as number);
    if (size + length > limit) throw new Bomb("a stream unpacks enormously");
    if (size + length > out.length) {
      const larger = Buffer.alloc(Math.min(limit, 2 * out.length + length));
      out.copy(larger, 0, 0, size);
      out = larger;
    }
    if (code < 256) out[size] = code;
    else {
      const from = starts[code] as number;
      // Byte by byte: the last byte of a new code is its own first byte.
      for (let index = 0; index < length; index += 1) out[size + index] = out[from + index] as number;
    }
    before = { start: size, length };
    size += length;
    if (next + early >= 1 << width && width < 12) width += 1;
  }
  return out.subarray(0, size);
}

/** Undoes the PNG predictors (7.4.4.4), with which nearly all cross-reference streams are written. */
function withoutPredictor(data: Buffer, parameters: Dict | undefined, resolve: Resolve): Buffer {
  const number = (key: string, otherwise: number): number => {
    const value = resolve(parameters?.get(key));
    if (value === null) return otherwise;
    if (!isInteger(value) || value < 1 || value > 1_000_000) throw new Unreadable("a predictor is wrong");
    return value;
  };
  const predictor = number("Predictor", 1);
  if (predictor === 1) return data;
  if (predictor < 10) throw new Unreadable("a stream of objects has a predictor for images");
  const pixel = Math.ceil((number("Colors", 1) * number("BitsPerComponent", 8)) / 8);
  const columns = Math.ceil((number("Columns", 1) * number("Colors", 1) * number("BitsPerComponent", 8)) / 8);
  const rows = Math.ceil(data.length / (columns + 1));
  const out = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const kind = data[row * (columns + 1)] as number;
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const left = column >= pixel ? (out[at - pixel] as number) : 0;
      const up = row > 0 ? (out[at - columns] as number) : 0;
      const upLeft = row > 0 && column >= pixel ? (out[at - columns - pixel] as number) : 0;
      out[at] = (data[row * (columns + 1) + 1 + column] ?? 0) + predicted(kind, left, up, upLeft);
    }
  }
  return out;
}

/** The filter types of PNG (RFC 2083, section 6). */
function predicted(kind: number, left: number, up: number, upLeft: number): number {
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const estimate = left + up - upLeft;
      const [toLeft, toUp, toUpLeft] = [
        Math.abs(estimate - left),
        Math.abs(estimate - up),
        Math.abs(estimate - upLeft),
      ];
      if (toLeft <= toUp && toLeft <= toUpLeft) return left;
      return toUp <= toUpLeft ? up : upLeft;
    }
    default:
      throw new Unreadable("a predictor is unknown");
  }
}
