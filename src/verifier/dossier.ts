import { hasCertificates } from "./dossier-certificates.ts";
import { dossierEntries } from "./dossier-entries.ts";
import { endOf } from "./envelope-end.ts";
import { type EnvelopeEvidence, readEnvelopeEvidence } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";
import type { NamedFiles } from "./erasure.ts";
import { member, parseJson, UnreadableError } from "./keys.ts";
import { readSealedHead } from "./sealed-head.ts";
import { type ByteSource, readEntry, readZip, type ZipEntry } from "./zip.ts";

/** The dossier of an envelope, as somebody delivered it. Nothing but the form of the ZIP is checked yet. */
export interface Dossier {
  readonly evidence: EnvelopeEvidence;
  readonly files: DossierFiles;
  /** The verification code of an envelope that was not completed, as its sealed events say it; null without a seal. */
  readonly endCode: string | null;
}

/** The files of a dossier, and what it says of them. */
export interface DossierFiles {
  /** SHA-256 of each file, in hexadecimal, by its name. */
  readonly digests: ReadonlyMap<string, string>;
  /** In bytes, by their names. */
  readonly sizes: ReadonlyMap<string, number>;
  /** SHA256SUMS. */
  readonly sums: string;
  /** certificates.pem; null without one. */
  readonly certificates: string | null;
  /** The documents that evidence.json lists, unsigned. */
  readonly documents: readonly ListedDocument[];
  /** Names of files beside these that macOS and Windows add to a folder. They are not looked at. */
  readonly setAside: readonly string[];
}

interface ListedDocument {
  readonly document_id: string;
  readonly position: number;
  readonly sha256: string;
  readonly final_sha256: string | null;
}

/** A digest that is computed as bytes come. */
export interface Sha256 {
  update(bytes: Uint8Array): unknown;
  /** 64 lowercase hexadecimal digits. */
  digest(encoding: "hex"): string;
}

const CERTIFICATES = "certificates.pem";

/** Most bytes of the files that are read as texts. evidence.json of fifty participants who drew their signatures has some 8 MB. */
const TEXTS = {
  "evidence.json": 32 * 1_048_576,
  "seal.json": 65_536,
  SHA256SUMS: 1_048_576,
  [CERTIFICATES]: 8 * 1_048_576,
} as const;

/** What the first bytes of a ZIP are: of its first file. */
export const isZipStart = (bytes: Uint8Array): boolean =>
  [0x50, 0x4b, 3, 4].every((byte, place) => bytes[place] === byte);

/**
 * Reads a dossier: a ZIP with `evidence.json`. Every file is hashed, and none but the texts is kept in memory.
 * @param newDigest makes a SHA-256
 * @param onBytes is told how many bytes of the ZIP were read, without its heads
 * @returns null for a ZIP without `evidence.json`
 * @throws UnreadableError
 */
export async function readDossier(
  source: ByteSource,
  newDigest: () => Sha256 | Promise<Sha256>,
  onBytes: (bytes: number) => void = () => {},
): Promise<Dossier | null> {
  const { entries, setAside } = dossierEntries(await readZip(source));
  if (!entries.some(({ name }) => name === "evidence.json")) return null;
  const digests = new Map<string, string>();
  const texts = new Map<string, string>();
  let done = 0;
  for (const entry of entries) {
    const most = Object.hasOwn(TEXTS, entry.name) ? TEXTS[entry.name as keyof typeof TEXTS] : null;
    if (most !== null && entry.size > most) throw new UnreadableError(`its ${entry.name} is larger than ${most} bytes`);
    const kept: Uint8Array[] = [];
    const digest = await newDigest();
    let hashed = 0;
    for await (const piece of readEntry(source, entry)) {
      digest.update(piece);
      if (most !== null) kept.push(piece);
      hashed += piece.length;
      onBytes(done + Math.round(entry.packedSize * (hashed / Math.max(1, entry.size))));
    }
    done += entry.packedSize;
    digests.set(entry.name, digest.digest("hex"));
    if (most !== null) texts.set(entry.name, textOf(kept, entry));
  }
  const text = texts.get("evidence.json") ?? "";
  const evidence = readEnvelopeEvidence(text);
  if (evidence === null || evidence.events === null)
    throw new UnreadableError("its evidence.json is not of an envelope");
  const sealText = texts.get("seal.json");
  const seal = sealText === undefined ? null : readSealedHead(sealText, evidence.keys);
  return {
    endCode: seal === null ? null : (endOf(evidence)?.code ?? null),
    evidence: { ...evidence, seal },
    files: {
      digests,
      sizes: new Map(entries.map(({ name, size }) => [name, size])),
      sums: texts.get("SHA256SUMS") ?? "",
      certificates: texts.get(CERTIFICATES) ?? null,
      documents: listedDocuments(text),
      setAside,
    },
  };
}

