import { canonicalJson, type JsonValue } from "./canonical-json.ts";
import { completed, type Evidence, type EvidenceSignature } from "./evidence.ts";
import { FIXED, NULLABLE, SHAPES } from "./evidence-form.ts";
import { keyId, type SignatureAlgorithm } from "./key-ids.ts";
import { instantKey, type PlatformKey } from "./keys.ts";

/** The checks, in order. */
export const CHECKS = ["file", "evidence", "ed25519", "ml_dsa_87", "keys"] as const;
export type CheckName = (typeof CHECKS)[number];

/** The reason for a check's result. The caller has the words for it. */
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
  /** Members were left out, and with the file's name and size in their place no signature verifies. */
  | "name_or_size_differs"
  | "key_missing"
  | "keys_trusted"
  | "keys_not_trusted"
  /** The keys are not among the trusted ones, all of which were made before the text was signed: they may be of before a rotation. */
  | "keys_older"
  /** Both keys are trusted, and their environment, live or test, is unknown. */
  | "environment_unknown"
  | "no_trusted_keys";

export interface Check {
  readonly name: CheckName;
  readonly result: "passed" | "failed" | "not_checked";
  readonly reason: Reason;
}

/** A file that was hashed locally. */
export interface HashedFile {
  /** 64 lowercase hexadecimal digits. */
  readonly sha256: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
}

/** The overall result, the first that applies: the table of README.md, "The verdict". */
export type Verdict =
  /** A check failed. */
  | "failed"
  /** A key seals test proofs, which anyone can make for free. */
  | "test"
  /** Something could not be checked. */
  | "not_proved"
  /** All checks passed, with keys that seal live proofs. Of an envelope, some may have found erased what sealed events say was erased. */
  | "proved";

export interface Verification {
  readonly checks: readonly Check[];
  readonly verdict: Verdict;
  /** The evidence as it was signed, with the members restored from the file if the signatures then verify. */
  readonly evidence: Evidence;
  /**
   * The environment that the keys seal; a test proof proves nothing. Only trusted keys can make it `live`. For
   * `test` the statement of delivered evidence is enough.
   */
  readonly environment: "live" | "test" | null;
}

/** Whether a signature of one algorithm is valid for a message; false for malformed input. */
type SignatureCheck = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

/** The arithmetic of the two signatures: hybrid-signature.ts has it. Apart, because it is large, and evidence whose members were left out needs none of it. */
export interface SignatureChecks {
  readonly ed25519: SignatureCheck;
  readonly mlDsa87: SignatureCheck;
}

/**
 * Checks evidence, without network and without trusting its sender.
 *
 * @param signatures called only where the signed text is known
 * @param evidence as {@link readEvidence} returns it
 * @param file the file of the proof; with null its check stays open, and members that were left out stay unknown
 * @param trustedKeys platform keys known from elsewhere; with null the owner of the delivered keys stays open
 */
export function verifyWith(
  signatures: SignatureChecks,
  evidence: Evidence,
  file: HashedFile | null,
  trustedKeys: readonly PlatformKey[] | null,
): Verification {
  const isOfFile = file !== null && evidence.members["sha256"] === file.sha256;
  const whole = file !== null && isOfFile ? completed(evidence, file) : evidence;
  const keys = { ed25519: keyFor("Ed25519", whole, trustedKeys), mlDsa87: keyFor("ML-DSA-87", whole, trustedKeys) };
  let signed = [
    checkSignature("ed25519", whole, keys.ed25519, signatures.ed25519),
    checkSignature("ml_dsa_87", whole, keys.mlDsa87, signatures.mlDsa87),
  ];
  // One valid signature shows that the members are restored. Without one, the file may merely have another name.
  const restored = whole === evidence || signed.some(({ result }) => result === "passed");
  if (!restored)
    signed = signed.map((check) =>
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
    ...signed,
    checkKeys(environments, keys, trustedKeys, evidence),
  ];
  const environment = environmentOfBoth(environments);
  return { checks, verdict: verdictOf(checks, environment), evidence: restored ? whole : evidence, environment };
}

