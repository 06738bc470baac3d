import { describe, expect, test } from "vitest";
import { base64Encoded } from "../../src/verifier/base64.ts";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { completed, readEvidence } from "../../src/verifier/evidence.ts";
import { readKeys } from "../../src/verifier/keys.ts";
import { verify } from "../../src/verifier/verify.ts";
import type { HashedFile, Verification } from "../../src/verifier/verify-with.ts";
import {
  apiProof,
  attacker,
  type EvidenceFile,
  evidenceFile,
  FILE,
  hashed,
  live,
  members,
  test as testPair,
} from "./made-proofs.ts";

const file = hashed(FILE);
const trusted = readKeys(JSON.stringify([...live.keys, ...testPair.keys]));
const genuine = await evidenceFile(live);
const copy = () => structuredClone(genuine);
const check = (proof: object, of: HashedFile | null = file, keys: typeof trusted | null = trusted) =>
  verify(readEvidence(JSON.stringify(proof)), of, keys);
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
const INVALID = { ed25519: "failed signature_invalid", ml_dsa_87: "failed signature_invalid" };

describe("a proof in every form", () => {
  test.for([
    ["evidence.json", genuine],
    ["the proof of the API", { ...apiProof(genuine, false), keys: [] }],
    ["the public proof", apiProof(genuine, true)],
  ] as const)("%s passes", ([, proof]) => {
    const verification = check(proof);
    expect(told(verification)).toEqual(ALL_PASSED);
    expect(verification).toMatchObject({ verdict: "proved", environment: "live" });
    expect(verification.evidence.members).toEqual(members(live));
    expect(verification.checks.map(({ name }) => name)).toEqual(["file", "evidence", "ed25519", "ml_dsa_87", "keys"]);
  });

  test("label, name and size may be null, and a public proof then leaves nothing out", async () => {
    const payload = canonicalJson(members(live, { label: null, file_name: null, file_size: null }));
    const proof = apiProof(await evidenceFile(live, payload), true);
    expect(proof["redacted"]).toEqual([]);
    expect(check(proof).verdict).toBe("proved");
  });

  test("another file fails, no file leaves it open", () => {
    expect(told(check(genuine, hashed(Buffer.from("x"))))).toEqual({ ...ALL_PASSED, file: "failed digest_differs" });
    const open = check(genuine, null);
    expect(told(open)).toEqual({ ...ALL_PASSED, file: "not_checked no_file" });
    expect(open.verdict).toBe("not_proved");
  });
});

describe("members that were left out", () => {
  const proof = apiProof(genuine, true);
  const open = {
    evidence: "not_checked members_missing",
    ed25519: "not_checked members_missing",
    ml_dsa_87: "not_checked members_missing",
  };

  test.for([null, hashed(Buffer.from("x"))])("are not restored from %j", (other) => {
    expect(told(check(proof, other))).toMatchObject(open);
  });

  test.for([
    ["another name", { ...file, name: "other.txt" }],
    ["half a surrogate", { ...file, name: "contract-12\ud800.txt" }],
    ["U+0000", { ...file, name: "\0" }],
  ] as const)("%s restores nothing, and nothing fails", ([, named]) => {
    const verification = check(proof, named);
    expect(told(verification)).toEqual({
      ...ALL_PASSED,
      evidence: "not_checked members_missing",
      ed25519: "not_checked name_or_size_differs",
      ml_dsa_87: "not_checked name_or_size_differs",
    });
    expect(verification.verdict).toBe("not_proved");
    expect(verification.evidence.redacted).toEqual(["file_name", "file_size"]);
  });

  test.for(["platform_signature", "platform_signature_pq"] as const)(
    "a forged %s fails once the other fits",
    (name) => {
      const bytes = Buffer.from(String(proof[name]), "base64");
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      const verification = check({ ...proof, [name]: bytes.toString("base64") });
      const forged = name === "platform_signature" ? "ed25519" : "ml_dsa_87";
      expect(told(verification)).toEqual({ ...ALL_PASSED, [forged]: "failed signature_invalid" });
      expect(verification.verdict).toBe("failed");
    },
  );

  test("without keys it stays open whether they are restored", () => {
    expect(told(check({ ...proof, platform_keys: [] }, file, null))).toEqual({
      file: "passed digest_matches",
      evidence: "not_checked members_missing",
      ed25519: "not_checked key_missing",
      ml_dsa_87: "not_checked key_missing",
      keys: "not_checked no_trusted_keys",
    });
  });

  test("what has no canonical form fails as evidence, and does not throw", () => {
    const wrong = { ...proof, evidence: { ...(proof["evidence"] as object), label: 1.5 } };
    expect(told(check(wrong))["evidence"]).toBe("failed not_existence_proof");
  });

  test("only name and size may be missing, and only when the answer says so", () => {
    const { label: _, ...unlabelled } = proof["evidence"] as Record<string, JsonValue>;
    expect(
      told(check({ ...proof, evidence: unlabelled, redacted: ["file_name", "file_size", "label"] }))["evidence"],
    ).toBe("failed not_existence_proof");
    expect(told(check({ ...proof, redacted: ["file_name"] }))).toMatchObject({
      evidence: "failed not_existence_proof",
    });
  });

  test("what is there is not replaced", () => {
    const whole = { ...apiProof(genuine, false), redacted: ["file_name", "file_size"] };
    expect(check(whole, { ...file, name: "other.txt" }).verdict).toBe("proved");
    const evidence = readEvidence(JSON.stringify(whole));
    expect(completed(evidence, file)).toBe(evidence);
  });
});

