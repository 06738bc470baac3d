// Sound PDFs whose cross-references programs of the field write, and of which @libpdf/core reads some only through ours.
import {
  CATALOG,
  flate,
  type Objects,
  objectStream,
  PAGE,
  PAGES,
  pdf,
  startOf,
  stream,
} from "../pdf-check/pdf-file.ts";

const TEXT = "BT /F 24 Tf 72 700 Td (Hello) Tj ET";
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const WITH_TEXT: Objects = {
  1: CATALOG,
  2: PAGES,
  3: PAGE.replace(">>", "/Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>"),
  4: stream("", TEXT),
  5: FONT,
};
const plain = pdf(WITH_TEXT);

/** `startxref`, or a `/Prev`, of this file names the end of the line before the table. */
const early = (file: Buffer, name: RegExp): Buffer =>
  Buffer.from(
    file.toString("latin1").replace(name, (_, before: string, offset: string) => `${before}${Number(offset) - 1}`),
    "latin1",
  );
const STARTXREF = /(startxref\n)(\d+)(?=\n%%EOF\n$)/;
const PREV = /(\/Prev )(\d+)/;

/** An update whose cross-reference is a stream with members of these widths. */
function streamUpdate(before: Buffer, objects: Objects, widths: readonly [number, number, number], more = ""): Buffer {
  let file = before.toString("latin1");
  const rows: [number, number][] = [];
  for (const [number, syntax] of Object.entries(objects)) {
    rows.push([Number(number), file.length]);
    file += `${number} 0 obj\n${syntax}\nendobj\n`;
  }
  const own = 90;
  const at = file.length;
  rows.push([own, at]);
  const data = Buffer.concat(
    rows.map(([, offset]) => {
      const row = Buffer.alloc(widths[0] + widths[1] + widths[2]);
      row.writeUInt8(1, widths[0] - 1);
      row.writeUInt32BE(offset, widths[0] + widths[1] - 4);
      return row;
    }),
  );
  const index = rows.map(([number]) => `${number} 1`).join(" ");
  const dict = `/Type /XRef /Size ${own + 1} /W [${widths.join(" ")}] /Index [${index}] /Root 1 0 R /Prev ${startOf(before)} ${more}`;
  return Buffer.from(`${file}${own} 0 obj\n${flate(dict, data)}\nendobj\nstartxref\n${at}\n%%EOF\n`, "latin1");
}

/** As Word saves: a table in which the objects of an object stream are free, and a table without a row whose trailer names a stream that has them (7.5.8.4). */
function hybrid(): Buffer {
  const inStream: Objects = { 2: PAGES, 3: WITH_TEXT[3] as string, 5: FONT };
  let file = "%PDF-1.5\n";
  const offsets: Record<number, number> = {};
  for (const [number, syntax] of Object.entries({ 1: CATALOG, 4: stream("", TEXT), 6: objectStream(inStream) })) {
    offsets[Number(number)] = file.length;
    file += `${number} 0 obj\n${syntax}\nendobj\n`;
  }
  const line = (number: number) => `${String(offsets[number]).padStart(10, "0")} 00000 n \n`;
  const free = "0000000000 65535 f \n";
  const first = file.length;
  file += `xref\n0 8\n${free}${line(1)}${free}${free}${line(4)}${free}${line(6)}${free}trailer\n<< /Size 8 /Root 1 0 R >>\nstartxref\n${first}\n%%EOF\n`;
  const rows = Buffer.concat(Object.keys(inStream).map((_, index) => Buffer.from([2, 0, 0, 0, 6, 0, index])));
  const index = Object.keys(inStream).map((number) => `${number} 1`);
  const hidden = file.length;
  file += `7 0 obj\n${flate(`/Type /XRef /Size 8 /W [1 4 2] /Index [${index.join(" ")}]`, rows)}\nendobj\n`;
  const at = file.length;
  file += `xref\n0 0\ntrailer\n<< /Size 8 /Root 1 0 R /Prev ${first} /XRefStm ${hidden} >>\n`;
  return Buffer.from(`${file}startxref\n${at}\n%%EOF\n`, "latin1");
}

/** Catalog, page tree and page in an object stream. */
function catalogInStream(): Buffer {
  const inStream: Objects = { 1: CATALOG, 2: PAGES, 3: WITH_TEXT[3] as string, 5: FONT };
  let file = "%PDF-1.5\n";
  const rows: [number, number, number, number][] = [];
  for (const [number, syntax] of Object.entries({ 4: stream("", TEXT), 6: objectStream(inStream) })) {
    rows.push([Number(number), 1, file.length, 0]);
    file += `${number} 0 obj\n${syntax}\nendobj\n`;
  }
  for (const [index, number] of Object.keys(inStream).entries()) rows.push([Number(number), 2, 6, index]);
  const at = file.length;
  rows.push([7, 1, at, 0]);
  rows.sort(([left], [right]) => left - right);
  const data = Buffer.concat(
    rows.map(([, kind, second, third]) => {
      const row = Buffer.alloc(7);
      row.writeUInt8(kind, 0);
      row.writeUInt32BE(second, 1);
      row.writeUInt16BE(third, 5);
      return row;
    }),
  );
  const dict = `/Type /XRef /Size 8 /W [1 4 2] /Index [${rows.map(([number]) => `${number} 1`).join(" ")}] /Root 1 0 R`;
  return Buffer.from(`${file}7 0 obj\n${flate(dict, data)}\nendobj\nstartxref\n${at}\n%%EOF\n`, "latin1");
}

const updated = (before: Buffer, info: string) =>
  pdf({ 8: `<< /Title (${info}) >>` }, { before, trailer: "/Info 8 0 R" });
const tenUpdates = Array.from({ length: 10 }, (_, round) => `round ${round}`).reduce(updated, plain);

/** Each shows "Hello". */
export const oddTables: Readonly<Record<string, Buffer>> = {
  "an update by a stream with /W [1 8 2], as pyHanko writes": streamUpdate(
    plain,
    { 8: "<< /Title (x) >>" },
    [1, 8, 2],
    "/Info 8 0 R",
  ),
  "startxref names the end of the line before": early(plain, STARTXREF),
  "startxref of an update names the end of the line before": early(updated(plain, "x"), STARTXREF),
  "/Prev names the end of the line before": early(updated(plain, "x"), PREV),
  "a hybrid file": hybrid(),
  "a hybrid file with an update": updated(hybrid(), "x"),
  "the catalog in an object stream": catalogInStream(),
  "/Size is too small": Buffer.from(plain.toString("latin1").replace("/Size 6", "/Size 4"), "latin1"),
  "ten updates": tenUpdates,
  "ten updates, and the last /Prev is wrong by one": early(tenUpdates, /([\s\S]*\/Prev )(\d+)/),
};