function textOf(pieces: readonly Uint8Array[], { name, size }: ZipEntry): string {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnreadableError(`its ${name} is not UTF-8`);
  }
}

function listedDocuments(text: string): ListedDocument[] {
  const listed = member(parseJson(text), "documents");
  if (!Array.isArray(listed)) throw new UnreadableError("its evidence.json lists no documents");
  return listed.filter(isObject).map((each) => each as unknown as ListedDocument);
}

/** What a signed text says of a document; the completion alone has final_sha256. */
interface SignedDocument {
  readonly document_id: string;
  readonly sha256: string;
  readonly final_sha256?: string;
}

/** Files of every dossier. evidence.json is itself what is checked; nothing signed names the others. */
const ALWAYS = ["report.pdf", "evidence.json", "keys.json", "LEIA-ME.txt", "README.txt", "SHA256SUMS"];
/** There once a seal covers the chain. */
const SEAL = "seal.json";

/**
 * Whether the files are those that the evidence names, none is missing and there is no other, and all match SHA256SUMS.
 * @param signed the documents of the completion, else of a record or of a sealed event; none where nothing names them
 * @param isCompleted whether each document has its sealed form
 * @param named what records say of certificates, and of files that participants delivered
 */
export function areFilesNamed(
  files: DossierFiles,
  signed: readonly SignedDocument[],
  isCompleted: boolean,
  { certificates, attachments }: NamedFiles,
): boolean {
  const { digests, sizes, sums, documents } = files;
  if (signed.length > 0 && signed.length !== documents.length) return false;
  const always = digests.has(SEAL) ? [...ALWAYS, SEAL] : ALWAYS;
  const expected = new Map<string, string | null>(always.map((name) => [name, null]));
  for (const [place, listed] of documents.entries()) {
    if (listed.position !== place + 1) return false;
    const { document_id: id, sha256, final_sha256: final = null } = signed[place] ?? listed;
    if (id !== listed.document_id || sha256 !== listed.sha256) return false;
    if ((isCompleted ? final : null) !== listed.final_sha256) return false;
    expected.set(`originals/${listed.position}-${id}.pdf`, sha256);
    if (isCompleted) expected.set(`final/${listed.position}-${id}.pdf`, final);
  }
  if (certificates.certificates.length > 0) {
    if (!hasCertificates(files.certificates ?? "", certificates.certificates)) return false;
    expected.set(CERTIFICATES, null);
  }
  for (const [name, digest] of certificates.answers) expected.set(name, digest);
  if (attachments === null) return false;
  for (const { name, sha256, size } of attachments) {
    if (sizes.get(name) !== size) return false;
    expected.set(name, sha256);
  }
  if (digests.size !== expected.size) return false;
  for (const [name, digest] of expected) {
    const found = digests.get(name);
    if (found === undefined || (digest !== null && found !== digest)) return false;
  }
  const summed = [...digests].filter(([name]) => name !== "SHA256SUMS").map(([name, digest]) => `${digest}  ${name}`);
  return summed.sort().join("\n") === sums.replace(/\n$/, "").split("\n").sort().join("\n");
}
