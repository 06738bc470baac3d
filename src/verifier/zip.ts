import { Inflate } from "fflate";
import { crc32 } from "./crc32.ts";
import { UnreadableError } from "./keys.ts";

/** Bytes that can be read from any place: a file. */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /** The bytes from `start` up to, not including, `end`. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** A file of a ZIP, as its directory says it. */
export interface ZipEntry {
  readonly name: string;
  /** Length in bytes, unpacked. */
  readonly size: number;
  readonly packedSize: number;
  readonly isDeflated: boolean;
  readonly crc32: number;
  /** Where its content begins. */
  readonly start: number;
}

/** Longest ZIP, packed and unpacked. */
const BYTES_MAX = 8 * 1024 ** 3;
/** Most files: an envelope has at most 10 documents, 500 fields and 50 participants. */
const ENTRIES_MAX = 600;
/** Longest directory: names have at most 255 bytes. */
const DIRECTORY_MAX = ENTRIES_MAX * 1_024;
const CHUNK_BYTES = 1_048_576;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** Further members of an entry: the long form of lengths, and a name in Unicode, by which some programs unpack the file. */
const EXTRA_LENGTHS = 0x0001;
const EXTRA_NAME = 0x7075;
/** Times and owners, which nothing here depends on: NTFS, Unix, and the two of Info-ZIP. */
const EXTRAS_FREE = [0x000a, 0x000d, 0x5455, 0x5855, 0x7875];
/** The mark of `jar`, without content. */
const EXTRA_JAR = 0xcafe;
const DESCRIPTOR = 0x08074b50;
/** Lengths of what stands behind a content whose lengths its head does not say: with or without its mark, lengths of four or eight bytes. */
const DESCRIPTORS = [12, 16, 20, 24];
/** Marks of an entry: how hard a program packed it; its lengths come later; its name is UTF-8. */
const FLAGS_DEFLATED = 0b110;
const FLAG_LATER = 1 << 3;
const FLAGS_KNOWN = FLAG_LATER | (1 << 11);
/** What the writer of the platform says of itself, and of the rights of a file. */
const OUR_MARK = (3 << 8) | 63;
const OUR_RIGHTS = 0o100644 * 65_536;
/** What a reader must be able to do: anything, deflate, long lengths. */
const VERSIONS = [10, 20];
const VERSION_LONG = 45;
/** Systems on which `\` stands between folders: FAT, OS/2, NTFS. Programs of these write it in ZIPs, too. */
const SYSTEMS_OF_BACKSLASHES = [0, 6, 10];
/** Types of files in Unix: not said, a plain file, a folder. */
const FILE_TYPES = [0, 0o100000];
const FOLDER_TYPES = [0, 0o040000];
const ESCAPE_16 = 0xffff;
const ESCAPE_32 = 0xffffffff;

const refuse = (what: string): never => {
  throw new UnreadableError(`the ZIP ${what}`);
};

/**
 * Reads the directory of a ZIP from a stranger. What programs may read in two ways is refused: two files of one name, two names of one file, a name that
 * leaves its folder, links, files that overlap, bytes between files, a file whose own head says something else than the directory, and anything after it.
 * @throws UnreadableError
 */
