import {
  decodePDFRawStream,
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { readEnvelopeEvidence } from "./envelope-evidence.ts";
import { UnreadableError } from "./keys.ts";

/** The name of a receipt's attachment. */
const ATTACHMENT = "evidence.json";
/** Most bytes of the attachment of a receipt; evidence has some 12 kB. */
const RECEIPT_MAX_BYTES = 1_048_576;
/** Most bytes of the attachment of a report: that of an envelope with fifty participants has some 2 MB. */
const REPORT_MAX_BYTES = 8 * 1_048_576;
/** Most nodes of the attachment tree that are visited. A receipt has one; the limit ends a cyclic tree. */
const MAX_NODES = 1_000;

/**
 * The text of `evidence.json`, attached to a receipt; null if the PDF has no such attachment. Nothing else in a receipt
 * matters to a verifier: neither its printed text nor its metadata. The report of an envelope has such an attachment, too.
 *
 * Parsing a hostile PDF can take unbounded time and memory. Run this in a thread with limits.
 * @throws UnreadableError if the file is not a readable PDF or is encrypted, if several attachments have that name, and if the
 *   attachment is larger than 1 MiB (8 MiB in a report) or not UTF-8.
 */
export async function readReceipt(pdf: Uint8Array): Promise<string | null> {
  let found: PDFRawStream[];
  try {
    const document = await PDFDocument.load(pdf, {
      parseSpeed: ParseSpeeds.Fastest,
      throwOnInvalidObject: true,
      updateMetadata: false,
    });
    found = attachments(document);
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError("it is not a PDF that can be read, or it is encrypted");
  }
  const [stream] = found;
  if (stream === undefined) return null;
  if (found.length > 1) throw new UnreadableError(`it has several attachments ${ATTACHMENT}`);
  return textOf(stream);
}

/**
 * The attachments of that name. `getAttachments()` is not used: it unpacks every attachment of any size, fails on
 * attachments of other programs, and does not see deeper levels of the tree.
 */
function attachments(document: PDFDocument): PDFRawStream[] {
  const root = document.catalog.lookupMaybe(PDFName.of("Names"), PDFDict)?.lookup(PDFName.of("EmbeddedFiles"));
  const found: PDFRawStream[] = [];
  const nodes = [root];
  for (let visited = 0; nodes.length > 0; visited++) {
    const node = nodes.pop();
    if (!(node instanceof PDFDict)) continue;
    if (visited >= MAX_NODES) throw new UnreadableError("it has too many attachments");
    const kids = node.lookup(PDFName.of("Kids"));
    if (kids instanceof PDFArray) for (let index = 0; index < kids.size(); index++) nodes.push(kids.lookup(index));
    const names = node.lookup(PDFName.of("Names"));
    if (!(names instanceof PDFArray)) continue;
    for (let index = 0; index + 1 < names.size(); index += 2) {
      const specification = names.lookup(index + 1);
      if (!(specification instanceof PDFDict)) continue;
      // Every name that some program might show counts: two attachments that can be confused are two.
      const called = [
        names.lookup(index),
        specification.lookup(PDFName.of("F")),
        specification.lookup(PDFName.of("UF")),
      ];
      if (!called.some((name) => isText(name) && name.decodeText() === ATTACHMENT)) continue;
      const stream = specification.lookupMaybe(PDFName.of("EF"), PDFDict)?.lookup(PDFName.of("F"));
      if (stream instanceof PDFRawStream) found.push(stream);
      else throw new UnreadableError(`its attachment ${ATTACHMENT} is empty`);
    }
  }
  return found;
}

const isText = (value: unknown): value is PDFString | PDFHexString =>
  value instanceof PDFString || value instanceof PDFHexString;

function textOf(stream: PDFRawStream): string {
  try {
    const bytes = decodePDFRawStream(stream).getBytes(REPORT_MAX_BYTES + 1);
    const tooLarge = (most: number) => new UnreadableError(`its attachment ${ATTACHMENT} is larger than ${most} bytes`);
    if (bytes.length > REPORT_MAX_BYTES) throw tooLarge(REPORT_MAX_BYTES);
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (bytes.length > RECEIPT_MAX_BYTES && !isReport(text)) throw tooLarge(RECEIPT_MAX_BYTES);
    return text;
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(`its attachment ${ATTACHMENT} is not a text`);
  }
}

function isReport(text: string): boolean {
  try {
    return readEnvelopeEvidence(text) !== null;
  } catch {
    return false;
  }
}
