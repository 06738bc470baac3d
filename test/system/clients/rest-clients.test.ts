// Clients that @hey-api/openapi-ts, orval (fetch and zod), swagger-typescript-api and openapi-fetch make of schema/openapi.json, as they come.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expiredSession } from "../../services/accounts/accounts-stage.ts";
import { recordTomorrow } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { description, operations } from "../../surfaces/openapi/openapi-document.ts";
import { keepWindows } from "./endless-windows.ts";
import { installedClients } from "./packages.ts";

const run = promisify(execFile);

const PAGE_SIZE = 2;
const MOST_FILE_BYTES = 10_000;
const FILE_TEXT = "a file of a client";
const FILE_SHA256 = createHash("sha256").update(FILE_TEXT).digest("hex");
/** What a client is asked to do, and which operation that is. */
const OPERATIONS = {
  register: "registerProof",
  upload: "uploadProof",
  verify: "verifyPublicFile",
  list: "listProofs",
  read: "getProof",
  receipt: "getReceipt",
} as const;
type Does = keyof typeof OPERATIONS;
const WITHOUT_BODY: ReadonlySet<Does> = new Set(["list", "read", "receipt"]);

/** What test/clients/rest/task.ts says. */
interface Ask {
  readonly code: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly does: Does;
  readonly bytes: number;
  readonly proofId: string | null;
  readonly key: string | null;
  readonly cookie: string | null;
  readonly onTheWay:
    | "nothing"
    | "its end is cut off"
    | "its content type is changed"
    | "it is filled up"
    | "its address is broken"
    | "its address has a member more"
    | "it asks for a part that no file has";
}
interface Report {
  readonly registered: { readonly id: string };
  readonly uploaded: { readonly id: string };
  readonly verified: unknown;
  readonly receipt: { readonly sha256: string; readonly begins: string };
  readonly pages: readonly {
    readonly ids: readonly string[];
    readonly next: string | null;
    readonly link: string | null;
  }[];
  readonly shown: readonly { readonly does: Does; readonly expected: string; readonly refusal: unknown }[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-rest-clients-"));
const gateways: TestGateway[] = [];
let selo: TestGateway;

beforeAll(async () => {
  const clients = await installedClients();
  fs.cpSync(path.join(clients, "rest"), folder, { recursive: true });
  fs.copyFileSync(path.join(clients, "package.json"), path.join(folder, "package.json"));
  fs.symlinkSync(path.join(clients, "node_modules"), path.join(folder, "node_modules"));
  const document = path.resolve(import.meta.dirname, "../../../schema/openapi.json");
  await node("generate.ts", document, ".");
  await node(
    "write-smallest.ts",
    document,
    ".",
    "hey-api",
    "orval",
    "orval-zod",
    "swagger-typescript-api",
    "openapi-fetch",
  );
  selo = await startTestGateway({
    PROOF_MAX_FILE_BYTES: String(MOST_FILE_BYTES),
    PUBLIC_REQUESTS_PER_MINUTE: "1000",
  });
  gateways.push(selo);
}, 400_000);
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function node(...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { cwd: folder, timeout: 240_000, maxBuffer: 8 * 1024 * 1024 })).stdout;
  } catch (error) {
    // What tsc complains about it writes to its output.
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}

const urlOf = ({ baseUrl }: Pick<TestGateway, "baseUrl">) => `${baseUrl}/api/v1`;
const digest = () => randomBytes(32).toString("hex");

test("what each of them writes compiles in strict mode, with its program and the smallest body of every operation, and refuses what is wrong", async () => {
  const files = await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--listFiles");
  for (const name of [
    ...[
      "hey-api.ts",
      "orval.ts",
      "orval-zod.ts",
      "swagger-typescript-api.ts",
      "openapi-fetch.ts",
      "mistakes.ts",
      "smallest.ts",
    ],
    ...[
      "hey-api/sdk.gen.ts",
      "orval/selo.ts",
      "orval/schemas.ts",
      "swagger-typescript-api/selo.ts",
      "openapi-fetch/selo.ts",
    ],
  ])
    expect(files).toContain(path.join(folder, name));
}, 240_000);

