import { createHash } from "node:crypto";
import type { ObjectStore } from "../../../adapters/storage/object-store.ts";
import { type OpenedObject, openSealed } from "../../../adapters/storage/sealed-object.ts";
import { storedZip, type ZipEntry } from "../../../adapters/zip/stored-zip.ts";
import type { FileSource } from "../../../surfaces/rest/file-source.ts";
import type { DataKey } from "../documents/data-key.ts";
import { contentKey } from "../documents/document-content.ts";
import type { ReportMaker } from "../envelopes/make-report.ts";
import { dossierEvidence } from "../envelopes/prepared-report.ts";
import { leiaMe, readMe } from "./dossier-texts.ts";
import { type DossierFile, type PreparedDossier, storedFiles } from "./prepared-dossier.ts";

/** What dossiers are made with. */
export interface DossierParts {
  readonly objects: ObjectStore;
  readonly reports: Pick<ReportMaker, "make">;
}

/** A dossier: a ZIP. */
export interface Dossier {
  readonly file: FileSource;
  readonly fileName: string;
}

/**
 * Makes the dossier of an envelope that has ended. Documents are read as the file is sent. One that is not what its row says breaks the file off.
 * The same state gives the same bytes.
 * @throws AppError 503 while too many reports are asked for; StorageError for a document that is missing or altered
 */
export async function makeDossier(
  { objects, reports }: DossierParts,
  dataKey: DataKey,
  prepared: PreparedDossier,
): Promise<Dossier> {
  const stored = storedFiles(prepared);
  const contents: ZipEntry[] = [];
  // Before the report is made: it costs more.
  for (const file of stored) contents.push(await entryOf(objects, dataKey, file));
  const { pdf } = await reports.make(prepared.report);
  const made = { "report.pdf": pdf, ...textsOf(prepared) };
  const sums = Buffer.from(
    [
      ...stored.map(({ sha256, name }) => `${sha256}  ${name}\n`),
      ...Object.entries(made).map(([name, bytes]) => `${sha256Of(bytes)}  ${name}\n`),
    ].join(""),
  );
  const inMemory = Object.entries({ ...made, SHA256SUMS: sums }).map(([name, content]) => ({
    name,
    size: content.length,
    content,
  }));
  const zip = await storedZip([...contents, ...inMemory], new Date(prepared.ended_at));
  return {
    // Names, digests and the time of the end, which evidence.json has, say all bytes.
    file: { ...zip, etag: createHash("sha256").update(sums).digest("base64url") },
    fileName: `dossier-${prepared.report.envelope.verification_code}.zip`,
  };
}

const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

function textsOf({ report, ended_at, files, platform_keys }: PreparedDossier): Readonly<Record<string, Buffer>> {
  const { verification_code: code, verify_url: verifyUrl, status } = report.envelope;
  const said = { code, status, endedAt: ended_at, verifyUrl };
  const positions = new Map(files.map(({ document_id, position }) => [document_id, position]));
  const texts = {
    "evidence.json": `${JSON.stringify(dossierEvidence(report, positions))}\n`,
    "keys.json": platform_keys,
    "LEIA-ME.txt": leiaMe(said),
    "README.txt": readMe(said),
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, "utf8")]));
}

/** @throws StorageError; Error for an object of another length */
async function entryOf(objects: ObjectStore, dataKey: DataKey, file: DossierFile): Promise<ZipEntry> {
  const { name, objectId, size, sha256 } = file;
  const opened = await openSealed(objects, contentKey(dataKey, objectId));
  if (opened.length !== size)
    throw new Error(`object ${objectId} has ${opened.length} bytes, and its row says ${size}`);
  return { name, size, content: () => checked(opened, objectId, sha256) };
}

/** The content, whose digest is compared with that of its row at the end. */
async function* checked({ length, open }: OpenedObject, objectId: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const piece of open(0, length - 1)) {
    hash.update(piece as Buffer);
    yield piece as Buffer;
  }
  if (hash.digest("hex") !== sha256) throw new Error(`object ${objectId} is not what its row says`);
}
