import { bytesOf, digestOf } from "./digests.ts";
import { areFilesNamed, type DossierFiles } from "./dossier.ts";
import { eventsOf, isChainOfEnvelope } from "./envelope-chain.ts";
import { endOf, type Sealing, sealingOf, sentDocuments } from "./envelope-end.ts";
import type { EnvelopeEvidence, SignedRecord } from "./envelope-evidence.ts";
import { isCompletion, isObject, isSignatureRecord } from "./envelope-form.ts";
import { areFilesOf, type Erasures, erasuresOf, namedFiles, opensNothing } from "./erasure.ts";
import type { Evidence } from "./evidence.ts";
import type { PlatformKey } from "./keys.ts";
import {
  type Check,
  checkKeys,
  checkSignature,
  environmentOf,
  environmentOfBoth,
  hasItsSignatures,
  isCanonical,
  keyFor,
  type Reason,
  type SignatureChecks,
  type Verdict,
  verdictOf,
} from "./verify-with.ts";

/** The checks of an envelope, in order. There is no check of a seal where there is none. */
export const ENVELOPE_CHECKS = [
  "file",
  "evidence",
  "ed25519",
  "ml_dsa_87",
  "records",
  "events",
  "openings",
  "seal",
  "keys",
] as const;
export type EnvelopeCheckName = (typeof ENVELOPE_CHECKS)[number];

/** The reason for a check's result. The caller has the words for it. */
export type EnvelopeReason =
  | Exclude<Reason, "digest_matches" | "members_missing" | "name_or_size_differs" | "not_existence_proof">
  /** The file is a sealed PDF of the envelope. */
  | "final_matches"
  /** The file is a document as it was before the seal. */
  | "original_matches"
  /** The files of a dossier are those that the evidence names. */
  | "files_named"
  | "files_differ"
  /** Those of participants whose personal data were erased are left out, which sealed events say. */
  | "files_erased"
  /** Files are left out, and only what nothing seals says that they were erased. */
  | "erasure_not_sealed"
  | "no_documents"
  | "not_envelope"
  | "not_of_one_envelope"
  /** Nothing seals the end of an envelope that is not completed. */
  | "not_completed"
  | "records_named"
  | "records_differ"
  | "chain_unbroken"
  | "chain_broken"
  | "not_delivered"
  | "openings_match"
  | "openings_differ"
  | "nothing_opened"
  /** Records open nothing, and sealed events say that it was erased. */
  | "openings_erased"
  /** Records open nothing, and only what nothing seals says that it was erased. */
  | "openings_said_erased"
  /** The envelope ended without a completion, and a seal covers its events up to the end. */
  | "ended"
  | "records_sealed"
  | "chain_sealed"
  /** Events follow the last one that the seal covers. */
  | "chain_sealed_in_part"
  | "seal_covers"
  | "seal_differs";

export interface EnvelopeCheck {
  readonly name: EnvelopeCheckName;
  /** Erased: all that is there is in order, and the rest was erased. */
  readonly result: Check["result"] | "erased";
  readonly reason: EnvelopeReason;
}

export interface EnvelopeVerification {
  readonly checks: readonly EnvelopeCheck[];
  readonly verdict: Verdict;
  readonly evidence: EnvelopeEvidence;
  readonly environment: "live" | "test" | null;
}

/**
 * Checks what an envelope proves, without network and without trusting its sender.
 *
 * @param signatures the arithmetic of the two signatures
 * @param evidence as readEnvelopeEvidence returns it
 * @param file digest of the file, or the files of a dossier; null without one
 * @param trusted platform keys known from elsewhere; with null the owner of the delivered keys stays open
 */
