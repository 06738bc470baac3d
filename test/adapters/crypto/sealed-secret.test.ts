import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  masterKeyId,
  masterKeyIdOf,
  openSecret,
  parseMasterKey,
  SEALED_MAX_PLAINTEXT_BYTES,
  SEALED_OVERHEAD_BYTES,
  SecretError,
  type SecretErrorReason,
  sealSecret,
} from "../../../src/adapters/crypto/sealed-secret.ts";

const masterKey = randomBytes(32);
const purpose = "platform-key:ed25519-0123456789abcdef";
const secret = randomBytes(32);
const sealed = sealSecret(masterKey, secret, purpose);

/** Runs and returns the SecretError; anything else, or no error, fails the test. */
function errorOf(run: () => unknown): SecretError {
  try {
    run();
  } catch (error) {
    if (error instanceof SecretError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
const reasonOf = (run: () => unknown): SecretErrorReason => errorOf(run).reason;

describe("sealing", () => {
  test("opens to what was sealed, for any secret and purpose", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: "binary" }), (plaintext, name) => {
        const value = sealSecret(masterKey, plaintext, name);
        expect(value).toHaveLength(plaintext.length + SEALED_OVERHEAD_BYTES);
        expect(openSecret(masterKey, value, name)).toEqual(Buffer.from(plaintext));
      }),
    );
  });

  test("layout: version 1, key id, 12-byte nonce, ciphertext, 16-byte tag", () => {
    expect(SEALED_OVERHEAD_BYTES).toBe(33);
    expect(sealed[0]).toBe(1);
    expect(sealed.subarray(1, 5)).toEqual(createHash("sha256").update(masterKey).digest().subarray(0, 4));
    expect(sealed.includes(secret)).toBe(false);
  });

  test("the same secret sealed twice differs from the first byte of the nonce on", () => {
    const nonces = Array.from({ length: 1_000 }, () => sealSecret(masterKey, secret, purpose).toString("hex", 5, 17));
    expect(new Set(nonces).size).toBe(1_000);
  });

  test("64 KiB are sealed, one byte more is not", () => {
    const largest = Buffer.alloc(SEALED_MAX_PLAINTEXT_BYTES, 7);
    expect(openSecret(masterKey, sealSecret(masterKey, largest, purpose), purpose)).toEqual(largest);
    expect(reasonOf(() => sealSecret(masterKey, Buffer.alloc(SEALED_MAX_PLAINTEXT_BYTES + 1), purpose))).toBe(
      "too_large",
    );
  });
});

describe("opening refuses", () => {
  test("every byte altered, whatever it becomes", () => {
    const reasons: Partial<Record<SecretErrorReason, number>> = {};
    for (let index = 0; index < sealed.length; index++) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ (1 << (index % 8));
      const reason = reasonOf(() => openSecret(masterKey, altered, purpose));
      reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    expect(reasons).toEqual({ malformed: 1, other_master_key: 4, not_authentic: sealed.length - 5 });
  });

  test("every truncation, and bytes added", () => {
    for (let length = 0; length < sealed.length; length++) {
      const reason = reasonOf(() => openSecret(masterKey, sealed.subarray(0, length), purpose));
      expect(reason).toBe(length < SEALED_OVERHEAD_BYTES ? "malformed" : "not_authentic");
    }
    expect(reasonOf(() => openSecret(masterKey, Buffer.concat([sealed, Buffer.alloc(1)]), purpose))).toBe(
      "not_authentic",
    );
    const huge = Buffer.concat([sealed, Buffer.alloc(SEALED_MAX_PLAINTEXT_BYTES)]);
    expect(reasonOf(() => openSecret(masterKey, huge, purpose))).toBe("malformed");
  });

  test("another purpose", () => {
    expect(reasonOf(() => openSecret(masterKey, sealed, "platform-key:ed25519-0123456789abcdee"))).toBe(
      "not_authentic",
    );
    expect(reasonOf(() => openSecret(masterKey, sealed, ""))).toBe("not_authentic");
  });

  test("another master key, naming both ids", () => {
    const other = randomBytes(32);
    const error = errorOf(() => openSecret(other, sealed, purpose));
    expect(error.reason).toBe("other_master_key");
    expect(error.message).toContain(masterKeyId(masterKey));
    expect(error.message).toContain(masterKeyId(other));
  });

  test("another master key even under the id of the right one", () => {
    const other = randomBytes(32);
    const relabelled = Buffer.from(sealed);
    relabelled.write(masterKeyId(other), 1, "hex");
    expect(reasonOf(() => openSecret(other, relabelled, purpose))).toBe("not_authentic");
  });

  test("a master key that is not 32 bytes", () => {
    for (const length of [0, 16, 31, 33]) {
      expect(reasonOf(() => sealSecret(Buffer.alloc(length), secret, purpose))).toBe("invalid_master_key");
      expect(reasonOf(() => openSecret(Buffer.alloc(length), sealed, purpose))).toBe("invalid_master_key");
    }
  });
});

describe("rotation", () => {
  test("tells which master key sealed a secret", () => {
    const next = randomBytes(32);
    expect(masterKeyIdOf(sealed)).toBe(masterKeyId(masterKey));
    expect(masterKeyIdOf(sealSecret(next, secret, purpose))).toBe(masterKeyId(next));
    expect(masterKeyId(next)).toMatch(/^[0-9a-f]{8}$/);
    expect(reasonOf(() => masterKeyIdOf(Buffer.alloc(10)))).toBe("malformed");
  });
});

describe("the text of a master key", () => {
  test.each(["hex", "base64"] as const)("%s", (encoding) => {
    expect(parseMasterKey(masterKey.toString(encoding))).toEqual(masterKey);
    expect(parseMasterKey(`  ${masterKey.toString(encoding)}\n`)).toEqual(masterKey);
  });

  test("hex in capitals", () => {
    expect(parseMasterKey(masterKey.toString("hex").toUpperCase())).toEqual(masterKey);
  });

  const base64 = Buffer.alloc(32, 0xfb).toString("base64");
  test.each([
    ["empty", ""],
    ["31 bytes of hex", "ab".repeat(31)],
    ["33 bytes of hex", "ab".repeat(33)],
    ["31 bytes of base64", Buffer.alloc(31, 0xfb).toString("base64")],
    ["33 bytes of base64", Buffer.alloc(33, 0xfb).toString("base64")],
    ["base64 without its padding", base64.slice(0, 43)],
    ["base64url", base64.replaceAll("+", "-").replaceAll("/", "_")],
    ["base64 with stray bits in the last digit", `${base64.slice(0, 42)}t=`],
    ["a space inside", `${base64.slice(0, 20)} ${base64.slice(21)}`],
    ["a pass phrase", "correct horse battery staple correct horse battery stapl"],
  ])("%s is refused, saying what is expected and not what was given", (_name, text) => {
    const error = errorOf(() => parseMasterKey(text));
    expect(error.reason).toBe("invalid_master_key");
    expect(error.message).toBe(
      "the master key must be 32 random bytes, as 64 hex digits or as 44 characters of base64",
    );
  });
});
