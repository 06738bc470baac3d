/** The table of src/verifier/README.md, "The verdict", row by row: every verifier there is says the same. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson } from "../../src/verifier/canonical-json.ts";
import { readEvidence } from "../../src/verifier/evidence.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { readKeys } from "../../src/verifier/keys.ts";
import { verify } from "../../src/verifier/verify.ts";
import { assess } from "../../src/web/verify/assess.ts";
import { kindOf } from "../../src/web/verify/kinds.ts";
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
  type Pair,
  pdf,
  test as testPair,
} from "./made-proofs.ts";

type Json = Pair["keys"][number];

/** What a row is about. */
interface Given {
  readonly proof: object;
  /** Null: the proof is verified without a file. */
  readonly file: Buffer | null;
  readonly name: string;
  /** Null: the proof is verified without keys. */
  readonly keys: readonly Json[] | null;
  readonly isReceipt: boolean;
}

const genuine = await evidenceFile(live);
const tried = await evidenceFile(testPair);
const ALL_KEYS = [...live.keys, ...testPair.keys];
const silent = (keys: readonly Json[]) => keys.map(({ environment: _, ...key }) => key);
const hidden = (proof: EvidenceFile) => ({ ...proof, keys: silent(proof.keys) });
/** As the platform lists them: with the instant of each key. */
const made = (keys: readonly Json[], created_at: string) => keys.map((key) => ({ ...key, created_at }));
const usual: Given = { proof: genuine, file: FILE, name: FILE_NAME, keys: ALL_KEYS, isReceipt: false };
const other = Buffer.from("Contract 12: the parties disagree.\n");

const ROWS: Readonly<Record<string, Given>> = {
  "the file, its evidence, the platform's keys": usual,
  "the same, the evidence in a receipt": { ...usual, isReceipt: true },
  "another file": { ...usual, file: other },
  "evidence that was changed": {
    ...usual,
    proof: { ...genuine, payload: genuine.payload.replace("2026-11-20", "2016-11-20") },
  },
  "evidence sealed with other keys": { ...usual, proof: await evidenceFile(attacker) },
  "a test proof": { ...usual, proof: tried },
  "a test proof, keys that do not say what they seal": { ...usual, proof: tried, keys: silent(ALL_KEYS) },
  "a test proof that hides it, keys that do not say what they seal": {
    ...usual,
    proof: hidden(tried),
    keys: silent(ALL_KEYS),
  },
  "a test proof, no keys": { ...usual, proof: tried, keys: null },
  "a test proof of another file": { ...usual, proof: tried, file: other },
  "a live proof, keys that do not say what they seal": { ...usual, keys: silent(ALL_KEYS) },
  "no keys": { ...usual, keys: null },
  "keys from before the proof's keys were made": {
    ...usual,
    proof: await evidenceFile(attacker),
    keys: made(ALL_KEYS, "2026-11-20T12:34:56.633466Z"),
  },
  "one of the two keys": { ...usual, keys: live.keys.slice(0, 1) },
  "a public proof, the file under another name": { ...usual, proof: apiProof(genuine, true), name: "renamed.txt" },
  "evidence without the file": { ...usual, file: null },
  "a receipt without the file": { ...usual, file: null, isReceipt: true },
};

interface Row {
  readonly given: string;
  readonly verdict: string;
  /** Empty where it cannot be asked: it always has a file. */
  readonly command: string;
  readonly exitCode: string;
  readonly page: string;
}

const table = rowsOf(fs.readFileSync(path.resolve(import.meta.dirname, "../../src/verifier/README.md"), "utf8"));

function rowsOf(readme: string): Row[] {
  const [, text = ""] = /^\| what is given \|.*\n\| ---.*\n((?:\|.*\n)+)/m.exec(readme) ?? [];
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [given = "", verdict = "", command = "", exitCode = "", page = ""] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return { given, verdict: verdict.replaceAll("`", ""), command, exitCode, page };
    });
}

