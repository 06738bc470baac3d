import { deflateSync } from "node:zlib";
import { byLane } from "../support/lane.ts";

type Part = string | Buffer;

/** A PDF of these objects, the first one its catalog. Readers of its broken end look for the objects themselves. */
export function pdfOf(objects: readonly Part[], trailer = ""): Buffer {
  return Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from("\nendobj\n"),
    ]),
    Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n0\n%%EOF\n`),
  ]);
}

export function stream(data: Uint8Array, entries = ""): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} ${entries}>>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
}

export const CATALOG = "<< /Type /Catalog /Names << /EmbeddedFiles << /Names [(evidence.json) 2 0 R] >> >> >>";
export const FILE_SPECIFICATION = "<< /Type /Filespec /F (evidence.json) /EF << /F 3 0 R >> >>";

/** A PDF made by hand whose attachment is this stream. */
export const withAttachment = (attachment: Part, ...more: readonly Part[]) =>
  pdfOf([CATALOG, FILE_SPECIFICATION, attachment, ...more]);

const deflated = (bytes: Uint8Array, times: number): Buffer =>
  times === 0 ? Buffer.from(bytes) : deflated(deflateSync(bytes, { level: 9 }), times - 1);
const filters = (times: number) => `/Filter [${"/FlateDecode ".repeat(times)}] `;

/** By their size and how often they are deflated: a gigabyte takes two seconds. */
const zeros = new Map<string, Buffer>();
function deflatedZeros(bytes: number, times: number): Buffer {
  if (times === 0) return Buffer.alloc(bytes);
  const known = `${bytes} ${times}`;
  const made = zeros.get(known) ?? deflated(deflatedZeros(bytes, times - 1), 1);
  zeros.set(known, made);
  return made;
}

/** What unpacks to so many zero bytes. */
export const bomb = (bytes: number, times: number, entries = "") =>
  stream(deflatedZeros(bytes, times), `${entries}${filters(times)}`);

const OBJECTS = "/Type /ObjStm /First 10 ";

/** What would take down a program that trusts a PDF, and none of it has an attachment that can be read. */
export const HOSTILE: Readonly<Record<string, () => Buffer>> = {
  // Its megabyte of packed bytes takes seconds to make; otherwise a hundred megabytes show the same.
  "a large attachment": () => withAttachment(bomb(byLane({ lane: 100_000_000, full: 2 ** 30 }), 1)),
  "a gigabyte in two kilobytes": () => withAttachment(bomb(2 ** 30, 2)),
  "objects that unpack to a gigabyte": () => withAttachment(bomb(2 ** 30, 2, `${OBJECTS}/N 1 `)),
  "objects of which there are a thousand million": () =>
    withAttachment(
      stream(
        deflated(Buffer.alloc(byLane({ lane: 2 ** 24, full: 2 ** 28 }), "1 "), 2),
        `${OBJECTS}/N 999999999 ${filters(2)}`,
      ),
    ),
  "many bombs, one after the other": () => {
    const empty = bomb(180_000_000, 2, `${OBJECTS}/N 0 `);
    return withAttachment("null", ...Array.from({ length: byLane({ lane: 6, full: 60 }) }, () => empty));
  },
  "two million levels": () => withAttachment("[".repeat(2_000_000)),
  "half a million dictionaries in each other": () => withAttachment("<</A ".repeat(500_000)),
  "an endless text": () => withAttachment("(".repeat(4_000_000)),
  "objects without an end": () =>
    Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(byLane({ lane: 500_000, full: 1_500_000 }), "1 0 obj\n")]),
  "a tree that is a circle": () =>
    pdfOf(["<< /Type /Catalog /Names << /EmbeddedFiles 2 0 R >> >>", "<< /Kids [2 0 R 2 0 R 2 0 R] >>"]),
  "a reference to itself": () => pdfOf(["<< /Type /Catalog /Names 2 0 R >>", "2 0 R"]),
};
