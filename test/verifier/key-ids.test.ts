import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateHybridSeeds, publicKeysOf } from "../../src/adapters/crypto/hybrid-signature.ts";
import { keyId } from "../../src/verifier/key-ids.ts";

describe("key ids", () => {
  test("a fixed key keeps its id", () => {
    // sha256 of 32 zero bytes begins 66687aadf862bd77.
    expect(keyId("Ed25519", new Uint8Array(32))).toBe("ed25519-66687aadf862bd77");
  });

  test("anyone can recompute the id from the raw public key", () => {
    const keys = publicKeysOf(generateHybridSeeds());
    const prefixOfHash = (raw: Buffer) => createHash("sha256").update(raw).digest("hex").slice(0, 16);
    expect(keyId("Ed25519", keys.ed25519)).toBe(`ed25519-${prefixOfHash(keys.ed25519)}`);
    expect(keyId("ML-DSA-87", keys.mlDsa87)).toBe(`ml-dsa-87-${prefixOfHash(keys.mlDsa87)}`);
  });

  test("one bit of the key changes the id", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat({ max: 255 }), (key, bit) => {
        const other = Uint8Array.from(key);
        other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(keyId("Ed25519", key)).toMatch(/^ed25519-[0-9a-f]{16}$/);
        expect(keyId("Ed25519", other)).not.toBe(keyId("Ed25519", key));
      }),
    );
  });

  test("a key of the wrong length, or of the other algorithm, has no id", () => {
    const { ed25519, mlDsa87 } = publicKeysOf(generateHybridSeeds());
    expect(() => keyId("Ed25519", mlDsa87)).toThrow(RangeError);
    expect(() => keyId("ML-DSA-87", ed25519)).toThrow(RangeError);
    expect(() => keyId("Ed25519", ed25519.subarray(1))).toThrow("a raw Ed25519 public key is 32 bytes, got 31");
  });
});
