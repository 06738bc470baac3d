// Clients that @hey-api/openapi-ts, orval (fetch and zod), swagger-typescript-api and openapi-fetch make of schema/openapi.json, as they come.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordTomorrow } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { description, operations } from "../../surfaces/openapi/openapi-document.ts";
import { installedClients } from "./packages.ts";

const run = promisify(execFile);

const PAGE_SIZE = 2;
const MOST_FILE_BYTES = 10_000;
const FILE_TEXT = "a file of a client";
const FILE_SHA256 = createHash("sha256").update(FILE_TEXT).digest("hex");
/** What the task needs, each of which a client may be refused. */
const OPERATIONS = ["registerProof", "uploadProof", "verifyPublicFile", "listProofs", "getProof", "getReceipt"];

/** What test/clients/rest/task.ts says. */
interface Ask {
  readonly code: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly does: "register" | "upload" | "verify" | "list" | "read";
  readonly sha256: string;
  readonly bytes: number;
  readonly key: string | null;
  readonly onTheWay: "nothing" | "its end is cut off" | "its content type is changed";
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
  readonly shown: readonly { readonly expected: string; readonly refusal: unknown }[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-rest-clients-"));
const gateways: TestGateway[] = [];
let selo: TestGateway;

beforeAll(async () => {
  const clients = await installedClients();
  fs.cpSync(path.join(clients, "rest"), folder, { recursive: true });
  fs.copyFileSync(path.join(clients, "package.json"), path.join(folder, "package.json"));
  fs.symlinkSync(path.join(clients, "node_modules"), path.join(folder, "node_modules"));
  await node("generate.ts", path.resolve(import.meta.dirname, "../../../schema/openapi.json"), ".");
  selo = await startTestGateway({ PROOF_MAX_FILE_BYTES: String(MOST_FILE_BYTES) });
  gateways.push(selo);
}, 400_000);
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function node(...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, args, { cwd: folder, timeout: 60_000, maxBuffer: 8 * 1024 * 1024 })).stdout;
  } catch (error) {
    // What tsc complains about it writes to its output.
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${args.join(" ")}\n${stdout}\n${stderr}`, { cause: error });
  }
}

const urlOf = ({ baseUrl }: Pick<TestGateway, "baseUrl">) => `${baseUrl}/api/v1`;
const digest = () => randomBytes(32).toString("hex");

test("what each of them writes compiles in strict mode, with its program, and refuses what is wrong", async () => {
  const files = await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--listFilesOnly");
  for (const name of [
    ...["hey-api.ts", "orval.ts", "orval-zod.ts", "swagger-typescript-api.ts", "openapi-fetch.ts", "mistakes.ts"],
    ...[
      "hey-api/sdk.gen.ts",
      "orval/selo.ts",
      "orval/schemas.ts",
      "swagger-typescript-api/selo.ts",
      "openapi-fetch/selo.ts",
    ],
  ])
    expect(files).toContain(path.join(folder, name));
  await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json");
}, 60_000);

/** Codes of the answers that the description has for the operations of the task. */
function documentedCodes(): string[] {
  const codes = operations
    .filter(({ operationId }) => OPERATIONS.includes(operationId))
    .flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        if (Number(status) < 400) return [];
        const name = String(content?.["application/json"]?.schema["$ref"]).replace("#/components/schemas/", "");
        return description.components.schemas[name]?.["properties"].detail.properties.code.enum as string[];
      }),
    );
  return [...new Set(codes)].sort();
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
    // Its one request is the one above.
    limited: await gatewayWith(async () => {}, { TOKEN_REQUESTS_PER_MINUTE: "1" }),
    broken: await gatewayWith(async ({ database }) => {
      await database.admin.query("drop function gateway.list_proofs");
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
}, 60_000);

/** One for each code, on the gateway that gives it. */
async function asksOf(name: string, { live, token }: TestOrganization): Promise<Ask[]> {
  const common = {
    baseUrl: urlOf(selo),
    token: live,
    sha256: digest(),
    bytes: 10,
    key: null,
    onTheWay: "nothing",
  } as const;
  const key = `conflict-${name}`;
  expect((await call(selo, "POST", "/proofs", { token: live, key, body: { sha256: digest() } })).status).toBe(201);
  const poor = await selo.newOrganization({ credits: 0 });
  const asks: (Partial<Ask> & Pick<Ask, "code" | "does">)[] = [
    { code: "malformed_request", does: "register", onTheWay: "its end is cut off" },
    { code: "malformed_request", does: "upload", onTheWay: "its end is cut off" },
    { code: "unauthenticated", does: "upload", token: "svc_live_nonsense" },
    { code: "insufficient_credits", does: "upload", token: poor.live },
    { code: "missing_scope", does: "list", token: await token("live", ["proofs:write"]) },
    { code: "not_found", does: "read" },
    { code: "proof_not_found", does: "verify" },
    { code: "conflict", does: "register", key },
    { code: "too_large", does: "upload", bytes: MOST_FILE_BYTES + 1 },
    { code: "too_large", does: "verify", bytes: MOST_FILE_BYTES + 1 },
    { code: "unsupported_media_type", does: "register", onTheWay: "its content type is changed" },
    { code: "unsupported_media_type", does: "upload", onTheWay: "its content type is changed" },
    { code: "invalid_request", does: "register", sha256: "no digest" },
    { code: "rate_limited", does: "upload", ...faulty.limited },
    { code: "internal_error", does: "list", ...faulty.broken },
    { code: "clock_behind", does: "upload", ...faulty.behind },
    { code: "unavailable", does: "list", ...faulty.away },
  ];
  return asks.map((ask) => ({ ...common, ...ask }));
}

describe.each(["hey-api", "orval", "orval-zod", "swagger-typescript-api", "openapi-fetch"])("%s", (name) => {
  const sha256 = digest();
  let organization: TestOrganization;
  let asks: Ask[];
  let report: Report;

  beforeAll(async () => {
    organization = await selo.newOrganization();
    for (let made = 0; made < PAGE_SIZE; made++)
      await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: digest() } });
    asks = await asksOf(name, organization);
    const task = { baseUrl: urlOf(selo), token: organization.live, sha256, label: name, pageSize: PAGE_SIZE, asks };
    report = JSON.parse(await node(`built/${name}.js`, JSON.stringify(task)));
  }, 120_000);

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

  test("is refused with every code that the description has for what it does", () => {
    expect([...new Set(asks.map(({ code }) => code))].sort()).toEqual(documentedCodes());
  });

  test("reads each of these errors as its types have it", async () => {
    const { rows } = await selo.database.admin.query<{ code: string; status: number }>(
      "select code, status from platform.error_codes",
    );
    const statuses = new Map(rows.map(({ code, status }) => [code, status]));
    for (const { expected, refusal } of report.shown)
      expect({ expected, refusal }).toEqual({
        expected,
        refusal: {
          status: statuses.get(expected),
          code: expected,
          message: expect.stringMatching(/./),
          requestId: expect.stringMatching(/^[\w.-]+$/),
          documentation: expect.stringMatching(new RegExp(`/guides/errors#${expected}$`)),
          fields: expected === "invalid_request" ? ["sha256"] : null,
        },
      });
    expect(report.shown.map(({ expected }) => expected)).toEqual(asks.map(({ code }) => code));
  });
});