let folder = "";
/** As far as these tests read them; words.ts has the DOM's types, which are not known here. */
let words: {
  readonly verdicts: Readonly<Record<string, { readonly state: string; readonly lead: string }>>;
  readonly also: { readonly pagesNotChecked: string };
};
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-verdicts-"));
  words = (await import(`${path.resolve(import.meta.dirname, "../../src/web/verify")}/words-en.ts`)).en;
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const VERIFIER = path.resolve(import.meta.dirname, "../../dist/web/selo-verify.mjs");
const write = (name: string, content: string | Uint8Array) => {
  fs.writeFileSync(path.join(folder, name), content);
  return name;
};
const run = (program: string, args: readonly string[], input = "") => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    input,
  });
  return { status, stdout, stderr };
};

test("the table has the rows that are tried here", () => {
  expect(table.map(({ given }) => given)).toEqual(Object.keys(ROWS));
});

const rows = table.map((row, place) => ({ ...row, place }));
test.each(rows)("$given: $verdict", async ({ given, verdict, command, exitCode, page, place }) => {
  const { proof, file, name, keys, isReceipt } = ROWS[given] ?? usual;
  const evidence = readEvidence(JSON.stringify(proof));
  const of = file === null ? null : hashed(file, name);
  const trusted = keys === null ? null : readKeys(JSON.stringify(keys));
  expect(verify(evidence, of, trusted).verdict).toBe(verdict);

  const lookup = { status: "failed" } as const;
  const onPage = { code: null, lookup, receipt: evidence, isInPdf: isReceipt, file: of, published: null };
  const findings = assess({ ...onPage, trusted: trusted ?? [], signatures: HYBRID_CHECKS });
  const shown = findings === null ? undefined : words.verdicts[kindOf(findings, true)];
  const [title, note] = page.split(" … ");
  expect(shown?.state).toBe(title);
  if (note !== undefined) expect(`${shown?.lead} ${words.also.pagesNotChecked}`).toContain(note);

  if (file === null) {
    expect({ command, exitCode }).toEqual({ command: "", exitCode: "" });
    return;
  }
  const at = write(name, file);
  const keysAt = keys === null ? null : write("keys.json", JSON.stringify({ platform_keys: keys }));
  const proofAt = write("proof.json", JSON.stringify(proof));
  const receipt = isReceipt ? write("receipt.pdf", await pdf([["evidence.json", JSON.stringify(proof)]])) : null;
  const args = [
    VERIFIER,
    at,
    ...(receipt === null ? ["--evidence", proofAt] : ["--receipt", receipt]),
    ...(keysAt === null ? [] : ["--keys", keysAt]),
  ];
  // A start of the program takes longer than its work: in JSON it says the verdict, which is the same, of each third row.
  if (place % 3 === 0) {
    const json = run(process.execPath, [...args, "--json"]);
    expect(json.status).toBe(Number(exitCode));
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict });
  }
  const text = run(process.execPath, args);
  const [said, beside] = command.split(" … ");
  expect({ status: text.status, stderr: text.stderr }).toEqual({ status: Number(exitCode), stderr: "" });
  const lines = text.stdout.trimEnd().split("\n");
  expect(lines[5]).toMatch(new RegExp(`^${said}[:,]`));
  expect(lines.slice(6)).toEqual(beside === undefined ? [] : [expect.stringContaining(beside)]);
});

test("the independent verifier says the same of each", (context) => {
  if (spawnSync("python3", ["--version"]).status !== 0) context.skip("no python3");
  const withFile = table.flatMap(({ given, verdict }, place) => {
    const { proof, file, name, keys } = ROWS[given] ?? usual;
    if (file === null) return [];
    fs.mkdirSync(path.join(folder, String(place)));
    const keysAt = keys === null ? "-" : write(`${place}/keys.json`, JSON.stringify({ platform_keys: keys }));
    const proofAt = write(`${place}/proof.json`, JSON.stringify(proof));
    return [{ expected: { given, verdict }, args: [write(`${place}/${name}`, file), keysAt, proofAt] }];
  });
  // In one process, which verifies each signature once.
  const program = [
    "import json, sys",
    "sys.path.insert(0, sys.argv[1])",
    "import independent_verifier",
    "for args in json.load(sys.stdin): independent_verifier.main(*args)",
  ].join("\n");
  const args = JSON.stringify(withFile.map((row) => row.args));
  const { stdout, stderr } = run("python3", ["-B", "-c", program, import.meta.dirname], args);
  expect(stderr).toBe("");
  const answers = stdout.trim().split("\n");
  expect(answers).toHaveLength(withFile.length);
  for (const [place, { expected }] of withFile.entries())
    expect({ given: expected.given, ...(JSON.parse(answers[place] ?? "") as object) }).toMatchObject(expected);
});

