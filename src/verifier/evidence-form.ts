import type { JsonValue } from "./canonical-json.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The members of the evidence with a fixed value (signature-service §2). The evidence has sixteen members in all. */
export const FIXED = {
  kind: "existence_proof",
  schema_version: 1,
  hash_algorithm: "SHA-256",
  time_source: "platform_server_clock_utc",
  hybrid_policy: "AND",
} as const satisfies Readonly<Record<string, JsonValue>>;

/** The members that are texts, with their patterns. README.md in this folder documents them for authors of other verifiers. */
export const SHAPES = {
  proof_id: UUID,
  tenant_id: UUID,
  organization: /^.+$/su,
  sha256: /^[0-9a-f]{64}$/,
  registered_at: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}\+00:00$/,
  // Crockford's base 32: no I, L, O, U.
  verification_code: /^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/,
  key_id: /^ed25519-[0-9a-f]{16}$/,
  pq_key_id: /^ml-dsa-87-[0-9a-f]{16}$/,
} as const satisfies Readonly<Record<string, RegExp>>;

/** The members that may be null. The size is a number, the others are texts. */
export const NULLABLE = ["label", "file_name", "file_size"] as const;

export type EvidenceMember = keyof typeof FIXED | keyof typeof SHAPES | (typeof NULLABLE)[number];