export async function readZip(source: ByteSource): Promise<readonly ZipEntry[]> {
  if (source.size > BYTES_MAX) refuse(`is larger than ${BYTES_MAX} bytes`);
  const { count, start, end, maker } = await directoryOf(source);
  if (count > ENTRIES_MAX) refuse(`has more than ${ENTRIES_MAX} files`);
  if (end - start > DIRECTORY_MAX || start > end) refuse("has no directory that can be read");
  const listed = centralEntries(viewOf(await source.read(start, end)), count);
  const names = new Set(listed.map(({ name }) => name.replace(/\/$/, "").normalize("NFC").toLowerCase()));
  if (names.size !== listed.length) refuse("has a name twice");
  if (listed.reduce((sum, { size }) => sum + size, 0) > BYTES_MAX) refuse(`unpacks to more than ${BYTES_MAX} bytes`);
  const isOurs = refuseMixed(listed, maker);
  const entries: ZipEntry[] = [];
  let free = 0;
  let before: Listed | null = null;
  // A program that reads from the first byte on would find a file there.
  const refuseGap = async (at: number): Promise<void> => {
    if (at < free) refuse("has files that overlap");
    const isLater = before !== null && (before.flags & FLAG_LATER) !== 0;
    if (!(isLater ? DESCRIPTORS : [0]).includes(at - free)) refuse("has bytes between its files");
    if (before !== null && isLater) refuseDescriptor(viewOf(await source.read(free, at)), before);
  };
  for (const entry of [...listed].sort((one, other) => one.at - other.at)) {
    await refuseGap(entry.at);
    const contentAt = await contentStart(source, entry, { end: start, isOurs });
    free = contentAt + entry.packedSize;
    before = entry;
    if (free > start) refuse("has a file that is longer than there is room");
    entries.push({ ...entry, start: contentAt });
  }
  await refuseGap(start);
  // A folder is no file. Programs that pack a ZIP anew add them.
  return entries.filter(({ name }) => !name.endsWith("/"));
}

/**
 * The content of a file of a ZIP, piece by piece.
 * @throws UnreadableError for content that is longer or shorter than the directory says, or of another checksum
 */
export async function* readEntry(source: ByteSource, entry: ZipEntry): AsyncGenerator<Uint8Array, void, undefined> {
  let left = entry.size;
  let sum = 0;
  for await (const piece of entry.isDeflated ? inflated(source, entry) : packed(source, entry)) {
    left -= piece.length;
    if (left < 0) refuse("has a file that is longer than it says");
    sum = crc32(piece, sum);
    yield piece;
  }
  if (left > 0) refuse("has a file that is shorter than it says");
  if (sum !== entry.crc32) refuse("has a file that does not match its checksum");
}

async function* packed(source: ByteSource, { start, packedSize }: ZipEntry): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < packedSize; at += CHUNK_BYTES)
    yield await source.read(start + at, start + Math.min(at + CHUNK_BYTES, packedSize));
}

/** Bytes that are unpacked at once: a thousandth part of what they may unpack to. */
const DEFLATED_BYTES = 16_384;

async function* inflated(source: ByteSource, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let isLast = false;
  const inflate = new Inflate((piece, isEnd) => {
    pieces.push(piece);
    isLast ||= isEnd;
  });
  let read = 0;
  for await (const chunk of packed(source, entry)) {
    for (let at = 0; at < chunk.length; at += DEFLATED_BYTES) {
      const part = chunk.subarray(at, at + DEFLATED_BYTES);
      read += part.length;
      try {
        inflate.push(part, read === entry.packedSize);
      } catch {
        refuse("has a file that cannot be unpacked");
      }
      yield* pieces.splice(0);
    }
  }
  if (!isLast || !isAtEnd(inflate)) refuse("has a file that cannot be unpacked");
}

/** Whether the last block of deflate is also the last of the packed bytes. fflate does not tell it, and passes over what follows: this is its own state. */
function isAtEnd(inflate: Inflate): boolean {
  const { s: state, p: left } = inflate as unknown as {
    /** Whether the last block was begun; the tables of a block under way; bits read of the first byte that is left. */
    readonly s: { readonly f?: number; readonly l?: unknown; readonly p?: number };
    readonly p: Uint8Array;
  };
  return Boolean(state.f) && !state.l && left.length === (state.p ? 1 : 0);
}

interface Listed extends Omit<ZipEntry, "start"> {
  /** Where its head begins. */
  readonly at: number;
  /** What its own head repeats. */
  readonly flags: number;
  readonly version: number;
  readonly time: number;
  /** What its own head does not have. */
  readonly maker: number;
  readonly attributes: number;
  readonly isText: number;
  /** Whether it has long lengths, and further members other than these. */
  readonly hasLengths: boolean;
  readonly hasExtras: boolean;
}