/** What was erased is not missing: the checks say `erased` only where something sealed does. */
export function verdictOf(
  checks: readonly { readonly result: Check["result"] | "erased" }[],
  environment: Verification["environment"],
): Verdict {
  if (checks.some(({ result }) => result === "failed")) return "failed";
  if (environment === "test") return "test";
  return checks.some(({ result }) => result === "not_checked") ? "not_proved" : "proved";
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
  if (!hasItsSignatures({ members, signatures })) return answer("failed", "signatures_missing");
  if (payload === null) return answer("not_checked", "members_missing");
  return isCanonical(payload, members) ? answer("passed", "canonical") : answer("failed", "not_canonical");
}

/** Whether there are exactly two signatures, by the keys that the evidence names. */
export function hasItsSignatures({ members, signatures }: Pick<Evidence, "members" | "signatures">): boolean {
  const named = [members["key_id"], members["pq_key_id"]];
  const signing = (["Ed25519", "ML-DSA-87"] as const).map(
    (algorithm) => signatures.filter((signature) => signature.algorithm === algorithm).map((each) => each.keyId)[0],
  );
  return signatures.length === 2 && named.every((id, place) => id === signing[place]);
}

export function isCanonical(payload: string, members: Readonly<Record<string, JsonValue>>): boolean {
  try {
    return canonicalJson(members) === payload;
  } catch {
    return false;
  }
}

const isTextOrNull = (value: JsonValue | undefined) => value === null || typeof value === "string";
const isSizeOrNull = (value: JsonValue | undefined) =>
  value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);

export function checkSignature(
  name: "ed25519" | "ml_dsa_87",
  evidence: Evidence,
  key: PlatformKey | null,
  isValid: SignatureCheck,
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

/** The key that a signature names: the trusted key if known, otherwise the delivered key. */
export function keyFor(
  algorithm: SignatureAlgorithm,
  evidence: Evidence,
  trusted: readonly PlatformKey[] | null,
): PlatformKey | null {
  const id = signatureOf(algorithm, evidence)?.keyId;
  const isIt = (key: PlatformKey) =>
    key.keyId === id && key.algorithm === algorithm && keyId(algorithm, key.publicKey) === id;
  return trusted?.find(isIt) ?? evidence.keys.find(isIt) ?? null;
}

/** The environment of a key. A delivered key that says `live` is not believed: otherwise a test proof could declare itself live. */
export function environmentOf(
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

/** One test key makes a test proof. */
export function environmentOfBoth(environments: readonly ("live" | "test" | null)[]): "live" | "test" | null {
  if (environments.includes("test")) return "test";
  return environments.every((each) => each === "live") ? "live" : null;
}

/** Whether both keys are trusted and of one known environment. */
export function checkKeys(
  environments: readonly ("live" | "test" | null)[],
  used: { readonly ed25519: PlatformKey | null; readonly mlDsa87: PlatformKey | null },
  trusted: readonly PlatformKey[] | null,
  text: Pick<Evidence, "members">,
): Check {
  const answer = (result: Check["result"], reason: Reason): Check => ({ name: "keys", result, reason });
  if (trusted === null) return answer("not_checked", "no_trusted_keys");
  const untrusted = (["Ed25519", "ML-DSA-87"] as const).filter((algorithm) => {
    const key = algorithm === "Ed25519" ? used.ed25519 : used.mlDsa87;
    return key === null || !trusted.includes(key);
  });
  if (untrusted.length > 0) {
    // A rotation replaces both keys at once.
    if (untrusted.length === 2 && areOlder(trusted, text)) return answer("not_checked", "keys_older");
    // A single pinned key says nothing about a key of the other algorithm.
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

/**
 * Whether the newest of these keys was made before the text says that it was signed. The platform lists every key that it ever had, so a list
 * with a key that was made later has the keys of the text, or the text is not the platform's.
 */
function areOlder(trusted: readonly PlatformKey[], { members }: Pick<Evidence, "members">): boolean {
  const signedAt = instantKey(members["registered_at"] ?? members["signed_at"] ?? members["sealed_at"]);
  const made = trusted.map(({ createdAt }) => instantKey(createdAt)).filter((each) => each !== null);
  return signedAt !== null && made.length > 0 && made.every((each) => each < signedAt);
}
