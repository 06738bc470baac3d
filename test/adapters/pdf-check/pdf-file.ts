import zlib from "node:zlib";

/** Objects by their numbers, as PDF syntax. A stream's syntax comes from {@link stream}. */
export type Objects = Record<number, string>;

export const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
export const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
export const PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>";
export const ONE_PAGE: Objects = { 1: CATALOG, 2: PAGES, 3: PAGE };

/** A document of one page with more in its catalog, its page, or beside them. */
export function onePage(more: { catalog?: string; page?: string; objects?: Objects } = {}): Objects {
  return {
    1: CATALOG.replace(">>", `${more.catalog ?? ""} >>`),
    2: PAGES,
    3: PAGE.replace(">>", `${more.page ?? ""} >>`),
    ...more.objects,
  };
}

/** A stream object. Everything in these files is Latin-1, so that a string holds bytes. */
export function stream(dict: string, data: string | Buffer): string {
  const bytes = Buffer.isBuffer(data) ? data.toString("latin1") : data;
  return `<< ${dict} /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`;
}

export function flate(dict: string, data: string | Buffer): string {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.from(data, "latin1");
  return stream(`${dict} /Filter /FlateDecode`, zlib.deflateSync(bytes, { level: 9 }));
}

/** An object stream (ISO 32000-2, 7.5.7) that holds the objects in their order. */
export function objectStream(objects: Objects, dict = ""): string {
  const { head, body, count } = packed(objects);
  return flate(`/Type /ObjStm /N ${count} /First ${head.length} ${dict}`, head + body);
}

export function packed(objects: Objects): { head: string; body: string; count: number } {
  let head = "";
  let body = "";
  const numbers = Object.keys(objects);
  for (const number of numbers) {
    head += `${number} ${body.length} `;
    body += `${objects[Number(number)]} `;
  }
  return { head, body, count: numbers.length };
}

export interface FileParts {
  header?: string;
  trailer?: string;
  /** Of an incremental update. */
  before?: Buffer;
  /** Numbers that the cross-reference leaves out. */
  unnamed?: number[];
  /** Numbers that an incremental update deletes. */
  deleted?: number[];
}

/** A file with a cross-reference table (7.5.4); with `before`, an incremental update of that file (7.5.6). */
export function pdf(objects: Objects, parts: FileParts = {}): Buffer {
  let file = parts.before ? parts.before.toString("latin1") : (parts.header ?? "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
  const written: string[] = [];
  const lines: string[] = parts.before ? [] : ["0 1\n0000000000 65535 f \n"];
  for (const [number, syntax] of Object.entries(objects)) {
    if (!parts.unnamed?.includes(Number(number)))
      lines.push(`${number} 1\n${String(file.length).padStart(10, "0")} 00000 n \n`);
    // Joined at the end: 100,000 objects are many.
    const object = `${number} 0 obj\n${syntax}\nendobj\n`;
    file += object;
    written.push(number);
  }
  for (const number of parts.deleted ?? []) lines.push(`${number} 1\n0000000000 00001 f \n`);
  const at = file.length;
  const previous = parts.before ? `/Prev ${startOf(parts.before)}` : "";
  const size = Math.max(parts.before ? 4 : 0, ...written.slice(-1).map(Number), ...(parts.deleted ?? [])) + 1;
  file += `xref\n${lines.join("")}trailer\n<< /Size ${size} /Root 1 0 R ${previous} ${parts.trailer ?? ""} >>\n`;
  return Buffer.from(`${file}startxref\n${at}\n%%EOF\n`, "latin1");
}

/** The offset that `startxref` names last. */
export function startOf(file: Buffer): number {
  return Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString("latin1", file.length - 64))?.[1]);
}

/** A file with a cross-reference stream (7.5.8), and the objects of `packed` in an object stream. */
export function pdfWithStreams(plain: Objects, inStream: Objects): Buffer {
  const container =
    1 + Object.keys({ ...plain, ...inStream }).reduce((most, number) => Math.max(most, Number(number)), 0);
  let file = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
  const rows = new Map<number, [number, number, number]>([[0, [0, 0, 255]]]);
  for (const [number, syntax] of Object.entries({ ...plain, [container]: objectStream(inStream) })) {
    rows.set(Number(number), [1, file.length, 0]);
    file += `${number} 0 obj\n${syntax}\nendobj\n`;
  }
  for (const [index, number] of Object.keys(inStream).entries()) rows.set(Number(number), [2, container, index]);
  rows.set(container + 1, [1, file.length, 0]);
  const numbers = [...rows.keys()].sort((a, b) => a - b);
  const data = Buffer.concat(numbers.map((number) => row(rows.get(number) ?? [0, 0, 0])));
  const dict = `/Type /XRef /Size ${container + 2} /W [1 4 4] /Root 1 0 R /Index [${numbers.map((n) => `${n} 1`).join(" ")}]`;
  const at = file.length;
  return Buffer.from(
    `${file}${container + 1} 0 obj\n${flate(dict, data)}\nendobj\nstartxref\n${at}\n%%EOF\n`,
    "latin1",
  );
}

/** One entry of a cross-reference stream with /W [1 4 4]. */
export function row([kind, second, third]: [number, number, number]): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(kind, 0);
  bytes.writeUInt32BE(second, 1);
  bytes.writeUInt32BE(third, 5);
  return bytes;
}

/** The bytes in pieces, as they come from a disk. */
export async function* pieces(file: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}
