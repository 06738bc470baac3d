import { digestOf } from "../../../verifier/digests.ts";
import type { DossierFiles } from "../../../verifier/dossier.ts";
import { endOf } from "../../../verifier/envelope-end.ts";
import { type EnvelopeEvidence, readEnvelopeEvidence } from "../../../verifier/envelope-evidence.ts";
import { isObject } from "../../../verifier/envelope-form.ts";
import type { Evidence } from "../../../verifier/evidence.ts";
import {
  documentsOf,
  type EnvelopeCheckName,
  type EnvelopeVerification,
  verifyEnvelope,
} from "../../../verifier/verify-envelope.ts";
import type {
  EnvelopeFindings,
  EnvelopeGiven,
  EnvelopeKind,
  KeysOrigin,
  PublicEnvelope,
  Report,
  ReportMatch,
} from "./findings.ts";

/** From the gravest to the best. */
const KEYS_ORIGINS: readonly KeysOrigin[] = ["foreign", "unknown", "older", "published", "trusted"];

export function assessEnvelope(given: EnvelopeGiven, askedCode: string | null): EnvelopeFindings {
  const answer = given.answer === null ? null : (JSON.parse(given.answer) as PublicEnvelope);
  const ofAnswer = given.answer === null ? null : signedAnswer(given.answer);
  const record = ofAnswer === null || ofAnswer === "unreadable" ? null : keyed(ofAnswer, given);
  const report = given.report === null ? null : keyed(given.report.evidence, given, given.report.files);
  const all = [report, record].filter((each) => each !== null);
  const recorded = record?.verification.evidence.completion ?? null;
  const completion = given.report?.evidence.completion ?? recorded;
  const ofReport = given.report === null ? null : firstSigned(given.report.evidence);
  const reportCode = ofReport?.members["verification_code"];
  const signed = completion ?? ofReport;
  const said = signed?.members["verification_code"];
  const end = completion !== null || given.report === null ? null : endOf(given.report.evidence);
  const isSealed = report !== null && checkOf(report.verification, "events").reason === "chain_sealed";
  const code = askedCode ?? (typeof said === "string" ? said : isSealed ? (end?.code ?? null) : null);
  const files = ofDossier(given.report, report?.verification ?? null);
  const file =
    files === "dossier_altered" || given.file === null
      ? (files ?? fileOf(given, signed, answer))
      : fileOf(given, signed, answer);
  const isTest = answer?.environment === "test" || all.some(({ verification }) => verification.environment === "test");
  const match = given.report === null ? null : matchOf(given.report.evidence, answer, recorded);
  const keys = KEYS_ORIGINS.find((origin) => all.some((each) => each.keys === origin)) ?? "unknown";
  const isAtFault =
    answer !== null &&
    (answer.valid === false ||
      ofAnswer === "unreadable" ||
      (record !== null &&
        (record.keys === "foreign" ||
          isBroken(record.verification) ||
          !isAsSigned(answer, record.verification, askedCode))));
  const kind = (): EnvelopeKind => {
    if (report !== null && isBroken(report.verification)) return "report_altered";
    if (report?.keys === "foreign") return "foreign_keys";
    if (askedCode !== null && typeof reportCode === "string" && reportCode !== askedCode) return "other_code";
    if (isAtFault) return "at_fault";
    if (match === "differs") return "report_altered";
    if (file === "different" || file === "dossier_altered") return file;
    if (match === "unsigned") return "unsigned";
    if (isTest) return "test";
    if (all.some((each) => each.keys === "unknown")) return "keys_unknown";
    if (all.some((each) => each.keys === "older")) return "keys_older";
    if (given.isUnknown) return "no_record";
    if (file === "erasure_unsealed") return file;
    if (end !== null && isSealed && (file === "dossier" || file === "dossier_erased")) return "ended";
    if (end !== null && answer === null) return "ended_unsealed";
    if (completion === null) return stateOf(answer);
    if (file === "final" || file === "original" || file === "dossier" || file === "dossier_erased") return file;
    return report === null || match === "older" ? "completed" : "report_alone";
  };
  return {
    kind: kind(),
    answer,
    completion,
    verifications: all.map(({ verification }) => verification),
    report: report?.verification ?? null,
    keys,
    file,
    match,
    isTest,
    end,
    code,
  };
}

