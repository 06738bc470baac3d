import { printable } from "../../../surfaces/cli/printable.ts";
import type { CheckName, Reason, Verdict, Verification } from "../../../verifier/verify-with.ts";

const NAMES: Readonly<Record<CheckName, string>> = {
  file: "file",
  evidence: "evidence",
  ed25519: "Ed25519",
  ml_dsa_87: "ML-DSA-87",
  keys: "keys",
};

const REASONS: Readonly<Record<Reason, string>> = {
  digest_matches: "SHA-256 equals the one in the evidence",
  digest_differs: "SHA-256 is not the one in the evidence: this proof is of another file",
  no_file: "no file was given",
  canonical: "is an existence proof, in canonical form",
  not_canonical: "is not in canonical form",
  not_existence_proof: "is not an existence proof of version 1",
  signatures_missing: "the signatures are not exactly the two that the evidence names",
  members_missing: "file name or size were left out, and could not be restored",
  signature_valid: "the signature verifies",
  signature_invalid: "the signature does not verify",
  name_or_size_differs:
    "does not verify with this file's name and size: either the file had another name then (give it with --name) or the signature is forged",
  key_missing: "the key is neither in --keys nor in the given proof",
  keys_trusted: "both are in --keys",
  keys_not_trusted: "not both are in --keys, of one environment",
  keys_older:
    "these keys may be older than this proof: fetch them anew. If the new list does not have the proof's keys either, it is not the platform's",
  environment_unknown:
    "both are in --keys, which does not say whether they seal live or test proofs: give the platform's own list",
  no_trusted_keys: "not known to be the platform's: keys that come with a proof prove nothing, give --keys",
};

export const VERDICTS: Readonly<Record<Verdict, string>> = {
  proved: "PROVED",
  test: "TEST, PROVES NOTHING",
  not_proved: "NOT PROVED, the evidence only claims",
  failed: "FAILED, the evidence only claims",
};

/** Printed beside the verdict: readers must not take the verdict for one on the printed pages. */
const PAGES_NOT_CHECKED =
  "The pages of the receipt were not checked, only the record attached to it: anyone can put a genuine record into another PDF.";

/**
 * One line for each check, then the verdict.
 * @param isReceipt whether the evidence came in a PDF
 */
export function verificationText(verification: Verification, isReceipt: boolean): string {
  const lines = verification.checks.map(({ name, result, reason }) => checkLine(result, NAMES[name], REASONS[reason]));
  const verdict = `${VERDICTS[verification.verdict]}: ${claims(verification)}`;
  return [...lines, verdict, ...(isReceipt ? [PAGES_NOT_CHECKED] : [])].join("\n");
}

/** The line of a check. */
export const checkLine = (result: string, name: string, reason: string): string =>
  `${result.replace("_", " ").padEnd(12)} ${name.padEnd(12)} ${reason}`;

function claims({ evidence, environment }: Verification): string {
  const said = (name: string) => {
    const value = evidence.members[name];
    return typeof value === "string" ? quoted(value) : "none";
  };
  const sealed = environment === null ? "environment not known" : environment === "test" ? "TEST" : "live";
  return [
    `organization ${said("organization")}`,
    `label ${said("label")}`,
    `registered at ${said("registered_at")}`,
    `code ${said("verification_code")}`,
    sealed,
  ].join(", ");
}

/** Texts of the platform have at most 255 characters. Longer texts are not the platform's, and are cut. */
const MOST_CHARACTERS = 300;

/** Quotes a text so that it cannot end the quotation and continue as our own words. */
export function quoted(text: string): string {
  return printable(JSON.stringify(text.slice(0, MOST_CHARACTERS)));
}
