// The examples of README.md and of the guides, as they stand there, against what `npm start` starts.
import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Clone, clone } from "../support/clone.ts";
import { type CodeBlock, codeBlocks, GUIDES, readDocument } from "../support/documents.ts";
import { copyPrepared } from "../support/prepared-data.ts";
import { endPrograms, freePort, processesIn, selo } from "../support/selo-process.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

const RUN = ["sh", "sql", "graphql", "python"];

/** Why a block is not run by the test of its document. */
class Elsewhere {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}
const docker = new Elsewhere("test/system/docker.test.ts compares it with the code; there is no engine here");
const nameserver = new Elsewhere("test/system/dns/nameserver-start.test.ts installs and asks it; it comes by apt");
const token = new Elsewhere("test/system/signature/tokens.test.ts runs it with SoftHSM; there is no token here");
const amazon = new Elsewhere("test/system/signature/connectors.test.ts tests a storage on this machine");
const proof = /id: '[0-9a-f-]{36}',\s+verify_url: 'http:\/\/localhost:\d+\/verify\/[0-9A-Z-]{14}'/;
const rows = /\([1-9]\d* rows?\)/;

/** What each block of a document prints, in their order. */
const PRINTS: Readonly<Record<string, readonly (RegExp | Elsewhere)[]>> = {
  "README.md": [
    new Elsewhere("it runs while this file does"),
    proof,
    /file_name: 'README\.md'/,
    /"verifyUrl":"http/,
    rows,
    /id: '[\w-]+',\s+secret: 'whsec_/,
    /^[\w-]{36}\nsent$/m,
    /^PROVED/m,
  ],
  "src/web/guides/analysts.md": [/^$/, rows, rows, rows, ...Array<RegExp>(8).fill(/\(\d+ rows?\)/)],
  "src/web/guides/audit-coverage.md": [],
  "src/web/guides/backup.md": [/rows of \d+ tables/, /^restored .*everything is as it was recorded$/ms],
  "src/web/guides/commands.md": [],
  "src/web/guides/configuration.md": [],
  "src/web/guides/connectors.md": [/^$/, amazon, /"items"/, /"status": ?"active"/, /"queued": ?0/],
  "src/web/guides/dns.md": [
    /^dns_[0-9a-f]{8}_[\w-]{43}\n[\s\S]*org_id: 1,[\s\S]*'zone:write'/,
    /^Created example\.com with the id \d+\..*\n {2}ns\d\.selo\.test\n {2}ns\d\.selo\.test\n/s,
    /www\.example\.com +300 +A +- +enabled +192\.0\.2\.1$/m,
    nameserver,
    /Deleted example\.com\.\nRestored with 1 record\./,
  ],
  "src/web/guides/dns-delegation.md": [
    /^Zone +example\.com$[\s\S]*^\[ \] 2\. Change the nameservers$[\s\S]*^Zona +example\.com$[\s\S]*^\[ \] 2\. Troque os servidores DNS$/m,
  ],
  "src/web/guides/dns-programs.md": [
    /^$/,
    /^dns_[0-9a-f]{8}_[\w-]{43}\n[\s\S]*id: 'example\.com\.', kind: 'Native', sets: \d/,
  ],
  "src/web/guides/dns-records.md": [
    /^$/,
    /shop\.example\.com +300 +A +- +enabled +192\.0\.2\.1$/m,
    /created: 1,\s+updated: 0,\s+deleted: 1/,
    /^$/,
    /^1$/m,
    /name: 'example\.com',\s+type: 'ALIAS',\s+content: 'shop\.example\.com'/,
    /added: \d/,
  ],
  "src/web/guides/dns-zone-files.md": [
    /^3 records imported, 0 deleted, 3 skipped\n {2}line 2: .*^ {2}line 8: a\.example\.com A: validation: /ms,
    /^dry run, nothing written: \d+ records? imported, 0 deleted, \d+ skipped$[\s\S]*^warning: .*never complete/m,
    /^\$ORIGIN example\.com\.$/m,
    /^~ mail\.example\.com 600 A 192\.0\.2\.25 \(was mail\.example\.com 300 A 192\.0\.2\.25\)$/m,
  ],
  "src/web/guides/dnssec.md": [
    /^$/,
    /^\[\s+'\d+ 13 2 [0-9A-F]{64}',\s+'\d+ 13 4 [0-9A-F]{96}'\s+\]\n[\s\S]*^Chain +(unknown|no DS): [\s\S]*^\d+ 13 2 [0-9A-F]{64}$[\s\S]*^\[ \] 3\. Publish the DS record$[\s\S]*^Cadeia +\S[\s\S]*^\[ \] 3\. Publique o registro DS$/m,
    /^\[\s+'\d+ 13 2 [0-9A-F]{64}',\s+'\d+ 13 4 [0-9A-F]{96}'\s+\]$/m,
    /^Chain +\S/m,
    /^1$/m,
    /^\[\]$/m,
    /^false$/m,
  ],
  "src/web/guides/docker.md": [docker, docker],
  "src/web/guides/documents.md": [
    /filename: 'contract\.pdf',\s+status: 'ready',\s+pages: \[ \{ width: 612, height: 792 \} \]/,
    /^the same bytes$/m,
  ],
  "src/web/guides/errors.md": [],
  "src/web/guides/graphql.md": [
    /"verifyUrl":"http/,
    /"hasNextPage":/,
    /"proofs":\{"nodes":/,
    /"node":/,
    /"webhookEndpoints":\{"nodes":/,
    /"webhookEvents":\{"nodes":/,
    /"verifyUrl":"http/,
  ],
  "src/web/guides/index.md": [],
  "src/web/guides/invoices.md": [
    /iss_amount: '75\.00', net_amount: '1500\.00', problems: \[\]/,
    /status: 'authorized',\s+number: \d+,\s+access_key: '\d{50}',\s+net_amount: '1500\.00'/,
    /\[\s+\[ \d+, 'authorized' \]/,
    /^%PDF-1\n1\n$/,
    /^canceling$/m,
    /^20\d\d-/m,
  ],
  "src/web/guides/keys.md": [],
  "src/web/guides/monitoring.md": [],
  "src/web/guides/nameservers.md": [],
  "src/web/guides/operating.md": [],
  "src/web/guides/proofs.md": [/^$/, proof, /label: 'Contract 12'/, /^$/, /file_name: 'contract\.txt'/, /^$/],
  "src/web/guides/security-model.md": [/everything is as it was recorded$/m],
  "src/web/guides/signatures.md": [
    /"status":"ready"/,
    /"signature_credits" ?: ?2\b.*sent\s*$/s,
    /^Profession$/m,
    /^\{[0-9a-f-]{36}\} \* 12$/m,
    /^anexo$/m,
    /asks for your signature: Service agreement/,
    /"sends_left" ?: ?4.*"status" ?: ?"completed"/s,
    /"status" ?: ?"completed"/,
    /^\+55\*{9}21$/m,
    /'signed'.*'signed'.*'envelope\.created'.*'envelope\.completed'/s,
    /^$/,
    /^completed\ntrue$/m,
    /^$/,
    /are those that the evidence names[\s\S]*^TEST, PROVES NOTHING/m,
    /^\[ 'Bruno Lima', 'Ana Souza' \]\nvalid\n\[ 'original'/m,
    /^\[ \[ '[^']+', 'valid', 'platform' \] \]$/m,
    /"status" ?: ?"completed"/,
    token,
    token,
    /"next" ?: ?null[^{]*\{"status" ?: ?"invited"/,
    /"next" ?: ?null.*"type" ?: ?"image\/png".*"status" ?: ?"completed".*http.*\/files\//s,
  ],
  "src/web/guides/templates.md": [
    /order_index: 1,[\s\S]*name: null,[\s\S]*name: 'Imobiliária Aurora'/,
    /^sent$/m,
    /^97\n[\s\S]*row 3: template_participant_missing_recipient: recipients\.1 [\s\S]*row 40: [\s\S]*row 99: /m,
    /^the same answer$/m,
    /^97$/m,
    /^active$/m,
  ],
  "src/web/guides/tokens.md": [
    /svc_test_/,
    /first token.*revoked at/s,
    /^dns_.*first key.*revoked at/s,
    /^ana@example\.org +owner +ana +0 +- +set /m,
    /^\{\}$/,
    /"totalCount":0.*"token":"svc_test_.*ended 0 sessions/s,
    /^the person has no second factor$/m,
  ],
  "src/web/guides/verifying.md": [
    /^\d{4}-\d\d-\d\dT.*\ntrue$/m,
    /^envelope_not_found$/m,
    /^$/,
    /^PROVED/m,
    new Elsewhere("a test below: not every machine has the package"),
  ],
  "src/web/guides/webhooks.md": [
    new Elsewhere("the next test runs it: it does not end by itself"),
    /secret: 'whsec_/,
    /"status":"PENDING"/,
    /event_type: 'webhook\.test'/,
    /"replayed":.*"status":"PENDING"/s,
    /status: 'ACTIVE', consecutive_failures: 0 }.*"replayed":/s,
    /secret: 'whsec_.*previous_secret_expires_at: '\d{4}-/s,
  ],
};

let checkout: Clone;
let receiver: WebhookReceiver;
let base: string;
/** Programs in the places of two that only take time: see {@link quickPrograms}. */
let quick: string;
/** What lies in the folder before an example is run. */
let given: readonly string[];
beforeAll(async () => {
  checkout = clone("src", "sql", "workers", "schema", "dist/web", "package.json", "package-lock.json", "tsconfig.json");
  fs.mkdirSync(path.join(checkout.root, ".tmp"));
  for (const file of ["README.md", "SECURITY.md"]) fs.writeFileSync(path.join(checkout.root, file), readDocument(file));
  const port = await freePort();
  base = `http://localhost:${port}`;
  receiver = await startWebhookReceiver();
  copyPrepared(path.join(checkout.root, ".data"));
  const started = selo(
    ["start"],
    { PORT: String(port), SELO_DATA_DIR: path.join(checkout.root, ".data") },
    checkout.root,
  );
  await started.until("Ctrl-C stops everything.");
  quick = quickPrograms(checkout.root);
  given = fs.readdirSync(checkout.root);
}, 60_000);
afterAll(async () => {
  await endPrograms();
  await receiver?.close();
  expect(processesIn(checkout.root)).toEqual([]);
  checkout.remove();
});

/** With the addresses of this run in the places of those that everybody has. */
const here = (code: string) =>
  code.replaceAll("http://localhost:4000", base).replaceAll("http://localhost:3000", receiver.url);

/** With these words npm runs the script of package.json with arguments. */
const RUN_SELO = "run -s selo --";

/**
 * A folder with `npm`, which runs the script of package.json as npm does, without npm's start, and hands all else to npm; and with `sleep`,
 * which does not wait as long as readers may.
 */
function quickPrograms(root: string): string {
  const folder = path.join(root, ".quick");
  fs.mkdirSync(folder);
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const [npm, sleep] = ["npm", "sleep"].map((name) => execFileSync("which", [name], { encoding: "utf8" }).trim());
  const programs = {
    npm: `[ "$1 $2 $3 $4" = "${RUN_SELO}" ] || exec ${npm} "$@"\nshift 4\n${scripts.selo} "$@"`,
    sleep: `exec ${sleep} 0.2`,
  };
  for (const [name, script] of Object.entries(programs))
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

/** Only what a shell has when somebody opens one. */
const environment = (...first: readonly string[]) => ({
  PATH: [...first, path.dirname(process.execPath), process.env["PATH"]].join(":"),
  HOME: process.env["HOME"] ?? checkout.root,
  // mktemp's folders go with the rest.
  TMPDIR: path.join(checkout.root, ".tmp"),
});

/** A function in a shell: on one line, or until a line that is a brace. */
const SHELL_FUNCTION = /^\w+\(\) \{(?:[^\n]*\}$|.*?^\}$)/gms;

/** The shell of a reader, who tries one document from its beginning: variables and functions stay from block to block. */
class Shell {
  readonly #variables = path.join(fs.mkdtempSync(path.join(checkout.root, ".shell-")), "variables");
  readonly #functions: string[] = [];
  readonly #programs: readonly string[];

  /** @param programs folders of programs that come before all others */
  constructor(...programs: readonly string[]) {
    this.#programs = programs;
  }

  async run(code: string): Promise<string> {
    const known = this.#functions.join("\n");
    this.#functions.push(...(code.match(SHELL_FUNCTION) ?? []));
    const script = `if [ -e "$0" ]; then . "$0"; fi; set -a\n${known}\n${code}\nexport -p > "$0"`;
    const { stdout } = await promisify(execFile)("sh", ["-euc", script, this.#variables], {
      cwd: checkout.root,
      env: environment(...this.#programs),
    }).catch((error: Error & { readonly stdout: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
    return stdout;
  }
}

/** Runs a block as a reader does: SQL with psql, GraphQL with the token of the document. */
async function runBlock({ language, code }: CodeBlock, shell: Shell): Promise<string> {
  const file = path.join(checkout.root, `.block.${language}`);
  fs.writeFileSync(file, here(code));
  if (language === "sh") return await shell.run(here(code));
  if (language === "sql") return await shell.run(`psql "$ANALYST" -v ON_ERROR_STOP=1 -f .block.sql`);
  if (language === "python") return await shell.run("python3 .block.python");
  const variables = { input: { sha256: "ab".repeat(32) } };
  fs.writeFileSync(file, JSON.stringify({ query: code, variables }));
  const answer = await shell.run(
    `curl -sS -H "Authorization: Bearer $TOKEN" -H 'content-type: application/json' -d @.block.graphql ${base}/graphql`,
  );
  expect(JSON.parse(answer)).not.toHaveProperty("errors");
  return answer;
}

const blocksOf = (file: string) => codeBlocks(readDocument(file)).filter(({ language }) => RUN.includes(language));

test("every guide is here", () => {
  expect(Object.keys(PRINTS).sort()).toEqual(["README.md", ...GUIDES].sort());
});

describe.each(Object.entries(PRINTS))("%s", (file, prints) => {
  test("each of its examples does what is said of it", async () => {
    const blocks = blocksOf(file);
    expect(blocks).toHaveLength(prints.length);
    // npm itself in the document that everybody reads first.
    const shell = file === "README.md" ? new Shell() : new Shell(quick);
    for (const [place, block] of blocks.entries()) {
      const expected = prints[place] as RegExp | Elsewhere;
      if (expected instanceof Elsewhere) continue;
      // An attempt is listed once it has been made.
      const isListed = block.code.includes("/deliveries?");
      if (isListed) await expect.poll(() => runBlock(block, shell), { timeout: 30_000 }).toMatch(expected);
      else expect(await runBlock(block, shell)).toMatch(expected);
    }
  }, 90_000);
});

test("git ignores every file that the examples write", () => {
  // The shells of this test have names that begin with a dot.
  const written = fs
    .readdirSync(checkout.root, { withFileTypes: true })
    .filter(({ name }) => !given.includes(name) && !name.startsWith("."))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  expect(written).toContain("proof.json");
  const ignored = execFileSync("git", ["check-ignore", "--", ...written], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  expect(ignored.trim().split("\n")).toEqual(written);
});

test("the program in Python accepts what is genuine, and nothing else", async (context) => {
  const shell = new Shell();
  const hasPackage = await shell.run("python3 -c 'import cryptography' 2>/dev/null && echo yes || true");
  if (hasPackage === "") return context.skip("python3 has no package cryptography");
  const blocks = blocksOf("src/web/guides/verifying.md");
  const python = blocks.findLast(({ language }) => language === "python") as CodeBlock;
  for (const block of blocks.slice(0, 3)) await runBlock(block, shell);
  expect(await runBlock(python, shell)).toBe("");
  const file = path.join(checkout.root, "proof.json");
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/"organization":\s*"/g, "$&X"));
  await expect(runBlock(python, shell)).rejects.toThrow("InvalidSignature");
});

test("selo listen prints what arrives, and forwards it", async () => {
  const [{ code }] = blocksOf("src/web/guides/webhooks.md") as [CodeBlock];
  expect(code).toBe("npm run -s selo -- listen --forward http://localhost:3000/hook\n");
  // Its own group, as a terminal makes one: Ctrl-C reaches all of it.
  const child = spawn("sh", ["-euc", here(code).replace("listen", `listen --url ${base}`)], {
    cwd: checkout.root,
    env: environment(),
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(
    () => void (child.exitCode === null && child.signalCode === null && process.kill(-(child.pid ?? 0), "SIGKILL")),
  );
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/whsec_/);
  const before = receiver.received.length;
  const shell = new Shell();
  await shell.run(
    `TOKEN=$(node -p 'require("./.data/demo.json").tokens.test'); curl -sS -H "Authorization: Bearer $TOKEN" -F file=@package.json ${base}/api/v1/proofs`,
  );
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(before);
  await expect.poll(() => printed, { timeout: 30_000 }).toContain("proof.registered");
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-(child.pid ?? 0), "SIGINT");
  await ended;
}, 60_000);
