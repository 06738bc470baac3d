import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { base64Decoded, base64Encoded } from "../../src/verifier/base64.ts";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { readKeys, UnreadableError } from "../../src/verifier/keys.ts";
import { apiProof, attacker, evidenceFile, live, test as testPair } from "./made-proofs.ts";

const genuine = await evidenceFile(live);
const [ed25519, mlDsa87] = live.keys;
const raw = String(ed25519["public_key"]);

describe("base64", () => {
  test("is read as it is written", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(base64Decoded(base64Encoded(bytes))).toEqual(bytes);
        expect(base64Encoded(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      }),
    );
  });

  test.for([
    "A",
    "AA",
    "AAA",
    "AA=",
    "A===",
    "====",
    "=AAA",
    "AA=A",
    "AB==",
    "AAB=",
    "AA==\n",
    " AA==",
    "AA==AA==",
    "-_==",
    "ÀA==",
  ])("%j is not", (text) => expect(base64Decoded(text)).toBeNull());

  test("of megabytes is read in a moment", () => {
    expect(base64Decoded("A".repeat(5_000_000))).toHaveLength(3_750_000);
  });
});

describe("keys are read", () => {
  test("as the platform lists them, as a list, and as those of a receipt", () => {
    for (const value of [{ platform_keys: live.keys }, live.keys, { keys: live.keys }]) {
      expect(readKeys(` ${JSON.stringify(value)}\n`)).toMatchObject([
        { keyId: live.keyIds[0], algorithm: "Ed25519", environment: "live" },
        { keyId: live.keyIds[1], algorithm: "ML-DSA-87", environment: "live" },
      ]);
    }
  });

  test("from the base64 of one, in lines or not", () => {
    expect(readKeys(`${raw}\n`)).toMatchObject([{ keyId: live.keyIds[0], algorithm: "Ed25519", environment: null }]);
    const lines = String(mlDsa87["public_key"]).replaceAll(/.{64}/g, "$&\n");
    expect(readKeys(lines)).toMatchObject([{ keyId: live.keyIds[1], algorithm: "ML-DSA-87", environment: null }]);
  });

  test("without those of an algorithm to come, as long as one is left", () => {
    const future = { key_id: "slh-dsa-0011", algorithm: "SLH-DSA-256s", public_key: "AAAA" };
    expect(readKeys(JSON.stringify([future, ed25519]))).toHaveLength(1);
    expect(() => readKeys(JSON.stringify([future]))).toThrow("it contains no platform keys");
    expect(readEvidence(JSON.stringify({ ...genuine, keys: [...genuine.keys, future] })).keys).toHaveLength(2);
  });

  test("with an environment only where it is live or test", () => {
    expect(readKeys(JSON.stringify([{ ...ed25519, environment: "LIVE" }]))).toMatchObject([{ environment: null }]);
  });

  test.for([
    "",
    "no base64",
    raw.slice(4),
    `${raw}${raw}`,
    "[",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "null",
    '{"platform_keys": {}}',
    '{"__proto__": {"platform_keys": [1]}}',
    JSON.stringify([{ ...ed25519, public_key: 1 }]),
    JSON.stringify([{ ...ed25519, public_key: mlDsa87["public_key"] }]),
    JSON.stringify([{ ...ed25519, algorithm: "ML-DSA-87" }]),
    JSON.stringify([{ ...ed25519, algorithm: 1 }]),
    JSON.stringify([{ ...ed25519, key_id: attacker.keyIds[0] }]),
    JSON.stringify([{ ...ed25519, key_id: live.keyIds[0].slice(0, -1) }]),
    JSON.stringify([{ ...ed25519, key_id: { toString: 1, valueOf: 1 } }]),
    JSON.stringify([{ ...ed25519, algorithm: { toString: 1, valueOf: 1 } }]),
    `[{"public_key": "${raw}", "key_id": ${"[".repeat(100_000)}${"]".repeat(100_000)}}]`,
    "[".repeat(2_000_000),
  ])("not from %.80s", (text) => {
    expect(() => readKeys(text)).toThrow(UnreadableError);
  });

  test("with messages that repeat nothing of what was given", () => {
    const hostile = "\u001b]0;owned\u0007";
    for (const key of [
      { ...ed25519, key_id: hostile },
      { ...ed25519, public_key: hostile },
    ]) {
      expect(() => readKeys(JSON.stringify([key]))).toThrow(/^[ -~]*$/);
    }
  });
});

describe("evidence is not read", () => {
  const proof = apiProof(genuine, false);
  test.for<[string, string]>([
    ["from nothing", ""],
    ["from another text", "%PDF-1.7"],
    ["from null", "null"],
    ["from a list", "[]"],
    ["without payload and evidence", "{}"],
    ["from a payload of its prototype", '{"__proto__": {"payload": "{}", "signatures": []}}'],
    ["with a payload that is no text", JSON.stringify({ ...genuine, payload: {} })],
    ["with a payload that is no JSON", JSON.stringify({ ...genuine, payload: "{" })],
    ["with a payload that is a list", JSON.stringify({ ...genuine, payload: "[]" })],
    ["with a payload of NaN", JSON.stringify({ ...genuine, payload: '{"file_size":NaN}' })],
    ["without signatures", JSON.stringify({ payload: genuine.payload })],
    ["with signatures that are none", JSON.stringify({ ...genuine, signatures: [null] })],
    [
      "with an unknown algorithm",
      JSON.stringify({ ...genuine, signatures: [{ ...genuine.signatures[0], algorithm: "Ed448" }] }),
    ],
    [
      "with a key id that is no text",
      JSON.stringify({ ...genuine, signatures: [{ ...genuine.signatures[0], key_id: 1 }] }),
    ],
    [
      "with base64 in lines",
      JSON.stringify({ ...genuine, signatures: [{ ...genuine.signatures[0], signature: "AA==\n" }] }),
    ],
    [
      "with stray bits in base64",
      JSON.stringify({ ...genuine, signatures: [{ ...genuine.signatures[0], signature: "AB==" }] }),
    ],
    ["with a key that is none", JSON.stringify({ ...genuine, keys: [{}] })],
    ["with a signature left out", JSON.stringify({ ...proof, platform_signature_pq: undefined })],
    ["with a fraction", JSON.stringify({ ...proof, evidence: { file_size: 1.5 } })],
    [
      "with a size of minus zero",
      JSON.stringify({ ...proof, evidence: {} }).replace('"evidence":{}', '"evidence":{"file_size":-0}'),
    ],
    ["with half a surrogate", JSON.stringify({ ...proof, evidence: { label: "\ud800" } })],
    ["with evidence of its prototype", '{"__proto__": {"evidence": {}}}'],
    ["two million levels deep", "[".repeat(2_000_000)],
    ["two million levels deep and closed", "[".repeat(2_000_000) + "]".repeat(2_000_000)],
    [
      "with evidence a hundred thousand levels deep",
      `{"evidence": {"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
    ],
    ["with a payload as deep", JSON.stringify({ payload: "[".repeat(100_000) + "]".repeat(100_000), signatures: [] })],
  ])("%s", ([, text]) => {
    expect(() => readEvidence(text)).toThrow(UnreadableError);
  });
});

test("a payload wins over evidence beside it: only one of them is read", async () => {
  const other = apiProof(await evidenceFile(testPair), false);
  expect(readEvidence(JSON.stringify({ ...other, ...genuine })).payload).toBe(genuine.payload);
});
