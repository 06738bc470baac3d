import { spawnSync } from "node:child_process";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as ed25519Library from "@noble/ed25519";
import { Point, verify as verifyWithLibrary } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createHybridSigner,
  ED25519_PUBLIC_KEY_BYTES,
  ED25519_SIGNATURE_BYTES,
  generateHybridSeeds,
  type HybridSigner,
  ML_DSA_87_PUBLIC_KEY_BYTES,
  ML_DSA_87_SIGNATURE_BYTES,
  publicKeysOf,
  SEED_BYTES,
  verifyHybrid,
} from "../../../src/adapters/crypto/hybrid-signature.ts";
import { createNobleSigner } from "../../../src/adapters/crypto/noble-signer.ts";
import {
  bothValid,
  type HybridPublicKeys,
  type HybridSignatures,
  type HybridVerdict,
  verifyHybridWithNoble,
} from "../../../src/verifier/hybrid-signature.ts";
import { byLane } from "../../support/lane.ts";
import { smallOrderEncodings, smallOrderPoints, toBytes, unreducedEncodings } from "./ed25519-edge-points.ts";

const seeds = { ed25519: Buffer.alloc(SEED_BYTES, 0x11), mlDsa87: Buffer.alloc(SEED_BYTES, 0x22) };
const native = createHybridSigner(seeds);
let noble: HybridSigner;
const message = Buffer.from('{"kind":"existence_proof","organization":"Ação"}');
let signed: HybridSignatures;

beforeAll(async () => {
  noble = await createNobleSigner(seeds);
  signed = await native.sign(message);
});

/** Both verifiers, which must agree on everything. */
async function verdictOfBoth(keys: HybridPublicKeys, bytes: Uint8Array, signatures: HybridSignatures) {
  const [first, second] = await Promise.all([
    verifyHybrid(keys, bytes, signatures),
    verifyHybridWithNoble(keys, bytes, signatures),
  ]);
  expect(second).toEqual(first);
  return first;
}

const BOTH = { ed25519: true, mlDsa87: true };
const NEITHER = { ed25519: false, mlDsa87: false };
const ONLY_ED25519 = { ed25519: true, mlDsa87: false };
const ONLY_ML_DSA = { ed25519: false, mlDsa87: true };

/** The bytes with one bit of one byte turned. */
function flipped(bytes: Uint8Array, at: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes);
  const index = at < 0 ? bytes.length + at : at;
  copy[index] = (copy[index] ?? 0) ^ (1 << bit);
  return copy;
}

