/** `selo proof verify` in this process and as a program, and the same as one file on whatever other Node the machine has. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/verifier/canonical-json.ts";
import { command } from "../../support/command.ts";
import { selo } from "../../support/selo-process.ts";
import { HOSTILE } from "../../verifier/hostile-pdf.ts";
import {
  apiProof,
  attacker,
  type EvidenceFile,
  evidenceFile,
  FILE,
  FILE_NAME,
  live,
  members,
  pdf,
  test as testPair,
} from "../../verifier/made-proofs.ts";

const root = path.resolve(import.meta.dirname, "../../..");
/** A program that is no nearer to its end after this hangs. */
const GIVEN_UP_MS = 60_000;
let folder = "";
const at = (name: string) => path.join(folder, name);
const write = (name: string, content: string | Uint8Array | object) => {
  const isBytes = typeof content === "string" || content instanceof Uint8Array;
  fs.writeFileSync(at(name), isBytes ? content : JSON.stringify(content));
};
const receiptOf = (proof: EvidenceFile) => pdf([["evidence.json", JSON.stringify(proof)]]);
/** With a data folder that must not be made, and settings that would stop any command that reads them. */
const seloVerify = (...args: readonly string[]) =>
  selo(["proof", "verify", ...args], {
    SELO_DATA_DIR: at("data"),
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    SELO_MASTER_KEY: "not a key",
  }).finished;

/** Runs the single file in the folder. */
function single(node: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(node, [at("selo-verify.mjs"), ...args], {
    cwd: folder,
    env: {},
    encoding: "utf8",
    timeout: GIVEN_UP_MS,
  });
  return { code: status, stdout, stderr };
}
/** Words of a command line, with files of the folder as they are named from here. */
const located = (words: readonly string[]) =>
  words.map((word, place) => (/^--|^\/|^\.$/.test(word) || words[place - 1] === "--name" ? word : at(word)));
/** The same command in this process: to start the single file takes more than its work, and it is started below. */
const verifyWith = (...args: readonly string[]) => command(["proof", "verify", ...located(args)], {});

/** Loaded before a program, and before each of its threads: whatever would open a socket or resolve a name ends the process. */
const NO_NETWORK = `
  const { syncBuiltinESMExports } = require("node:module");
  const end = (name) => () => {
    require("node:fs").writeSync(2, "used the network: " + name + "\\n");
    process.kill(process.pid, "SIGKILL"); // also ends it from a thread
  };
  const { Socket, Server } = require("node:net");
  Socket.prototype.connect = end("connect");
  Server.prototype.listen = end("listen");
  require("node:dgram").createSocket = end("dgram");
  globalThis.fetch = end("fetch");
  const dns = require("node:dns");
  for (const names of [dns, dns.promises])
    for (const name of Object.keys(names)) if (/^(lookup|resolve|reverse)/.test(name)) names[name] = end(name);
  syncBuiltinESMExports();
`;

const SUMMARY =
  'organization "Ação & Filhos Ltda 😀", label "Contrato \\"12\\"", registered at "2026-11-20T12:34:56.633467+00:00", code "7Q2M-K9XT-4HBC"';