/**
 * Refuses files of the writer of the platform beside those of others, and, where all are as this writer makes them, what it does not write: so every byte of
 * a dossier says something.
 * @param ofEnd the program that wrote a long end of the directory; null without one
 * @returns whether all are as the writer of the platform makes them
 */
function refuseMixed(listed: readonly Listed[], ofEnd: number | null): boolean {
  // Programs name the oldest one that could have written a file, so theirs differ.
  const makers = new Set(listed.map(({ maker }) => maker));
  if (makers.size > 1 && makers.has(OUR_MARK)) refuse("is of several programs");
  if (ofEnd !== null && ![...makers, VERSION_LONG, (3 << 8) | VERSION_LONG].includes(ofEnd))
    refuse("has no directory that can be read");
  const isOurs =
    makers.has(OUR_MARK) &&
    listed.every(({ isDeflated, hasExtras, name }) => !isDeflated && !hasExtras && !name.endsWith("/"));
  const isWritten = ({ attributes, isText, flags, version, hasLengths }: Listed) =>
    attributes === OUR_RIGHTS &&
    isText === 0 &&
    (flags & FLAGS_DEFLATED) === 0 &&
    (hasLengths ? version === VERSION_LONG : VERSIONS.includes(version));
  if (isOurs && !listed.every(isWritten)) refuse("has a file that its program does not write");
  return isOurs;
}