describe("keys", () => {
  test("have the lengths of RFC 8032 and FIPS 204, and follow from the seeds in both implementations", () => {
    expect(native.publicKeys.ed25519).toHaveLength(ED25519_PUBLIC_KEY_BYTES);
    expect(native.publicKeys.mlDsa87).toHaveLength(ML_DSA_87_PUBLIC_KEY_BYTES);
    expect(ED25519_PUBLIC_KEY_BYTES).toBe(32);
    expect(ML_DSA_87_PUBLIC_KEY_BYTES).toBe(2_592);
    expect(publicKeysOf(seeds)).toEqual(native.publicKeys);
    expect(noble.publicKeys).toEqual(native.publicKeys);
  });

  test("RFC 8032 §7.1 test 2: secret, public key and signature", async () => {
    const secret = Buffer.from("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "hex");
    const signer = createHybridSigner({ ...seeds, ed25519: secret });
    expect(signer.publicKeys.ed25519.toString("hex")).toBe(
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    );
    expect((await signer.sign(Buffer.from("72", "hex"))).ed25519.toString("hex")).toBe(
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    );
  });

  test("fresh seeds differ from each other and from the last", () => {
    const all = [generateHybridSeeds(), generateHybridSeeds()].flatMap((pair) => [pair.ed25519, pair.mlDsa87]);
    expect(new Set(all.map((seed) => seed.toString("hex"))).size).toBe(4);
    for (const seed of all) expect(seed).toHaveLength(SEED_BYTES);
  });

  test.each([0, 31, 33, 64])("a seed of %i bytes is refused", async (length) => {
    const wrong = Buffer.alloc(length, 1);
    for (const pair of [
      { ...seeds, ed25519: wrong },
      { ...seeds, mlDsa87: wrong },
    ]) {
      expect(() => createHybridSigner(pair)).toThrow(RangeError);
      expect(() => publicKeysOf(pair)).toThrow(RangeError);
      await expect(createNobleSigner(pair)).rejects.toThrow(RangeError);
    }
  });
});

describe("signing", () => {
  test("signatures have the lengths of the standards", () => {
    expect(signed.ed25519).toHaveLength(ED25519_SIGNATURE_BYTES);
    expect(signed.mlDsa87).toHaveLength(ML_DSA_87_SIGNATURE_BYTES);
    expect(ED25519_SIGNATURE_BYTES).toBe(64);
    expect(ML_DSA_87_SIGNATURE_BYTES).toBe(4_627);
  });

  test("Ed25519 is deterministic, ML-DSA is hedged: two signatures differ and both verify", async () => {
    for (const signer of [native, noble]) {
      const [first, second] = [await signer.sign(message), await signer.sign(message)];
      expect(second.ed25519).toEqual(first.ed25519);
      expect(second.mlDsa87.equals(first.mlDsa87)).toBe(false);
      expect(await verdictOfBoth(native.publicKeys, message, first)).toEqual(BOTH);
      expect(await verdictOfBoth(native.publicKeys, message, second)).toEqual(BOTH);
    }
    expect((await noble.sign(message)).ed25519).toEqual(signed.ed25519);
  });

  test("what native signs, @noble verifies, and the other way round, for any message and key", async () => {
    const seed = fc.uint8Array({ minLength: SEED_BYTES, maxLength: SEED_BYTES });
    await fc.assert(
      fc.asyncProperty(seed, seed, fc.uint8Array({ maxLength: 2_000 }), async (ed25519, mlDsa87, bytes) => {
        const pair = { ed25519, mlDsa87 };
        const signers = [createHybridSigner(pair), await createNobleSigner(pair)];
        for (const signer of signers) {
          expect(signer.publicKeys).toEqual(signers[0]?.publicKeys);
          expect(await verdictOfBoth(signer.publicKeys, bytes, await signer.sign(bytes))).toEqual(BOTH);
        }
      }),
      { numRuns: byLane({ lane: 8, full: 100 }) },
    );
  });

  test.each([
    ["native", () => native],
    ["noble", () => noble],
  ])("%s: a message changed after the call is signed as it was", async (_name, signer) => {
    const bytes = Buffer.from(message);
    const pending = signer().sign(bytes);
    bytes.fill(0);
    expect(await verdictOfBoth(native.publicKeys, message, await pending)).toEqual(BOTH);
  });

  test("many at once each get their own", async () => {
    const messages = Array.from({ length: 50 }, (_, index) => Buffer.from(`message ${index}`));
    const all = await Promise.all(messages.map((bytes) => native.sign(bytes)));
    for (const [index, signatures] of all.entries()) {
      expect(await verifyHybrid(native.publicKeys, messages[index] ?? message, signatures)).toEqual(BOTH);
      expect(await verifyHybrid(native.publicKeys, messages[(index + 1) % 50] ?? message, signatures)).toEqual(NEITHER);
    }
  });

  test("the event loop runs on while a pair is signed and verified", async () => {
    let turns = 0;
    let done = false;
    const count = () => {
      turns++;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    for (let round = 0; round < 20; round++) {
      const signatures = await native.sign(message);
      await verifyHybrid(native.publicKeys, message, signatures);
    }
    done = true;
    expect(turns).toBeGreaterThan(20);
  });
});

describe("policy AND", () => {
  test.each<[HybridVerdict, boolean]>([
    [BOTH, true],
    [ONLY_ED25519, false],
    [ONLY_ML_DSA, false],
    [NEITHER, false],
  ])("%j is %s", (verdict, expected) => {
    expect(bothValid(verdict)).toBe(expected);
  });
});

describe("tampering", () => {
  test("the untouched pair verifies", async () => {
    expect(await verdictOfBoth(native.publicKeys, message, signed)).toEqual(BOTH);
  });

  test.each([0, -1])("byte %i of the message, a signature or a key", async (at) => {
    const keys = native.publicKeys;
    expect(await verdictOfBoth(keys, flipped(message, at), signed)).toEqual(NEITHER);
    expect(await verdictOfBoth(keys, message, { ...signed, ed25519: flipped(signed.ed25519, at) })).toEqual(
      ONLY_ML_DSA,
    );
    expect(await verdictOfBoth(keys, message, { ...signed, mlDsa87: flipped(signed.mlDsa87, at) })).toEqual(
      ONLY_ED25519,
    );
    expect(await verdictOfBoth({ ...keys, ed25519: flipped(keys.ed25519, at) }, message, signed)).toEqual(ONLY_ML_DSA);
    expect(await verdictOfBoth({ ...keys, mlDsa87: flipped(keys.mlDsa87, at) }, message, signed)).toEqual(ONLY_ED25519);
  });

  test("the sign bits and the boundary between R and S", async () => {
    for (const [at, bit] of [
      [31, 7],
      [31, 0],
      [32, 0],
      [63, 7],
      [63, 4],
    ] as const) {
      const ed25519 = flipped(signed.ed25519, at, bit);
      expect(await verdictOfBoth(native.publicKeys, message, { ...signed, ed25519 })).toEqual(ONLY_ML_DSA);
    }
    const mirrored = { ...native.publicKeys, ed25519: flipped(native.publicKeys.ed25519, 31, 7) };
    expect(await verdictOfBoth(mirrored, message, signed)).toEqual(ONLY_ML_DSA);
  });

  test("any one bit anywhere", async () => {
    const keys = native.publicKeys;
    const parts = {
      message,
      edSignature: signed.ed25519,
      mlSignature: signed.mlDsa87,
      ed: keys.ed25519,
      ml: keys.mlDsa87,
    };
    const part = fc.constantFrom(...(Object.keys(parts) as (keyof typeof parts)[]));
    await fc.assert(
      fc.asyncProperty(part, fc.nat(), fc.integer({ min: 0, max: 7 }), async (name, position, bit) => {
        const changed = { ...parts, [name]: flipped(parts[name], position % parts[name].length, bit) };
        const verdict = await verdictOfBoth({ ed25519: changed.ed, mlDsa87: changed.ml }, changed.message, {
          ed25519: changed.edSignature,
          mlDsa87: changed.mlSignature,
        });
        const touchesEd = name !== "mlSignature" && name !== "ml";
        const touchesMl = name !== "edSignature" && name !== "ed";
        expect(verdict).toEqual({ ed25519: !touchesEd, mlDsa87: !touchesMl });
        expect(bothValid(verdict)).toBe(false);
      }),
      { numRuns: byLane({ lane: 50, full: 600 }) },
    );
  });

  test("another pair's keys, whole or one of the two", async () => {
    const other = publicKeysOf({ ed25519: seeds.mlDsa87, mlDsa87: seeds.ed25519 });
    expect(await verdictOfBoth(other, message, signed)).toEqual(NEITHER);
    expect(await verdictOfBoth({ ...other, ed25519: native.publicKeys.ed25519 }, message, signed)).toEqual(
      ONLY_ED25519,
    );
    expect(await verdictOfBoth({ ...other, mlDsa87: native.publicKeys.mlDsa87 }, message, signed)).toEqual(ONLY_ML_DSA);
  });

  test("keys and signatures swapped between the algorithms", async () => {
    const { publicKeys } = native;
    const swappedKeys = { ed25519: publicKeys.mlDsa87, mlDsa87: publicKeys.ed25519 };
    const swappedSignatures = { ed25519: signed.mlDsa87, mlDsa87: signed.ed25519 };
    expect(await verdictOfBoth(swappedKeys, message, signed)).toEqual(NEITHER);
    expect(await verdictOfBoth(publicKeys, message, swappedSignatures)).toEqual(NEITHER);
    expect(await verdictOfBoth(swappedKeys, message, swappedSignatures)).toEqual(NEITHER);
  });
});

describe("malformed input is false, not an error", () => {
  const resized = (bytes: Uint8Array, by: number) =>
    Buffer.concat([bytes, Buffer.alloc(Math.max(by, 0))]).subarray(0, bytes.length + by);

  test.each([-1, 1, 32])("lengths off by %i", async (by) => {
    const keys = native.publicKeys;
    expect(await verdictOfBoth({ ...keys, ed25519: resized(keys.ed25519, by) }, message, signed)).toEqual(ONLY_ML_DSA);
    expect(await verdictOfBoth({ ...keys, mlDsa87: resized(keys.mlDsa87, by) }, message, signed)).toEqual(ONLY_ED25519);
    const ed25519 = resized(signed.ed25519, by);
    const mlDsa87 = resized(signed.mlDsa87, by);
    expect(await verdictOfBoth(keys, message, { ed25519, mlDsa87 })).toEqual(NEITHER);
  });

  test("empty keys, signatures and message", async () => {
    const empty = { ed25519: Buffer.alloc(0), mlDsa87: Buffer.alloc(0) };
    expect(await verdictOfBoth(empty, message, signed)).toEqual(NEITHER);
    expect(await verdictOfBoth(native.publicKeys, message, empty)).toEqual(NEITHER);
    expect(await verdictOfBoth(native.publicKeys, Buffer.alloc(0), signed)).toEqual(NEITHER);
  });

  test("any bytes of the right or the wrong length", async () => {
    const bytes = (length: number) =>
      fc.oneof(fc.uint8Array({ minLength: length, maxLength: length }), fc.uint8Array({ maxLength: 80 }));
    await fc.assert(
      fc.asyncProperty(bytes(32), bytes(2_592), bytes(64), bytes(4_627), async (ed, ml, edSignature, mlSignature) => {
        const signatures = { ed25519: edSignature, mlDsa87: mlSignature };
        expect(await verdictOfBoth({ ed25519: ed, mlDsa87: ml }, message, signatures)).toEqual(NEITHER);
        expect(await verdictOfBoth(native.publicKeys, message, signatures)).toEqual(NEITHER);
        expect(await verdictOfBoth({ ed25519: ed, mlDsa87: ml }, message, signed)).toEqual(NEITHER);
      }),
      { numRuns: byLane({ lane: 12, full: 150 }) },
    );
  });

  test("views into larger buffers are read at their place", async () => {
    const within = (bytes: Uint8Array) => {
      const larger = new Uint8Array(bytes.length + 20).fill(0xff);
      larger.set(bytes, 7);
      return larger.subarray(7, 7 + bytes.length);
    };
    const keys = { ed25519: within(native.publicKeys.ed25519), mlDsa87: within(native.publicKeys.mlDsa87) };
    const signatures = { ed25519: within(signed.ed25519), mlDsa87: within(signed.mlDsa87) };
    expect(await verdictOfBoth(keys, within(message), signatures)).toEqual(BOTH);
    const viewed = createHybridSigner({ ed25519: within(seeds.ed25519), mlDsa87: within(seeds.mlDsa87) });
    expect(viewed.publicKeys).toEqual(native.publicKeys);
  });

  test("more keys than are kept: each is still judged by itself", async () => {
    const signers = Array.from({ length: 80 }, (_, index) =>
      createHybridSigner({ ed25519: Buffer.alloc(32, 100 + index), mlDsa87: Buffer.alloc(32, 100 + index) }),
    );
    for (let round = 0; round < 2; round++) {
      for (const signer of signers) {
        expect(await verifyHybrid(signer.publicKeys, message, await signer.sign(message))).toEqual(BOTH);
        expect(await verifyHybrid(signer.publicKeys, message, signed)).toEqual(NEITHER);
      }
    }
  });
});

describe("Ed25519 at the edges, where libraries differ", () => {
  const groupOrder = Point.CURVE().n;
  const toNumber = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
  const challenge = (...parts: Uint8Array[]) => toNumber(sha512(Buffer.concat(parts))) % groupOrder;
  const judge = async (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array) =>
    (await verdictOfBoth({ ...native.publicKeys, ed25519: publicKey }, bytes, { ...signed, ed25519: signature }))
      .ed25519;
  /** The two modes of the library itself, to show that the cases do tell the rules apart. */
  const library = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array, zip215: boolean) => {
    ed25519Library.hashes.sha512 = sha512;
    return verifyWithLibrary(signature, bytes, publicKey, { zip215 });
  };
  const torsion = smallOrderPoints();
  const scalar = 0x1234567890abcdefn;
  const honestKey = Point.BASE.multiply(scalar);
  /** Signs with the scalar, adding points of small order to key and R. */
  const forge = (bytes: Uint8Array, onKey: Point, onR: Point) => {
    const publicKey = honestKey.add(onKey).toBytes();
    const nonce = 987_654_321n;
    const r = Point.BASE.multiply(nonce).add(onR).toBytes();
    const s = (nonce + challenge(r, publicKey, bytes) * scalar) % groupOrder;
    return { publicKey, signature: Buffer.concat([r, toBytes(s)]) };
  };

  test("the construction itself makes valid signatures", async () => {
    const { publicKey, signature } = forge(message, Point.ZERO, Point.ZERO);
    expect(await judge(publicKey, message, signature)).toBe(true);
  });

  test("S + L is not a second signature", async () => {
    const s = toNumber(signed.ed25519.subarray(32)) + groupOrder;
    const signature = Buffer.concat([signed.ed25519.subarray(0, 32), toBytes(s)]);
    expect(await judge(native.publicKeys.ed25519, message, signature)).toBe(false);
  });

  test("keys of small order, in every encoding, sign nothing", async () => {
    let fitting = 0;
    for (const encoded of smallOrderEncodings()) {
      const a = Point.fromBytes(encoded, true);
      for (const onR of torsion) {
        const nonce = 987_654_321n;
        const r = Point.BASE.multiply(nonce).add(onR);
        const signature = Buffer.concat([r.toBytes(), toBytes(nonce)]);
        expect(library(encoded, message, signature, true)).toBe(true);
        // R = [S]B - [k]A: what a verifier that only did the arithmetic would take.
        const k = challenge(r.toBytes(), encoded, message);
        if (onR.equals(a.multiply(k, false).negate())) fitting++;
        expect(await judge(encoded, message, signature)).toBe(false);
      }
    }
    expect(fitting).toBeGreaterThan(0);
  });

  test("R of small order (a nonce of zero) is refused though the equation holds", async () => {
    const publicKey = honestKey.toBytes();
    const r = Point.ZERO.toBytes();
    const signature = Buffer.concat([r, toBytes((challenge(r, publicKey, message) * scalar) % groupOrder)]);
    expect(library(publicKey, message, signature, false)).toBe(true);
    expect(await judge(publicKey, message, signature)).toBe(false);
  });

  test("R with a component of small order: the cofactored equation takes it, nobody here does", async () => {
    for (const point of torsion.filter((candidate) => !candidate.is0())) {
      const { publicKey, signature } = forge(message, Point.ZERO, point);
      expect(library(publicKey, message, signature, false)).toBe(true);
      expect(await judge(publicKey, message, signature)).toBe(false);
    }
  });

  test("a key with a component of small order: both give the cofactorless answer", async () => {
    const answers = new Set<boolean>();
    for (const point of torsion.filter((candidate) => !candidate.is0())) {
      for (let index = 0; index < 12; index++) {
        const bytes = Buffer.from(`message ${index}`);
        const { publicKey, signature } = forge(bytes, point, Point.ZERO);
        expect(library(publicKey, bytes, signature, false)).toBe(true);
        answers.add(await judge(publicKey, bytes, signature));
      }
    }
    expect(answers).toEqual(new Set([true, false]));
  });

  test("unreduced y and -0 in key or R", async () => {
    for (const encoded of unreducedEncodings()) {
      expect(await judge(encoded, message, signed.ed25519)).toBe(false);
      expect(await judge(encoded, message, Buffer.concat([encoded, Buffer.alloc(32)]))).toBe(false);
      const signature = Buffer.concat([encoded, signed.ed25519.subarray(32)]);
      expect(await judge(native.publicKeys.ed25519, message, signature)).toBe(false);
    }
  });

  test("nothing is taken that the library's strict mode refuses", async () => {
    const near = fc.tuple(fc.nat({ max: 63 }), fc.integer({ min: 0, max: 7 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(near, async ([at, bit, touch]) => {
        const signature = touch ? flipped(signed.ed25519, at, bit) : signed.ed25519;
        const expected = library(native.publicKeys.ed25519, message, signature, false);
        expect(await judge(native.publicKeys.ed25519, message, signature)).toBe(expected);
      }),
      { numRuns: byLane({ lane: 12, full: 150 }) },
    );
  });
});

describe("the openssl program agrees", () => {
  const directory = mkdtempSync(join(tmpdir(), "hybrid-signature-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const file = (name: string, content: string | Uint8Array) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const knows = (algorithm: string) => {
    const listed = spawnSync("openssl", ["list", "-signature-algorithms"]);
    return listed.status === 0 && listed.stdout.toString().toUpperCase().includes(algorithm);
  };
  const pem = (type: "ed25519" | "ml-dsa-87", raw: Buffer) =>
    createPublicKey({ key: raw, format: "raw-public", asymmetricKeyType: type }).export({
      type: "spki",
      format: "pem",
    });
  const check = (key: string | Buffer, bytes: Uint8Array, signature: Uint8Array) => {
    const paths = [file("key.pem", key), file("message", bytes), file("signature", signature)] as const;
    const options = ["-verify", "-pubin", "-inkey", paths[0], "-rawin", "-in", paths[1], "-sigfile", paths[2]];
    return spawnSync("openssl", ["pkeyutl", ...options]).status === 0;
  };

  test("Ed25519: it verifies ours, refuses ours altered, and we verify its own", async (context) => {
    if (!knows("ED25519")) context.skip("the installed openssl does not know Ed25519");
    const key = pem("ed25519", native.publicKeys.ed25519);
    expect(check(key, message, signed.ed25519)).toBe(true);
    expect(check(key, flipped(message, 0), signed.ed25519)).toBe(false);
    expect(check(key, message, flipped(signed.ed25519, 0))).toBe(false);

    const privateKey = createPrivateKey({ key: seeds.ed25519, format: "raw-private", asymmetricKeyType: "ed25519" });
    const secret = file("secret.pem", privateKey.export({ type: "pkcs8", format: "pem" }));
    const options = [
      "-sign",
      "-inkey",
      secret,
      "-rawin",
      "-in",
      file("message", message),
      "-out",
      join(directory, "out"),
    ];
    expect(spawnSync("openssl", ["pkeyutl", ...options]).status).toBe(0);
    const theirs = readFileSync(join(directory, "out"));
    expect(await verdictOfBoth(native.publicKeys, message, { ...signed, ed25519: theirs })).toEqual(BOTH);
  });

  test("ML-DSA-87: it verifies ours and refuses ours altered", (context) => {
    if (!knows("ML-DSA-87")) context.skip("the installed openssl does not know ML-DSA-87 (3.5 does)");
    const key = pem("ml-dsa-87", native.publicKeys.mlDsa87);
    expect(check(key, message, signed.mlDsa87)).toBe(true);
    expect(check(key, flipped(message, 0), signed.mlDsa87)).toBe(false);
    expect(check(key, message, flipped(signed.mlDsa87, 0))).toBe(false);
  });
});
