// Relay and gql.tada, as they come out of the box: what Apollo Client and urql are asked in graphql-clients.test.ts, once of each kind.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { installedClients } from "./packages.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

const PAGE_SIZE = 2;
const MOST_FILE_BYTES = 10_000;
const FILE_TEXT = "a file of another client";

/** What test/clients/graphql-others/task.ts says. */
interface Report {
  readonly ids: readonly string[];
  readonly pages: number;
  readonly filtered: readonly string[];
  readonly registered: unknown;
  readonly kept: readonly string[] | null;
  readonly refetched: string | null;
  readonly uploaded: unknown;
  readonly shown: readonly { readonly expected: string; readonly codes: readonly unknown[] }[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-graphql-others-"));
let selo: TestGateway;
beforeAll(async () => {
  const clients = await installedClients();
  fs.cpSync(path.join(clients, "graphql-others"), folder, { recursive: true });
  fs.copyFileSync(path.join(clients, "package.json"), path.join(folder, "package.json"));
  fs.rmSync(path.join(folder, "node_modules"), { recursive: true, force: true });
  fs.symlinkSync(path.join(clients, "node_modules"), path.join(folder, "node_modules"));
  fs.copyFileSync(path.join(root, "schema/schema.graphql"), path.join(folder, "schema.graphql"));
  fs.mkdirSync(path.join(folder, "__generated__"), { recursive: true });
  await node("node_modules/relay-compiler/cli.js", "relay.config.json");
  await node("node_modules/gql.tada/bin/cli.js", "generate-output");
  selo = await startTestGateway({ PROOF_MAX_FILE_BYTES: String(MOST_FILE_BYTES) });
}, 400_000);
afterAll(async () => {
  await selo?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function node(...args: string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd: folder, timeout: 240_000, maxBuffer: 8 * 1024 * 1024 })).stdout;
}

test("what relay-compiler and gql.tada make of the schema compiles in strict mode, and refuses what is wrong", async () => {
  const files = await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--listFiles");
  for (const name of ["relay.ts", "tada.ts", "mistakes.ts", "__generated__/seloPagesQuery.graphql.ts"])
    expect(files).toContain(path.join(folder, name));
  await node("node_modules/gql.tada/bin/cli.js", "check");
}, 240_000);

const digest = () => randomBytes(32).toString("hex");
const registering = (sha256: string) =>
  `mutation { registerProof(input: {sha256: "${sha256}"}) { created proof { id registeredAt } } }`;

/** One of each kind: of the request, its credentials, a document, its variables, a command, a file. */
async function asksOf({ live: token, ...organization }: TestOrganization) {
  const common = { token, headers: {}, variables: {}, fileBytes: null };
  const key = { "idempotency-key": digest().slice(0, 16) };
  expect((await graphql(selo, token, registering(digest()), {}, key)).status).toBe(200);
  const register = { operation: "register", variables: { input: { sha256: digest() } } };
  const list = { operation: "list", variables: { first: 1 } };
  return [
    { code: "unauthenticated", ...list, token: "svc_live_nonsense" },
    { code: "missing_scope", ...list, token: await organization.token("live", ["labels:read"]) },
    { code: "invalid_request", ...list, variables: { first: "x" } },
    { code: "invalid_request", ...list, variables: { first: 1_000 } },
    { code: "invalid_request", operation: "register", variables: { input: { sha256: "x" } } },
    { code: "insufficient_credits", ...register, token: (await selo.newOrganization({ credits: 0 })).live },
    { code: "conflict", ...register, headers: key },
    { code: "not_found", operation: "remove", variables: { id: "01a1fba4-b4c6-717b-8089-2cd0f88410ec" } },
    { code: "unsupported_media_type", ...register, headers: { "content-type": "text/plain" } },
    { code: "too_large", operation: "upload", variables: { input: { file: null } }, fileBytes: MOST_FILE_BYTES + 1 },
  ].map((ask) => ({ ...common, ...ask }));
}

describe.each([{ name: "relay" }, { name: "tada" }])("$name", ({ name }) => {
  const sha256 = digest();
  let asks: Awaited<ReturnType<typeof asksOf>>;
  let report: Report;
  /** Of all proofs, the newest first. */
  let ids: string[];
  let before: { id: string; registeredAt: string };

  beforeAll(async () => {
    const organization = await selo.newOrganization();
    const { live: token } = organization;
    asks = await asksOf(organization);
    ({ proof: before } = answered<{ proof: typeof before }>(
      await graphql(selo, token, registering(digest())),
      "registerProof",
    ));
    const task = {
      url: `${selo.baseUrl}/graphql`,
      token,
      pageSize: PAGE_SIZE,
      since: before.registeredAt,
      sha256,
      label: name,
      asks,
    };
    report = JSON.parse(await node(`${name}.ts`, JSON.stringify(task)));
    const all = await graphql(selo, token, "{ proofs(first: 200) { nodes { id } } }");
    ids = answered<{ nodes: { id: string }[] }>(all, "proofs").nodes.map(({ id }) => id);
  }, 240_000);

  test("reads a list page by page", () => {
    expect(report.ids).toEqual(ids);
    expect(ids.length).toBe(4);
    expect(report.pages).toBe(ids.length / PAGE_SIZE);
  });

  test("filters a list, and orders it", () => {
    expect(report.filtered).toEqual(ids.slice(0, ids.indexOf(before.id)).reverse());
    expect(report.filtered.length).toBe(2);
  });

  test("registers a proof, which a list that the client keeps takes", () => {
    expect(report.registered).toEqual({ created: true, sha256, label: name });
    if (report.kept !== null) expect(report.kept).toEqual(ids);
  });

  test("reads one object again by its nodeId, over what it keeps of it", () => {
    expect(report.refetched).toBe(name === "relay" ? name : null);
  });

  test("uploads a file", () => {
    const uploaded = { sha256: createHash("sha256").update(FILE_TEXT).digest("hex"), fileName: "annex.txt" };
    expect(report.uploaded).toEqual(uploaded);
  });

  test("shows the code of each refusal", () => {
    expect(report.shown).toEqual(asks.map(({ code }) => ({ expected: code, codes: [code] })));
  });
});
