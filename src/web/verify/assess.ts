import { canonicalJson, type JsonValue } from "../../verifier/canonical-json.ts";
import type { Evidence } from "../../verifier/evidence.ts";
import { otherNamesOf } from "../../verifier/file-names.ts";
import type { PlatformKey } from "../../verifier/keys.ts";
import {
  type Check,
  type CheckName,
  type HashedFile,
  type Reason,
  type SignatureChecks,
  type Verification,
  verifyWith,
} from "../../verifier/verify-with.ts";
import type { Lookup } from "./service.ts";

/** Everything that the checks are computed from. They are computed again whenever a part changes. */
export interface Given {
  /** The code that was asked for; null without one. */
  readonly code: string | null;
  readonly lookup: Lookup;
  /** The evidence from a receipt or from JSON. Its author chose every byte. */
  readonly receipt: Evidence | null;
  /** Whether the evidence came in a PDF. The pages of a PDF may say anything else. */
  readonly isInPdf: boolean;
  readonly file: HashedFile | null;
  /** Keys that the service publishes now; null while they are unknown. */
  readonly published: readonly PlatformKey[] | null;
  /** Keys that the visitor pasted, or that this browser remembers. */
  readonly trusted: readonly PlatformKey[];
  /** What checks signatures; needed as soon as the signed text is known. */
  readonly signatures: SignatureChecks;
}

export type PageReason =
  | Exclude<Reason, "no_trusted_keys">
  /** The service publishes the keys, and no other source confirms them. */
  | "keys_published"
  | "keys_not_published"
  | "keys_unknown"
  /** One key is trusted, the other is only published. */
  | "one_key_trusted"
  /** Both keys are trusted. Only the service says that they are live keys. */
  | "environment_published"
  | "record_equal"
  | "record_differs"
  | "record_at_fault"
  | "other_code"
  | "no_record"
  | "record_unreachable"
  | "no_receipt";

export interface PageCheck {
  readonly name: CheckName | "record";
  readonly result: Check["result"];
  readonly reason: PageReason;
}

/** The verdicts of src/verifier/README.md, with the reason why something is not proved. */
export type PageVerdict =
  | "failed"
  /** A test proof, which proves nothing even if all checks passed. */
  | "test"
  /** All checks passed, with keys that the visitor trusts. */
  | "verified"
  /** All checks passed, with keys that this server publishes. */
  | "verified_here"
  /** Both signatures verify, but there is no file to compare. */
  | "authentic"
  /** The same for the record attached to a PDF. The pages of the PDF may say anything. */
  | "attached_record"
  /** The service has the proof on record; its signatures need the file or the receipt. */
  | "on_record"
  /** The file is right, but its name is not, and the signatures cover the name. */
  | "name_needed"
  /** The signatures could not be checked, and the service has no such record or was not asked. */
  | "unconfirmed"
  /** The signatures verify with keys that no source confirms. */
  | "keys_unknown"
  /** The signatures verify with keys that may have followed those that the visitor trusts. */
  | "keys_older"
  /** The signatures verify with trusted keys whose environment, live or test, is unknown. */
  | "environment_unknown"
  /** A receipt that verifies, and that the service does not know. */
  | "no_record";

export interface Findings {
  readonly verdict: PageVerdict;
  readonly checks: readonly PageCheck[];
  /** The evidence as it was signed, if it could be completed. It is only a claim unless the verdict says otherwise. */
  readonly evidence: Evidence;
  /** Members that differ between the receipt and the service's record. */
  readonly differing: readonly string[];
  /** Whether the proof was made with test keys, also where a check failed. */
  readonly isTest: boolean;
}

/** The findings about a proof; null without any evidence. */
export function assess(given: Given): Findings | null {
  const record = given.lookup.status === "found" ? given.lookup.record : null;
  const evidence = given.receipt ?? record?.evidence;
  if (evidence === undefined) return null;
  const published = given.published ?? record?.evidence.keys ?? null;
  const { verification, keys } = verifyAsSpelled(evidence, given, published);
  const differing = given.receipt !== null && record !== null ? differences(given.receipt, record.evidence) : [];
  const checks: PageCheck[] = [
    ...(verification.checks.filter(({ name }) => name !== "keys") as PageCheck[]),
    keys,
    checkRecord(given, evidence, differing),
  ];
  const used = evidence.signatures.map(({ keyId }) => keyId);
  const environments = [
    verification.environment,
    record?.environment,
    ...(published ?? []).filter(({ keyId }) => used.includes(keyId)).map(({ environment }) => environment),
  ];
  // A record that calls itself a test is believed: nobody gains from a false claim of this kind.
  const isTest = environments.includes("test");
  const verdict = verdictOf(checks, isTest, given.isInPdf);
  return { verdict, checks, evidence: verification.evidence, differing, isTest };
}