describe("signatures", () => {
  const withSignatures = (change: (signatures: EvidenceFile["signatures"]) => EvidenceFile["signatures"]) => {
    const proof = copy();
    return told(check({ ...proof, signatures: change(proof.signatures) }));
  };
  const missing = "failed signatures_missing";

  test("one is not enough, whichever it is", () => {
    expect(withSignatures(([first]) => (first ? [first] : []))).toEqual({
      ...ALL_PASSED,
      evidence: missing,
      ml_dsa_87: missing,
      keys: "failed keys_not_trusted",
    });
    expect(withSignatures(([, second]) => (second ? [second] : []))).toMatchObject({
      evidence: missing,
      ed25519: missing,
    });
    expect(withSignatures(() => [])).toMatchObject({ evidence: missing, ed25519: missing, ml_dsa_87: missing });
  });

  test("the same one twice is one, and a third one too many", () => {
    expect(withSignatures(([first]) => (first ? [first, first] : []))).toMatchObject({
      evidence: missing,
      ml_dsa_87: missing,
    });
    expect(withSignatures((both) => [...both, ...both.slice(0, 1)])).toMatchObject({ evidence: missing });
  });

  test("their order means nothing, their algorithm does", () => {
    expect(withSignatures((both) => both.toReversed())).toEqual(ALL_PASSED);
    expect(
      withSignatures((both) => both.map((each, place) => ({ ...each, signature: both[1 - place]?.signature ?? "" }))),
    ).toEqual({ ...ALL_PASSED, ...INVALID });
    const swapped = withSignatures((both) =>
      both.map((each, place) => ({ ...each, algorithm: both[1 - place]?.algorithm ?? "" })),
    );
    expect(swapped).toMatchObject({
      evidence: missing,
      ed25519: "not_checked key_missing",
      keys: "failed keys_not_trusted",
    });
  });

  test("must name the keys that the evidence names", async () => {
    // Signed by keys that are trusted, but not the ones that the evidence says.
    const { signatures } = await evidenceFile(testPair, genuine.payload);
    expect(told(check({ ...genuine, signatures }))).toEqual({ ...ALL_PASSED, evidence: missing });
  });

  test("one forged signature fails although the other verifies", async () => {
    const forged = await evidenceFile(attacker, genuine.payload);
    for (const place of [0, 1]) {
      const proof = copy();
      const signature = proof.signatures[place];
      if (signature) signature.signature = forged.signatures[place]?.signature ?? "";
      expect(check(proof).verdict).toBe("failed");
      expect(Object.values(told(check(proof))).filter((each) => each === "failed signature_invalid")).toHaveLength(1);
    }
  });

  test.for([0, 1, 63, 65, 4_626, 4_628])("of %d bytes are none", (length) => {
    const signature = base64Encoded(new Uint8Array(length));
    expect(withSignatures((both) => both.map((each) => ({ ...each, signature })))).toMatchObject(INVALID);
  });
});