export function verifyEnvelope(
  signatures: SignatureChecks,
  evidence: EnvelopeEvidence,
  file: string | DossierFiles | null,
  trusted: readonly PlatformKey[] | null,
): EnvelopeVerification {
  const sealing = sealingOf(evidence);
  const isSealed = sealing.state === "whole" && endOf(evidence) !== null;
  const erasures = erasuresOf(evidence, sealing.length);
  const texts = [...signedTexts(evidence), ...(evidence.seal === null ? [] : [evidence.seal.seal])];
  const used = texts.map((text) => ({
    text,
    ed25519: keyFor("Ed25519", text, trusted),
    mlDsa87: keyFor("ML-DSA-87", text, trusted),
  }));
  const environments = used.flatMap(({ text, ed25519, mlDsa87 }) =>
    [ed25519, mlDsa87].map((key) => environmentOf(key, text, trusted)),
  );
  const signed = (name: "ed25519" | "ml_dsa_87"): EnvelopeCheck => {
    const found = used.map(({ text, ...keys }) => {
      const isEd25519 = name === "ed25519";
      const [key, isValid] = isEd25519 ? [keys.ed25519, signatures.ed25519] : [keys.mlDsa87, signatures.mlDsa87];
      return checkSignature(name, text, key, isValid) as EnvelopeCheck;
    });
    return worst(found) ?? { name, result: "not_checked", reason: "not_completed" };
  };
  const checks: EnvelopeCheck[] = [
    { name: "file", ...fileResult(evidence, file, isSealed, erasures) },
    { name: "evidence", ...evidenceResult(evidence, isSealed) },
    signed("ed25519"),
    signed("ml_dsa_87"),
    { name: "records", ...recordsResult(evidence, isSealed) },
    { name: "events", ...eventsResult(evidence, sealing, isSealed) },
    { name: "openings", ...openingsResult(evidence, erasures) },
    ...sealChecks(sealing),
    worst(
      used.map(
        ({ text, ...keys }) =>
          checkKeys(
            [environmentOf(keys.ed25519, text, trusted), environmentOf(keys.mlDsa87, text, trusted)],
            keys,
            trusted,
            text,
          ) as EnvelopeCheck,
      ),
    ) ?? { name: "keys", result: "not_checked", reason: "not_completed" },
  ];
  // Nobody gains from calling an envelope a test.
  const isTest =
    evidence.about["environment"] === "test" || texts.some(({ members }) => members["environment"] === "test");
  const environment = isTest ? "test" : texts.length === 0 ? null : environmentOfBoth(environments);
  return { checks, verdict: verdictOf(checks, environment), evidence, environment };
}

type Result = Pick<EnvelopeCheck, "result" | "reason">;
const passed = (reason: EnvelopeReason): Result => ({ result: "passed", reason });
const failed = (reason: EnvelopeReason): Result => ({ result: "failed", reason });
const open = (reason: EnvelopeReason): Result => ({ result: "not_checked", reason });
const erased = (reason: EnvelopeReason): Result => ({ result: "erased", reason });

/** The gravest of several results of one check. */
function worst(found: readonly EnvelopeCheck[]): EnvelopeCheck | undefined {
  return found.find(({ result }) => result === "failed") ?? found.find(({ result }) => result !== "passed") ?? found[0];
}

const signedTexts = ({ completion, records }: EnvelopeEvidence): readonly Evidence[] => [
  ...(completion === null ? [] : [completion]),
  ...(records ?? []).map(({ evidence }) => evidence),
];

interface SignedDocument {
  readonly document_id: string;
  readonly sha256: string;
  readonly final_sha256?: string;
}

/** The documents that a signed text names. Hostile evidence may hold anything. */
export function documentsOf(text: Evidence | null | undefined): readonly SignedDocument[] {
  const listed = text?.members["documents"];
  return Array.isArray(listed) ? (listed.filter(isObject) as unknown as SignedDocument[]) : [];
}

function fileResult(
  evidence: EnvelopeEvidence,
  file: string | DossierFiles | null,
  isSealed: boolean,
  erasures: Erasures,
): Result {
  if (file === null) return open("no_file");
  const { completion } = evidence;
  const documents = documentsNamed(evidence, isSealed);
  if (typeof file !== "string") {
    if (!areFilesNamed(file, documents, completion !== null, namedFiles(evidence, erasures)))
      return failed("files_differ");
    if (documents.length === 0) return open("no_documents");
    if (areFilesOf(erasures.said)) return open("erasure_not_sealed");
    return areFilesOf(erasures.proved) ? erased("files_erased") : passed("files_named");
  }
  const sha256 = file;
  if (documents.length === 0) return open("no_documents");
  if (documents.some(({ final_sha256 }) => final_sha256 === sha256)) return passed("final_matches");
  return documents.some((document) => document.sha256 === sha256)
    ? passed("original_matches")
    : failed("digest_differs");
}

/** The documents that something signed or sealed names. */
function documentsNamed(evidence: EnvelopeEvidence, isSealed: boolean): readonly SignedDocument[] {
  const signed = documentsOf(evidence.completion ?? evidence.records?.[0]?.evidence);
  return signed.length === 0 && isSealed ? sentDocuments(evidence) : signed;
}

/** What all signed texts of an envelope say alike. */
const SHARED = ["tenant_id", "environment", "envelope_id", "verification_code"] as const;

