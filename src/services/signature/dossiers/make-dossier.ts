import { createHash } from "node:crypto";
import { type ObjectStore, StorageError } from "../../../adapters/storage/object-store.ts";
import { type OpenedObject, openSealed } from "../../../adapters/storage/sealed-object.ts";
import { storedZip, type ZipEntry } from "../../../adapters/zip/stored-zip.ts";
import type { FileSource } from "../../../surfaces/rest/file-source.ts";
import type { DataKey } from "../documents/data-key.ts";
import { contentKey } from "../documents/document-content.ts";
import { type KeptReport, openReport, writeReport } from "../envelopes/kept-report.ts";
import { type ReportMaker, refuseFaults } from "../envelopes/make-report.ts";
import { dossierEvidence } from "../envelopes/prepared-report.ts";
import { certificatesFile, revocationFiles } from "./certificate-files.ts";
import { leiaMe, readMe } from "./dossier-texts.ts";
import {
  attachmentFiles,
  type DossierFile,
  eventsOf,
  type PreparedDossier,
  sealFile,
  storedFiles,
} from "./prepared-dossier.ts";

/** What dossiers are made with. */
export interface DossierParts {
  readonly objects: ObjectStore;
  readonly reports: Pick<ReportMaker, "make">;
  /** Names a report that was made, so that the next dossier of the envelope needs none: signature.keep_report. */
  readonly keep: (report: ReportToKeep) => Promise<unknown>;
}

interface ReportToKeep extends KeptReport {
  /** The envelope. */
  readonly id: string;
  readonly basis: string;
  /** The object that was kept and cannot be read. */
  readonly unreadable: string | null;
}

/** A dossier: a ZIP. */
export interface Dossier {
  readonly file: FileSource;
  readonly fileName: string;
}

/** A file, and its SHA-256 in hexadecimal. */
interface SummedEntry extends ZipEntry {
  readonly sha256: string;
}

/**
 * Makes the dossier of an envelope that has ended. Documents are read as the file is sent. One that is not what its row says breaks the file off.
 * The same state gives the same bytes.
 * @throws AppError 503 while too many reports are asked for; StorageError for a document that is missing or altered; Error if a signature does not
 *   verify
 */
export async function makeDossier(parts: DossierParts, dataKey: DataKey, prepared: PreparedDossier): Promise<Dossier> {
  // A kept report was made when all was right.
  await refuseFaults(prepared.report);
  const entries: SummedEntry[] = [];
  const stored = [
    ...storedFiles(prepared),
    ...attachmentFiles(prepared),
    ...revocationFiles(prepared.certificates, prepared.report),
  ];
  // Before a report is made: it costs more.
  for (const file of stored) entries.push(await entryOf(parts.objects, dataKey, file));
  entries.push(await reportEntry(parts, dataKey, prepared), ...textsOf(prepared));
  const sums = Buffer.from(entries.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(""));
  const zip = await storedZip(
    [...entries, { name: "SHA256SUMS", size: sums.length, content: sums }],
    new Date(prepared.ended_at),
  );
  return {
    // Names, digests and the time of the end, which evidence.json has, say all bytes.
    file: { ...zip, etag: createHash("sha256").update(sums).digest("base64url"), givesMemory: true },
    fileName: `dossier-${prepared.report.envelope.verification_code}.zip`,
  };
}

/** Texts, in the order of the ZIP. */
function textsOf(prepared: PreparedDossier): SummedEntry[] {
  const { report, ended_at, files, certificates, platform_keys, sealed } = prepared;
  const { verification_code: code, verify_url: verifyUrl, status } = report.envelope;
  const said = { code, status, endedAt: ended_at, verifyUrl, isSealed: sealed !== null };
  const positions = new Map(files.map(({ document_id, position }) => [document_id, position]));
  const pem = certificatesFile(certificates);
  const texts = {
    ...(pem === null ? {} : { "certificates.pem": pem }),
    "evidence.json": `${JSON.stringify(dossierEvidence(report, positions, eventsOf(prepared)))}\n`,
    ...(sealed === null ? {} : { "seal.json": `${JSON.stringify(sealFile(sealed))}\n` }),
    "keys.json": platform_keys,
    "LEIA-ME.txt": leiaMe(said),
    "README.txt": readMe(said),
  };
  return Object.entries(texts).map(([name, text]) => inMemory(name, Buffer.from(text, "utf8")));
}

const inMemory = (name: string, content: Buffer): SummedEntry => ({
  name,
  size: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  content,
});

/** @throws StorageError; Error for an object of another length */
async function entryOf(objects: ObjectStore, dataKey: DataKey, file: DossierFile): Promise<SummedEntry> {
  const { name, objectId, size, sha256, from } = file;
  const opened = await openSealed(objects, contentKey(dataKey, objectId));
  if (from === undefined && opened.length !== size)
    throw new Error(`object ${objectId} has ${opened.length} bytes, and its row says ${size}`);
  return { name, size, sha256, content: () => checked(opened, { ...file, from: from ?? 0 }) };
}

/** The report as it is kept, or else made and kept. */
async function reportEntry(
  { objects, reports, keep }: DossierParts,
  dataKey: DataKey,
  { report, report_basis: basis, kept_report: kept }: PreparedDossier,
): Promise<SummedEntry> {
  const name = "report.pdf";
  const place = { objects, dataKey, envelopeId: report.envelope.id };
  const opened = kept === null ? null : await openReport(place, kept);
  if (kept !== null && opened !== null) {
    const { object_id: objectId, size, sha256 } = kept;
    return { name, size, sha256, content: () => checked(opened, { name, objectId, size, sha256, from: 0 }) };
  }
  const { pdf } = await reports.make(report);
  const written = await writeReport(place, pdf).catch((error: unknown) => {
    // This dossier needs none that is kept.
    if (error instanceof StorageError) return null;
    throw error;
  });
  if (written !== null) await keep({ id: place.envelopeId, basis, unreadable: kept?.object_id ?? null, ...written });
  // Read as a kept one is: a ZIP describes a file in memory in another way, and the bytes are to be the same.
  return { ...inMemory(name, pdf), content: () => inOne(pdf) };
}

/** A copy: it is emptied once it was sent. */
async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes);
}

/** The content, whose digest is compared with that of its row at the end. */
async function* checked(
  { open }: OpenedObject,
  { objectId, sha256, size, from }: Required<DossierFile>,
): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of open(from, from + size - 1)) {
    hash.update(piece as Buffer);
    yield piece as Buffer;
  }
  if (hash.digest("hex") !== sha256) throw new Error(`object ${objectId} is not what its row says`);
}
