import { hash, pbkdf2Sync } from "node:crypto";
import forge from "node-forge";
import { MOST_ITERATIONS } from "../refusals.ts";
import type { PasswordBytes } from "./passwords.ts";
import { Refused } from "./refused.ts";

/** The digests of RFC 7292 and of the files that are met, and the sizes of their blocks in bytes. */
const BLOCKS: Readonly<Record<string, number>> = { md5: 64, sha1: 64, sha256: 64, sha384: 128, sha512: 128 };

/**
 * Derives a key as RFC 7292, appendix B.2 says.
 * @param purpose 1 for a key, 2 for an initialisation vector, 3 for a MAC
 * @param length of the key, in bytes
 * @throws Refused: `too_many_iterations`, `malformed`, `unsupported`
 */
export function pkcs12Key(
  password: Buffer,
  salt: Buffer,
  purpose: number,
  iterations: number,
  length: number,
  digest: string,
): Buffer {
  checkIterations(iterations);
  const block = BLOCKS[digest];
  if (block === undefined) throw new Refused("unsupported");
  const input = Buffer.concat([filled(salt, block), filled(password, block)]);
  const diversifier = Buffer.alloc(block, purpose);
  const parts: Buffer[] = [];
  for (let made = 0; made < length; ) {
    let part = hash(digest, Buffer.concat([diversifier, input]), "buffer");
    for (let round = 1; round < iterations; round++) part = hash(digest, part, "buffer");
    parts.push(part);
    made += part.length;
    addToBlocks(input, filled(part, block).subarray(0, block), block);
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** The bytes, repeated until they fill blocks. No bytes fill none. */
function filled(bytes: Buffer, block: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes);
}

/** Adds `summand` and 1 to each block, as numbers. */
function addToBlocks(blocks: Buffer, summand: Buffer, size: number): void {
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
 * bound, and for PBKDF2 from the lower bytes of UTF-16. The password that its functions are given is not used.
 */
export function withPassword<T>(password: PasswordBytes, work: () => T): T {
  // Its types do not have this namespace.
  const { pbe } = forge.pki as object as { readonly pbe: object };
  const { pkcs5 } = forge;
  const [oldPbe, oldPkcs5] = [{ ...pbe }, { ...pkcs5 }];
  Object.assign(pkcs5, {
    pbkdf2(_password: unknown, salt: string, iterations: number, length: number, digest: ForgeDigest): string {
      checkIterations(iterations);
      const bytes = Buffer.from(salt, "latin1");
      return pbkdf2Sync(password.pbkdf2, bytes, iterations, length, digest.algorithm).toString("latin1");
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
      const bytes = Buffer.from(salt.bytes(), "latin1");
      const key = pkcs12Key(password.pkcs12, bytes, purpose, iterations, length, digest.algorithm);
      return forge.util.createBuffer(key.toString("latin1"), "raw");
    },
  });
  try {
    return work();
  } finally {
    Object.assign(pbe, oldPbe);
    Object.assign(pkcs5, oldPkcs5);
  }
}