function evidenceResult(evidence: EnvelopeEvidence, isSealed: boolean): Result {
  const { completion, records, about, seal } = evidence;
  if (completion !== null && !isCompletion(completion.members)) return failed("not_envelope");
  if (!(records ?? []).every((record) => isSignatureRecord(record.evidence.members))) return failed("not_envelope");
  const texts = signedTexts(evidence);
  if (![...texts, ...(seal === null ? [] : [seal.seal])].every(hasItsSignatures)) return failed("signatures_missing");
  if (!texts.every(({ payload, members }) => payload !== null && isCanonical(payload, members)))
    return failed("not_canonical");
  const shared = { ...texts[0]?.members, ...about };
  if (!texts.every(({ members }) => SHARED.every((name) => members[name] === shared[name])))
    return failed("not_of_one_envelope");
  if (completion !== null) return passed("canonical");
  return isSealed ? passed("ended") : open("not_completed");
}

/**
 * Whether the records are those that the completion names, or all that a sealed chain names, each of another participant and of the same documents.
 * That the chain names each of them is a part of the check of the events.
 */
function recordsResult(evidence: EnvelopeEvidence, isSealed: boolean): Result {
  const { completion, records } = evidence;
  if (records === null) return open("not_delivered");
  const documents = documentsText(completion ?? records[0]?.evidence);
  const participants = new Set(records.map(({ evidence }) => evidence.members["participant_id"]));
  if (participants.size !== records.length || records.some(({ evidence }) => documentsText(evidence) !== documents))
    return failed("records_differ");
  if (completion === null) {
    if (!isSealed) return open("not_completed");
    const acts = eventsOf(evidence, ["envelope.participant_signed"]);
    return acts.length === records.length ? passed("records_sealed") : failed("records_differ");
  }
  const named = completion.members["records"];
  const listed = Array.isArray(named)
    ? named.filter(isObject).map(({ record_id, sha256 }) => `${record_id} ${sha256}`)
    : [];
  const delivered = records.map(
    ({ evidence }) => `${evidence.members["record_id"]} ${digestOf(evidence.payload ?? "")}`,
  );
  return listed.sort().join("\n") === delivered.sort().join("\n") ? passed("records_named") : failed("records_differ");
}

const documentsText = (text: Evidence | undefined): string =>
  documentsOf(text)
    .map(({ document_id, sha256 }) => `${document_id} ${sha256}`)
    .join("\n");

function eventsResult(evidence: EnvelopeEvidence, sealing: Sealing, isSealed: boolean): Result {
  if (evidence.events === null) return open("not_delivered");
  if (!isChainOfEnvelope(evidence, sealing.length)) return failed("chain_broken");
  if (evidence.completion !== null) return passed("chain_unbroken");
  if (isSealed) return passed("chain_sealed");
  return open(sealing.state === "in_part" ? "chain_sealed_in_part" : "not_completed");
}

function sealChecks({ state }: Sealing): readonly EnvelopeCheck[] {
  if (state === "none") return [];
  return [{ name: "seal", ...(state === "differs" ? failed("seal_differs") : passed("seal_covers")) }];
}

function openingsResult({ records, events }: EnvelopeEvidence, { proved, said }: Erasures): Result {
  if (records === null) return open("not_delivered");
  if (!records.every(hasItsOpenings) || !(events ?? []).every(hasItsAddress)) return failed("openings_differ");
  if ([...proved].some(opensNothing)) return erased("openings_erased");
  // Any opening may be missing: to say that it was erased brings nobody further.
  if ([...said].some(opensNothing)) return passed("openings_said_erased");
  return passed(records.some(({ openings }) => Object.keys(openings).length > 0) ? "openings_match" : "nothing_opened");
}

function hasItsOpenings({ evidence: { members }, openings }: SignedRecord): boolean {
  const { commitments } = members;
  return Object.entries(openings).every(([name, { salt, value }]) => {
    const said =
      name === "signature"
        ? members["signature_sha256"]
        : isObject(commitments) && Object.hasOwn(commitments, name)
          ? commitments[name]
          : undefined;
    return /^[0-9a-f]{32}$/.test(salt) && said === digestOf(bytesOf(salt), value);
  });
}

/** Whether the opening of an event's address, where there is one, matches. An address without one is not known. */
function hasItsAddress(event: unknown): boolean {
  if (!isObject(event) || event["openings"] === undefined) return true;
  const { openings, commitments, address } = event;
  if (!isObject(openings) || !isObject(commitments)) return false;
  return Object.entries(openings).every(
    ([name, opening]) =>
      isObject(opening) &&
      typeof opening["salt"] === "string" &&
      typeof opening["value"] === "string" &&
      /^[0-9a-f]{32}$/.test(opening["salt"]) &&
      Object.hasOwn(commitments, name) &&
      commitments[name] === digestOf(bytesOf(opening["salt"]), opening["value"]) &&
      (name !== "address" || opening["value"] === address),
  );
}
