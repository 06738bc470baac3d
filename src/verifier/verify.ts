import { canonicalJson, type JsonValue } from "./canonical-json.ts";
import { completed, type Evidence, type EvidenceSignature } from "./evidence.ts";
import { FIXED, NULLABLE, SHAPES } from "./evidence-form.ts";
import { verifyEd25519, verifyMlDsa87 } from "./hybrid-signature.ts";
import { keyId, type SignatureAlgorithm } from "./key-ids.ts";
import type { PlatformKey } from "./keys.ts";

/** What is checked, in this order. */
export const CHECKS = ["file", "evidence", "ed25519", "ml_dsa_87", "keys"] as const;
export type CheckName = (typeof CHECKS)[number];

/** Why a check came out as it did. The caller that shows them has the words for them. */
export type Reason =
  | "digest_matches"
  | "digest_differs"
  | "no_file"
  | "canonical"
  | "not_canonical"
  | "not_existence_proof"
  | "signatures_missing"
  | "members_missing"
  | "signature_valid"
  | "signature_invalid"
  /** Members were left out, and with what the file says in their place no signature verifies. */
  | "name_or_size_differs"
  | "key_missing"
  | "keys_trusted"
  | "keys_not_trusted"
  /** Both keys are trusted, and nobody says whether they seal live proofs or test ones. */
  | "environment_unknown"
  | "no_trusted_keys";

export interface Check {
  readonly name: CheckName;
  readonly result: "passed" | "failed" | "not_checked";
  readonly reason: Reason;
}

/** A file that was hashed where it lies. */
export interface HashedFile {
  /** 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** What the checks come to, the first that fits: the table of README.md, "The verdict". */
export type Verdict =
  /** A check failed. */
  | "failed"
  /** A key seals test proofs, which anyone makes for nothing. */
  | "test"
  /** Something could not be checked. */
  | "not_proved"
  /** All checks passed, with keys that seal live proofs. */
  | "proved";

export interface Verification {
  readonly checks: readonly Check[];
  readonly verdict: Verdict;
  /** As it was signed: with the members that the file restored, when that made the signatures verify. */
  readonly evidence: Evidence;
  /**
   * Which environment the keys seal: a test proof proves nothing. `live` is only what trusted keys are known to be; for
   * `test` the word of the one who delivered the evidence is enough.
   */
  readonly environment: "live" | "test" | null;
}

/**
 * Checks evidence, without network and without trusting the one who delivered it.
 *
 * @param evidence as {@link readEvidence} gives it
 * @param file the file the proof is of; null leaves its check open, and members that were left out unknown
 * @param trustedKeys platform keys known from elsewhere; null leaves open whose keys the evidence was delivered with
 */
export function verify(
  evidence: Evidence,
  file: HashedFile | null,
  trustedKeys: readonly PlatformKey[] | null,
): Verification {
  const isOfFile = file !== null && evidence.members["sha256"] === file.sha256;
  const whole = file !== null && isOfFile ? completed(evidence, file) : evidence;
  const keys = { ed25519: keyFor("Ed25519", whole, trustedKeys), mlDsa87: keyFor("ML-DSA-87", whole, trustedKeys) };
  let signatures = [
    checkSignature("ed25519", whole, keys.ed25519, verifyEd25519),
    checkSignature("ml_dsa_87", whole, keys.mlDsa87, verifyMlDsa87),
  ];
  // One signature that verifies shows that the members are restored; without any, the file may just have another name.
  const restored = whole === evidence || signatures.some(({ result }) => result === "passed");
  if (!restored)
    signatures = signatures.map((check) =>
      check.reason === "signature_invalid" || check.reason === "members_missing"
        ? { ...check, result: "not_checked", reason: "name_or_size_differs" }
        : check,
    );
  const environments = [
    environmentOf(keys.ed25519, evidence, trustedKeys),
    environmentOf(keys.mlDsa87, evidence, trustedKeys),
  ];
  const checks: Check[] = [
    file === null
      ? { name: "file", result: "not_checked", reason: "no_file" }
      : isOfFile
        ? { name: "file", result: "passed", reason: "digest_matches" }
        : { name: "file", result: "failed", reason: "digest_differs" },
    checkEvidence(restored ? whole : evidence),
    ...signatures,
    checkKeys(environments, keys, trustedKeys),
  ];
  const environment = environmentOfBoth(environments);
  return { checks, verdict: verdictOf(checks, environment), evidence: restored ? whole : evidence, environment };
}

function verdictOf(checks: readonly Check[], environment: Verification["environment"]): Verdict {
  if (checks.some(({ result }) => result === "failed")) return "failed";
  if (environment === "test") return "test";
  return checks.every(({ result }) => result === "passed") ? "proved" : "not_proved";
}

const MEMBER_COUNT = Object.keys(FIXED).length + Object.keys(SHAPES).length + NULLABLE.length;

/** Whether the payload is the canonical form of an existence proof and names the keys of exactly its two signatures. */
function checkEvidence({ payload, members, redacted, signatures }: Evidence): Check {
  const answer = (result: Check["result"], reason: Reason): Check => ({ name: "evidence", result, reason });
  const isProof =
    Object.entries(FIXED).every(([name, value]) => members[name] === value) &&
    Object.entries(SHAPES).every(([name, shape]) => typeof members[name] === "string" && shape.test(members[name])) &&
    isTextOrNull(members["label"]) &&
    (redacted.includes("file_name") || isTextOrNull(members["file_name"])) &&
    (redacted.includes("file_size") || isSizeOrNull(members["file_size"])) &&
    Object.keys(members).length + redacted.length === MEMBER_COUNT;
  if (!isProof) return answer("failed", "not_existence_proof");
  const named = [members["key_id"], members["pq_key_id"]];
  const signing = (["Ed25519", "ML-DSA-87"] as const).map(
    (algorithm) => signatures.filter((signature) => signature.algorithm === algorithm).map((each) => each.keyId)[0],
  );
  if (signatures.length !== 2 || named.some((id, place) => id !== signing[place]))
    return answer("failed", "signatures_missing");
  if (payload === null) return answer("not_checked", "members_missing");
  return isCanonical(payload, members) ? answer("passed", "canonical") : answer("failed", "not_canonical");
}

function isCanonical(payload: string, members: Readonly<Record<string, JsonValue>>): boolean {
  try {
    return canonicalJson(members) === payload;
  } catch {
    return false;
  }
}

const isTextOrNull = (value: JsonValue | undefined) => value === null || typeof value === "string";
const isSizeOrNull = (value: JsonValue | undefined) =>
  value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);

