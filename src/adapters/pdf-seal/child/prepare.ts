import { createHash } from "node:crypto";
import { PdfArray, type PdfDict, PdfString } from "@libpdf/core";
import { certifiedLevel } from "../../pdf-check/child/certified-level.ts";
import { Document } from "../../pdf-check/child/document.ts";
import { pageSizes } from "../../pdf-check/child/page-tree.ts";
import type { Plan } from "../plan.ts";
import { drawOverlay } from "./draw-overlay.ts";
import { type OpenPdf, openPdf, Unreadable } from "./open-pdf.ts";
import { addSignature, writeByteRange } from "./sign-field.ts";

/** The certification of the document allows no change. */
export class Closed extends Error {
  override readonly name = "Closed";
}

/**
 * Adds to a PDF what is drawn on it and a signature that has room and is not made yet, as an incremental update: the bytes that are there stay, and with them the
 * signatures over them.
 * @returns what stands after the bytes of the PDF
 */
export async function prepare(original: Buffer, plan: Plan): Promise<Uint8Array> {
  const document = new Document(original);
  return prepareOpened(await openPdf(document, pageSizes(document, Number.POSITIVE_INFINITY)), document, plan);
}

/** The same of a document that is open. */
export async function prepareOpened({ pdf, table }: OpenPdf, document: Document, plan: Plan): Promise<Uint8Array> {
  const { file: original } = document;
  if (plan.signature?.refuseClosed && certifiedLevel(document) === 1) throw new Closed("no change is allowed");
  if (plan.overlay !== null) await drawOverlay(pdf, document, plan.overlay);
  const { trailer } = pdf.context.info;
  trailer.set("ID", identifiers(trailer, original, plan));
  if (plan.signature !== null) addSignature(pdf, plan.signature);
  const bytes = await pdf.save({ incremental: true });
  const made = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = original.length + table.length;
  if (!made.subarray(0, original.length).equals(original) || !made.subarray(original.length, end).equals(table))
    throw new Unreadable("the bytes of the PDF did not stay");
  if (plan.signature !== null) writeByteRange(made, end, plan.signature.room);
  return made.subarray(original.length);
}

/** The first stays as it is; the second changes with the document (ISO 32000-2, 14.4). Drawn from the content: the same input gives the same bytes. */
function identifiers(trailer: PdfDict, original: Buffer, plan: Plan): PdfArray {
  const told = JSON.stringify({ ...plan.signature, overlay: plan.overlay });
  const digest = createHash("sha256").update(told).update(original).digest();
  const next = PdfString.fromBytes(new Uint8Array(digest.subarray(0, 16)));
  const [first] = trailer.getArray("ID") ?? [];
  return new PdfArray([first instanceof PdfString ? first : next, next]);
}
