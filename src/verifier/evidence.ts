import { base64Decoded } from "./base64.ts";
import { canonicalJson, type JsonValue } from "./canonical-json.ts";
import { member, type PlatformKey, parseJson, readKeyList, UnreadableError } from "./keys.ts";

/** Members that public evidence leaves out unless they are null. */
export const REDACTABLE = ["file_name", "file_size"] as const;
export type Redactable = (typeof REDACTABLE)[number];

/** The signed text, the signatures, and the keys delivered with them. Nothing is checked yet. */
export interface Evidence {
  /** The exact text whose UTF-8 bytes were signed; null while members are missing. */
  readonly payload: string | null;
  readonly members: Readonly<Record<string, JsonValue>>;
  /** Members that the public answer leaves out. */
  readonly redacted: readonly Redactable[];
  readonly signatures: readonly EvidenceSignature[];
  /** Keys delivered with the evidence. They prove nothing by themselves. */
  readonly keys: readonly PlatformKey[];
}

export interface EvidenceSignature {
  readonly algorithm: "Ed25519" | "ML-DSA-87";
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/**
 * Reads evidence in each form that Selo gives out: `evidence.json` of a receipt ({payload, signatures, keys}), a proof from
 * `GET /proofs/{id}`, or a proof from `GET /public/proofs/{code}`, which leaves members out.
 * @throws UnreadableError
 */
export function readEvidence(text: string): Evidence {
  const value = parseJson(text);
  return typeof member(value, "payload") === "string" ? readSigned(value) : readProof(value);
}

/**
 * Reads a signed text: {payload, signatures, keys}.
 * @throws UnreadableError
 */
export function readSigned(value: unknown): Evidence {
  const payload = member(value, "payload");
  if (typeof payload !== "string") throw new UnreadableError("it has no payload");
  const [signatures, keys] = [member(value, "signatures"), member(value, "keys")];
  if (!Array.isArray(signatures)) throw new UnreadableError("it has no signatures");
  return {
    payload,
    members: membersOf(parseJson(payload)),
    redacted: [],
    signatures: signatures.map((signature: unknown) =>
      readSignature(member(signature, "algorithm"), member(signature, "key_id"), member(signature, "signature")),
    ),
    keys: Array.isArray(keys) ? readKeyList(keys) : [],
  };
}

function readProof(value: unknown): Evidence {
  const evidence = member(value, "evidence");
  if (evidence === undefined) throw new UnreadableError("it holds neither a payload nor evidence");
  const members = membersOf(evidence);
  const listed = member(value, "redacted");
  const redacted = REDACTABLE.filter((name) => Array.isArray(listed) && listed.includes(name) && !(name in members));
  const keys = member(value, "platform_keys");
  const payload = redacted.length > 0 ? null : canonical(members);
  if (payload === null && redacted.length === 0) throw new UnreadableError("the evidence has no canonical form");
  const signatures = signaturesOf(value);
  return { payload, members, redacted, signatures, keys: Array.isArray(keys) ? readKeyList(keys) : [] };
}

/**
 * Reads a signed record that the API answers as members.
 * @throws UnreadableError
 */
export function readSignedMembers(value: unknown, keys: readonly PlatformKey[]): Evidence {
  const members = membersOf(member(value, "evidence"));
  const payload = canonical(members);
  if (payload === null) throw new UnreadableError("the evidence has no canonical form");
  return { payload, members, redacted: [], signatures: signaturesOf(value), keys };
}

function signaturesOf(value: unknown): EvidenceSignature[] {
  return [
    readSignature("Ed25519", member(value, "platform_key_id"), member(value, "platform_signature")),
    readSignature("ML-DSA-87", member(value, "platform_pq_key_id"), member(value, "platform_signature_pq")),
  ];
}

/**
 * The evidence with its missing members filled in from the visitor's file. The payload is null if
 * the result has no canonical form, for instance because of a name with a lone surrogate: nobody can have signed it.
 */
export function completed(evidence: Evidence, file: { readonly name: string; readonly size: number }): Evidence {
  if (evidence.redacted.length === 0) return evidence;
  const values = { file_name: file.name, file_size: file.size };
  const members = { ...evidence.members };
  for (const name of evidence.redacted) members[name] = values[name];
  return { ...evidence, members, payload: canonical(members), redacted: [] };
}

function canonical(members: Readonly<Record<string, JsonValue>>): string | null {
  try {
    return canonicalJson(members);
  } catch {
    return null;
  }
}

function membersOf(value: unknown): Record<string, JsonValue> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UnreadableError("the evidence is not an object");
  return value as Record<string, JsonValue>;
}

function readSignature(algorithm: unknown, keyId: unknown, signature: unknown): EvidenceSignature {
  const bytes = typeof signature === "string" ? base64Decoded(signature) : null;
  if ((algorithm !== "Ed25519" && algorithm !== "ML-DSA-87") || typeof keyId !== "string" || bytes === null)
    throw new UnreadableError("a signature lacks its algorithm, its key_id or its base64");
  return { algorithm, keyId, signature: bytes };
}
