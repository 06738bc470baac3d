import { randomBytes } from "node:crypto";
import { Point } from "@noble/ed25519";
import { describe, expect, test } from "vitest";
import { isStrictEd25519Point } from "../../../src/adapters/crypto/ed25519-point.ts";
import { publicKeysOf } from "../../../src/adapters/crypto/hybrid-signature.ts";
import { smallOrderEncodings, smallOrderPoints, unreducedEncodings } from "./ed25519-edge-points.ts";

describe("encoded points", () => {
  test("public keys are taken, also where they stand inside a larger buffer", () => {
    for (let round = 0; round < 100; round++) {
      const { ed25519 } = publicKeysOf({ ed25519: randomBytes(32), mlDsa87: Buffer.alloc(32) });
      const larger = Buffer.concat([Buffer.alloc(3), ed25519, Buffer.alloc(3)]);
      expect(isStrictEd25519Point(larger.subarray(3, 35))).toBe(true);
    }
  });

  test("all 8 points of small order are refused, in all 14 encodings", () => {
    expect(smallOrderPoints()).toHaveLength(8);
    expect(smallOrderEncodings()).toHaveLength(14);
    for (const point of smallOrderPoints()) expect(point.multiplyUnsafe(8n).is0()).toBe(true);
    for (const encoded of smallOrderEncodings()) expect(isStrictEd25519Point(encoded)).toBe(false);
  });

  test("a point with only a component of small order is not of small order", () => {
    for (const point of smallOrderPoints()) expect(isStrictEd25519Point(Point.BASE.add(point).toBytes())).toBe(true);
  });

  test("all 38 unreduced encodings are refused, the largest reduced ones are not", () => {
    expect(unreducedEncodings()).toHaveLength(38);
    for (const encoded of unreducedEncodings()) expect(isStrictEd25519Point(encoded)).toBe(false);
    // p - 2, whichever the sign: the greatest reduced y that is not of small order.
    const greatest = Buffer.from(`eb${"ff".repeat(30)}7f`, "hex");
    expect(isStrictEd25519Point(greatest)).toBe(true);
    greatest[31] = 0xff;
    expect(isStrictEd25519Point(greatest)).toBe(true);
  });

  test.each([0, 31, 33, 64])("%i bytes are not a point", (length) => {
    expect(isStrictEd25519Point(Buffer.alloc(length, 2))).toBe(false);
  });
});
