// ZIPs of a dossier beyond 4 GiB, and what one must not have. Python reads them after README.md, too.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32, deflateRawSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { UnreadableError } from "../../src/verifier/keys.ts";
import { type ByteSource, readEntry, readZip } from "../../src/verifier/zip.ts";
import { bytesOf, sparseZip } from "./sparse-zip.ts";

const GIBIBYTE = 1024 ** 3;
const sourceOf = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});

async function contentsOf(source: ByteSource): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readZip(source)) {
    const pieces = [];
    for await (const piece of readEntry(source, entry)) pieces.push(Buffer.from(piece));
    found[entry.name] = String(Buffer.concat(pieces));
  }
  return found;
}

/** @param isWhole whether the content beyond 4 GiB is read, and not passed over */
export function dossierZipTests(isWhole: boolean): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-zip-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  /** What the Python program reads; null for what it refuses. */
  const byPython = (bytes: Buffer): Record<string, string> | null => {
    const file = path.join(folder, "given.zip");
    fs.writeFileSync(file, bytes);
    const program = `import json,sys
from dossier_zip import read_files
try: print(json.dumps({name: content.decode("latin1") for name, content in read_files(open(sys.argv[1],"rb").read()).items()}))
except ValueError: print("null")`;
    const env = { ...process.env, PYTHONPATH: import.meta.dirname };
    return JSON.parse(execFileSync("python3", ["-c", program, file], { env, encoding: "utf8" }));
  };
  const refused = async (bytes: Buffer, message: string) => {
    await expect(contentsOf(sourceOf(bytes))).rejects.toThrow(new RegExp(message));
    expect(byPython(bytes)).toBeNull();
  };

  describe("a ZIP with long lengths (ZIP64)", () => {
    test("is read beyond 4 GiB, piece by piece", async () => {
      const [large, small] = [4.5 * GIBIBYTE, Buffer.from("behind it")];
      const source = sparseZip(
        [
          { name: "originals/1-a.pdf", content: large },
          { name: "evidence.json", content: small },
        ],
        isWhole,
      );
      const [first, last, ...others] = await readZip(source);
      expect([first?.size, last?.size, last?.start, others]).toEqual([
        large,
        small.length,
        (first?.start ?? 0) + large + 24 + 30 + 13,
        [],
      ]);
      if (first === undefined || last === undefined) throw new Error("there are two");
      for await (const piece of readEntry(source, last)) expect(String(piece)).toBe("behind it");
      let read = 0;
      for await (const piece of readEntry(source, first)) {
        read += piece.length;
        if (!isWhole) break;
      }
      expect(read).toBe(isWhole ? large : 1_048_576);
    });

    test("is refused beyond 8 GiB", async () => {
      const beyond = [5, 5].map((size, place) => ({ name: `${place}`, content: size * GIBIBYTE }));
      await expect(readZip(sparseZip(beyond, false))).rejects.toThrow("is larger than");
    });

    test("is read as yazl writes it", async () => {
      const zip = new ZipFile();
      const options = { compress: false, forceDosTimestamp: true, forceZip64Format: true, mode: 0o100644 };
      for (const name of ["a", "b"]) zip.addBuffer(Buffer.from("x"), name, options);
      zip.end({ forceZip64Format: true, comment: "" });
      const bytes = await buffer(zip.outputStream);
      expect(await contentsOf(sourceOf(bytes))).toEqual({ a: "x", b: "x" });
      expect(byPython(bytes)).toEqual({ a: "x", b: "x" });
      // Each of its bytes says something, too.
      for (let at = 0; at < bytes.length; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ 0x81;
        await expect(contentsOf(sourceOf(flipped)), String(at)).rejects.toThrow(UnreadableError);
      }
    });
  });

  describe("a ZIP that two programs may read in two ways is refused", () => {
    /** A file as another program packs it. */
    const deflated = (packed: Buffer, content: Buffer) => {
      const shared = bytesOf(
        [2, 20],
        [2, 0],
        [2, 8],
        [4, 0],
        [4, crc32(content)],
        [4, packed.length],
        [4, content.length],
        [2, 1],
        [2, 0],
      );
      const head = Buffer.concat([bytesOf([4, 0x04034b50]), shared, Buffer.from("a"), packed]);
      const central = bytesOf(
        [4, 0x02014b50],
        [2, 20],
        shared,
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, 0],
        Buffer.from("a"),
      );
      const end = bytesOf([4, 0x06054b50], [4, 0], [2, 1], [2, 1], [4, central.length], [4, head.length], [2, 0]);
      return Buffer.concat([head, central, end]);
    };

    test("with bytes behind the last block of deflate", async () => {
      for (const content of [
        Buffer.alloc(0),
        Buffer.from("abc"),
        Buffer.alloc(100_000, "abcdefg"),
        fs.readFileSync(import.meta.filename),
      ]) {
        const packed = deflateRawSync(content);
        const plain = deflated(packed, content);
        expect(await contentsOf(sourceOf(plain))).toEqual({ a: String(content) });
        expect(byPython(plain)).toEqual({ a: content.toString("latin1") });
        for (const more of [1, 20_000])
          await refused(deflated(Buffer.concat([packed, Buffer.alloc(more)]), content), "cannot be unpacked");
        await refused(deflated(Buffer.concat([packed, packed]), content), "cannot be unpacked");
        await refused(deflated(packed.subarray(0, -1), content), "cannot be unpacked|shorter");
      }
    });

    const written = async (edit: (bytes: Buffer, central: number) => void) => {
      const { size, read } = sparseZip(
        [
          { name: "a", content: Buffer.from("x") },
          { name: "b", content: Buffer.from("y") },
        ],
        true,
      );
      const bytes = Buffer.from(await read(0, size));
      edit(bytes, bytes.indexOf(bytesOf([4, 0x02014b50])));
      return bytes;
    };

    test.each<[string, (bytes: Buffer, central: number) => unknown, string]>([
      [
        "a mark that is not known",
        (bytes, at) => [6, at + 8].map((place) => bytes.writeUInt16LE(0x848, place)),
        "not known here",
      ],
      ["another time in the head", (bytes) => bytes.writeUInt16LE(1, 10), "head differs"],
      ["another version in the head", (bytes) => bytes.writeUInt16LE(10, 4), "head differs"],
      [
        "a version that nobody has",
        (bytes, at) => [4, at + 6].map((place) => bytes.writeUInt16LE(63, place)),
        "no directory",
      ],
      ["a checksum behind the content that is another", (bytes) => bytes.writeUInt32LE(7, 36), "head differs"],
      ["a length behind the content that is another", (bytes) => bytes.writeUInt32LE(2, 40), "head differs"],
      ["another program for one of its files", (bytes, at) => bytes.writeUInt16LE(20, at + 4), "several programs"],
      [
        "rights that the platform does not write",
        (bytes, at) => bytes.writeUInt32LE(0o100755 * 65_536, at + 38),
        "does not write",
      ],
      ["a mark of a text", (bytes, at) => bytes.writeUInt16LE(1, at + 36), "does not write"],
      ["a file in another part", (bytes, at) => bytes.writeUInt16LE(1, at + 34), "several parts"],
    ])("with %s", async (_, edit, message) => {
      expect(await contentsOf(sourceOf(await written(() => {})))).toEqual({ a: "x", b: "y" });
      await refused(await written(edit), message);
    });

    test("and nothing but UnreadableError is thrown for bytes at random", async () => {
      const bytes = await written(() => {});
      for (let at = 0; at < bytes.length; at++) {
        const cut = bytes.subarray(0, at);
        await expect(contentsOf(sourceOf(cut))).rejects.toThrow(UnreadableError);
      }
    });
  });
}
