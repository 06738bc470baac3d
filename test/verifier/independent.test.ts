/** src/verifier/README.md against its example, and a verifier written after it against ours. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { SHAPES } from "../../src/verifier/evidence-form.ts";
import { readKeys, UnreadableError } from "../../src/verifier/keys.ts";
import { readReceipt } from "../../src/verifier/receipt.ts";
import { verify } from "../../src/verifier/verify.ts";
import {
  apiProof,
  attacker,
  type EvidenceFile,
  evidenceFile,
  FILE,
  FILE_NAME,
  hashed,
  live,
  members,
  test as testPair,
} from "./made-proofs.ts";

const example = (name: string) => fs.readFileSync(path.join(import.meta.dirname, "example", name));
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let folder = "";
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-independent-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What Python answers, a line for each proof. */
function python(file: string, keys: string, proofs: readonly string[]): unknown[] {
  const { stdout, stderr } = spawnSync(
    "python3",
    ["-B", path.join(import.meta.dirname, "independent_verifier.py"), file, keys, ...proofs],
    { encoding: "utf8", timeout: 60_000 },
  );
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

function ours(proof: string): unknown {
  try {
    const trusted = readKeys(JSON.stringify([...live.keys, ...testPair.keys]));
    const { checks, environment, verdict } = verify(readEvidence(proof), hashed(FILE), trusted);
    return { checks: Object.fromEntries(checks.map(({ name, result }) => [name, result])), environment, verdict };
  } catch (error) {
    if (error instanceof UnreadableError) return { verdict: "unreadable" };
    throw error;
  }
}

/** What Python answers, given the keys that {@link ours} is given. */
function theirs(proofs: readonly string[]): unknown[] {
  const write = (name: string, content: string | Uint8Array) => {
    fs.writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const keys = write("keys.json", JSON.stringify({ platform_keys: [...live.keys, ...testPair.keys] }));
  const files = proofs.map((proof, index) => write(`${index}.json`, proof));
  return python(write(FILE_NAME, FILE), keys, files);
}

function changedCopy(genuine: EvidenceFile, change: (proof: EvidenceFile) => void): EvidenceFile {
  const proof = structuredClone(genuine);
  change(proof);
  return proof;
}

test("the example verifies, and the README has its values", async () => {
  const receipt = await readReceipt(example("receipt.pdf"));
  expect(JSON.parse(receipt ?? "")).toEqual(JSON.parse(example("evidence.json").toString()));
  const trusted = readKeys(example("keys.json").toString());
  const file = hashed(example(FILE_NAME));
  const proof = readEvidence(example("evidence.json").toString());
  for (const evidence of [proof, readEvidence(example("public-proof.json").toString())])
    expect(verify(evidence, file, trusted)).toMatchObject({ verdict: "proved", environment: "live" });

  const payload = Buffer.from(proof.payload ?? "", "utf8");
  const readme = fs.readFileSync(path.resolve(import.meta.dirname, "../../src/verifier/README.md"), "utf8");
  const values = [
    proof.payload ?? "",
    file.sha256,
    `\`${payload.length}\``,
    payload.subarray(0, 32).toString("hex"),
    sha256(payload),
    ...trusted.flatMap(({ keyId, publicKey }) => [keyId, sha256(publicKey)]),
    ...proof.signatures.map(({ signature }) => sha256(signature)),
  ];
  for (const value of values) expect(readme).toContain(value);
  for (const name of Object.keys(members(live))) expect(readme).toContain(`\`${name}\``);
  const { organization: _, verification_code, registered_at, ...inTable } = SHAPES;
  const within = ({ source }: RegExp) => source.slice(1, -1);
  for (const shape of Object.values(inTable)) expect(readme).toContain(`\`${within(shape)}\``);
  for (const shape of [verification_code, registered_at]) expect(readme).toContain(` ${within(shape)}\n`);
});

test("a verifier written after the README says the same of the example", (context) => {
  if (!hasPython) context.skip("no python3");
  const at = (name: string) => path.join(import.meta.dirname, "example", name);
  const answers = python(at(FILE_NAME), at("keys.json"), [at("evidence.json"), at("public-proof.json")]);
  const passed = { file: "passed", evidence: "passed", ed25519: "passed", ml_dsa_87: "passed", keys: "passed" };
  expect(answers).toEqual([
    { checks: passed, environment: "live", verdict: "proved" },
    { checks: passed, environment: "live", verdict: "proved" },
  ]);
});

test("a verifier written after the README agrees on what is genuine, and on what is not", {
  timeout: 120_000,
}, async (context) => {
  if (!hasPython) context.skip("no python3");
  const genuine = await evidenceFile(live);
  const flipped = (text: string, at: number) => {
    const bytes = Buffer.from(text, "base64");
    const place = Math.floor(at * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 4;
    return bytes.toString("base64");
  };
  const changed = (change: (proof: EvidenceFile) => void) => changedCopy(genuine, change);
  const signed = (changes: Record<string, JsonValue>) => evidenceFile(live, canonicalJson(members(live, changes)));
  const places = Array.from({ length: 12 }, (_, index) => index / 12);
  const proofs: object[] = [
    genuine,
    apiProof(genuine, false),
    apiProof(genuine, true),
    await signed({ label: '\u0001\b\t\n\u000b\f\r\u001f"\\/\u007f\u0085\u2028é😀\ufb01' }),
    await signed({ label: null, file_name: null, file_size: 2 ** 53 - 1 }),
    apiProof(await signed({ file_name: "other.txt" }), true),
    await evidenceFile(testPair),
    await evidenceFile(attacker),
    { ...(await evidenceFile(testPair, genuine.payload)), keys: [] },
    ...places.flatMap((at) =>
      [0, 1].map((which) =>
        changed(({ signatures }) => {
          const signature = signatures[which];
          if (signature) signature.signature = flipped(signature.signature, at);
        }),
      ),
    ),
    ...places.map((at) =>
      changed((proof) => {
        const place = Math.floor(at * proof.payload.length);
        proof.payload = `${proof.payload.slice(0, place)}x${proof.payload.slice(place + 1)}`;
      }),
    ),
    ...places.slice(0, 4).map((at) =>
      apiProof(
        changed(({ signatures }) => {
          const signature = signatures[at < 0.2 ? 0 : 1];
          if (signature) signature.signature = flipped(signature.signature, at);
        }),
        true,
      ),
    ),
    changed(({ signatures }) => signatures.reverse()),
    changed(({ signatures }) => signatures.pop()),
    changed(({ signatures }) => signatures.push(...signatures)),
    changed(({ signatures }) => signatures.splice(1, 1, ...signatures.slice(0, 1))),
    changed(({ keys }) => keys.reverse()),
    changed(({ keys }) => keys.pop()),
    changed(({ keys }) => Object.assign(keys[0] ?? {}, { algorithm: "SLH-DSA", public_key: "?" })),
    changed(({ keys }) => delete keys[0]?.["key_id"]),
    changed(({ keys }) => delete keys[1]?.["algorithm"]),
    ...(await Promise.all(
      [
        "2026-02-31T23:59:59.000000+00:00",
        "2026-13-01T00:00:00.000000+00:00",
        "2026-00-01T00:00:00.000000+00:00",
        "2026-01-32T00:00:00.000000+00:00",
        "2026-01-01T24:00:00.000000+00:00",
        "2026-01-01T00:00:60.000000+00:00",
        "2026-01-01T00:00:00.00000+00:00",
      ].map((registered_at) => signed({ registered_at })),
    )),
    ...(await Promise.all(
      [
        genuine.payload.replace(":1,", ":1.0,"),
        genuine.payload.replace(":1,", ":1e0,"),
        genuine.payload.replace(":1,", ":true,"),
        genuine.payload.replace("{", '{"label":"x",'),
        genuine.payload.replace("{", '{"more":null,'),
        genuine.payload.replace("ç", "\\u00e7"),
        genuine.payload.replace("ç", "\\ud800"),
        genuine.payload.replace(",", ", "),
        genuine.payload.replace("+00:00", "Z"),
        genuine.payload.replace('"2026', '"٢٠٢٦'),
        genuine.payload.replace("4HBC", "4HBC\\n"),
        "{}",
      ].map((payload) => evidenceFile(live, payload)),
    )),
  ];
  const answers = theirs(proofs.map((proof) => JSON.stringify(proof)));
  expect(answers).toEqual(proofs.map((proof) => ours(JSON.stringify(proof))));
  const verdicts = answers.map((answer) => (answer as { readonly verdict: string }).verdict);
  expect(verdicts.slice(0, 9)).toEqual([
    "proved",
    "proved",
    "proved",
    "proved",
    "proved",
    "not_proved",
    "test",
    "failed",
    "failed",
  ]);
  expect(new Set(verdicts.slice(9))).not.toContain("not_proved");
});

test("both find the same unreadable rather than failed", async (context) => {
  if (!hasPython) context.skip("no python3");
  const genuine = await evidenceFile(live);
  const api = JSON.stringify(apiProof(genuine, false));
  const changed = (change: (proof: EvidenceFile) => void) => JSON.stringify(changedCopy(genuine, change));
  const withKey = (place: 0 | 1, members: object) => changed(({ keys }) => Object.assign(keys[place] ?? {}, members));
  const withSignature = (members: object) => changed(({ signatures }) => Object.assign(signatures[1] ?? {}, members));
  const [key = "", pqKey = ""] = live.keys.map((each) => String(each["public_key"]));
  const signature = genuine.signatures[1]?.signature ?? "";
  const inLines = (base64: string) => base64.replace(/.{20}/g, "$&\n");
  const unreadable = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    JSON.stringify({ ...genuine, payload: "{" }),
    JSON.stringify({ ...genuine, payload: "[]" }),
    JSON.stringify({ ...genuine, payload: {} }),
    JSON.stringify({ payload: genuine.payload }),
    withSignature({ algorithm: "SLH-DSA" }),
    withSignature({ key_id: 1 }),
    withSignature({ signature: null }),
    withSignature({ signature: inLines(signature) }),
    withSignature({ signature: `${signature} ` }),
    withSignature({ signature: signature.replace(/=+$/, "") }),
    withSignature({ signature: signature.replaceAll("+", "-").replaceAll("/", "_") }),
    withKey(0, { public_key: inLines(key) }),
    withKey(0, { public_key: ` ${key}` }),
    withKey(0, { public_key: `${key}\n` }),
    withKey(1, { public_key: inLines(pqKey) }),
    withKey(1, { public_key: key }),
    withKey(0, { public_key: undefined }),
    withKey(0, { public_key: Buffer.alloc(33).toString("base64") }),
    withKey(0, { key_id: live.keyIds[0].slice(0, -2) }),
    withKey(0, { algorithm: "ML-DSA-87" }),
    api.replace('"evidence":', '"evidences":'),
    api.replace('"schema_version":1', '"schema_version":1.5'),
    api.replace('"schema_version":1', '"schema_version":9007199254740992'),
    api.replace('"organization":"', '"organization":"\\u0000'),
    api.replace('"organization":"', '"organization":"\\ud800'),
    api.replace('"schema_version":1', `"schema_version":${"[".repeat(64)}${"]".repeat(64)}`),
    api.replace('"platform_signature":"', '"platform_signature":"\\n'),
  ];
  expect(unreadable).not.toContain(api);
  expect(unreadable.map(ours)).toEqual(unreadable.map(() => ({ verdict: "unreadable" })));
  expect(theirs(unreadable)).toEqual(unreadable.map(() => ({ verdict: "unreadable" })));
  // A key by itself is pasted by people: there, and nowhere else, lines are of no account.
  expect(readKeys(` ${inLines(pqKey)} `)).toMatchObject([{ keyId: live.keyIds[1] }]);
  expect(() => readKeys(JSON.stringify([{ public_key: inLines(key) }]))).toThrow(UnreadableError);
});
