// Makes the dump of a release, which later versions must be able to restore, upgrade and serve:
//
//   node test/system/upgrade/make-dump.ts <commit> <name of its last migration>
//
// It runs the release's own code on an embedded Postgres, registers proofs through its own gateway, makes a backup with the
// present `selo backup`, and records what the gateway asks of Postgres afterwards. Run once at a release; commit both files.

import { execFileSync } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { makeBackup } from "../../../src/postgres/backup/make-backup.ts";
import { urlsOf } from "../../../src/postgres/databases.ts";
import { startEmbeddedPostgres } from "../../../src/postgres/embedded/embedded.ts";
import { createDatabase } from "../../../src/postgres/embedded/embedded-url.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { selo, seloJson } from "../../support/selo-process.ts";
import { checkOut, type RecordedProof, type Release, type Statement } from "./release.ts";

type Environment = Readonly<Record<string, string>>;

/** Most rounds of requests that should travel together. One is often enough. */
const MOST_ROUNDS = 50;

const [revision, name] = process.argv.slice(2);
if (revision === undefined || name === undefined)
  throw new Error("usage: make-dump.ts <commit> <name of its last migration>");
const commit = execFileSync("git", ["rev-parse", `${revision}^{commit}`], { encoding: "utf8" }).trim();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dump-"));
const checkout = path.join(folder, "checkout");
fs.mkdirSync(checkout);
const reason = checkOut(commit, checkout);
if (reason !== null) throw new Error(reason);
const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, "data"), env: process.env });
try {
  await createDatabase(postgres, "selo");
  const urls = urlsOf(postgres, postgres.password);
  const release = await makeData(urls.adminUrl, {
    DATABASE_URL: urls.appUrl,
    DATABASE_ADMIN_URL: urls.adminUrl,
    DATABASE_WORKER_URL: urls.workerUrl,
    SELO_MASTER_KEY: TEST_MASTER_KEY,
    SELO_DATA_DIR: path.join(folder, "selo"),
    PUBLIC_URL: "http://selo.test",
    PORT: "0",
    LOG_LEVEL: "silent",
  });
  fs.writeFileSync(path.join(import.meta.dirname, `${name}.json`), `${JSON.stringify(release, null, 2)}\n`);
} finally {
  await postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}

async function makeData(adminUrl: string, environment: Environment): Promise<Release> {
  const ask = <Result>(...args: string[]) => seloJson<Result>(args, environment, checkout);
  await ask("migrate");
  const { id: organization } = await ask<{ id: string }>(
    "org",
    "create",
    "--name",
    "Açaí & Filhos",
    "--language",
    "pt-BR",
  );
  await ask("org", "create", "--name", "Another Organization");
  await ask("credits", "grant", "--org", organization, "--amount", "1000000");
  const token = (env: string, scopes: string) =>
    ask<{ id: string; token: string }>(
      "token",
      "create",
      "--org",
      organization,
      "--env",
      env,
      "--scopes",
      scopes,
      "--name",
      env,
    );
  const [live, test, revoked] = [
    await token("live", "all"),
    await token("test", "all"),
    await token("live", "proofs:read"),
  ];
  await ask("token", "revoke", revoked.id);
  const tokens = { live: live.token, test: test.token, revoked: revoked.token };

  const file = path.join(import.meta.dirname, `${name}.backup`);
  fs.rmSync(file, { force: true }); // of an earlier run: a backup does not overwrite
  const made = await withGateway(environment, async (base) => ({
    ...(await registerProofs(base, tokens)),
    webhook: await registerWebhook(base, tokens),
  }));
  const objects = () => FolderStore.existing(path.join(folder, "objects"));
  await makeBackup({ adminUrl, file, seloVersion: `${name} (${commit.slice(0, 7)})`, objects });

  const recording = path.join(folder, "statements");
  const recorder = {
    RECORD_STATEMENTS_TO: recording,
    NODE_OPTIONS: `--import ${path.join(import.meta.dirname, "record-statements.ts")}`,
  };
  const recorded = () => {
    const lines = fs.readFileSync(recording, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Statement);
  };
  await withGateway({ ...environment, ...recorder }, (base) =>
    useEverything(base, tokens, made.keyed.answer, recorded),
  );
  const statements = recorded();
  const spent = made.proofs.filter((proof) => proof.environment === "live").length;
  const { version } = JSON.parse(fs.readFileSync(path.join(checkout, "package.json"), "utf8")) as { version: string };
  return {
    name: name ?? "",
    version,
    commit,
    organization,
    tokens,
    ...made,
    creditsLeft: 1_000_000 - spent,
    statements,
  };
}

async function withGateway<Result>(environment: Environment, work: (base: string) => Promise<Result>): Promise<Result> {
  const gateway = selo(["gateway", "--json"], environment, checkout);
  try {
    const { port } = JSON.parse(await gateway.until("\n")) as { port: number };
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    gateway.child.kill("SIGTERM");
    await gateway.finished;
  }
}

