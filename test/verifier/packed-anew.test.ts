// ZIPs as other programs write them from the files of a dossier: read here and by the Python program, which was written from README.md.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { dossierEntries } from "../../src/verifier/dossier-entries.ts";
import { UnreadableError } from "../../src/verifier/keys.ts";
import { readEntry, readZip } from "../../src/verifier/zip.ts";

const FILES = { "evidence.json": "{}", "originals/1-a.pdf": "a document ".repeat(99), "empty.txt": "" };
const OURS = (3 << 8) | 63;
const NONE = 0xffffffff;

/** How a program writes ZIPs. */
interface Program {
  /** Version made by, of each file. */
  readonly made?: number | ((place: number) => number);
  readonly versions?: { readonly head: number; readonly directory: number };
  readonly flags?: number;
  readonly isStored?: boolean;
  /** What the head of a file says, where lengths and checksum come behind the content. */
  readonly early?: (known: { crc: number; packed: number; size: number }) => {
    crc: number;
    packed: number;
    size: number;
  };
  /** Members beside these, in the head. Long lengths come after them. */
  readonly extra?: Buffer;
  /** Long lengths in the head: none, or what they say, and whether the short ones say it, too. */
  readonly long?: (known: { packed: number; size: number }) => readonly number[];
  readonly areShortKept?: boolean;
  readonly hasLongTail?: boolean;
}

const u16 = (...values: readonly number[]) => Buffer.from(values.flatMap((value) => [value & 255, value >>> 8]));
const u32 = (...values: readonly number[]) => Buffer.concat(values.map((value) => u16(value & 0xffff, value >>> 16)));
const u64 = (...values: readonly number[]) => Buffer.concat(values.map((value) => u32(value, 0)));
const extraOf = (id: number, content: Buffer) => Buffer.concat([u16(id, content.length), content]);

function zipped(files: Readonly<Record<string, string>>, program: Program = {}): Buffer {
  const { made = 20, flags = 0, isStored = false, extra = Buffer.alloc(0), hasLongTail = false } = program;
  const { versions = { head: 20, directory: 20 }, early = (known) => known, long, areShortKept = false } = program;
  const heads: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [place, [name, text]] of Object.entries(files).entries()) {
    const content = Buffer.from(text);
    const body = isStored ? content : deflateRawSync(content);
    const known = { crc: crc32(content), packed: body.length, size: content.length };
    const said = early(known);
    const longs = long?.(known);
    const extras = longs === undefined ? extra : Buffer.concat([extra, extraOf(1, u64(...longs))]);
    const [packed, size] = longs === undefined || areShortKept ? [said.packed, said.size] : [NONE, NONE];
    const shared = Buffer.concat([u16(flags, isStored ? 0 : 8), u32(0x5b216000)]);
    const lengths = hasLongTail ? u64(known.packed, known.size) : u32(known.packed, known.size);
    const tail = (flags & 8) === 0 ? [] : [Buffer.from("PK\x07\x08"), u32(known.crc), lengths];
    const names = Buffer.from(name);
    const head = [u16(versions.head), shared, u32(said.crc, packed, size), u16(names.length, extras.length)];
    const whole = Buffer.concat([Buffer.from("PK\x03\x04"), ...head, names, extras, body, ...tail]);
    heads.push(whole);
    directory.push(
      Buffer.from("PK\x01\x02"),
      u16(typeof made === "number" ? made : made(place), versions.directory),
      shared,
      u32(known.crc, known.packed, known.size),
      u16(names.length, 0, 0, 0, 0),
      u32(0, at),
      names,
    );
    at += whole.length;
  }
  const central = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = [Buffer.from("PK\x05\x06"), u16(0, 0, count, count), u32(central.length, at), u16(0)];
  return Buffer.concat([...heads, central, ...end]);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-anew-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const PROGRAM = `import json, sys
from dossier_zip import read_dossier
def read(file):
    try: return {name: content.decode() for name, content in read_dossier(open(file, "rb").read()).items()}
    except ValueError: return None
print(json.dumps([read(file) for file in sys.argv[1:]]))`;

/** What the Python program reads of each; null for what it refuses. */
function byPython(zips: readonly Buffer[]): (Readonly<Record<string, string>> | null)[] {
  const files = zips.map((zip, place) => {
    const file = path.join(folder, `${place}.zip`);
    fs.writeFileSync(file, zip);
    return file;
  });
  const env = { ...process.env, PYTHONPATH: import.meta.dirname };
  return JSON.parse(execFileSync("python3", ["-c", PROGRAM, ...files], { env, encoding: "utf8" }));
}

async function read(zip: Buffer) {
  const source = { size: zip.length, read: async (start: number, end: number) => zip.subarray(start, end) };
  const { entries, setAside } = dossierEntries(await readZip(source));
  const files: Record<string, string> = {};
  for (const entry of entries) {
    const pieces: Uint8Array[] = [];
    for await (const piece of readEntry(source, entry)) pieces.push(piece);
    files[entry.name] = String(Buffer.concat(pieces));
  }
  return { files, setAside };
}

