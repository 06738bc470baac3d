import { sha256 } from "@noble/hashes/sha2.js";

/** SHA-256 of a text or of bytes, 64 lowercase hexadecimal digits. */
export const digestOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = sha256.create();
  for (const part of parts) hash.update(typeof part === "string" ? new TextEncoder().encode(part) : part);
  return hexOf(hash.digest());
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of hexadecimal digits. */
export const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