async function post(base: string, token: string, body: object | FormData, key?: string) {
  const json = !(body instanceof FormData);
  const answer = await fetch(`${base}/api/v1/proofs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(json ? { "content-type": "application/json" } : {}),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: json ? JSON.stringify(body) : body,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return { status: answer.status, proof: (await answer.json()) as RecordedProof };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Few, because every byte is kept for ever: with and without label, name and size, uploaded and by digest, live and test. */
async function registerProofs(base: string, tokens: Release["tokens"]): Promise<Pick<Release, "proofs" | "keyed">> {
  const upload = new FormData();
  upload.set("file", new Blob(["The parties agree.\n"]), "acordo não.txt");
  upload.set("label", "Contract 12: tab\t, \\N and 100%");
  const request = { sha256: digest("keyed"), label: "with a key", file_name: "a.pdf", file_size: 2 ** 53 - 1 };
  const key = randomUUID();
  const keyed = await post(base, tokens.live, request, key);
  const others = [
    { environment: "live", ...(await post(base, tokens.live, upload)) },
    { environment: "live", ...(await post(base, tokens.live, { sha256: digest("alone") })) },
    { environment: "test", ...(await post(base, tokens.test, { sha256: digest("keyed"), label: "the same digest" })) },
  ] as const;
  return {
    keyed: { key, request, status: keyed.status, answer: keyed.proof },
    proofs: [
      { environment: "live", ...keyed.proof },
      ...others.map(({ environment, proof }) => ({ environment, ...proof })),
    ],
  };
}

async function write(base: string, token: string, method: string, where: string, body?: object) {
  const answer = await fetch(`${base}/api/v1${where}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
  return (await answer.json().catch(() => ({}))) as { id: string; url: string };
}

/** With a secret that was rotated. Nothing is ever sent to it: no worker runs. */
async function registerWebhook(base: string, tokens: Release["tokens"]): Promise<{ id: string; url: string }> {
  const body = { url: "https://example.com/hook", description: "Açaí", event_types: ["proof.*"] };
  const { id, url } = await write(base, tokens.live, "POST", "/webhooks", body);
  await write(base, tokens.live, "POST", `/webhooks/${id}/rotate`);
  return { id, url };
}

/**
 * Sends requests at the same moment until the gateway asks several things in one statement, because chance decides which of them arrive together.
 * @param command that the calls in the statement make
 * @param statements recorded so far
 */
async function togetherIn(command: string, statements: () => readonly Statement[], send: () => Promise<unknown>) {
  const isRecorded = () =>
    statements().some(
      ({ text, values: [calls] }) => text.includes("gateway.call_many") && String(calls).includes(command),
    );
  for (let round = 0; !isRecorded(); round++) {
    if (round === MOST_ROUNDS)
      throw new Error(`${MOST_ROUNDS} rounds of requests, and no gateway.call_many with ${command}`);
    await send();
  }
}

/** One request of every kind that a release answers; a path it does not know yet is 404 without a statement. */
async function useEverything(
  base: string,
  tokens: Release["tokens"],
  proof: RecordedProof,
  statements: () => readonly Statement[],
): Promise<void> {
  const get = async (where: string, token: string | null = tokens.live) => {
    const answer = await fetch(`${base}${where}`, {
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
    });
    await answer.arrayBuffer();
  };
  const graphql = async (query: string) => {
    const headers = { authorization: `Bearer ${tokens.live}`, "content-type": "application/json" };
    await (await fetch(`${base}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) })).arrayBuffer();
  };
  const fresh = () => randomBytes(32).toString("hex");
  await get("/readyz", null);
  await post(base, tokens.live, { sha256: fresh(), label: "recorded" });
  await post(base, tokens.live, { sha256: fresh() }, randomUUID());
  await post(base, tokens.live, { sha256: proof.sha256 });
  await get(`/api/v1/proofs/${proof.id}`);
  await get(`/api/v1/proofs/${proof.id}`, tokens.revoked);
  await get(`/api/v1/proofs/${randomUUID()}`);
  await get("/api/v1/proofs?limit=2");
  await get(`/api/v1/proofs?search=${proof.sha256.slice(0, 8)}`);
  await get(`/api/v1/proofs/${proof.id}/receipt`);
  await get("/api/v1/public/platform-key", null);
  await get(`/api/v1/public/proofs/${proof.verification_code}`, null);
  await graphql(`{ proof(id: "${proof.id}") { id label evidence } proofs(first: 2) { nodes { id verifyUrl } } }`);
  // Those that arrive together travel together, each organization's environment on its own behalf. The first leaves alone.
  for (const command of ["prepare_proofs", "record_proofs"])
    await togetherIn(command, statements, () =>
      Promise.all(
        [tokens.live, tokens.live, tokens.test, tokens.test].map((token) => post(base, token, { sha256: fresh() })),
      ),
    );
  await togetherIn("get_proof", statements, () =>
    Promise.all(Array.from({ length: 8 }, () => get(`/api/v1/proofs/${proof.id}`))),
  );
  await graphql("{ __typename }");
  for (const where of ["/billing/balance", "/billing/usage", "/billing/plan", "/audit?limit=2", "/events?limit=2"])
    await get(`/api/v1${where}`);
  await get("/api/v1/public/audit-seals", null);
  await graphql(
    "{ creditBalances { nodes { kind } } auditEvents(first: 2) { nodes { action } } webhookEndpoints(first: 2) { nodes { url } } }",
  );
  const { id } = await write(base, tokens.live, "POST", "/webhooks", {
    url: "https://example.com/other",
    event_types: ["*"],
  });
  await get("/api/v1/webhooks");
  await write(base, tokens.live, "PATCH", `/webhooks/${id}`, { description: "other" });
  for (const action of ["rotate", "disable", "enable", "test"])
    await write(base, tokens.live, "POST", `/webhooks/${id}/${action}`);
  await get(`/api/v1/webhooks/${id}`);
  await get(`/api/v1/webhooks/${id}/deliveries`);
  await write(base, tokens.live, "DELETE", `/webhooks/${id}`);
  await graphql(`mutation { registerProof(input: {sha256: "${fresh()}"}) { created proof { id } } }`);
}
