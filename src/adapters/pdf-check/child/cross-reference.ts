import { decode } from "./filters.ts";
import { isWhite, Syntax } from "./syntax.ts";
import { BOUNDS, Bomb, type Dict, isInteger, nameText, Ref, Stream, Unreadable, type Value } from "./values.ts";

/** Where an object stands: at an offset of the file, or as the `index`th object of an object stream. */
export type Entry = { offset: number; generation: number } | { container: number; index: number };

export interface CrossReference {
  /** What counts now: the newest entry of each object number. Null: deleted. */
  newest: Map<number, Entry | null>;
  /** Each place that any section names, also those that a later revision replaced: offset and object. */
  places: Map<number, Ref>;
  /** The trailers of all sections, newest first. */
  trailers: Dict[];
}

/** The trailer's end must be the file's end: `startxref`, an offset, `%%EOF` (ISO 32000-2, 7.5.5), then white space. */
function lastCrossReferenceOffset(file: Buffer): number {
  let end = file.length;
  while (end > 0 && isWhite(file[end - 1])) end -= 1;
  const tail = file.toString("latin1", Math.max(0, end - 64), end);
  const match = /(?:^|[\r\n])startxref[\0\t\f ]*[\r\n]+[\0\t\f ]*(\d{1,10})[\0\t\f ]*[\r\n]+%%EOF$/.exec(tail);
  if (!match) throw new Unreadable("the file does not end as a PDF ends");
  return Number(match[1]);
}

/**
 * Reads all cross-reference sections, from the newest to the oldest: tables, streams, and both in one file (7.5.4, 7.5.8).
 * @throws Unreadable where a section is damaged, or leads to itself
 * @throws Bomb where the sections have too many entries
 */
export function readCrossReference(file: Buffer): CrossReference {
  const all: CrossReference = { newest: new Map(), places: new Map(), trailers: [] };
  const seen = new Set<number>();
  let entries = 0;

  const add = (section: [number, Entry | null][]) => {
    entries += section.length;
    if (entries > BOUNDS.entries) throw new Bomb("the cross-reference has too many entries");
    for (const [number, given] of section) {
      // Producers write the offset 0 for objects that they never wrote: no object can stand there.
      const entry = given && "offset" in given && given.offset === 0 ? null : given;
      if (!all.newest.has(number)) all.newest.set(number, entry);
      if (!entry || "container" in entry) continue;
      const known = all.places.get(entry.offset);
      if (known && (known.number !== number || known.generation !== entry.generation))
        throw new Unreadable("two objects are said to stand at one place");
      if (!known) all.places.set(entry.offset, new Ref(number, entry.generation));
    }
  };

  let hybrid: HybridStream | undefined;
  let offset: number | undefined = lastCrossReferenceOffset(file);
  while (offset !== undefined) {
    if (seen.has(offset)) throw new Unreadable("the cross-reference leads to itself");
    seen.add(offset);
    const at = new Syntax(file, offset);
    let trailer: Dict;
    if (at.takeKeyword("xref")) {
      const { used, free } = readTable(file, at);
      at.expectKeyword("trailer");
      trailer = asDict(at.value());
      add(used);
      compare(used, hybrid);
      // Of a hybrid file: it comes before the table's free entries, which hide its objects from old readers (7.5.8.4).
      const more = trailer.get("XRefStm");
      if (more !== undefined && more === hybrid?.offset) {
        if (hybrid.isContradicted) throw new Unreadable("a hybrid cross-reference has two meanings");
      } else if (more !== undefined) {
        if (!isInteger(more) || seen.has(more)) throw new Unreadable("a hybrid cross-reference is damaged");
        seen.add(more);
        const { entries: its } = readStream(file, more);
        add(its);
        hybrid = { offset: more, numbers: new Set(its.map(([number]) => number)), isContradicted: false };
      }
      add(free);
    } else {
      const section = readStream(file, offset);
      trailer = section.trailer;
      add(section.entries);
      compare(section.entries, hybrid);
    }
    all.trailers.push(trailer);
    const previous = trailer.get("Prev");
    if (previous !== undefined && !isInteger(previous)) throw new Unreadable("/Prev is no offset");
    offset = previous;
  }
  return all;
}

/**
 * The stream of a hybrid file that a section named last. Programs that update such a file carry its trailer on, so several sections name one stream.
 * It counts where it is named first: readers that go by another place must find the same objects.
 */
