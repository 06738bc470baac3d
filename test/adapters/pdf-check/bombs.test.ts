import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { flate, type Objects, ONE_PAGE, objectStream, onePage, pdf, pdfWithStreams, stream } from "./pdf-file.ts";
import { verdictHere, verdictOf } from "./verdict-of.ts";

const MIB = 1024 * 1024;
/** A mebibyte of zeros, behind which others may stand. */
const ZEROS = zlib.deflateRawSync(Buffer.alloc(MIB), { level: 9, finishFlush: zlib.constants.Z_FULL_FLUSH });

/** Some 1 KB for each mebibyte of zeros (RFC 1950), which nobody has to deflate first. */
function zeros(size: number): Buffer {
  const end = Buffer.from([0x03, 0x00, 0, 0, 0, 0]);
  // Adler-32 of zeros: its first sum stays 1, its second counts them.
  end.writeUInt16BE(size % 65_521, 2);
  end.writeUInt16BE(1, 4);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...Array<Buffer>(size / MIB).fill(ZEROS), end]);
}

/** Nested Flate: each step multiplies by up to 1,000. */
function nested(): string {
  let data: Buffer = zeros(300 * MIB);
  for (let step = 0; step < 2; step += 1) data = zlib.deflateSync(data, { level: 9 });
  return stream("/Filter [/FlateDecode /FlateDecode /FlateDecode]", data);
}

const repeated = (text: string, count: number) => text.repeat(count);

test("the zeros of these files are what they are said to be", () => {
  expect(zlib.inflateSync(zeros(3 * MIB)).equals(Buffer.alloc(3 * MIB))).toBe(true);
});

describe("bombs", () => {
  test("nested Flate of 2 KB", async () => {
    const file = pdf(onePage({ page: "/Contents 4 0 R", objects: { 4: nested() } }));
    expect(file.length).toBeLessThan(3000);
    expect(await verdictOf(file)).toBe("quarantined: bomb");
  });

  test("a content that inflates to 100 MiB in two steps, and has the beginning of another object in a comment", async () => {
    const data = zlib.deflateSync(zeros(100 * MIB), { level: 9 });
    // A search for objects finds a stream with one filter at the same place.
    const dict = `/Subtype /Image /Filter [/FlateDecode /FlateDecode] % 7 0 obj << /Filter /FlateDecode /Length ${data.length}\n`;
    const file = pdf(onePage({ page: "/Contents 4 0 R", objects: { 4: stream(dict, data) } }));
    expect(await verdictHere(file)).toBe("quarantined: unsealable");
  });

  test("an object stream of 600 KB that inflates to 600 MB", async () => {
    const bomb = stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", zeros(600 * MIB));
    expect(await verdictOf(pdf(onePage({ objects: { 4: bomb } })))).toBe("quarantined: bomb");
  });

  test("many object streams that inflate to 60 MiB each", async () => {
    const one = stream(
      "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode",
      zlib.deflateSync(Buffer.concat([Buffer.from("9 0 null"), Buffer.alloc(60 * MIB, " ")]), { level: 9 }),
    );
    const many = Object.fromEntries([4, 5, 6, 7, 8, 9].map((number) => [number, one]));
    expect(await verdictOf(pdf(onePage({ objects: many })))).toBe("quarantined: bomb");
  });

  test("a cross-reference stream that inflates to 600 MB", async () => {
    const body = `%PDF-1.7\n1 0 obj\n${stream("/Type /XRef /Size 9 /W [1 4 2] /Filter /FlateDecode", zeros(600 * MIB))}\nendobj\n`;
    const file = Buffer.from(`${body}startxref\n9\n%%EOF`, "latin1");
    expect(await verdictOf(file)).toBe("quarantined: bomb");
  });

  test("a million entries of the cross-reference", async () => {
    const ordinary = pdf(ONE_PAGE).toString("latin1");
    const lines = `0 1000000\n${repeated("0000000000 65535 f \n", 1_000_000)}`;
    const file = Buffer.from(ordinary.replace("xref\n", `xref\n${lines}`), "latin1");
    expect(await verdictHere(file)).toBe("quarantined: bomb");
  });

  test("an array of ten million numbers", async () => {
    expect(await verdictOf(pdf(onePage({ objects: { 4: `[${repeated("1 ", 10_000_000)}]` } })))).toBe(
      "quarantined: bomb",
    );
  });

  test.each<[string, Objects]>([
    ["arrays, a million deep", onePage({ objects: { 4: repeated("[", 1_000_000) } })],
    ["dictionaries, 10,000 deep", onePage({ objects: { 4: repeated("<</A", 10_000) + repeated(">>", 10_000) } })],
    ["a page tree that leads to itself", { ...ONE_PAGE, 2: "<< /Type /Pages /Kids [2 0 R] /Count 1 >>" }],
    [
      "a page tree that grows exponentially",
      {
        ...ONE_PAGE,
        2: "<< /Type /Pages /Kids [4 0 R 4 0 R] /Count 4 >>",
        4: "<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>",
      },
    ],
    ["a reference to itself", onePage({ page: "/UserUnit 4 0 R", objects: { 4: "4 0 R" } })],
    ["references in a circle", onePage({ page: "/AA 4 0 R", objects: { 4: "5 0 R", 5: "4 0 R" } })],
    [
      "a stream that is as long as it is long",
      onePage({ objects: { 4: stream("", "a").replace("/Length 1", "/Length 4 0 R") } }),
    ],
    ["a hundred filters", onePage({ objects: { 4: stream(`/Filter [${repeated("/ASCIIHexDecode ", 100)}]`, ">") } })],
    ["run lengths behind run lengths", onePage({ objects: { 4: runLengths() } })],
  ])("%s", async (_, objects) => expect(await verdictHere(pdf(objects))).toBe("quarantined: bomb"));

  test("deep nesting in an object stream", async () => {
    const file = pdf(onePage({ objects: { 4: objectStream({ 9: repeated("[", 100_000) }) } }));
    expect(await verdictHere(file)).toBe("quarantined: bomb");
  });

  test("the limit on memory holds for what the bounds inside the program let pass", async () => {
    // 20 MiB that are read, in a program that is allowed less than Node itself needs with them.
    const file = pdf(
      onePage({ objects: { 4: flate("", Buffer.alloc(60 * MIB)), 5: stream("", repeated("a", 20 * MIB)) } }),
    );
    expect(await verdictOf(file, { limits: { residentBytes: 48 * MIB } })).toBe("quarantined: bomb");
  });
});

