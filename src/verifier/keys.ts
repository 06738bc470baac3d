import { base64Decoded } from "./base64.ts";
import { keyId, type SignatureAlgorithm } from "./key-ids.ts";

/** A public key of the platform. */
export interface PlatformKey {
  readonly keyId: string;
  readonly algorithm: SignatureAlgorithm;
  /** Raw: 32 or 2,592 bytes. */
  readonly publicKey: Uint8Array;
  /** What it seals, where the source of the key said so. */
  readonly environment: "live" | "test" | null;
}

/** What was given as keys or evidence is neither. `reason` names what is wrong. */
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
  // A bare key is pasted, in lines as mail and terminals break them; JSON has none of that.
  if (!/^[[{]/.test(trimmed)) return [keyOf(trimmed.replace(/\s+/g, ""))];
  const value = parseJson(trimmed);
  const list = Array.isArray(value) ? value : (member(value, "platform_keys") ?? member(value, "keys"));
  const keys = Array.isArray(list) ? readKeyList(list) : [];
  if (keys.length === 0) throw new UnreadableError("there are no platform keys in it");
  return keys;
}

/**
 * The keys of a list, as far as their algorithms are known: a list that also holds keys of an algorithm to come still
 * serves for the signatures of today.
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
 * One key as JSON has it: {algorithm, public_key, key_id?, environment?}.
 * @throws UnreadableError
 */
function readKey(value: unknown): PlatformKey {
  const publicKey = member(value, "public_key");
  if (typeof publicKey !== "string") throw new UnreadableError("a key has no public_key");
  const key = keyOf(publicKey);
  const [algorithm, id, environment] = ["algorithm", "key_id", "environment"].map((name) => member(value, name));
  // What was given instead is not repeated: it may be of any type, and any size.
  if (algorithm !== undefined && algorithm !== key.algorithm)
    throw new UnreadableError(
      `a key of ${key.publicKey.length} bytes is given another algorithm than ${key.algorithm}`,
    );
  if (id !== undefined && id !== key.keyId) throw new UnreadableError(`the key ${key.keyId} is given another key_id`);
  return { ...key, environment: environment === "live" || environment === "test" ? environment : null };
}

function keyOf(base64: string): PlatformKey {
  const publicKey = base64Decoded(base64);
  const algorithm = publicKey?.length === 32 ? "Ed25519" : publicKey?.length === 2_592 ? "ML-DSA-87" : null;
  if (publicKey === null || algorithm === null)
    throw new UnreadableError("a public key is the base64 of 32 bytes (Ed25519) or 2,592 bytes (ML-DSA-87)");
  return { keyId: keyId(algorithm, publicKey), algorithm, publicKey, environment: null };
}

/** @throws UnreadableError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableError("it is not JSON");
  }
}

/** A member of a JSON object; undefined when it is not there or the value is no object. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
