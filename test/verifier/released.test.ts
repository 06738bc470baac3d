/** Receipts and verifiers of different versions accept each other: people keep both. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PdfRenderer } from "../../src/adapters/pdf/pdf-renderer.ts";
import { makeReceipt, type PreparedReceipt } from "../../src/services/signature/proofs/make-receipt.ts";
import { byLane } from "../support/lane.ts";
import { type EvidenceFile, FILE_NAME } from "./made-proofs.ts";

const kept = (name: string) => fs.readFileSync(path.join(import.meta.dirname, "released-0.2.0", name));
const example = (name: string) => path.join(import.meta.dirname, "example", name);
const root = path.resolve(import.meta.dirname, "../..");

let folder = "";
const renderer = new PdfRenderer();
const at = (name: string) => path.join(folder, name);
/** The programs that people start. */
const verifiers = {
  "0.2.0": () => at("selo-verify.mjs"),
  present: () => path.join(root, "src/services/signature/commands/selo-verify.ts"),
};
const receipts = ["0.2.0", "present, in Portuguese", "present, in English"] as const;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-released-"));
  fs.writeFileSync(at("selo-verify.mjs"), brotliDecompressSync(kept("selo-verify.mjs.br")));
  fs.writeFileSync(at("receipt of 0.2.0.pdf"), kept("receipt.pdf"));
  for (const [name, language] of [
    ["present, in Portuguese", "pt-BR"],
    ["present, in English", "en"],
  ] as const) {
    const prepared = preparedReceipt(language);
    const siteOperator = { name: "Selo Ltda", details: null, contact: null, privacy: null, terms: null };
    const { pdf } = await makeReceipt(prepared, { receipts: renderer, siteOperator });
    fs.writeFileSync(at(`receipt of ${name}.pdf`), pdf);
  }
});
afterAll(async () => {
  await renderer.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What SQL answers for the proof of the example. */
function preparedReceipt(language: string): PreparedReceipt {
  const { payload, signatures, keys }: EvidenceFile = JSON.parse(fs.readFileSync(example("evidence.json"), "utf8"));
  const evidence = JSON.parse(payload);
  const [ed25519, mlDsa87] = signatures;
  return {
    proof: {
      ...evidence,
      registered_at: evidence.registered_at.replace("+00:00", "Z"),
      verify_url: `https://selo.example/verify/${evidence.verification_code}`,
      evidence,
      platform_key_id: ed25519?.key_id,
      platform_signature: ed25519?.signature,
      platform_pq_key_id: mlDsa87?.key_id,
      platform_signature_pq: mlDsa87?.signature,
    },
    environment: "live",
    ...{ language, time_zone: "America/Sao_Paulo", utc_offset: "-03:00" },
    local_time: "2026-11-20T09:34:56.633467",
    platform_keys: keys as unknown as PreparedReceipt["platform_keys"],
    signed: payload,
    fault: null,
  };
}

/** Runs a verifier as its users do; answers its exit code and what it says. */
function run(program: string, file: string, receipt: string): Promise<{ code: number; answer: { verdict: string } }> {
  const args = [program, file, "--receipt", receipt, "--keys", example("keys.json"), "--json"];
  return new Promise((resolve) => {
    execFile(process.execPath, args, (error, stdout) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, answer: JSON.parse(stdout) }),
    );
  });
}

// Each with each in released.full.test.ts; here each with what the other made.
const pairs = byLane<Readonly<Record<keyof typeof verifiers, readonly (typeof receipts)[number][]>>>({
  lane: { "0.2.0": ["present, in Portuguese"], present: ["0.2.0"] },
  full: { "0.2.0": receipts, present: receipts },
});
describe.each(Object.entries(verifiers))("the verifier of %s", (version, program) => {
  test.each(pairs[version as keyof typeof verifiers])(
    "accepts the receipt of %s, and not with another file",
    async (name) => {
      const receipt = at(`receipt of ${name}.pdf`);
      const proved = await run(program(), example(FILE_NAME), receipt);
      expect(proved).toMatchObject({ code: 0, answer: { verdict: "proved", environment: "live" } });
      const other = at("another.txt");
      fs.writeFileSync(other, "another file");
      expect(await run(program(), other, receipt)).toMatchObject({ code: 1, answer: { verdict: "failed" } });
    },
  );
});

test("evidence.json is byte for byte what version 0.2.0 attached", async () => {
  const { readReceipt } = await import("../../src/verifier/receipt.ts");
  const attached = await Promise.all(
    receipts.map((name) => readReceipt(fs.readFileSync(at(`receipt of ${name}.pdf`)))),
  );
  expect(new Set(attached).size).toBe(1);
  expect(attached[0]).toBe(fs.readFileSync(example("evidence.json"), "utf8"));
});
