// A client generated from schema/openapi.json, by a tool of others: its types compile, refuse what is wrong, and work.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { DESCRIPTION_FILE } from "./openapi-document.ts";

/** What an integrator writes: arguments are address, token and digest. */
const CLIENT = `
import createClient from "openapi-fetch";
import type { components, paths } from "./selo.ts";

const [baseUrl = "", token = "", sha256 = ""] = process.argv.slice(2);
const selo = createClient<paths>({ baseUrl });
const lookUp = (code: string) => selo.GET("/public/proofs/{code}", { params: { path: { code } } });

const registered = await selo.POST("/proofs", {
  params: { header: { "Idempotency-Key": "contract-12" } },
  headers: { Authorization: \`Bearer \${token}\` },
  body: { sha256, label: "Contract 12" },
});
if (registered.error !== undefined) throw new Error(registered.error.detail.code);
const proof: components["schemas"]["Proof"] = registered.data;
const found = await lookUp(proof.verification_code);
if (found.data === undefined) throw new Error(found.error.detail.code);
const { label, evidence, verification } = found.data;
const missing = await lookUp("0000-0000-0000");
const isMissing = missing.error?.detail.code === "proof_not_found";
console.log(JSON.stringify({ label, digest: evidence.sha256, valid: verification.valid, isMissing }));
`;

/** The same with a mistake in one place, and the code of what tsc says to it. */
const MISTAKES: readonly (readonly [right: string, wrong: string, error: string])[] = [
  ['"/public/proofs/{code}"', '"/public/proof/{code}"', "TS2345"],
  ["body: { sha256, label", "body: { digest: sha256, label", "TS2353"],
  ["evidence.sha256", "evidence.file_digest", "TS2339"],
  ['"proof_not_found"', '"no_such_proof"', "TS2367"],
];

const root = path.resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);
let selo: TestGateway;
let folder: string;
/** What tsc says of the client, and of the same with mistakes. */
let said: readonly string[];
const at = (name: string) => path.join(folder, name);
beforeAll(async () => {
  selo = await startTestGateway();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-client-"));
  fs.symlinkSync(path.join(root, "node_modules"), at("node_modules"));
  fs.writeFileSync(at("package.json"), '{ "type": "module" }');
  fs.writeFileSync(at("selo.ts"), astToString(await openapiTS(pathToFileURL(DESCRIPTION_FILE))));
  fs.writeFileSync(at("client.ts"), CLIENT);
  for (const [number, [right, wrong]] of MISTAKES.entries())
    fs.writeFileSync(at(`wrong-${number}.ts`), CLIENT.replace(right, wrong));
  // At once: most of the work is reading the same declarations.
  said = await wrongs("client.ts", ...MISTAKES.map((_, number) => `wrong-${number}.ts`));
}, 60_000);
afterAll(async () => {
  await selo.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** What tsc, as strict as it gets, finds wrong with files of the folder; one line each. */
async function wrongs(...files: readonly string[]): Promise<string[]> {
  const settings = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck";
  const modules = "--module nodenext --target es2024 --types node --allowImportingTsExtensions --erasableSyntaxOnly";
  const args = [...`${settings} ${modules}`.split(" "), "--pretty", "false", ...files];
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, ...args], { cwd: folder }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

test("compiles, registers a proof, and looks it up without a token", { timeout: 60_000 }, async () => {
  expect(said.filter((line) => !line.startsWith("wrong-"))).toEqual([]);
  const { live } = await selo.newOrganization();
  const digest = randomBytes(32).toString("hex");
  const { stdout } = await run(process.execPath, [at("client.ts"), `${selo.baseUrl}/api/v1`, live, digest]);
  expect(JSON.parse(stdout)).toEqual({ label: "Contract 12", digest, valid: true, isMissing: true });
});

test("does not compile with a mistake in it", () => {
  for (const [number, [right, wrong, error]] of MISTAKES.entries()) {
    expect(CLIENT).toContain(right);
    expect(said, wrong).toContainEqual(
      expect.stringMatching(new RegExp(`^wrong-${number}\\.ts\\(.*: error ${error}: `)),
    );
  }
});
