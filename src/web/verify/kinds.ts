import type { Findings, PageReason, PageVerdict } from "./assess.ts";

/** What was found out about a proof. A failed verification is told by what is wrong, because a visitor has to do something else about each. */
export type FindingKind =
  | Exclude<PageVerdict, "failed" | "test">
  | "test"
  /** A test proof, without its file. */
  | "test_no_file"
  /** The file is not the registered file. The proof may be in order. */
  | "different_file"
  /** The signatures do not belong to what the evidence says, or the record says something else. */
  | "altered"
  /** The signatures were made with keys that the service does not publish. */
  | "foreign_keys"
  /** The signatures were made with other keys than those that the visitor trusts. */
  | "untrusted_keys"
  /** The evidence is about another proof than the one that the visitor asked for. */
  | "other_code"
  /** The service's own record does not verify. */
  | "record_at_fault";

/** Everything that stands at the top of the page, what was found out about a proof and what hindered it. */
export type Kind =
  | FindingKind
  | "code_unknown"
  | "not_a_code"
  | "file_unknown"
  /** The same of a ZIP that could not be read. */
  | "zip_unread"
  | "unreadable"
  | "throttled"
  | "unreachable";

/** Reasons of failed checks, the gravest first: a forged receipt is not called "another file". */
const FAULTS: readonly (readonly [FindingKind, readonly PageReason[]])[] = [
  ["altered", ["not_canonical", "not_existence_proof", "signatures_missing", "signature_invalid"]],
  ["untrusted_keys", ["keys_not_trusted"]],
  ["foreign_keys", ["keys_not_published"]],
  ["other_code", ["other_code"]],
  ["record_at_fault", ["record_at_fault"]],
  ["altered", ["record_differs"]],
  ["different_file", ["digest_differs"]],
];

/** @param hasReceipt whether the evidence came from a receipt, and not only from the service */
export function kindOf({ verdict, checks }: Findings, hasReceipt: boolean): FindingKind {
  if (verdict === "test") return passed(checks, "file") ? "test" : "test_no_file";
  if (verdict !== "failed") return verdict;
  const reasons = checks.filter(({ result }) => result === "failed").map(({ reason }) => reason);
  const kind = FAULTS.find(([, faults]) => faults.some((fault) => reasons.includes(fault)))?.[0] ?? "altered";
  // Without a receipt nobody can have altered one: the evidence of the service itself does not verify.
  return kind === "altered" && !hasReceipt ? "record_at_fault" : kind;
}

/** Whether the proof itself is in order, whatever came of the file. */
export function isInOrder({ checks, isTest }: Findings): boolean {
  const record = checks.find(({ name }) => name === "record");
  const keys = checks.find(({ name }) => name === "keys");
  return (
    !isTest &&
    (["evidence", "ed25519", "ml_dsa_87"] as const).every((name) => passed(checks, name)) &&
    (record?.result === "passed" || record?.reason === "no_receipt") &&
    (keys?.result === "passed" || areConfirmed(keys?.reason))
  );
}

/** Whether the service or the visitor confirms the keys, at least in part. */
export function areConfirmed(reason: PageReason | undefined): boolean {
  return reason === "keys_published" || reason === "one_key_trusted" || reason === "environment_published";
}

function passed(checks: Findings["checks"], name: Findings["checks"][number]["name"]): boolean {
  return checks.find((check) => check.name === name)?.result === "passed";
}