const PASSED = `passed       file         SHA-256 equals the one in the evidence
passed       evidence     is an existence proof, in canonical form
passed       Ed25519      the signature verifies
passed       ML-DSA-87    the signature verifies
passed       keys         both are in --keys
PROVED: ${SUMMARY}, live
`;
const RECEIPT_PASSED = `${PASSED}The pages of the receipt were not checked, only the record attached to it: anyone can put a genuine record into another PDF.
`;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-verify-"));
  const genuine = await evidenceFile(live);
  const hostile = members(live, { label: '\u001b[2J\u0007\u009b31m\u202eevil\u2028", live\nPASSED' });
  write(FILE_NAME, FILE);
  write("other.txt", FILE);
  write("changed.txt", "Contract 12: the parties disagree.\n");
  write("keys.json", { platform_keys: [...live.keys, ...testPair.keys] });
  write("evidence.json", genuine);
  write("public.json", apiProof(genuine, true));
  const accent = canonicalJson(members(live, { file_name: "não.txt".normalize("NFD") }));
  write("accent.json", apiProof(await evidenceFile(live, accent), true));
  write("test.json", await evidenceFile(testPair));
  write("hostile.json", await evidenceFile(live, canonicalJson(hostile)));
  write("receipt.pdf", await receiptOf(genuine));
  write("forged.pdf", await receiptOf(await evidenceFile(attacker)));
  const tampered = { ...genuine, payload: genuine.payload.replace("2026-11-20", "2016-11-20") };
  write("tampered.pdf", await receiptOf(tampered));
  write("plain.pdf", await pdf([]));
  write("large.json", " ".repeat(5_000_001));
  write("latin1.json", Buffer.from('{"a": "\xe9"}', "latin1"));
  // As the gateway serves it.
  fs.copyFileSync(path.join(root, "dist/web/selo-verify.mjs"), at("selo-verify.mjs"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("checking a file", () => {
  test("proves with a receipt and the platform's keys, and touches nothing else", { timeout: 60_000 }, async () => {
    const finished = await seloVerify(at(FILE_NAME), "--receipt", at("receipt.pdf"), "--keys", at("keys.json"));
    expect(finished).toEqual({ code: 0, signal: null, stdout: RECEIPT_PASSED, stderr: "" });
    expect(fs.existsSync(at("data"))).toBe(false);
  });

  test("ends quietly, with its own exit code, when its reader went away", { timeout: 60_000 }, async () => {
    const args = [at(FILE_NAME), "--receipt", at("forged.pdf"), "--keys", at("keys.json")];
    for (const program of [[at("selo-verify.mjs")], ["src/main/cli.ts", "proof", "verify"]]) {
      const child = spawn(process.execPath, [...program, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
      child.stdout.destroy();
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk;
      });
      const code = await new Promise((resolve) => child.once("close", resolve));
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    }
  });

  test("proves with evidence and with a public proof, whatever the file is called now", async () => {
    const keys = ["--keys", "keys.json"];
    const whole = await verifyWith("other.txt", "--evidence", "evidence.json", ...keys);
    expect(whole).toMatchObject({ code: 0, stdout: PASSED });
    const unnamed = await verifyWith("other.txt", "--evidence", "public.json", ...keys);
    expect(unnamed.code).toBe(2);
    expect(unnamed.stdout).toMatch(/^not checked {2}Ed25519 .*--name/m);
    expect(unnamed.stdout).toMatch(/^NOT PROVED, the evidence only claims: /m);
    const named = await verifyWith("other.txt", "--evidence", "public.json", ...keys, "--name", FILE_NAME);
    expect(named).toMatchObject({ code: 0, stdout: PASSED });
  });

  test("proves with a public proof under a name that another system spells otherwise", async () => {
    for (const name of ["não.txt".normalize("NFC"), "não.txt".normalize("NFD")]) {
      const { code } = await verifyWith(FILE_NAME, "--evidence", "accent.json", "--keys", "keys.json", "--name", name);
      expect(code).toBe(0);
    }
  });

  test.for([
    ["receipt.pdf", "changed.txt", /^failed {7}file /m],
    ["tampered.pdf", FILE_NAME, /^failed {7}Ed25519 .*\nfailed {7}ML-DSA-87 /m],
    ["forged.pdf", FILE_NAME, /^failed {7}keys /m],
  ] as const)("fails with %s of %s", async ([receipt, file, line]) => {
    const { code, stdout } = await verifyWith(file, "--receipt", receipt, "--keys", "keys.json");
    expect(code).toBe(1);
    expect(stdout).toMatch(line);
    expect(stdout).toMatch(/^FAILED, the evidence only claims: /m);
    expect(stdout).not.toContain("PROVED");
  });

  test("does not prove anything by the keys that came with it, an attacker's among them", async () => {
    for (const receipt of ["receipt.pdf", "forged.pdf"]) {
      const { code, stdout } = await verifyWith(FILE_NAME, "--receipt", receipt);
      expect(code).toBe(2);
      expect(stdout).toMatch(/^not checked {2}keys .*give --keys$/m);
      expect(stdout).toMatch(/^NOT PROVED.*environment not known$/m);
    }
  });

  test("says loudly that a test proof proves nothing, and does not end with 0", async () => {
    const args = [FILE_NAME, "--evidence", "test.json", "--keys", "keys.json"];
    const { code, stdout } = await verifyWith(...args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^TEST, PROVES NOTHING: .*, TEST$/m);
    expect(JSON.parse((await verifyWith(...args, "--json")).stdout)).toMatchObject({
      verdict: "test",
      environment: "test",
    });
  });

  test("prints JSON", async () => {
    const { code, stdout } = await verifyWith(FILE_NAME, "--receipt", "receipt.pdf", "--keys", "keys.json", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      verdict: "proved",
      environment: "live",
      checks: [
        { name: "file", result: "passed", reason: "digest_matches" },
        { name: "evidence", result: "passed", reason: "canonical" },
        { name: "ed25519", result: "passed", reason: "signature_valid" },
        { name: "ml_dsa_87", result: "passed", reason: "signature_valid" },
        { name: "keys", result: "passed", reason: "keys_trusted" },
      ],
      receipt_pages: "not_checked",
      evidence: members(live),
    });
    const { stdout: of } = await verifyWith(FILE_NAME, "--evidence", "evidence.json", "--keys", "keys.json", "--json");
    expect(JSON.parse(of)).not.toHaveProperty("receipt_pages");
  });

  test("escapes a label that would drive the terminal, and keeps it in quotes", async () => {
    const args = [FILE_NAME, "--evidence", "hostile.json", "--keys", "keys.json"];
    const { code, stdout } = await verifyWith(...args);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(7);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(stdout).toContain('label "\\u001b[2J\\u0007\\u009b31m\\u202eevil\\u2028\\", live\\nPASSED", registered');
    const json = (await verifyWith(...args, "--json")).stdout;
    expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect((JSON.parse(json) as { evidence: object }).evidence).toMatchObject({
      label: '\u001b[2J\u0007\u009b31m\u202eevil\u2028", live\nPASSED',
    });
  });

  test.for<[string, string[]]>([
    ["error: missing required argument 'file'", []],
    ["error: give --receipt or --evidence", [FILE_NAME]],
    ["cannot be used with option", [FILE_NAME, "--receipt", "receipt.pdf", "--evidence", "evidence.json"]],
    ["error: unknown option '--no-such'", [FILE_NAME, "--receipt", "receipt.pdf", "--no-such"]],
    ["error: too many arguments", [FILE_NAME, "other.txt", "--receipt", "receipt.pdf"]],
    ["none.txt: the file cannot be read (ENOENT)", ["none.txt", "--receipt", "receipt.pdf"]],
    [".: the file cannot be read (EISDIR)", [".", "--receipt", "receipt.pdf"]],
    [".: the file cannot be read (EISDIR)", [FILE_NAME, "--receipt", "."]],
    ["none.pdf: the file cannot be read (ENOENT)", [FILE_NAME, "--receipt", "none.pdf"]],
    ["\\u001b[2J: the file cannot be read (ENOENT)", [FILE_NAME, "--receipt", "\u001b[2J"]],
    ["plain.pdf: it has no attachment evidence.json", [FILE_NAME, "--receipt", "plain.pdf"]],
    ["evidence.json: it is not a PDF", [FILE_NAME, "--receipt", "evidence.json"]],
    ["receipt.pdf: the file is not UTF-8", [FILE_NAME, "--evidence", "receipt.pdf"]],
    ["latin1.json: the file is not UTF-8", [FILE_NAME, "--evidence", "latin1.json"]],
    ["keys.json: it holds neither a payload nor evidence", [FILE_NAME, "--evidence", "keys.json"]],
    ["large.json: the file is larger than 5000000 bytes", [FILE_NAME, "--evidence", "large.json"]],
    ["large.json: the file is larger than 5000000 bytes", [FILE_NAME, "--receipt", "large.json"]],
    [
      "large.json: the file is larger than 5000000 bytes",
      [FILE_NAME, "--receipt", "receipt.pdf", "--keys", "large.json"],
    ],
    ["/dev/zero: the file is larger than 5000000 bytes", [FILE_NAME, "--evidence", "/dev/zero"]],
    [`${FILE_NAME}: a public key is the base64 of`, [FILE_NAME, "--receipt", "receipt.pdf", "--keys", FILE_NAME]],
  ])("ends with 3: %s", async ([message, args]) => {
    const { code, stdout, stderr } = await verifyWith(...args);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("ends with 3, not with 1, within selo and as a single file", { timeout: 60_000 }, async () => {
    expect((await seloVerify(at(FILE_NAME), "--receipt", at("none.pdf"))).code).toBe(3);
    expect((await command(["proof", "verify"], {})).code).toBe(3);
    expect((await command(["proof", "verfy"], {})).code).toBe(3);
    expect((await command(["proof", "verify", "--help"], {})).code).toBe(0);
    // As the single file does.
    expect(single(process.execPath, [FILE_NAME, "--receipt", "none.pdf"]).code).toBe(3);
    expect(single(process.execPath, []).code).toBe(3);
  });
});

describe("without a network", () => {
  /** Both as they are started: the sources, and the single file. */
  const programs: [string, () => string[]][] = [
    ["selo proof verify", () => ["src/main/cli.ts", "proof", "verify"]],
    ["selo-verify.mjs", () => [at("selo-verify.mjs")]],
  ];
  const run = (command: string, before: readonly string[]) => {
    const proof = [at(FILE_NAME), "--receipt", at("receipt.pdf"), "--keys", at("keys.json")];
    // Compiled sources only: nothing else of an environment.
    const { NODE_COMPILE_CACHE } = process.env;
    const { status, stdout, stderr } = spawnSync(command, [...before, ...proof], {
      cwd: root,
      env: NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {},
      encoding: "utf8",
      timeout: GIVEN_UP_MS,
    });
    return { code: status, stdout, stderr };
  };

  test.for(programs)("in a network namespace that has none: %s", { timeout: 60_000 }, ([, program], context) => {
    const { status, stdout } = spawnSync("unshare", ["-rn", "cat", "/proc/net/route"], { encoding: "utf8" });
    if (status !== 0) context.skip("unshare -rn is not allowed here");
    // Only the heading: no route leads anywhere.
    expect(stdout.trim().split("\n")).toHaveLength(1);
    const finished = run("unshare", ["-rn", process.execPath, ...program()]);
    expect(finished).toEqual({ code: 0, stdout: RECEIPT_PASSED, stderr: "" });
  });

  test.for(programs)("where every way to one ends the process: %s", { timeout: 60_000 }, ([, program]) => {
    write("no-network.cjs", NO_NETWORK);
    const preloaded = ["--require", at("no-network.cjs")];
    expect(run(process.execPath, [...preloaded, ...program()])).toEqual({
      code: 0,
      stdout: RECEIPT_PASSED,
      stderr: "",
    });
  });

  test.for([
    "net.connect(1)",
    "new net.Socket().connect(1)",
    "http.get('http://127.0.0.1:1')",
    "fetch('http://127.0.0.1:1').catch(() => {})",
    "dns.lookup('localhost', () => {})",
    "dns.promises.resolve('localhost').catch(() => {})",
    "dgram.createSocket('udp4')",
    "new worker_threads.Worker('require(\"net\").connect(1)', { eval: true })",
  ])("which would be noticed: %s", (attempt) => {
    write("no-network.cjs", NO_NETWORK);
    const args = ["--require", at("no-network.cjs"), "-e", attempt];
    const { signal, stderr } = spawnSync(process.execPath, args, { env: {}, encoding: "utf8" });
    expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: expect.stringMatching(/^used the network: /) });
  });
});

describe("selo-verify.mjs", () => {
  const others = ["/usr/bin/node", "/usr/local/bin/node"].filter((node) => fs.existsSync(node));
  test.for([process.execPath, ...others])("is one file that runs alone on %s", (node) => {
    const proof = [FILE_NAME, "--receipt", "receipt.pdf"];
    expect(single(node, [...proof, "--keys", "keys.json"])).toMatchObject({
      code: 0,
      stdout: RECEIPT_PASSED,
      stderr: "",
    });
    expect(single(node, proof).code).toBe(2);
    expect(single(node, ["changed.txt", ...proof.slice(1)]).code).toBe(1);
    expect(single(node, [FILE_NAME, "--evidence", "public.json", "--keys", "keys.json"]).stdout).toBe(PASSED);
    expect(single(node, ["--help"])).toMatchObject({ code: 0, stderr: "" });
  });

  test.for(Object.entries(HOSTILE))("refuses %s", { timeout: 2 * GIVEN_UP_MS }, ([, make]) => {
    write("bomb.pdf", make());
    const { code, stdout, stderr } = single(process.execPath, [
      FILE_NAME,
      "--receipt",
      "bomb.pdf",
      "--keys",
      "keys.json",
    ]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^bomb\.pdf: it[^\n]*\n$/);
  });
});
