import { base64Decoded } from "./base64.ts";
import { keyId, type SignatureAlgorithm } from "./key-ids.ts";

/** A public key of the platform. */
export interface PlatformKey {
  readonly keyId: string;
  readonly algorithm: SignatureAlgorithm;
  /** The raw key: 32 or 2,592 bytes. */
  readonly publicKey: Uint8Array;
  /** The environment that the key seals, if the source of the key stated it; otherwise null. */
  readonly environment: "live" | "test" | null;
  /** When the key was made, in UTC, if the source of the key stated it; otherwise null. */
  readonly createdAt: string | null;
}

/** An instant in UTC. Texts of this form without their last letters compare as the instants do. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)$/;

/** What orders two instants as texts; null for what is no instant in UTC. */
export const instantKey = (value: unknown): string | null =>
  typeof value === "string" && INSTANT.test(value) ? value.replace(/Z$|\+00:00$/, "") : null;

/** An input that cannot be read as keys or evidence. The message says what is wrong. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/**
 * Reads platform keys: the answer of `GET /api/v1/public/platform-key`, a list of its items, or the base64 of one raw
 * public key, whose length tells the algorithm. Key ids are computed from the keys, never believed.
 * @throws UnreadableError
 */
export function readKeys(text: string): PlatformKey[] {
  const trimmed = text.trim();
  // A bare key is pasted text with line breaks of mails and terminals; JSON begins with a bracket.
  if (!/^[[{]/.test(trimmed)) return [keyOf(trimmed.replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, ""))];
  const value = parseJson(trimmed);
  const list = Array.isArray(value) ? value : (member(value, "platform_keys") ?? member(value, "keys"));
  const keys = Array.isArray(list) ? readKeyList(list) : [];
  if (keys.length === 0) throw new UnreadableError("it contains no platform keys");
  return keys;
}

/**
 * The keys of a list whose algorithms are known. A list that also holds keys of a future algorithm still
 * works for today's signatures.
 * @throws UnreadableError
 */
export function readKeyList(list: readonly unknown[]): PlatformKey[] {
  return list.filter(isOfKnownAlgorithm).map(readKey);
}

function isOfKnownAlgorithm(value: unknown): boolean {
  const algorithm = member(value, "algorithm");
  return typeof algorithm !== "string" || algorithm === "Ed25519" || algorithm === "ML-DSA-87";
}

/**
 * Reads one key from JSON: {algorithm, public_key, key_id?, environment?, created_at?}.
 * @throws UnreadableError
 */
function readKey(value: unknown): PlatformKey {
  const publicKey = member(value, "public_key");
  if (typeof publicKey !== "string") throw new UnreadableError("a key has no public_key");
  const key = keyOf(publicKey);
  const [algorithm, id, environment] = ["algorithm", "key_id", "environment"].map((name) => member(value, name));
  // The message does not repeat the given value, which may be of any type and size.
  if (algorithm !== undefined && algorithm !== key.algorithm)
    throw new UnreadableError(`a key of ${key.publicKey.length} bytes must have the algorithm ${key.algorithm}`);
  if (id !== undefined && id !== key.keyId)
    throw new UnreadableError(`the key_id beside the key ${key.keyId} does not match it`);
  const createdAt = member(value, "created_at");
  return {
    ...key,
    environment: environment === "live" || environment === "test" ? environment : null,
    createdAt: instantKey(createdAt) === null ? null : (createdAt as string),
  };
}

function keyOf(base64: string): PlatformKey {
  const publicKey = base64Decoded(base64);
  const algorithm = publicKey?.length === 32 ? "Ed25519" : publicKey?.length === 2_592 ? "ML-DSA-87" : null;
  if (publicKey === null || algorithm === null)
    throw new UnreadableError("a public key is the base64 of 32 bytes (Ed25519) or 2,592 bytes (ML-DSA-87)");
  return { keyId: keyId(algorithm, publicKey), algorithm, publicKey, environment: null, createdAt: null };
}

/** @throws UnreadableError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableError("it is not JSON");
  }
}

/** A member of a JSON object; undefined if the member is missing or the value is not an object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
