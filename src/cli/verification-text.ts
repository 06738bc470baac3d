import type { CheckName, Reason, Verification } from "../verifier/verify.ts";

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
    "does not verify with this file's name and size: either it had another name then (say it with --name) or the signature is forged",
  key_missing: "the key is neither in --keys nor in what was given",
  keys_trusted: "both are in --keys",
  keys_not_trusted: "not both are in --keys, of one environment",
  no_trusted_keys: "not known to be the platform's: keys that come with a proof prove nothing, give --keys",
};

/** One line a check, then the outcome. */
export function verificationText(verification: Verification): string {
  const lines = verification.checks.map(
    ({ name, result, reason }) => `${result.replace("_", " ").padEnd(12)} ${NAMES[name].padEnd(12)} ${REASONS[reason]}`,
  );
  return [...lines, `${outcome(verification)}: ${claims(verification)}`].join("\n");
}

function outcome({ result, environment }: Verification): string {
  if (result === "failed") return "FAILED, the evidence only claims";
  if (result === "incomplete") return "NOT PROVED, the evidence only claims";
  return environment === "test" ? "TEST, PROVES NOTHING" : "PASSED";
}

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

/** Texts of the platform are at most 255 characters; what somebody else made up is cut. */
const MOST_CHARACTERS = 300;

/** In quotes that it cannot end, so that a label cannot go on as if it were ours. */
function quoted(text: string): string {
  return printable(JSON.stringify(text.slice(0, MOST_CHARACTERS)));
}

/** Escapes, as JSON does, what would drive a terminal or turn the direction of writing; JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