describe("keys", () => {
  test("delivered ones prove nothing, and are not believed to be live", () => {
    const verification = check(genuine, file, null);
    expect(told(verification)).toEqual({ ...ALL_PASSED, keys: "not_checked no_trusted_keys" });
    expect(verification).toMatchObject({ verdict: "not_proved", environment: null });
  });

  test("an attacker's own, delivered with everything that belongs to them, fail", async () => {
    const verification = check(await evidenceFile(attacker));
    expect(told(verification)).toEqual({ ...ALL_PASSED, keys: "failed keys_not_trusted" });
    expect(verification).toMatchObject({ verdict: "failed", environment: null });
    expect(check(apiProof(await evidenceFile(attacker), true)).verdict).toBe("failed");
  });

  test("a test proof says so, also where it calls its keys live", async () => {
    const proof = await evidenceFile(testPair);
    expect(check(proof)).toMatchObject({ verdict: "test", environment: "test" });
    expect(check(proof, file, null)).toMatchObject({ verdict: "test", environment: "test" });
    const disguised = { ...proof, keys: proof.keys.map((key) => ({ ...key, environment: "live" })) };
    expect(check(disguised)).toMatchObject({ verdict: "test", environment: "test" });
    expect(check(disguised, file, null).environment).toBeNull();
  });

  test("that are said to be test ones without need do not make a live proof one", () => {
    const slandered = { ...genuine, keys: genuine.keys.map((key) => ({ ...key, environment: "test" })) };
    expect(check(slandered)).toMatchObject({ verdict: "proved", environment: "live" });
  });

  test("a list without environments leaves open whether it is a test proof", () => {
    const plain = readKeys(JSON.stringify(live.keys.map(({ environment: _, ...key }) => key)));
    expect(told(check(genuine, file, plain))).toEqual({ ...ALL_PASSED, keys: "not_checked environment_unknown" });
    expect(check({ ...genuine, keys: [] }, file, plain)).toMatchObject({ verdict: "not_proved", environment: null });
    expect(check({ ...genuine, keys: [{ ...live.keys[0], environment: "test" }] }, file, plain).environment).toBe(
      "test",
    );
  });

  test("of which one was pinned without an environment have the one of the list", () => {
    const pinned = readKeys(String(live.keys[0]["public_key"]));
    expect(check(genuine, file, [...pinned, ...trusted])).toMatchObject({ verdict: "proved", environment: "live" });
  });

  test("one live and one test key are not a pair", async () => {
    const keyIds = [live.keyIds[0], testPair.keyIds[1]] as const;
    const payload = canonicalJson(members({ ...live, keyIds }));
    const [byLive, byTest] = [await evidenceFile(live, payload), await evidenceFile(testPair, payload)];
    const verification = check({ payload, signatures: [byLive.signatures[0], byTest.signatures[1]] });
    expect(told(verification)).toEqual({ ...ALL_PASSED, keys: "failed keys_not_trusted" });
    expect(verification.environment).toBe("test");
  });

  test("nothing trusted is not the same as trust left open", () => {
    expect(told(check(genuine, file, []))["keys"]).toBe("failed keys_not_trusted");
  });

  test("a single pinned key leaves the other open, or fails when it is another", () => {
    const [pinned, pinnedPq, foreign] = [live.keys[0], live.keys[1], attacker.keys[0]].map((key) =>
      readKeys(JSON.stringify([key])),
    );
    for (const proof of [genuine, apiProof(genuine, false)]) {
      expect(told(check(proof, file, pinned))["keys"]).toBe("not_checked no_trusted_keys");
      expect(told(check(proof, file, pinnedPq))["keys"]).toBe("not_checked no_trusted_keys");
      expect(told(check(proof, file, foreign))["keys"]).toBe("failed keys_not_trusted");
    }
  });

  test("without any key signatures stay open", () => {
    expect(told(check({ ...genuine, keys: [] }, file, null))).toMatchObject({
      ed25519: "not_checked key_missing",
      ml_dsa_87: "not_checked key_missing",
    });
    expect(told(check({ ...genuine, keys: [] }, file, readKeys(JSON.stringify(attacker.keys))))).toMatchObject({
      ed25519: "not_checked key_missing",
      keys: "failed keys_not_trusted",
    });
  });

  test("that only claim the id are not taken", () => {
    const [named] = readKeys(JSON.stringify([attacker.keys[0]]));
    if (!named) throw new Error("no key");
    const disguised = { ...named, keyId: live.keyIds[0] };
    expect(told(check({ ...genuine, keys: [] }, file, [disguised]))).toMatchObject({
      ed25519: "not_checked key_missing",
      keys: "failed keys_not_trusted",
    });
  });
});
