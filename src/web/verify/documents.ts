import type { DossierFiles } from "../../verifier/dossier.ts";
import type { EnvelopeEvidence } from "../../verifier/envelope-evidence.ts";
import { type Evidence, readEvidence } from "../../verifier/evidence.ts";
import { DamagedError, readDossierApart, readReceiptApart } from "./thread.ts";

/** Largest evidence read, in bytes. Evidence has some 12 kB, a receipt some 100 kB, the evidence of an envelope with fifty participants some 2 MB. */
const EVIDENCE_MAX_BYTES = 8 * 1_048_576;
const RECEIPT_MAX_BYTES = 5 * 1_048_576;

/** Reads the evidence of envelopes; loaded with the part about them. */
const loadReportReader = () => import("../../verifier/envelope-evidence.ts");

/** The kind of a dropped file. */
export type Document =
  | { readonly kind: "evidence"; readonly evidence: Evidence; readonly isPdf: boolean }
  /** The report of an envelope, its dossier, or its evidence alone. */
  | {
      readonly kind: "report";
      readonly evidence: EnvelopeEvidence;
      readonly isPdf: boolean;
      /** Of a dossier, as `endCode`. */
      readonly files?: DossierFiles;
      readonly endCode?: string | null;
    }
  | { readonly kind: "file" }
  /** A PDF that may be a receipt, but could not be searched. */
  | { readonly kind: "unsearched" }
  /** A ZIP that is damaged, or has what no dossier has: it may still be a file that was registered. */
  | { readonly kind: "unread_zip" };

/** What is under way while a large file is read. */
export interface Reading {
  readonly signal: AbortSignal;
  readonly onBytes: (file: File, bytes: number) => void;
}

/** Looks for evidence in a file: a receipt (PDF), a dossier (ZIP), or evidence as JSON. Every other file is hashed. */
export async function recognize(file: File, reading: Reading): Promise<Document> {
  try {
    const start = await file.slice(0, 5).text();
    if (start === "%PDF-" && file.size <= RECEIPT_MAX_BYTES) return await recognizeReceipt(file);
    if (start.startsWith("PK\u0003\u0004")) return await recognizeDossier(file, reading);
    if (/^\s*\{/.test(start) && file.size <= EVIDENCE_MAX_BYTES) return await asEvidence(await file.text(), false);
  } catch {
    // An unreadable file is reported when it is hashed.
  }
  return { kind: "file" };
}

async function recognizeDossier(file: File, { signal, onBytes }: Reading): Promise<Document> {
  try {
    const dossier = await readDossierApart(file, signal, (bytes) => onBytes(file, bytes));
    return dossier === null ? { kind: "file" } : { kind: "report", isPdf: false, ...dossier };
  } catch (error) {
    return { kind: error instanceof DamagedError ? "unread_zip" : "file" };
  }
}

async function recognizeReceipt(file: File): Promise<Document> {
  try {
    const attached = await readReceiptApart(file);
    return attached === null ? { kind: "file" } : await asEvidence(attached, true);
  } catch {
    return { kind: "unsearched" };
  }
}

async function asEvidence(text: string, isPdf: boolean): Promise<Document> {
  try {
    // Without the network a receipt is read all the same.
    const reader = await loadReportReader().catch(() => null);
    const ofEnvelope = reader?.readEnvelopeEvidence(text) ?? null;
    if (ofEnvelope !== null) return { kind: "report", evidence: ofEnvelope, isPdf };
    return { kind: "evidence", evidence: readEvidence(text), isPdf };
  } catch {
    return { kind: "file" };
  }
}
