import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Document } from "../../../src/adapters/pdf-check/child/document.ts";
import { decode } from "../../../src/adapters/pdf-check/child/filters.ts";
import { Ref, Stream } from "../../../src/adapters/pdf-check/child/values.ts";
import { onePage, pdf, stream } from "./pdf-file.ts";

// Repetition for LZW and run lengths, every byte value, and more than 4,096 codes.
const DATA = Buffer.concat([
  Buffer.alloc(1000, "ab"),
  Buffer.alloc(300),
  Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * index * 31 + (index >> 3)) % 256)),
]);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "selo-pdf-filters-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** LZW with a table that is cleared when it is full. */
function lzw(data: Buffer, early: 0 | 1): Buffer {
  let table = new Map<string, number>();
  let next = 258;
  let bits = "";
  let width = 9;
  const emit = (code: number) => {
    bits += code.toString(2).padStart(width, "0");
  };
  const clear = () => {
    emit(256);
    table = new Map();
    next = 258;
    width = 9;
  };
  clear();
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : (table.get(text) as number));
  let held = "";
  for (const letter of data.toString("latin1")) {
    if (held === "" || table.has(held + letter)) {
      held += letter;
      continue;
    }
    emit(codeOf(held));
    table.set(held + letter, next++);
    // The decoder is one entry behind.
    if (next - 1 + early >= 1 << width && width < 12) width += 1;
    held = letter;
    if (next >= 4094) {
      emit(codeOf(held));
      held = "";
      clear();
    }
  }
  if (held) emit(codeOf(held));
  emit(257);
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2)));
}

function ascii85(data: Buffer): string {
  const code = "import base64,sys; sys.stdout.buffer.write(base64.a85encode(sys.stdin.buffer.read()) + b'~>')";
  return execFileSync("python3", ["-c", code], { input: data, encoding: "latin1" });
}

function runLength(data: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    let end = at + 1;
    while (end < data.length && end - at < 128 && data[end] === data[at]) end += 1;
    if (end - at > 1) pieces.push(Buffer.from([257 - (end - at), data[at] as number]));
    else pieces.push(Buffer.from([0, data[at] as number]));
    at = end;
  }
  return Buffer.concat([...pieces, Buffer.from([128])]);
}

/** Rows of 50 bytes, each with another of PNG's five filters. */
function png(data: Buffer): Buffer {
  const rows: Buffer[] = [];
  for (let at = 0; at < data.length; at += 50) {
    const kind = (at / 50) % 5;
    const row = Buffer.from(data.subarray(at, at + 50));
    for (let column = 0; column < 50; column += 1) {
      const left = column > 0 ? (data[at + column - 1] as number) : 0;
      const up = at > 0 ? (data[at - 50 + column] as number) : 0;
      const corner = column > 0 && at > 0 ? (data[at - 51 + column] as number) : 0;
      const near = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
      const paeth = [left, up, corner][near.indexOf(Math.min(...near))] as number;
      const base = [0, left, up, (left + up) >> 1, paeth][kind] as number;
      row[column] = (data[at + column] as number) - base;
    }
    rows.push(Buffer.concat([Buffer.from([kind]), row]));
  }
  return zlib.deflateSync(Buffer.concat(rows));
}

test.each<[string, string, () => string | Buffer]>([
  ["Flate", "/Filter /FlateDecode", () => zlib.deflateSync(DATA)],
  ["Flate with PNG's predictors", "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 50 >>", () => png(DATA)],
  ["ASCIIHex", "/Filter /ASCIIHexDecode", () => `${DATA.toString("hex")}>`],
  ["ASCII85", "/Filter /ASCII85Decode", () => ascii85(DATA)],
  ["run lengths", "/Filter /RunLengthDecode", () => runLength(DATA)],
  ["LZW", "/Filter /LZWDecode", () => lzw(DATA, 1)],
  ["LZW, late", "/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>", () => lzw(DATA, 0)],
  [
    "two, with parameters for the second",
    "/Filter [/ASCII85Decode /FlateDecode] /DecodeParms [null << /Predictor 12 /Columns 50 >>]",
    () => ascii85(png(DATA)),
  ],
])("%s is decoded, as qpdf decodes it", (_, dict, encode) => {
  const file = pdf(onePage({ objects: { 4: stream(dict, encode()) } }));
  const document = new Document(file);
  const value = document.resolve(new Ref(4, 0));
  if (!(value instanceof Stream)) throw new Error("object 4 is no stream");
  expect(decode(file, value, document.resolve).equals(DATA)).toBe(true);

  const name = path.join(folder, "file.pdf");
  writeFileSync(name, file);
  const byQpdf = execFileSync("qpdf", ["--show-object=4", "--filtered-stream-data", name]);
  expect(byQpdf.equals(DATA)).toBe(true);
});
