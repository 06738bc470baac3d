/**
 * Small secrets at rest: AES-256-GCM (NIST SP 800-38D) under the installation's master key.
 *
 * Layout: version (1 byte, 0x01) | master key id (4) | nonce (12) | ciphertext (as long as the plaintext) | tag (16).
 * The tag also covers the first five bytes and the purpose, so a sealed value moved to another row does not open there.
 *
 * The nonce is random, 96 bits (SP 800-38D §8.2.2), which is safe for 2^32 secrets under one master key. It is drawn here
 * and not injected, because a repeated nonce reveals the key stream.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const MASTER_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Number of bytes that a sealed secret adds to its plaintext: 33. */
export const SEALED_OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/** Bytes of the largest secret: a private key or a token, not a file. */
export const SEALED_MAX_PLAINTEXT_BYTES = 65_536;

/**
 * - `invalid_master_key`: not 32 bytes.
 * - `too_large`: the plaintext exceeds 64 KiB.
 * - `malformed`: too short or too long for a sealed secret, or a version this program does not know.
 * - `other_master_key`: sealed under a master key with another id.
 * - `not_authentic`: altered, or sealed for another purpose; AES-GCM cannot tell which.
 */
export type SecretErrorReason = "invalid_master_key" | "too_large" | "malformed" | "other_master_key" | "not_authentic";

/** Why a secret could not be sealed or opened. The message never contains a key or plaintext. */
export class SecretError extends Error {
  readonly reason: SecretErrorReason;

  constructor(reason: SecretErrorReason, message: string) {
    super(message);
    this.name = "SecretError";
    this.reason = reason;
  }
}

/**
 * Reads a master key from a setting or a file: 64 hex digits, or standard base64 of 32 bytes (44 characters).
 * Surrounding whitespace is ignored, since files end in a newline.
 * @throws SecretError `invalid_master_key`, which names the expected form and never repeats the text.
 */
export function parseMasterKey(text: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, "hex");
  if (/^[A-Za-z0-9+/]{43}=$/.test(trimmed)) {
    const key = Buffer.from(trimmed, "base64");
    // The last digit carries two unused bits; without this check a mistyped digit could pass for the same key.
    if (key.toString("base64") === trimmed) return key;
  }
  throw new SecretError(
    "invalid_master_key",
    `the master key must be ${MASTER_KEY_BYTES} random bytes, as 64 hex digits or as 44 characters of base64`,
  );
}

/** The id a sealed secret carries: the first 4 bytes of the SHA-256 of the master key, as 8 hex digits. */
export function masterKeyId(masterKey: Uint8Array): string {
  return keyIdBytes(masterKey).toString("hex");
}

/**
 * The id of the master key that sealed a secret, so that a rotation finds the secrets that are left.
 * @throws SecretError `malformed`.
 */
export function masterKeyIdOf(sealed: Uint8Array): string {
  return split(sealed).header.subarray(1).toString("hex");
}

/**
 * Seals a secret for one purpose.
 * @param masterKey 32 bytes.
 * @param plaintext at most 64 KiB.
 * @param purpose the kind of the secret and its owner, e.g. `platform-key:ed25519-0123456789abcdef`; opening needs it again.
 * @throws SecretError `invalid_master_key`, `too_large`.
 */
export function sealSecret(masterKey: Uint8Array, plaintext: Uint8Array, purpose: string): Buffer {
  if (plaintext.length > SEALED_MAX_PLAINTEXT_BYTES) {
    throw new SecretError("too_large", `a sealed secret holds at most ${SEALED_MAX_PLAINTEXT_BYTES} bytes`);
  }
  const header = Buffer.concat([Uint8Array.of(VERSION), keyIdBytes(masterKey)]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, masterKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(header, purpose));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()]);
}

/**
 * Opens what {@link sealSecret} made with the same master key and purpose.
 * @throws SecretError `invalid_master_key`, `malformed`, `other_master_key`, `not_authentic`.
 */
export function openSecret(masterKey: Uint8Array, sealed: Uint8Array, purpose: string): Buffer {
  const expectedKeyId = keyIdBytes(masterKey);
  const { header, nonce, ciphertext, tag } = split(sealed);
  const keyId = header.subarray(1);
  // Ids are public: no secret is compared here.
  if (!keyId.equals(expectedKeyId)) {
    throw new SecretError(
      "other_master_key",
      `the secret was sealed under master key ${keyId.toString("hex")}, this one is ${expectedKeyId.toString("hex")}`,
    );
  }
  const decipher = createDecipheriv(ALGORITHM, masterKey, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(header, purpose));
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(ciphertext);
  try {
    decipher.final();
  } catch {
    throw new SecretError("not_authentic", "the sealed secret was altered, or sealed for another purpose");
  }
  return plaintext;
}

/** The header has a fixed length, so the purpose needs no separator. */
function associatedData(header: Buffer, purpose: string): Buffer {
  return Buffer.concat([header, Buffer.from(purpose, "utf8")]);
}

function keyIdBytes(masterKey: Uint8Array): Buffer {
  if (masterKey.length !== MASTER_KEY_BYTES) {
    throw new SecretError("invalid_master_key", `the master key must be ${MASTER_KEY_BYTES} bytes`);
  }
  return createHash("sha256").update(masterKey).digest().subarray(0, KEY_ID_BYTES);
}

function split(sealed: Uint8Array): { header: Buffer; nonce: Buffer; ciphertext: Buffer; tag: Buffer } {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < SEALED_OVERHEAD_BYTES || bytes.length > SEALED_OVERHEAD_BYTES + SEALED_MAX_PLAINTEXT_BYTES) {
    throw new SecretError("malformed", `a sealed secret cannot be ${bytes.length} bytes`);
  }
  if (bytes[0] !== VERSION) throw new SecretError("malformed", `unknown version ${bytes[0]} of a sealed secret`);
  return {
    header: bytes.subarray(0, HEADER_BYTES),
    nonce: bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES),
    ciphertext: bytes.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
  };
}
