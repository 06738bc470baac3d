// Keys that sign zones. test/system/dns compares their DS records with those of dnssec-dsfromkey, and has resolvers validate.
import { createPrivateKey, createPublicKey } from "node:crypto";
import { expect, test } from "vitest";
import { makeDnssecKey, recordsOf } from "../../../src/adapters/crypto/dnssec-key.ts";

test("tag, DNSKEY and DS record are those of RFC 6605 §6.1", () => {
  const publicKey = "GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==";
  expect(recordsOf("example.net", Buffer.from(publicKey, "base64"))).toEqual({
    keyTag: 55648,
    dnskey: `257 3 13 ${publicKey}`,
    dsRecords: [
      "55648 13 2 B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17",
      expect.stringMatching(/^55648 13 4 [0-9A-F]{96}$/),
    ],
  });
});

test("the private key belongs to the public one", () => {
  for (let round = 0; round < 20; round++) {
    const { dnskey, privateKey } = makeDnssecKey("example.com");
    const [, d = ""] =
      /^Private-key-format: v1\.2\nAlgorithm: 13 \(ECDSAP256SHA256\)\nPrivateKey: (\S{43}=)\n$/.exec(privateKey) ?? [];
    const point = Buffer.from(dnskey.split(" ")[3] ?? "", "base64");
    expect(point).toHaveLength(64);
    const [x, y] = [point.subarray(0, 32).toString("base64url"), point.subarray(32).toString("base64url")];
    const key = createPrivateKey({
      format: "jwk",
      key: { kty: "EC", crv: "P-256", x, y, d: Buffer.from(d, "base64").toString("base64url") },
    });
    // OpenSSL derives the public key from the private one.
    expect(createPublicKey(key).export({ format: "jwk" })).toMatchObject({ x, y });
  }
});

test("a key has a tag that no other key of the zone has", () => {
  const taken = Array.from({ length: 65_536 }, (_, tag) => tag).filter((tag) => tag % 64 !== 5);
  for (let round = 0; round < 5; round++) expect(makeDnssecKey("example.com", taken).keyTag % 64).toBe(5);
});

test("two keys are never the same", () => {
  expect(makeDnssecKey("example.com").dnskey).not.toBe(makeDnssecKey("example.com").dnskey);
});
