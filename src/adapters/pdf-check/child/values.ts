/** Why a check ends early. The program answers with it; it is no fault of the program. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** The file asks for more than an honest file needs: see {@link BOUNDS}. */
export class Bomb extends Error {
  override readonly name = "Bomb";
}

/** A reference to an indirect object (ISO 32000-2, 7.3.10). */
export class Ref {
  readonly number: number;
  readonly generation: number;

  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** A name, with its `#xx` escapes resolved (7.3.5). */
export class Name {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Stands for a string: the check needs what addresses say, and no other string. */
export const STRING = Symbol("a PDF string");

/** A string that may be an address: how it begins, a byte for each character, and whether that is all of it. */
export class Text {
  readonly begin: string;
  readonly isWhole: boolean;

  constructor(begin: string, isWhole: boolean) {
    this.begin = begin;
    this.isWhole = isWhole;
  }
}

export type Dict = Map<string, Value>;

/** A stream object (7.3.8): its bytes are `length` bytes from `start`, still encoded. */
export class Stream {
  readonly dict: Dict;
  readonly start: number;
  readonly length: number;

  constructor(dict: Dict, start: number, length: number) {
    this.dict = dict;
    this.start = start;
    this.length = length;
  }
}

export type Value = null | boolean | number | Name | typeof STRING | Text | Ref | Value[] | Dict | Stream;

export function isInteger(value: Value | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

/** The text of a name, or undefined for every other value. */
export function nameText(value: Value | undefined): string | undefined {
  return value instanceof Name ? value.text : undefined;
}

/** The dictionary of a dictionary or of a stream. */
export function dictOf(value: Value | undefined): Dict | undefined {
  if (value instanceof Stream) return value.dict;
  return value instanceof Map ? value : undefined;
}

const MIB = 1024 * 1024;

/** What is more than this is taken for a bomb. Honest files of 50 MiB stay far below each of them. */
export const BOUNDS = {
  /** Entries of all cross-reference sections together. ISO 32000-2 itself, tagged, has some 180,000 objects. */
  entries: 500_000,
  /** Arrays and dictionaries inside one another; real files have fewer than 20. */
  depth: 128,
  /** Values in one object, the members of its arrays included. A tagged book's largest array has some 100,000. */
  values: 500_000,
  /** References that lead to references, and lengths that need other objects. */
  hops: 16,
  /** Nodes of the page tree that are no pages. */
  pageTreeNodes: 10_000,
  /** What one cross-reference stream, object stream, page content, or font may inflate to. */
  inflatedStream: 64 * MIB,
  /** What one image may inflate to: A0, 300 dots per inch, in colour, is 417 MB. */
  inflatedImage: 512 * MIB,
  /** What all streams but images may inflate to. */
  inflatedTogether: 1024 * MIB,
  /** Object streams and cross-reference streams together: their objects become values. */
  inflatedObjects: 256 * MIB,
} as const;