/** What stands behind the content of a file must say what the directory says. */
function refuseDescriptor(view: DataView, { crc32: sum, packedSize, size }: Listed): void {
  const isMarked = view.byteLength % 8 === 0;
  const start = isMarked ? 4 : 0;
  const isLong = view.byteLength - start === 20;
  const lengthAt = (place: number) =>
    isLong ? Number(view.getBigUint64(start + 4 + place * 8, true)) : view.getUint32(start + 4 + place * 4, true);
  const matches =
    (!isMarked || view.getUint32(0, true) === DESCRIPTOR) &&
    view.getUint32(start, true) === sum &&
    lengthAt(0) === packedSize &&
    lengthAt(1) === size;
  if (!matches) refuse("has a file whose head differs from the directory");
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Directory {
  readonly count: number;
  readonly start: number;
  readonly end: number;
  /** The program that wrote its long end; null without one. */
  readonly maker: number | null;
}

/** Where the directory is, and how many files it names. */
async function directoryOf(source: ByteSource): Promise<Directory> {
  const at = source.size - 22;
  if (at < 0) refuse("is too short");
  const tail = viewOf(await source.read(Math.max(0, at - 20), source.size));
  const place = tail.byteLength - 22;
  // No comment: a second end could hide in it.
  if (tail.getUint32(place, true) !== END || tail.getUint16(place + 20, true) !== 0) refuse("does not end as one");
  if (tail.getUint32(place + 4, true) !== 0) refuse("has several parts");
  const [here, count] = [tail.getUint16(place + 8, true), tail.getUint16(place + 10, true)];
  const [size, start] = [tail.getUint32(place + 12, true), tail.getUint32(place + 16, true)];
  const hasLong = place === 20 && tail.getUint32(0, true) === LOCATOR_64;
  if (!hasLong) {
    if (here !== count || start + size !== at) refuse("has no directory that can be read");
    return { count, start, end: at, maker: null };
  }
  const longAt = Number(tail.getBigUint64(8, true));
  if (longAt + 56 !== at - 20) refuse("has no directory that can be read");
  const long = viewOf(await source.read(longAt, longAt + 56));
  const [locatorPart, parts] = [tail.getUint32(4, true), tail.getUint32(16, true)];
  const [longPart, longDirectoryPart] = [long.getUint32(16, true), long.getUint32(20, true)];
  if (locatorPart !== 0 || parts !== 1 || longPart !== 0 || longDirectoryPart !== 0) refuse("has several parts");
  const isForm =
    long.getUint32(0, true) === END_64 &&
    long.getBigUint64(4, true) === 44n &&
    long.getUint16(14, true) === VERSION_LONG &&
    long.getBigUint64(24, true) === long.getBigUint64(32, true) &&
    here === count;
  if (!isForm) refuse("has no directory that can be read");
  const [longCount, longSize, longStart] = [32, 40, 48].map((offset) => Number(long.getBigUint64(offset, true))) as [
    number,
    number,
    number,
  ];
  const isSame = (short: number, full: number, stand: number) => short === stand || short === full;
  const isOne =
    isSame(count, longCount, ESCAPE_16) && isSame(size, longSize, ESCAPE_32) && isSame(start, longStart, ESCAPE_32);
  if (!isOne || longStart + longSize !== longAt) refuse("has no directory that can be read");
  return { count: longCount, start: longStart, end: longAt, maker: long.getUint16(12, true) };
}

function centralEntries(view: DataView, count: number): readonly Listed[] {
  const found: Listed[] = [];
  let at = 0;
  for (; at + 46 <= view.byteLength && view.getUint32(at, true) === CENTRAL; ) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number];
    const next = at + 46 + nameLength + extraLength + commentLength;
    if (next > view.byteLength) refuse("has no directory that can be read");
    const method = view.getUint16(at + 10, true);
    const flags = view.getUint16(at + 8, true);
    if ((flags & 1) !== 0) refuse("is encrypted");
    if (method !== 0 && method !== 8) refuse("is packed in a way that is not known here");
    // Info-ZIP also marks files that it then stored.
    if ((flags & ~(FLAGS_KNOWN | FLAGS_DEFLATED)) !== 0) refuse("is packed in a way that is not known here");
    if (commentLength > 0) refuse("has a file with a comment");
    if (view.getUint16(at + 34, true) !== 0) refuse("has several parts");
    const maker = view.getUint16(at + 4, true);
    const name = nameOf(bytesAt(view, at + 46, nameLength), maker);
    const { lengths: extra, hasOthers } = extraOf(view, at + 46 + nameLength, extraLength);
    let taken = 0;
    // Lengths that have no room stand in the long form, in this order.
    const long = (short: number): number => {
      if (short !== ESCAPE_32) return short;
      if (extra === null || taken + 8 > extra.byteLength) return refuse("has no directory that can be read");
      taken += 8;
      return Number(extra.getBigUint64(taken - 8, true));
    };
    const size = long(view.getUint32(at + 24, true));
    const packedSize = long(view.getUint32(at + 20, true));
    const headAt = long(view.getUint32(at + 42, true));
    const version = view.getUint16(at + 6, true);
    if (taken !== (extra?.byteLength ?? 0) || ![...VERSIONS, VERSION_LONG].includes(version))
      refuse("has no directory that can be read");
    if (method === 0 && size !== packedSize) refuse("has a file that is longer than it says");
    const isFolder = name.endsWith("/");
    // Nothing, deflated, is two bytes.
    if (isFolder && (size > 0 || packedSize > 2)) refuse("has a folder with content");
    const attributes = view.getUint32(at + 38, true);
    const type = (attributes >>> 16) & 0o170000;
    if (!(isFolder ? FOLDER_TYPES : FILE_TYPES).includes(type)) refuse("has a file that is a link or a device");
    const isText = view.getUint16(at + 36, true);
    if (isText > 1) refuse("has no directory that can be read");
    const [time, sum] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const extras = { hasLengths: extra !== null, hasExtras: hasOthers };
    const known = { flags, version, time, maker, attributes, isText, ...extras };
    found.push({ name, size, packedSize, isDeflated: method === 8, crc32: sum, at: headAt, ...known });
    at = next;
  }
  if (at !== view.byteLength || found.length !== count) refuse("has no directory that can be read");
  return found;
}

const bytesAt = (view: DataView, at: number, length: number) =>
  new Uint8Array(view.buffer, view.byteOffset + at, length);