/** What a client is asked to do, and the code that it is refused with: each that the description has. */
function documentedErrors(does: readonly Does[]): [Does, string][] {
  return does.flatMap((each) => {
    const operation = operations.find(({ operationId }) => operationId === OPERATIONS[each]);
    return Object.entries(operation?.responses ?? {}).flatMap(([status, { content }]) => {
      if (Number(status) < 400) return [];
      const name = String(content?.["application/json"]?.schema["$ref"]).replace("#/components/schemas/", "");
      const codes = description.components.schemas[name]?.["properties"].detail.properties.code.enum as string[];
      return codes.map((code): [Does, string] => [each, code]);
    });
  });
}

/** A gateway with a fault, whose token it has seen before. */
async function gatewayWith(fault: (gateway: TestGateway) => Promise<void>, environment = {}) {
  const gateway = await startTestGateway(environment);
  gateways.push(gateway);
  const { live: token } = await gateway.newOrganization();
  expect((await call(gateway, "POST", "/proofs", { token, body: { sha256: digest() } })).status).toBe(201);
  await fault(gateway);
  return { baseUrl: urlOf(gateway), token };
}

let faulty: Record<"limited" | "broken" | "behind" | "away", { readonly baseUrl: string; readonly token: string }>;
beforeAll(async () => {
  faulty = {
    limited: await gatewayWith(
      async (gateway) => {
        await call(gateway, "POST", "/public/proofs/verify", { body: { sha256: digest() } });
        await keepWindows(gateway);
      },
      { TOKEN_REQUESTS_PER_MINUTE: "1", PUBLIC_REQUESTS_PER_MINUTE: "1" },
    ),
    broken: await gatewayWith(async ({ database }) => {
      const functions = ["prepare_proofs", "list_proofs", "get_proof", "prepare_receipt", "find_proof_of_digest"];
      for (const name of functions) await database.admin.query(`drop function gateway.${name}`);
    }),
    behind: await gatewayWith(async ({ database }) => {
      await recordTomorrow(database);
    }),
    away: await gatewayWith(async ({ database }) => {
      await database.admin.query(`alter database ${database.name} connection limit 0`);
      await database.admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'selo gateway' and datname = current_database()",
      );
    }),
  };
}, 240_000);

/** One for each error, on the gateway that gives it. */
async function asksOf(name: string, { id, live, token }: TestOrganization, does: readonly Does[]): Promise<Ask[]> {
  const common = {
    baseUrl: urlOf(selo),
    token: live,
    bytes: 10,
    proofId: null,
    key: null,
    cookie: null,
    onTheWay: "nothing",
  } as const;
  const key = `conflict-${name}`;
  const proof = await call(selo, "POST", "/proofs", { token: live, key, body: { sha256: digest() } });
  expect(proof.status).toBe(201);
  const form = new FormData();
  form.set("file", new Blob([randomBytes(20)]));
  expect((await call(selo, "POST", "/proofs/files", { token: live, key, body: form })).status).toBe(201);
  const poor = await selo.newOrganization({ credits: 0 });
  const withoutScope = await token("live", ["labels:read"]);
  const { cookie } = await expiredSession(selo, { id });

  const way: Readonly<Record<string, (does: Does) => Partial<Ask>>> = {
    malformed_request: (each) => ({
      onTheWay: WITHOUT_BODY.has(each) ? "its address is broken" : "its end is cut off",
    }),
    unauthenticated: () => ({ token: "svc_live_nonsense" }),
    session_expired: () => ({ cookie }),
    insufficient_credits: () => ({ token: poor.live }),
    missing_scope: () => ({ token: withoutScope }),
    // What is asked for, nobody has.
    not_found: () => ({}),
    proof_not_found: () => ({}),
    conflict: () => ({ key }),
    range_not_satisfiable: () => ({ proofId: proof.body.id, onTheWay: "it asks for a part that no file has" }),
    too_large: (each) => (each === "register" ? { onTheWay: "it is filled up" } : { bytes: MOST_FILE_BYTES + 1 }),
    unsupported_media_type: () => ({ onTheWay: "its content type is changed" }),
    invalid_request: () => ({ onTheWay: "its address has a member more" }),
    rate_limited: () => faulty.limited,
    internal_error: () => faulty.broken,
    clock_behind: () => faulty.behind,
    unavailable: () => faulty.away,
  };
  return documentedErrors(does).map(([each, code]) => {
    const own = way[code];
    if (own === undefined) throw new Error(`say what ${code} comes from`);
    return { ...common, code, does: each, ...own(each) };
  });
}

