import { type EnvelopeEvidence, readEnvelopeEvidence } from "../../../verifier/envelope-evidence.ts";
import type { Evidence } from "../../../verifier/evidence.ts";
import {
  documentsOf,
  type EnvelopeCheckName,
  type EnvelopeVerification,
  verifyEnvelope,
} from "../../../verifier/verify-envelope.ts";
import type { EnvelopeGiven } from "../use-verification.ts";

/** The service's answer, `GET /public/envelopes/{code}`. */
export interface PublicEnvelope {
  readonly organization: string;
  readonly status: string;
  readonly environment: string;
  readonly sent_at: string | null;
  readonly completed_at: string | null;
  readonly participants: readonly {
    readonly role: string;
    readonly status: string;
    readonly completed_at: string | null;
  }[];
  readonly documents: readonly { readonly sha256: string; readonly final_sha256: string | null }[];
  readonly valid: boolean | null;
}

/** What was found out about an envelope. */
export type EnvelopeKind =
  /** The file is a final document. */
  | "final"
  /** The file is a document as it was before it was signed. */
  | "original"
  /** Completed, without the file. */
  | "completed"
  | "report_alone"
  | "open"
  | "declined"
  | "cancelled"
  | "expired"
  | "failed"
  | "test"
  | "different"
  | "at_fault"
  | "report_altered"
  | "foreign_keys"
  | "other_code"
  | "keys_unknown"
  | "no_record";

/** Who says that the keys are the service's. */
export type KeysOrigin = "trusted" | "published" | "unknown" | "foreign";

export interface EnvelopeFindings {
  readonly kind: EnvelopeKind;
  readonly answer: PublicEnvelope | null;
  /** The signed completion, of the report or of the answer; null without one. */
  readonly completion: Evidence | null;
  /** The checks of the report, else of the answer; null where nothing is signed. */
  readonly verification: EnvelopeVerification | null;
  readonly keys: KeysOrigin;
  readonly file: "none" | "final" | "original" | "different" | "unknown";
  /** Whether the report is what the service has on record; null without both. */
  readonly isOnRecord: boolean | null;
  readonly isTest: boolean;
  readonly code: string | null;
}

export function assessEnvelope(given: EnvelopeGiven, askedCode: string | null): EnvelopeFindings {
  const answer = given.answer === null ? null : (JSON.parse(given.answer) as PublicEnvelope);
  const ofAnswer = given.answer === null ? null : signedAnswer(given.answer);
  const record = ofAnswer === null || ofAnswer === "unreadable" ? null : keyed(ofAnswer, given);
  const report = given.report === null ? null : keyed(given.report.evidence, given);
  const main = report ?? record;
  const completion = given.report?.evidence.completion ?? record?.verification.evidence.completion ?? null;
  const signed = completion ?? given.report?.evidence.records?.[0]?.evidence ?? null;
  const said = signed?.members["verification_code"];
  const code = askedCode ?? (typeof said === "string" ? said : null);
  const file = fileOf(given, signed, answer);
  const isTest = answer?.environment === "test" || main?.verification.environment === "test";
  const payload = record?.verification.evidence.completion?.payload ?? null;
  const claimed = given.report?.evidence.completion?.payload ?? null;
  const isOnRecord =
    answer === null || given.report === null ? null : claimed === null || (payload !== null && payload === claimed);
  const isAtFault =
    answer !== null &&
    (answer.valid === false ||
      ofAnswer === "unreadable" ||
      (record !== null && (isBroken(record.verification) || !isAsSigned(answer, record.verification, askedCode))));
  const kind = (): EnvelopeKind => {
    if (report !== null && isBroken(report.verification)) return "report_altered";
    if (main?.keys === "foreign") return report === null && answer !== null ? "at_fault" : "foreign_keys";
    if (report !== null && askedCode !== null && typeof said === "string" && said !== askedCode) return "other_code";
    if (isAtFault) return "at_fault";
    if (isOnRecord === false) return "report_altered";
    if (file === "different") return "different";
    if (isTest) return "test";
    if (main?.keys === "unknown") return "keys_unknown";
    if (given.isUnknown) return "no_record";
    if (completion === null) return stateOf(answer);
    if (file === "final" || file === "original") return file;
    return report === null ? "completed" : "report_alone";
  };
  return {
    kind: kind(),
    answer,
    completion,
    verification: main?.verification ?? null,
    keys: main?.keys ?? "unknown",
    file,
    isOnRecord,
    isTest,
    code,
  };
}