const zeros = () => ({ crc: 0, packed: 0, size: 0 });
const LONG = { head: 45, directory: 45 };
/** As these programs were seen to write; none of them is there when tests run. */
const WRITTEN: Readonly<Record<string, Program>> = {
  "zip -9 and -1, which mark stored files, too": { made: 0x031e, flags: 6, isStored: true },
  "zip to a pipe, which knows the length before": {
    made: 0x031e,
    flags: 8,
    early: ({ size }) => ({ crc: 0, packed: 0, size }),
  },
  "zip -fz": { made: 0x031e, versions: LONG, long: ({ packed, size }) => [size, packed] },
  "bsdtar with stored files": {
    made: 0x030a,
    versions: { head: 10, directory: 10 },
    flags: 8,
    isStored: true,
    early: ({ packed, size }) => ({ crc: 0, packed, size }),
  },
  "bsdtar, whose files have several versions": { made: (place) => (place === 0 ? 0x030a : 0x0314) },
  "bsdtar with long lengths": {
    made: 0x032d,
    versions: LONG,
    flags: 8,
    early: zeros,
    long: ({ size }) => [size, 0],
    hasLongTail: true,
  },
  "python3 zipfile with force_zip64": { made: 0x032d, versions: LONG, long: ({ packed, size }) => [size, packed] },
  "python3 zipfile with force_zip64, to a pipe": {
    made: 0x032d,
    versions: LONG,
    flags: 8,
    early: zeros,
    long: () => [0, 0],
    hasLongTail: true,
  },
  "a program that gives short and long lengths": {
    versions: { head: 45, directory: 20 },
    long: ({ packed, size }) => [size, packed],
    areShortKept: true,
  },
  jar: { made: 20, extra: extraOf(0xcafe, Buffer.alloc(0)), flags: 0x808, early: zeros },
  "the Finder of macOS": { made: 0x0315, flags: 8, early: zeros, extra: extraOf(0x5855, Buffer.alloc(12)) },
};

describe("the files of a dossier, packed anew", () => {
  test("are read as any of these programs writes them", async () => {
    const zips = Object.values(WRITTEN).map((program) => zipped(FILES, program));
    for (const [place, name] of Object.keys(WRITTEN).entries())
      expect(await read(zips[place] as Buffer), name).toEqual({ files: FILES, setAside: [] });
    expect(byPython(zips)).toEqual(zips.map(() => FILES));
  });

  test("are read with the separator of Windows, where Windows packed them", async () => {
    const named = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name.replace("/", "\\"), text]));
    const [windows, unix] = [20, 0x0314].map((made) => zipped(named, { made })) as [Buffer, Buffer];
    const both = zipped({ ...FILES, "originals\\1-a.pdf": "another" });
    expect((await read(windows)).files).toEqual(FILES);
    await expect(read(unix)).rejects.toThrow("leads elsewhere");
    await expect(read(both)).rejects.toThrow("a name twice");
    await expect(read(zipped({ "..\\evidence.json": "{}" }))).rejects.toThrow("leads elsewhere");
    expect(byPython([windows, unix, both])).toEqual([FILES, null, null]);
  });

  test("are read in a folder, and beside what systems add, which is named", async () => {
    const above = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`my dossier/${name}`, text]));
    const mac = { "__MACOSX/._my dossier": "x", "__MACOSX/my dossier/._empty.txt": "x" };
    const added = { ...mac, "my dossier/.DS_Store": "x", "my dossier/originals/Thumbs.db": "x", "desktop.ini": "x" };
    const zip = zipped({ ...added, ...above });
    expect(await read(zip)).toEqual({ files: FILES, setAside: Object.keys(added) });
    expect(byPython([zip])).toEqual([FILES]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["two folders", { "a/evidence.json": "{}", "b/evidence.json": "{}" }],
    ["a file beside the folder", { "a/evidence.json": "{}", "contract.pdf": "x" }],
    ["a folder without evidence", { "a/b/evidence.json": "{}" }],
    ["a file that no system adds", { "evidence.json": "{}", "__MACOSX/contract.pdf": "x", "a.DS_Store": "x" }],
  ])("keep their names, and all are looked at, with %s", async (_, files) => {
    const zip = zipped(files);
    expect(await read(zip)).toEqual({ files, setAside: [] });
    expect(byPython([zip])).toEqual([files]);
  });

  test.each<[string, Program]>([
    ["another length in the head, though it comes later", { flags: 8, early: () => ({ crc: 0, packed: 0, size: 7 }) }],
    ["another checksum in the head", { flags: 8, early: () => ({ crc: 7, packed: 0, size: 0 }) }],
    ["no length in the head, and none later", { early: zeros }],
    ["another long length", { versions: LONG, long: ({ packed, size }) => [size + 1, packed] }],
    ["long lengths beside others", { versions: LONG, long: ({ size }) => [size, size + 9], areShortKept: true }],
    ["one long length of two", { versions: LONG, long: ({ size }) => [size] }],
    ["content in the mark of jar", { extra: extraOf(0xcafe, Buffer.from("x")) }],
    ["files of the platform beside others", { made: (place) => (place === 0 ? OURS : 0x0314), isStored: true }],
    ["lengths in the head that the platform does not write", { made: OURS, flags: 8, isStored: true }],
    ["a version that nobody has", { versions: { head: 63, directory: 20 } }],
  ])("are refused with %s", async (_, program) => {
    const zip = zipped(FILES, program);
    await expect(read(zip)).rejects.toThrow(UnreadableError);
    expect(byPython([zip])).toEqual([null]);
  });
});