function checkSignature(
  name: "ed25519" | "ml_dsa_87",
  evidence: Evidence,
  key: PlatformKey | null,
  isValid: typeof verifyEd25519,
): Check {
  const signature = signatureOf(name === "ed25519" ? "Ed25519" : "ML-DSA-87", evidence);
  if (signature === undefined) return { name, result: "failed", reason: "signatures_missing" };
  if (evidence.payload === null) return { name, result: "not_checked", reason: "members_missing" };
  if (key === null) return { name, result: "not_checked", reason: "key_missing" };
  return isValid(key.publicKey, new TextEncoder().encode(evidence.payload), signature.signature)
    ? { name, result: "passed", reason: "signature_valid" }
    : { name, result: "failed", reason: "signature_invalid" };
}

function signatureOf(algorithm: SignatureAlgorithm, { signatures }: Evidence): EvidenceSignature | undefined {
  return signatures.find((signature) => signature.algorithm === algorithm);
}

/** The key a signature names: of the trusted ones if it is among them, otherwise as it was delivered. */
function keyFor(
  algorithm: SignatureAlgorithm,
  evidence: Evidence,
  trusted: readonly PlatformKey[] | null,
): PlatformKey | null {
  const id = signatureOf(algorithm, evidence)?.keyId;
  const isIt = (key: PlatformKey) =>
    key.keyId === id && key.algorithm === algorithm && keyId(algorithm, key.publicKey) === id;
  return trusted?.find(isIt) ?? evidence.keys.find(isIt) ?? null;
}

/** What a key seals. Delivered keys are not believed to be live, or a test proof would be made a live one by saying so. */
function environmentOf(
  key: PlatformKey | null,
  evidence: Evidence,
  trusted: readonly PlatformKey[] | null,
): "live" | "test" | null {
  const said = (keys: readonly PlatformKey[]) =>
    keys.filter(({ keyId: id }) => id === key?.keyId).map((each) => each.environment);
  const known = said(trusted ?? []);
  if (known.includes("test")) return "test";
  if (known.includes("live")) return "live";
  return said(evidence.keys).includes("test") ? "test" : null;
}

/** One test key is enough for a test proof. */
function environmentOfBoth(environments: readonly ("live" | "test" | null)[]): "live" | "test" | null {
  if (environments.includes("test")) return "test";
  return environments.every((each) => each === "live") ? "live" : null;
}

/** Whether both keys are trusted ones, of one environment that is known. */
function checkKeys(
  environments: readonly ("live" | "test" | null)[],
  used: { readonly ed25519: PlatformKey | null; readonly mlDsa87: PlatformKey | null },
  trusted: readonly PlatformKey[] | null,
): Check {
  const answer = (result: Check["result"], reason: Reason): Check => ({ name: "keys", result, reason });
  if (trusted === null) return answer("not_checked", "no_trusted_keys");
  const untrusted = (["Ed25519", "ML-DSA-87"] as const).filter((algorithm) => {
    const key = algorithm === "Ed25519" ? used.ed25519 : used.mlDsa87;
    return key === null || !trusted.includes(key);
  });
  if (untrusted.length > 0) {
    // A single pinned key says nothing about one of the other algorithm.
    const isPinned = (algorithm: SignatureAlgorithm) => trusted.some((key) => key.algorithm === algorithm);
    return untrusted.length === 2 || untrusted.some(isPinned)
      ? answer("failed", "keys_not_trusted")
      : answer("not_checked", "no_trusted_keys");
  }
  if (environments.includes("live") && environments.includes("test")) return answer("failed", "keys_not_trusted");
  return environmentOfBoth(environments) === null
    ? answer("not_checked", "environment_unknown")
    : answer("passed", "keys_trusted");
}
