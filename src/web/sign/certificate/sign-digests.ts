import { joined } from "../../../pkcs12/bytes.ts";
import type { ToSign } from "../service.ts";

/** A key of WebCrypto. */
export type SigningKey = Parameters<typeof crypto.subtle.sign>[1];

/** What the service asks to sign is not what it says. */
export class NotToBeSigned extends Error {
  override readonly name = "NotToBeSigned";
}

/** The tag of a set: attributes of a signature (RFC 5652), and nothing that anything else would take for its own. */
const SET = 0x31;

/** Signs what the service prepared for one document. */
export async function signOne({ signed_attributes, digest }: ToSign, key: SigningKey): Promise<string> {
  const attributes = fromBase64(signed_attributes);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", attributes));
  if (attributes[0] !== SET || toBase64(hash) !== digest) throw new NotToBeSigned();
  const { name } = key.algorithm;
  const signature = new Uint8Array(await crypto.subtle.sign({ name, hash: "SHA-256" }, key, attributes));
  return toBase64(name === "ECDSA" ? ecdsaDer(signature) : signature);
}

/** WebCrypto gives both numbers of an ECDSA signature with a fixed length; CMS has a sequence of two integers (RFC 3279). */
export function ecdsaDer(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = signature.length / 2;
  const numbers = joined(integer(signature.subarray(0, half)), integer(signature.subarray(half)));
  // At most 102 bytes: the length fits in one.
  return joined(Uint8Array.of(0x30, numbers.length), numbers);
}

function integer(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  const number = start === -1 ? Uint8Array.of(0) : bytes.subarray(start);
  // A first bit would be a minus.
  const padded = (number[0] ?? 0) > 0x7f ? joined(Uint8Array.of(0), number) : number;
  return joined(Uint8Array.of(0x02, padded.length), padded);
}

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
