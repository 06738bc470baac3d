import forge from "node-forge";
import { bytesOf, joined, latin1 } from "./bytes.ts";
import type { PasswordBytes } from "./passwords.ts";
import { MOST_ITERATIONS, Refused } from "./refused.ts";

/** What keys are made with: Node's own functions in a process, other ones in a browser. Digests have the names of node-forge: `sha1`. */
export interface Digests {
  hash(digest: string, bytes: Uint8Array): Uint8Array;
  /** May throw {@link KeyAwaited}. */
  pbkdf2(password: Uint8Array, salt: Uint8Array, iterations: number, length: number, digest: string): Uint8Array;
}

/** A key that is not there yet: the file is opened again once it is. */
export class KeyAwaited extends Error {
  override readonly name = "KeyAwaited";
}

/** The digests of RFC 7292 and of the files that are met, and the sizes of their blocks in bytes. */
const BLOCKS: Readonly<Record<string, number>> = { md5: 64, sha1: 64, sha256: 64, sha384: 128, sha512: 128 };

function blockOf(digest: string): number {
  const block = BLOCKS[digest];
  if (block === undefined) throw new Refused("unsupported");
  return block;
}

/**
 * Derives a key as RFC 7292, appendix B.2 says.
 * @param purpose 1 for a key, 2 for an initialisation vector, 3 for a MAC
 * @param length of the key, in bytes
 * @throws Refused: `too_many_iterations`, `malformed`, `unsupported`
 */
export function pkcs12Key(
  { hash }: Digests,
  password: Uint8Array,
  salt: Uint8Array,
  purpose: number,
  iterations: number,
  length: number,
  digest: string,
): Uint8Array {
  checkIterations(iterations);
  const block = blockOf(digest);
  const input = joined(filled(salt, block), filled(password, block));
  const diversifier = new Uint8Array(block).fill(purpose);
  const parts: Uint8Array[] = [];
  for (let made = 0; made < length; ) {
    let part = hash(digest, joined(diversifier, input));
    for (let round = 1; round < iterations; round++) part = hash(digest, part);
    parts.push(part);
    made += part.length;
    addToBlocks(input, filled(part, block).subarray(0, block), block);
  }
  return joined(...parts).subarray(0, length);
}

/** HMAC (RFC 2104) with a key that is no longer than a block. */
export function hmac({ hash }: Digests, digest: string, key: Uint8Array, content: Uint8Array): Uint8Array {
  const padded = (pad: number) => {
    const block = new Uint8Array(blockOf(digest)).fill(pad);
    for (const [at, byte] of key.entries()) block[at] = byte ^ pad;
    return block;
  };
  return hash(digest, joined(padded(0x5c), hash(digest, joined(padded(0x36), content))));
}

/** The bytes, repeated until they fill blocks. No bytes fill none. */
function filled(bytes: Uint8Array, block: number): Uint8Array {
  const blocks = new Uint8Array(Math.ceil(bytes.length / block) * block);
  for (let at = 0; at < blocks.length; at += bytes.length) blocks.set(bytes.subarray(0, blocks.length - at), at);
  return blocks;
}

/** Adds `summand` and 1 to each block, as numbers. */
function addToBlocks(blocks: Uint8Array, summand: Uint8Array, size: number): void {
  for (let start = 0; start < blocks.length; start += size) {
    let carry = 1;
    for (let at = size - 1; at >= 0; at--) {
      carry += (blocks[start + at] ?? 0) + (summand[at] ?? 0);
      blocks[start + at] = carry & 0xff;
      carry >>= 8;
    }
  }
}

function checkIterations(iterations: number): void {
  if (!Number.isSafeInteger(iterations) || iterations < 1) throw new Refused("malformed");
  if (iterations > MOST_ITERATIONS) throw new Refused("too_many_iterations");
}

/** node-forge's object of a digest. */
interface ForgeDigest {
  readonly algorithm: string;
}

/**
 * Does work in which node-forge derives keys from this password. It would derive them in JavaScript, much more slowly than Node, without a
 * bound, and for PBKDF2 from the lower bytes of UTF-16. The password that its functions are given is not used. Keys and certificates stay
 * as they stand in the file: node-forge would write them anew, and a signature may no longer fit what it wrote.
 */
export function withPassword<T>(digests: Digests, password: PasswordBytes, work: () => T): T {
  // Its types do not have this namespace.
  const { pbe } = forge.pki as object as { readonly pbe: object };
  const { pkcs5, pki } = forge;
  const [oldPbe, oldPkcs5, oldPki] = [{ ...pbe }, { ...pkcs5 }, { ...pki }];
  Object.assign(pkcs5, {
    pbkdf2(_password: unknown, salt: string, iterations: number, length: number, digest: ForgeDigest): string {
      checkIterations(iterations);
      return latin1(digests.pbkdf2(password.pbkdf2, bytesOf(salt), iterations, length, digest.algorithm));
    },
  });
  Object.assign(pbe, {
    generatePkcs12Key(
      _password: unknown,
      salt: forge.util.ByteBuffer,
      purpose: number,
      iterations: number,
      length: number,
      digest: ForgeDigest,
    ): forge.util.ByteBuffer {
      const bytes = bytesOf(salt.bytes());
      const key = pkcs12Key(digests, password.pkcs12, bytes, purpose, iterations, length, digest.algorithm);
      return forge.util.createBuffer(latin1(key), "raw");
    },
  });
  Object.assign(pki, { certificateFromAsn1: asItStands, privateKeyFromAsn1: asItStands });
  try {
    return work();
  } finally {
    Object.assign(pbe, oldPbe);
    Object.assign(pkcs5, oldPkcs5);
    Object.assign(pki, oldPki);
  }
}

/** What node-forge cannot read, it hands out as it stands. */
function asItStands(): never {
  throw new Error("not read here");
}
