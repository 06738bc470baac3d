import { type Evidence, readEvidence } from "../../verifier/evidence.ts";
import { readReceiptApart } from "./thread.ts";

/** Evidence is some 12 kB, a receipt some 100 kB. In bytes. */
const EVIDENCE_MAX_BYTES = 1_048_576;
const RECEIPT_MAX_BYTES = 5 * 1_048_576;

/** What a dropped file is to this page. */
export type Document =
  | { readonly kind: "evidence"; readonly evidence: Evidence; readonly isPdf: boolean }
  | { readonly kind: "file" }
  /** A PDF that may have been a receipt, but could not be searched. */
  | { readonly kind: "unsearched" };

/** Looks whether a file holds evidence: a receipt (PDF) or evidence as JSON. Whatever does not is a file to be hashed. */
export async function recognize(file: File): Promise<Document> {
  try {
    const start = await file.slice(0, 5).text();
    if (start === "%PDF-" && file.size <= RECEIPT_MAX_BYTES) return await recognizeReceipt(file);
    if (/^\s*\{/.test(start) && file.size <= EVIDENCE_MAX_BYTES) return asEvidence(await file.text(), false);
  } catch {
    // What cannot be read will say so when it is hashed.
  }
  return { kind: "file" };
}

async function recognizeReceipt(file: File): Promise<Document> {
  try {
    const attached = await readReceiptApart(file);
    return attached === null ? { kind: "file" } : asEvidence(attached, true);
  } catch {
    return { kind: "unsearched" };
  }
}

function asEvidence(text: string, isPdf: boolean): Document {
  try {
    return { kind: "evidence", evidence: readEvidence(text), isPdf };
  } catch {
    return { kind: "file" };
  }
}