interface HybridStream {
  readonly offset: number;
  readonly numbers: ReadonlySet<number>;
  /** Sections behind that one name objects of the stream, too. */
  isContradicted: boolean;
}

function compare(used: readonly [number, Entry | null][], hybrid: HybridStream | undefined): void {
  if (hybrid && used.some(([number]) => hybrid.numbers.has(number))) hybrid.isContradicted = true;
}

function asDict(value: Value): Dict {
  if (!(value instanceof Map)) throw new Unreadable("a trailer is no dictionary");
  return value;
}

/** One section of `xref`: lines of 20 bytes (7.5.4), of which the last may be white space of any kind. */
function readTable(file: Buffer, at: Syntax): Record<"used" | "free", [number, Entry | null][]> {
  const used: [number, Entry | null][] = [];
  const free: [number, null][] = [];
  for (;;) {
    at.skipWhite();
    const digit = file[at.position];
    if (digit === undefined || digit < 0x30 || digit > 0x39) return { used, free };
    const first = at.expectInteger();
    const count = at.expectInteger();
    if (count > BOUNDS.entries) throw new Bomb("the cross-reference has too many entries");
    at.skipWhite();
    for (let index = 0; index < count; index += 1) {
      const line = file.toString("latin1", at.position, at.position + 20);
      const match = /^(\d{10}) (\d{5}) ([nf])(?:[ \r\n]{2}|[\r\n](?=\d|t))/.exec(line);
      if (!match) throw new Unreadable("an entry of the cross-reference is damaged");
      at.position += match[0].length;
      const entry = { offset: Number(match[1]), generation: Number(match[2]) };
      if (match[3] === "n") used.push([first + index, entry]);
      else free.push([first + index, null]);
    }
  }
}

/** One cross-reference stream (7.5.8). */
function readStream(file: Buffer, offset: number): { entries: [number, Entry | null][]; trailer: Dict } {
  const { value } = new Syntax(file, offset).indirectObject(undefined, () => {
    throw new Unreadable("the length of a cross-reference stream is a reference");
  });
  if (!(value instanceof Stream) || nameText(value.dict.get("Type")) !== "XRef")
    throw new Unreadable("no cross-reference is where the file says");
  const trailer = value.dict;
  const data = decode(file, value, (given) => {
    if (given instanceof Ref) throw new Unreadable("a cross-reference stream has references in it");
    return given ?? null;
  });
  const widths = integers(trailer.get("W"));
  const [kindWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  if (widths.length !== 3 || widths.some((width) => width > 8)) throw new Unreadable("/W is wrong");
  const size = trailer.get("Size");
  if (!isInteger(size)) throw new Unreadable("/Size is missing");
  const subsections = trailer.has("Index") ? integers(trailer.get("Index")) : [0, size];
  if (subsections.length % 2 !== 0) throw new Unreadable("/Index is wrong");

  const entries: [number, Entry | null][] = [];
  let at = 0;
  const field = (width: number, otherwise: number): number => {
    if (width === 0) return otherwise;
    let number = 0;
    for (let index = 0; index < width; index += 1) number = number * 256 + (data[at + index] as number);
    at += width;
    return number;
  };
  for (let pair = 0; pair < subsections.length; pair += 2) {
    const first = subsections[pair] as number;
    const count = subsections[pair + 1] as number;
    if (count > BOUNDS.entries) throw new Bomb("the cross-reference has too many entries");
    if (at + count * (kindWidth + secondWidth + thirdWidth) > data.length)
      throw new Unreadable("a cross-reference stream is too short");
    for (let index = 0; index < count; index += 1) {
      const kind = field(kindWidth, 1);
      const second = field(secondWidth, 0);
      const third = field(thirdWidth, 0);
      // Other kinds mean null (7.5.8.3).
      let entry: Entry | null = null;
      if (kind === 1) entry = { offset: second, generation: third };
      else if (kind === 2) entry = { container: second, index: third };
      entries.push([first + index, entry]);
    }
  }
  return { entries, trailer };
}

function integers(value: Value | undefined): number[] {
  if (!Array.isArray(value)) throw new Unreadable("a list of integers is missing");
  return value.map((member) => {
    if (!isInteger(member) || member < 0) throw new Unreadable("a list of integers has something else in it");
    return member;
  });
}