test("a name that was stored as browsers encode it is found by the decoded name, and the reverse, by the page and by the command", async () => {
  for (const [stored, own] of [
    ["a %22final%22 ação.txt", 'a "final" ação.txt'],
    ["a %22final%22 ação.txt".normalize("NFD"), 'a "final" ação.txt'],
    ['a "final" ação.txt', "a %22final%22 ação.txt"],
  ] as const) {
    const payload = canonicalJson(members(live, { file_name: stored }));
    const proof = apiProof(await evidenceFile(live, payload), true);
    const trusted = readKeys(JSON.stringify(ALL_KEYS));
    const lookup = { status: "failed" } as const;
    const receipt = readEvidence(JSON.stringify(proof));
    const onPage = { code: null, lookup, receipt, isInPdf: false, file: hashed(FILE, own), published: null, trusted };
    const findings = assess({ ...onPage, signatures: HYBRID_CHECKS });
    expect(findings).toMatchObject({ verdict: "verified", evidence: { members: { file_name: stored } } });
    const files = [write(own, FILE), "--evidence", write("stored.json", JSON.stringify(proof))];
    const keys = ["--keys", write("keys.json", JSON.stringify({ platform_keys: ALL_KEYS }))];
    expect(run(process.execPath, [VERIFIER, ...files, ...keys]).status).toBe(0);
  }
});

test("keys are older than a proof only if all of their dates are, and only as a pair", async () => {
  const proof = readEvidence(JSON.stringify(await evidenceFile(attacker)));
  const keysOf = (keys: readonly Json[]) => {
    const { checks } = verify(proof, hashed(FILE), readKeys(JSON.stringify(keys)));
    return checks.find(({ name }) => name === "keys")?.reason;
  };
  const [before, at] = ["2026-11-20T12:34:56+00:00", "2026-11-20T12:34:56.633467Z"];
  expect(keysOf(made(ALL_KEYS, before))).toBe("keys_older");
  // The dates of some say how old the list is at least.
  expect(keysOf([...made(live.keys, before), ...testPair.keys])).toBe("keys_older");
  for (const keys of [
    made(ALL_KEYS, at),
    [...made(live.keys, before), ...made(testPair.keys, at)],
    ALL_KEYS,
    made(ALL_KEYS, "2026-11-20 12:34"),
    // One of the two keys of the proof is there: no rotation left the other behind.
    made([...live.keys, attacker.keys[0]], before),
  ])
    expect(keysOf(keys)).toBe("keys_not_trusted");
});

test("the page believes the list of its server that a key is not a later one", async () => {
  const own = await evidenceFile(attacker);
  const given = { code: null, lookup: { status: "failed" }, receipt: readEvidence(JSON.stringify(own)) } as const;
  const older = readKeys(JSON.stringify(made(ALL_KEYS, "2026-01-01T00:00:00Z")));
  const found = (published: readonly Json[]) =>
    assess({
      ...{ ...given, isInPdf: false, file: hashed(FILE), trusted: older, signatures: HYBRID_CHECKS },
      published: readKeys(JSON.stringify(made(published, "2026-01-01T00:00:00Z"))),
    });
  expect(found([...ALL_KEYS, ...attacker.keys])).toMatchObject({ verdict: "keys_older" });
  const foreign = found(ALL_KEYS);
  expect(foreign?.verdict).toBe("failed");
  expect(foreign?.checks).toContainEqual({ name: "keys", result: "failed", reason: "keys_not_published" });
});
