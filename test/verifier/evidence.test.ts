/** Evidence of which both signatures verify with trusted keys, and that still is none. */
import { describe, expect, test } from "vitest";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { readKeys } from "../../src/verifier/keys.ts";
import { verify } from "../../src/verifier/verify.ts";
import type { Verification } from "../../src/verifier/verify-with.ts";
import { evidenceFile, FILE, hashed, live, members, test as testPair } from "./made-proofs.ts";

const trusted = readKeys(JSON.stringify([...live.keys, ...testPair.keys]));
const genuine = await evidenceFile(live);
const check = (proof: object) => verify(readEvidence(JSON.stringify(proof)), hashed(FILE), trusted);
/** `passed digest_matches`, … by name. */
const told = ({ checks }: Verification) =>
  Object.fromEntries(checks.map(({ name, result, reason }) => [name, `${result} ${reason}`]));

const ALL_PASSED = {
  file: "passed digest_matches",
  evidence: "passed canonical",
  ed25519: "passed signature_valid",
  ml_dsa_87: "passed signature_valid",
  keys: "passed keys_trusted",
};

describe("evidence that is no existence proof", () => {
  const changed: [string, Record<string, JsonValue | undefined>][] = [
    ...Object.keys(members(live)).map((name): [string, Record<string, undefined>] => [
      `no ${name}`,
      { [name]: undefined },
    ]),
    ...Object.keys(members(live)).map((name): [string, Record<string, JsonValue>] => [
      `${name} a list`,
      { [name]: [] },
    ]),
    ["one member more", { extra: null }],
    ["__proto__", Object.fromEntries([["__proto__", null]])],
    ["another kind", { kind: "existence_proof " }],
    ["version 2", { schema_version: 2 }],
    ["version true", { schema_version: true }],
    ["version in a text", { schema_version: "1" }],
    ["policy OR", { hybrid_policy: "OR" }],
    ["an upper-case digest", { sha256: hashed(FILE).sha256.toUpperCase() }],
    ["a digest and a line end", { sha256: `${hashed(FILE).sha256}\n` }],
    ["an instant in another zone", { registered_at: "2026-11-20T12:34:56.633467-03:00" }],
    ["an instant without microseconds", { registered_at: "2026-11-20T12:34:56+00:00" }],
    ["no such month", { registered_at: "2026-13-20T12:34:56.633467+00:00" }],
    ["no such hour", { registered_at: "2026-11-20T24:34:56.633467+00:00" }],
    ["a code with U", { verification_code: "7Q2M-K9XT-4HBU" }],
    ["an empty organization", { organization: "" }],
    ["a label of another type", { label: 12 }],
    ["a negative size", { file_size: -1 }],
    ["a size in a text", { file_size: "32" }],
    ["a key id of 15 digits", { key_id: live.keyIds[0].slice(0, -1) }],
    ["a key id of the other algorithm", { key_id: live.keyIds[1] }],
  ];
  test.for(changed)("%s", async ([, changes]) => {
    const all = Object.entries({ ...members(live), ...changes });
    if (Object.hasOwn(changes, "__proto__")) all.push(["__proto__", null]);
    const entries = all.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
    // By the platform's own keys: the signatures do verify.
    const proof = await evidenceFile(live, canonicalJson(Object.fromEntries(entries)));
    const verification = check(proof);
    expect(told(verification)).toMatchObject({
      evidence: "failed not_existence_proof",
      ed25519: "passed signature_valid",
      ml_dsa_87: "passed signature_valid",
    });
    expect(verification.verdict).toBe("failed");
  });
});

describe("evidence that is not canonical", () => {
  const canonical = genuine.payload;
  test.for([
    ["a space", canonical.replace(":", ": ")],
    ["a line end", `${canonical}\n`],
    ["1.0", canonical.replace('"schema_version":1', '"schema_version":1.0')],
    ["1e0", canonical.replace('"schema_version":1', '"schema_version":1e0')],
    ["a size with a fraction of zero", canonical.replace('"file_size":32', '"file_size":32.0')],
    ["an escape that is not needed", canonical.replace("Ação", "A\\u00e7\\u00e3o")],
    ["an escaped slash", canonical.replace("Filhos", "Fil\\/hos")],
    ["a member twice, the first one false", canonical.replace('{"file', '{"label":"Contrato 99","file')],
    ["a member twice, the same", canonical.replace('{"file', '{"hybrid_policy":"AND","file')],
    [
      "another order",
      `{"verification_code":"7Q2M-K9XT-4HBC",${canonical.slice(1).replace(',"verification_code":"7Q2M-K9XT-4HBC"', "")}`,
    ],
    ["half a surrogate", canonical.replace("Ação", "\\ud800")],
    ["U+0000", canonical.replace("Ação", "\\u0000")],
  ])("%s", async ([, payload]) => {
    expect(payload).not.toBe(canonical);
    const verification = check(await evidenceFile(live, payload));
    expect(told(verification)).toEqual({ ...ALL_PASSED, evidence: "failed not_canonical" });
    expect(verification.verdict).toBe("failed");
  });

  test("a size of minus zero is no size", async () => {
    const payload = canonical.replace('"file_size":32', '"file_size":-0');
    expect(told(check(await evidenceFile(live, payload)))["evidence"]).toBe("failed not_canonical");
  });

  test("half a surrogate in a payload is not the U+FFFD that stands for it in UTF-8", async () => {
    const proof = await evidenceFile(live, canonicalJson(members(live, { label: "\ufffd" })));
    expect(check(proof).verdict).toBe("proved");
    expect(told(check({ ...proof, payload: proof.payload.replace("\ufffd", "\ud800") }))["evidence"]).toBe(
      "failed not_canonical",
    );
  });
});
