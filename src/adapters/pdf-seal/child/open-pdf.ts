import { deflateSync } from "node:zlib";
import { PDF } from "@libpdf/core";
import type { CrossReference, Entry } from "../../pdf-check/child/cross-reference.ts";
import type { Document } from "../../pdf-check/child/document.ts";
import type { PageSize } from "../../pdf-check/child/page-tree.ts";
import { Ref, type Value } from "../../pdf-check/child/values.ts";
import { sizeOf } from "./page-place.ts";

/** What @libpdf/core keeps of a PDF and does not show. */
interface Inside {
  _isLinearized: boolean;
  readonly _recoveredViaBruteForce: boolean;
}

export interface OpenPdf {
  readonly pdf: PDF;
  /** What has to stand between the original and every further update; empty for most files. */
  readonly table: Buffer;
}

/** The library cannot read the document that the check read. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** Points by which two readings of a size may differ. */
const ROUNDING = 0.001;

/**
 * Opens a PDF with @libpdf/core. Where the library cannot read the file's cross-reference, or reads other pages there than the check did, it
 * reads one that our reader writes: an incremental update of one cross-reference stream (ISO 32000-2, 7.5.8). So it does for a hybrid file.
 * @param sizes of its pages, as the strict reader finds them
 * @throws Unreadable
 */
export async function openPdf(
  { file: original, crossReference }: Document,
  sizes: readonly PageSize[],
): Promise<OpenPdf> {
  const asItIs = isHybrid(crossReference) ? null : await load(original);
  if (asItIs !== null && readsTheSame(asItIs, crossReference, sizes)) return { pdf: asItIs, table: Buffer.alloc(0) };
  const table = tableOf(original, crossReference);
  const pdf = await load(Buffer.concat([original, table]));
  if (pdf !== null && readsTheSame(pdf, crossReference, sizes)) return { pdf, table };
  throw new Unreadable("the library reads another document");
}

/** A table with a stream beside it (7.5.8.4). After an update, ghostscript 10 no longer looks into the stream. */
const isHybrid = ({ trailers }: CrossReference) => trailers.some((trailer) => trailer.has("XRefStm"));

async function load(bytes: Buffer): Promise<PDF | null> {
  let pdf: PDF;
  try {
    pdf = await PDF.load(bytes, { lenient: false });
  } catch {
    return null;
  }
  const inside = pdf as unknown as Inside;
  // An update is legal after a linearized file too (ISO 32000-2, annex G): readers then read it as any other.
  inside._isLinearized = false;
  return inside._recoveredViaBruteForce ? null : pdf;
}

/** The same pages, as they are displayed; and no number is free for a new object that an object has. */
function readsTheSame(pdf: PDF, { newest }: CrossReference, sizes: readonly PageSize[]): boolean {
  if (pdf.context.registry.nextObjectNumber <= highest(newest)) return false;
  const pages = pdf.getPages();
  return (
    pages.length === sizes.length &&
    pages.every((page, index) => {
      const { width, height } = sizeOf(pdf, page);
      const told = sizes[index] as PageSize;
      return Math.abs(width - told.width) < ROUNDING && Math.abs(height - told.height) < ROUNDING;
    })
  );
}

/** The cross-reference of a file as one stream, which names no earlier one: `startxref` leads here. */
function tableOf(original: Buffer, { newest, trailers }: CrossReference): Buffer {
  const rows = [...newest].flatMap(([number, entry]) => (entry === null ? [] : [[number, entry] as const]));
  rows.sort(([left], [right]) => left - right);
  const own = highest(newest) + 1;
  const before = Buffer.from("\n");
  const offset = original.length + before.length;
  const all = [[0, null], ...rows.filter(([number]) => number > 0), [own, { offset, generation: 0 }]] as const;
  const data = deflateSync(Buffer.concat(all.map(([, entry]) => rowOf(entry))));
  const newer = trailers[0] ?? new Map<string, Value>();
  const references = ["Root", "Info"].flatMap((key) => {
    const value = newer.get(key);
    return value instanceof Ref ? [`/${key} ${value.number} ${value.generation} R`] : [];
  });
  const dict = [
    `/Type /XRef /Size ${own + 1} /W [${WIDTHS.join(" ")}] /Index [${subsections(all.map(([number]) => number)).join(" ")}]`,
    ...references,
    ...identifiersIn(original),
    `/Filter /FlateDecode /Length ${data.length}`,
  ].join(" ");
  return Buffer.concat([
    before,
    Buffer.from(`${own} 0 obj\n<< ${dict} >>\nstream\n`),
    data,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${offset}\n%%EOF\n`),
  ]);
}

/** Bytes of the members of a row: a file of 64 MiB needs four for an offset, and the library takes no more than six. */
const WIDTHS = [1, 4, 4] as const;

function rowOf(entry: Entry | null): Buffer {
  const row = Buffer.alloc(WIDTHS[0] + WIDTHS[1] + WIDTHS[2]);
  if (entry === null) return row;
  const [kind, second, third] =
    "offset" in entry ? [1, entry.offset, entry.generation] : [2, entry.container, entry.index];
  row.writeUInt8(kind, 0);
  row.writeUInt32BE(second, 1);
  row.writeUInt32BE(third, 5);
  return row;
}

/** First number and count of each run of numbers. */
function subsections(numbers: readonly number[]): number[] {
  const found: number[] = [];
  for (const [place, number] of numbers.entries()) {
    if (place > 0 && number === (numbers[place - 1] as number) + 1) found.push((found.pop() as number) + 1);
    else found.push(number, 1);
  }
  return found;
}

/** The identifiers of the newest trailer that has some, as they stand there in hexadecimal: our reader keeps no strings. */
function identifiersIn(original: Buffer): string[] {
  const at = original.lastIndexOf("/ID");
  const found =
    at < 0
      ? null
      : /^\/ID\s*\[\s*<[0-9a-fA-F\s]{2,200}>\s*<[0-9a-fA-F\s]{2,200}>\s*\]/.exec(
          original.toString("latin1", at, at + 500),
        );
  return found === null ? [] : [found[0]];
}

const highest = (newest: ReadonlyMap<number, Entry | null>) =>
  newest.keys().reduce((most, one) => Math.max(most, one), 0);