/** The completion, else what the first participant signed; null where nothing is signed. */
const firstSigned = ({ completion, records }: EnvelopeEvidence): Evidence | null =>
  completion ?? records?.[0]?.evidence ?? null;

/** Whether anything was signed with the service's keys: a seal is, too. */
const isAnySigned = (evidence: EnvelopeEvidence): boolean => firstSigned(evidence) !== null || evidence.seal !== null;

/** What names an envelope in each of its signed texts. */
const NAMES = ["tenant_id", "environment", "envelope_id"] as const;

function matchOf(
  report: EnvelopeEvidence,
  answer: PublicEnvelope | null,
  recorded: Evidence | null,
): ReportMatch | null {
  const { completion, about, records } = report;
  if (completion !== null) {
    if (answer === null) return null;
    return recorded !== null && completion.payload === recorded.payload ? "equal" : "differs";
  }
  if (recorded !== null) {
    const listed = recorded.members["records"];
    const named = Array.isArray(listed) ? listed.filter(isObject).map(({ sha256 }) => sha256) : [];
    const isOfIt =
      NAMES.every((name) => about[name] === recorded.members[name]) &&
      (records ?? []).every(({ evidence }) => named.includes(digestOf(evidence.payload ?? "")));
    if (!isOfIt) return "differs";
  }
  if (!isAnySigned(report)) return "unsigned";
  return recorded === null ? null : "older";
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
  /** Null where nothing is signed: there are no keys to know. */
  readonly keys: KeysOrigin | null;
}

/** Keys that come with evidence count only if the visitor trusts them, or at least the service publishes them. */
function keyed(
  evidence: EnvelopeEvidence,
  { signatures, file, published, trusted }: EnvelopeGiven,
  files?: DossierFiles,
): Keyed {
  const verify = (keys: EnvelopeGiven["trusted"] | null) =>
    verifyEnvelope(signatures, evidence, files ?? file?.sha256 ?? null, keys);
  if (!isAnySigned(evidence)) return { verification: verify(null), keys: null };
  let isOlder = false;
  if (trusted.length > 0) {
    const own = verify(trusted);
    const { result, reason } = checkOf(own, "keys");
    isOlder = reason === "keys_older";
    if (isOlder && published === null) return { verification: own, keys: "older" };
    if (result === "passed") return { verification: own, keys: "trusted" };
    if (result === "failed") return { verification: own, keys: "foreign" };
  }
  if (published === null) return { verification: verify(null), keys: "unknown" };
  const verification = verify([...trusted, ...published]);
  if (checkOf(verification, "keys").result !== "passed") return { verification, keys: "foreign" };
  return { verification, keys: isOlder ? "older" : "published" };
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

/** Those who sign a record when they finish. */
const ACTORS: readonly string[] = ["signatario", "aprovador", "testemunha"];

/** Whether the answer says what was signed. The service's own word is not enough. */
function isAsSigned(answer: PublicEnvelope, { evidence }: EnvelopeVerification, code: string | null): boolean {
  const members = evidence.completion?.members ?? {};
  const documents = documentsOf(evidence.completion).map((each) => `${each.sha256} ${each.final_sha256}`);
  const records = evidence.completion?.members["records"];
  const finished = answer.participants.filter(({ role, status }) => ACTORS.includes(role) && status === "completed");
  return (
    answer.status === "completed" &&
    finished.length === (Array.isArray(records) ? records.length : 0) &&
    answer.organization === members["organization"] &&
    answer.environment === members["environment"] &&
    (code === null || members["verification_code"] === code) &&
    answer.completed_at?.slice(0, 26) === String(members["completed_at"]).slice(0, 26) &&
    answer.documents.map((each) => `${each.sha256} ${each.final_sha256}`).join() === documents.join()
  );
}

/** What all files of a dossier are; null without one, and where nobody has signed. */
function ofDossier(
  report: Report | null,
  verification: EnvelopeVerification | null,
): "dossier" | "dossier_erased" | "erasure_unsealed" | "dossier_altered" | null {
  if (report?.files === undefined || verification === null) return null;
  const { result, reason } = checkOf(verification, "file");
  switch (result) {
    case "failed":
      return "dossier_altered";
    case "passed":
      return "dossier";
    case "erased":
      return "dossier_erased";
    default:
      return reason === "erasure_not_sealed" ? "erasure_unsealed" : null;
  }
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