const EVERY = Object.keys(OPERATIONS) as Does[];
// These two look at the type of the success alone, and read the error of a file as a file.
const BUT_FILES = EVERY.filter((does) => does !== "receipt");

describe.each([
  { name: "hey-api", does: EVERY },
  { name: "orval", does: BUT_FILES },
  { name: "orval-zod", does: EVERY },
  { name: "swagger-typescript-api", does: BUT_FILES },
  { name: "openapi-fetch", does: EVERY },
])("$name", ({ name, does }) => {
  const sha256 = digest();
  let organization: TestOrganization;
  let asks: Ask[];
  let report: Report;

  beforeAll(async () => {
    organization = await selo.newOrganization();
    for (let made = 0; made < PAGE_SIZE; made++)
      await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: digest() } });
    asks = await asksOf(name, organization, does);
    const task = { baseUrl: urlOf(selo), token: organization.live, sha256, label: name, pageSize: PAGE_SIZE, asks };
    report = JSON.parse(await node(`built/${name}.js`, JSON.stringify(task)));
  }, 240_000);

  const get = (where: string) => call(selo, "GET", where, { token: organization.live });

  test("registers a digest", async () => {
    expect(report.registered).toMatchObject({ status: 201, sha256, label: name, fileName: null, created: true });
    expect((await get(`/proofs/${report.registered.id}`)).body).toMatchObject({ sha256, label: name });
  });

  test("registers a file, and finds its earliest proof without a token", async () => {
    expect(report.uploaded).toMatchObject({
      status: 201,
      sha256: FILE_SHA256,
      label: name,
      fileName: "contract.txt",
      fileSize: Buffer.byteLength(FILE_TEXT),
      created: true,
    });
    const { body } = await call(selo, "POST", "/public/proofs/verify", { body: { sha256: FILE_SHA256 } });
    expect(report.verified).toEqual({ id: body.id, sha256: FILE_SHA256, valid: true });
  });

  test("reads a receipt, byte for byte", async () => {
    const { bytes } = await get(`/proofs/${report.registered.id}/receipt`);
    expect(report.receipt).toEqual({ sha256: createHash("sha256").update(bytes).digest("hex"), begins: "%PDF-" });
  });

  test("reads a list page by page, by the cursor that Link has, too", async () => {
    const { items } = (await get("/proofs?limit=200&fields=id")).body;
    expect(report.pages.flatMap(({ ids }) => ids)).toEqual(items.map(({ id }: { id: string }) => id));
    expect(report.pages.length).toBe(Math.ceil(items.length / PAGE_SIZE));
    expect(report.pages.length).toBeGreaterThan(1);
    for (const { next, link } of report.pages) {
      const address = /<([^>]+)>; rel="next"/.exec(link ?? "")?.[1];
      const there = address === undefined ? null : new URL(address).searchParams;
      // Its schema of the query puts in the default of `offset`, and Link then goes on by offsets.
      if (name === "orval-zod") expect(there === null).toBe(next === null);
      else expect(there === null ? null : there.get("cursor")).toBe(next);
    }
  });

  test("reads each error that the description has of what it does, as its types have it", async () => {
    expect(asks.length).toBeGreaterThan(40);
    const { rows } = await selo.database.admin.query<{ code: string; status: number }>(
      "select code, status from platform.error_codes",
    );
    const statuses = new Map(rows.map(({ code, status }) => [code, status]));
    for (const { does, expected, refusal } of report.shown)
      expect({ does, expected, refusal }).toEqual({
        does,
        expected,
        refusal: {
          status: statuses.get(expected),
          code: expected,
          message: expect.stringMatching(/./),
          requestId: expect.stringMatching(/^[\w.-]+$/),
          documentation: expect.stringMatching(new RegExp(`/guides/errors#${expected}$`)),
          fields: expected === "invalid_request" ? ["unknown"] : null,
        },
      });
    expect(report.shown.map(({ does, expected }) => [does, expected])).toEqual(documentedErrors(does));
  });
});