function stateOf(answer: PublicEnvelope | null): EnvelopeKind {
  switch (answer?.status) {
    case "declined":
    case "cancelled":
    case "expired":
    case "failed":
      return answer.status;
    default:
      return "open";
  }
}

/** The signed completion of an answer; null before the completion. */
function signedAnswer(text: string): EnvelopeEvidence | "unreadable" | null {
  try {
    return readEnvelopeEvidence(text);
  } catch {
    return "unreadable";
  }
}

interface Keyed {
  readonly verification: EnvelopeVerification;
  readonly keys: KeysOrigin;
}

/** Keys that come with evidence count only if the visitor trusts them, or at least the service publishes them. */
function keyed(evidence: EnvelopeEvidence, { signatures, file, published, trusted }: EnvelopeGiven): Keyed {
  const verify = (keys: EnvelopeGiven["trusted"] | null) =>
    verifyEnvelope(signatures, evidence, file?.sha256 ?? null, keys);
  const hasSignatures = evidence.completion !== null || (evidence.records ?? []).length > 0;
  if (trusted.length > 0) {
    const own = verify(trusted);
    const { result } = checkOf(own, "keys");
    if (result === "passed" || !hasSignatures) return { verification: own, keys: "trusted" };
    if (result === "failed") return { verification: own, keys: "foreign" };
  }
  if (published === null) return { verification: verify(null), keys: hasSignatures ? "unknown" : "published" };
  const verification = verify([...trusted, ...published]);
  const isKnown = !hasSignatures || checkOf(verification, "keys").result === "passed";
  return { verification, keys: isKnown ? "published" : "foreign" };
}

export function checkOf({ checks }: EnvelopeVerification, name: EnvelopeCheckName) {
  const check = checks.find((each) => each.name === name);
  if (check === undefined) throw new Error(`no check ${name}`);
  return check;
}

/** Whether something of it was changed or does not belong to it, whatever the file and the keys are. */
function isBroken({ checks }: EnvelopeVerification): boolean {
  return checks.some(({ name, result }) => name !== "file" && name !== "keys" && result === "failed");
}

/** Whether the answer says what was signed. The service's own word is not enough. */
function isAsSigned(answer: PublicEnvelope, { evidence }: EnvelopeVerification, code: string | null): boolean {
  const members = evidence.completion?.members ?? {};
  const documents = documentsOf(evidence.completion).map((each) => `${each.sha256} ${each.final_sha256}`);
  return (
    answer.status === "completed" &&
    answer.organization === members["organization"] &&
    answer.environment === members["environment"] &&
    (code === null || members["verification_code"] === code) &&
    answer.completed_at?.slice(0, 26) === String(members["completed_at"]).slice(0, 26) &&
    answer.documents.map((each) => `${each.sha256} ${each.final_sha256}`).join() === documents.join()
  );
}

function fileOf(
  { file }: EnvelopeGiven,
  signed: Evidence | null,
  answer: PublicEnvelope | null,
): EnvelopeFindings["file"] {
  if (file === null) return "none";
  const documents = signed === null ? (answer?.documents ?? []) : documentsOf(signed);
  if (documents.length === 0) return "unknown";
  if (documents.some(({ final_sha256 }) => final_sha256 === file.sha256)) return "final";
  return documents.some(({ sha256 }) => sha256 === file.sha256) ? "original" : "different";
}