/** The long form of lengths (ZIP64) among the further members of an entry, and whether there are others. */
function extraOf(view: DataView, start: number, length: number): { lengths: DataView | null; hasOthers: boolean } {
  let found: DataView | null = null;
  let hasOthers = false;
  let at = start;
  for (; at + 4 <= start + length; ) {
    const [id, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (at + 4 + size > start + length) refuse("has no directory that can be read");
    if (id === EXTRA_NAME) refuse("has a file with two names");
    if (id === EXTRA_LENGTHS) {
      if (found !== null) refuse("has a file with two lengths");
      found = new DataView(view.buffer, view.byteOffset + at + 4, size);
    } else if (EXTRAS_FREE.includes(id) || (id === EXTRA_JAR && size === 0)) hasOthers = true;
    else refuse("has parts that are not known here");
    at += 4 + size;
  }
  if (at !== start + length) refuse("has no directory that can be read");
  return { lengths: found, hasOthers };
}

/** A path that stays in its folder, and that all systems read alike. */
function nameOf(bytes: Uint8Array, maker: number): string {
  let name = "";
  try {
    name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse("has a name that is not UTF-8");
  }
  if (SYSTEMS_OF_BACKSLASHES.includes(maker >>> 8)) name = name.replaceAll("\\", "/");
  const parts = name.replace(/\/$/, "").split("/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  const isWrong = name.length > 255 || /[\u0000-\u001f\u007f\\:]/.test(name);
  if (isWrong || parts.some((part) => part === "" || part === "." || part === ".."))
    refuse("has a name that leads elsewhere");
  return name;
}

/**
 * Where the content of a file begins. Its own head must say what the directory says, or, where the lengths stand behind the content, nothing of those that
 * its program did not know yet.
 */
async function contentStart(
  source: ByteSource,
  entry: Listed,
  { end, isOurs }: { readonly end: number; readonly isOurs: boolean },
): Promise<number> {
  const read = async (length: number) => {
    if (entry.at + length > end) refuse("has a file that is longer than there is room");
    return viewOf(await source.read(entry.at, entry.at + length));
  };
  const fixed = await read(30);
  const [nameLength, extraLength] = [fixed.getUint16(26, true), fixed.getUint16(28, true)];
  const start = 30 + nameLength + extraLength;
  const head = await read(start);
  const isLater = (entry.flags & FLAG_LATER) !== 0;
  const isOne = (said: number, known: number) => (isLater ? said === 0 || (!isOurs && said === known) : said === known);
  const short = [
    { said: head.getUint32(22, true), length: entry.size },
    { said: head.getUint32(18, true), length: entry.packedSize },
  ];
  const { lengths: long } = extraOf(head, 30 + nameLength, extraLength);
  const escaped = short.filter(({ said }) => said === ESCAPE_32);
  // Some write both long lengths where one of them is needed.
  const inLong = !isOurs && long?.byteLength === 16 ? short : escaped;
  const matches =
    head.getUint32(0, true) === LOCAL &&
    isVersion(head.getUint16(4, true), entry, { hasLengths: long !== null, isOurs }) &&
    head.getUint16(6, true) === entry.flags &&
    head.getUint16(8, true) === (entry.isDeflated ? 8 : 0) &&
    head.getUint32(10, true) === entry.time &&
    isOne(head.getUint32(14, true), entry.crc32) &&
    nameOf(bytesAt(head, 30, nameLength), entry.maker) === entry.name &&
    (long?.byteLength ?? 0) === inLong.length * 8 &&
    inLong.every(({ length }, place) => isOne(Number(long?.getBigUint64(place * 8, true)), length)) &&
    short.every(({ said, length }) => said === ESCAPE_32 || isOne(said, length));
  if (!matches) refuse("has a file whose head differs from the directory");
  return entry.at + start;
}

/** Whether the head of a file may say this version. Programs learn after they wrote a head whether long lengths are needed. */
function isVersion(
  said: number,
  { version }: Listed,
  { hasLengths, isOurs }: { readonly hasLengths: boolean; readonly isOurs: boolean },
): boolean {
  if (!isOurs) return [...VERSIONS, VERSION_LONG].includes(said);
  return said === (hasLengths ? VERSION_LONG : version === VERSION_LONG ? VERSIONS.at(-1) : version);
}