/** A name has several spellings. Each of them is the file's name. */
function verifyAsSpelled(
  evidence: Evidence,
  given: Given,
  published: readonly PlatformKey[] | null,
): KeyedVerification {
  const first = verifyWithKeys(evidence, given, published);
  const { file } = given;
  const isMisnamed = ({ verification: { checks } }: KeyedVerification) =>
    checks.some(({ reason }) => reason === "name_or_size_differs");
  if (file === null || !isMisnamed(first)) return first;
  for (const name of otherNamesOf(file.name)) {
    const other = verifyWithKeys(evidence, { ...given, file: { ...file, name } }, published);
    if (!isMisnamed(other)) return other;
  }
  return first;
}

interface KeyedVerification {
  readonly verification: Verification;
  /** The check of the keys, instead of the verifier's own. */
  readonly keys: PageCheck;
}

/**
 * The keys of a receipt come from the maker of the receipt. They count only if the visitor trusts them, or at least
 * the service publishes them.
 */
function verifyWithKeys(
  evidence: Evidence,
  { file, trusted, signatures }: Given,
  published: readonly PlatformKey[] | null,
): KeyedVerification {
  const keysOf = ({ checks }: Verification) => checks.find(({ name }) => name === "keys");
  const own = verifyWith(signatures, evidence, file, trusted.length > 0 ? trusted : null);
  const judged = keysOf(own);
  const answer = (result: Check["result"], reason: PageReason): PageCheck => ({ name: "keys", result, reason });
  const isTrusted = judged?.reason === "environment_unknown";
  const isOlder = judged?.reason === "keys_older";
  if (judged !== undefined && judged.reason !== "no_trusted_keys" && !((isTrusted || isOlder) && published !== null)) {
    return { verification: own, keys: judged as PageCheck };
  }
  if (published === null) return { verification: own, keys: answer("not_checked", "keys_unknown") };
  const verification = verifyWith(signatures, evidence, file, [...trusted, ...published]);
  const isPublished = keysOf(verification)?.result === "passed";
  if (isTrusted)
    return { verification, keys: answer("not_checked", isPublished ? "environment_published" : "environment_unknown") };
  // The list of this server is of now: a key that it does not have is not a later one.
  if (isOlder && isPublished) return { verification, keys: answer("not_checked", "keys_older") };
  return {
    verification,
    keys: isPublished
      ? answer("not_checked", trusted.length > 0 ? "one_key_trusted" : "keys_published")
      : answer("failed", "keys_not_published"),
  };
}

/** Compares the service's own record of the code with the receipt. */
function checkRecord({ code, lookup, receipt }: Given, evidence: Evidence, differing: readonly string[]): PageCheck {
  const answer = (result: Check["result"], reason: PageReason): PageCheck => ({ name: "record", result, reason });
  if (code !== null && evidence.members["verification_code"] !== code) return answer("failed", "other_code");
  if (lookup.status === "unknown") return answer("not_checked", "no_record");
  if (lookup.status !== "found") return answer("not_checked", "record_unreachable");
  if (!lookup.record.valid) return answer("failed", "record_at_fault");
  if (receipt === null) return answer("not_checked", "no_receipt");
  return differing.length === 0 ? answer("passed", "record_equal") : answer("failed", "record_differs");
}

/** Names of members that differ, among members that both have, and of differing signatures. */
function differences(receipt: Evidence, record: Evidence): string[] {
  const leftOut = new Set<string>([...receipt.redacted, ...record.redacted]);
  const names = new Set([...Object.keys(receipt.members), ...Object.keys(record.members)]);
  const members = [...names].filter(
    (name) => !leftOut.has(name) && textOf(receipt.members[name]) !== textOf(record.members[name]),
  );
  const signatures = ({ signatures: list }: Evidence) =>
    list
      .map(({ algorithm, keyId, signature }) => `${algorithm} ${keyId} ${signature.join()}`)
      .sort()
      .join("\n");
  return signatures(receipt) === signatures(record) ? members : [...members, "signatures"];
}

function textOf(value: JsonValue | undefined): string | null {
  try {
    return value === undefined ? null : canonicalJson(value);
  } catch {
    return null;
  }
}

function verdictOf(checks: readonly PageCheck[], isTest: boolean, isInPdf: boolean): PageVerdict {
  const check = (name: PageCheck["name"]) => checks.find((each) => each.name === name);
  const passed = (name: PageCheck["name"]) => check(name)?.result === "passed";
  const because = (reason: PageReason) => checks.some((each) => each.reason === reason);
  if (checks.some(({ result }) => result === "failed")) return "failed";
  if (isTest) return "test";
  // Only with these two results was the service asked, found the record, and did not contradict.
  const isOnRecord = passed("record") || because("no_receipt");
  if (because("name_or_size_differs")) return isOnRecord ? "name_needed" : "unconfirmed";
  if (because("keys_older")) return "keys_older";
  if (because("keys_unknown") || because("key_missing")) return "keys_unknown";
  if (!passed("evidence") || !passed("ed25519") || !passed("ml_dsa_87"))
    return isOnRecord ? "on_record" : "unconfirmed";
  if (because("no_record")) return "no_record";
  if (because("environment_unknown")) return "environment_unknown";
  if (!passed("file")) return isInPdf ? "attached_record" : "authentic";
  return passed("keys") ? "verified" : "verified_here";
}