/** 2 MiB that say "the byte 129, 128 times", which says "the byte 0, 128 times": 64 times as much in each step. */
function runLengths(): string {
  return stream("/Filter [/RunLengthDecode /RunLengthDecode]", repeated("\x81\x81", MIB));
}

describe("much, and honest", () => {
  // 100,000 in bombs.full.test.ts.
  test("tens of thousands of objects", async () => {
    const count = byLane({ lane: 20_000, full: 100_000 });
    const objects: Objects = { ...ONE_PAGE };
    for (let number = 4; number < count; number += 1) objects[number] = `<< /P 3 0 R /K [${number}] /S /Span >>`;
    expect(await verdictOf(pdf(objects))).toBe("ready: 612x792");
    expect(await verdictOf(pdfWithStreams({}, objects))).toBe("ready: 612x792");
  });

  test("a scan of a white page: an image may inflate to more than text may", async () => {
    const image = stream("/Subtype /Image /Filter /FlateDecode", zeros(100 * MIB));
    expect(await verdictOf(pdf(onePage({ objects: { 4: image } })))).toBe("ready: 612x792");
    const text = stream("/Filter /FlateDecode", zeros(100 * MIB));
    expect(await verdictOf(pdf(onePage({ objects: { 4: text } })))).toBe("quarantined: bomb");
  });

  test("damage in a stream that is no list of objects is the reader's to show", async () => {
    const half = zlib.deflateSync(Buffer.from(repeated("hello ", 1000))).subarray(0, 20);
    expect(await verdictHere(pdf(onePage({ objects: { 4: stream("/Filter /FlateDecode", half) } })))).toBe(
      "ready: 612x792",
    );
  });
});
