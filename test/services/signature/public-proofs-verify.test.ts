// POST /public/proofs/verify: a file, hashed as it arrives and thrown away, or a digest (signature-service §4). And
// POST /public/proofs/verify-file, for a file alone.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import {
  call,
  countRows,
  expectError,
  filePart,
  multipartBody,
  type RestResponse,
  sendRaw,
  textPart,
} from "../../support/rest-client.ts";

const MOST = 100_000;
const file = Buffer.concat([Buffer.from("only in the file "), randomBytes(70_000)]);
const sha256 = createHash("sha256").update(file).digest("hex");
const EMPTY = createHash("sha256").digest("hex");

let selo: TestGateway;
let organization: TestOrganization;
let code: string;
let rows: Record<string, number>;
beforeAll(async () => {
  selo = await startTestGateway({ PROOF_MAX_FILE_BYTES: String(MOST), LOG_LEVEL: "trace" });
  organization = await selo.newOrganization();
  const made = await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256, label: "kept" } });
  code = made.body.verification_code;
});
afterAll(() => selo.stop());
// Nothing is written by any of these.
beforeEach(async () => {
  rows = await countRows(selo);
});
afterEach(async () => {
  expect(await countRows(selo)).toEqual(rows);
});

type Parts = Parameters<typeof multipartBody>[0];
const PATH = "/public/proofs/verify";
const OF_FILE = "/public/proofs/verify-file";
function send(parts: Parts, path = PATH): Promise<RestResponse> {
  const { bytes, headers } = multipartBody(parts);
  return call(selo, "POST", path, { body: bytes, headers });
}
const json = (body: object | string) => call(selo, "POST", PATH, { body });

test.each<[string, () => Promise<RestResponse>]>([
  ["a file", () => send([filePart(file, "any name.pdf")])],
  ["a file without its own name", () => send([filePart(file, "")])],
  ["a file on its own path", () => send([filePart(file, "any name.pdf")], OF_FILE)],
  ["a file without a name on its own path", () => send([filePart(file, "")], OF_FILE)],
  ["field sha256", () => send([textPart("sha256", sha256)])],
  ["JSON {sha256}", () => json({ sha256 })],
])("%s finds the proof", async (_, ask) => {
  const { status, body } = await ask();
  expect({ status, code: body.verification_code, label: body.label }).toEqual({ status: 200, code, label: "kept" });
});

test("a pasted digest is found whatever its case, with white space and characters that are not seen", async () => {
  const pieces = sha256.match(/.{8}/g) ?? [];
  const pasted = [
    sha256.toUpperCase(),
    ` ${sha256}\r\n`,
    pieces.join(" "),
    pieces.join("\u00ad"),
    pieces.join("\u200b").toUpperCase(),
    `\ufeff${pieces.join("\u00a0\u2060")}\u200e`,
  ];
  for (const text of pasted) {
    expect((await json({ sha256: text })).body.verification_code).toBe(code);
    expect((await send([textPart("sha256", text)])).body.verification_code).toBe(code);
    const query = `{ verifiedProof(sha256: ${JSON.stringify(text)}) { proof { verificationCode } } }`;
    expect((await graphql(selo, null, query)).data).toEqual({ verifiedProof: { proof: { verificationCode: code } } });
  }
  for (const text of [`0x${sha256}`, sha256.slice(1), `${sha256}0`, `${sha256.slice(1)}ａ`, "\u200b", ""])
    expectError(await json({ sha256: text }), 422, "invalid_request", ["sha256"]);
});

test("a pasted code is found with soft hyphens and characters of no width", async () => {
  for (const text of [code.replaceAll("-", "\u00ad"), [...code.toLowerCase()].join("\u200b"), `\ufeff${code}\u2060`])
    expect((await call(selo, "GET", `/public/proofs/${encodeURIComponent(text)}`)).body.verification_code).toBe(code);
});

test.each([PATH, OF_FILE])(
  "a file sent to %s by fetch's own FormData finds it as well, and leaves nothing of itself in logs or the database",
  async (path) => {
    const form = new FormData();
    form.set("file", new Blob([file]), "quiet name.pdf");
    expect((await call(selo, "POST", path, { body: form })).body.verification_code).toBe(code);
    expect(selo.logs.join("")).not.toMatch(/quiet name|only in the file/);
    expect(await tablesWith("quiet name")).toEqual([]);
    expect(await tablesWith("only in the file")).toEqual([]);
    // The search finds what is there: as text, as bytes.
    expect(await tablesWith("kept")).toContain("signature.proofs");
    expect(await tablesWith(Buffer.from(sha256, "hex"))).toContain("signature.proofs");
  },
);

/** Every table of ours that holds the text, in whatever column, as such or as bytes; or the bytes. */
async function tablesWith(text: string | Buffer): Promise<string[]> {
  const { admin } = selo.database;
  const { rows: tables } = await admin.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'p', 'm') and relnamespace::regnamespace::text in ('platform', 'signature', 'graphile_worker')`);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["graphile_worker._private_jobs"]));
  const found = [];
  for (const { name } of tables) {
    const { rowCount } = await admin.query(
      `select from ${name} as line where strpos(line::text, $1) > 0 or strpos(line::text, $2) > 0 limit 1`,
      [typeof text === "string" ? text : null, Buffer.from(text).toString("hex")],
    );
    if (rowCount === 1) found.push(name);
  }
  return found;
}

test("a large file is hashed as it arrives, and memory does not grow with it", async () => {
  // Its own gateway: the other tests are about a small limit.
  const large = await startGatewayBeside(selo, { PROOF_MAX_FILE_BYTES: String(2 * 1024 ** 3) });
  const piece = randomBytes(1024 ** 2);
  const pieces = 300;
  const hash = createHash("sha256");
  for (let sent = 0; sent < pieces; sent++) hash.update(piece);
  const body = { sha256: hash.digest("hex") };
  const made = await call(large, "POST", "/proofs", { token: organization.live, body });
  rows = await countRows(selo);

  const { bytes, headers } = multipartBody([filePart("|")]);
  const [head, tail] = bytes.toString("latin1").split("|") as [string, string];
  let settled = Number.NaN;
  let most = 0;
  function* file() {
    yield Buffer.from(head, "latin1");
    for (let sent = 0; sent < pieces; sent++) {
      yield piece;
      // What buffers of their usual size take is taken by now.
      if (sent === 50) settled = process.memoryUsage.rss();
      most = Math.max(most, process.memoryUsage.rss());
    }
    yield Buffer.from(tail, "latin1");
  }
  const found = await call(large, "POST", OF_FILE, { body: ReadableStream.from(file()), headers });
  await large.stop();
  expect(found.body.verification_code).toBe(made.body.verification_code);
  // Gateway and sender are one process here: 250 MB went through both. A busy machine collects garbage late.
  expect(most - settled).toBeLessThan(200 * 1024 ** 2);
});

test("an empty file is a file: nobody registered it, 404, until somebody does", async () => {
  expectError(await send([filePart("", "empty.txt")]), 404, "proof_not_found");
  const { live } = await selo.newOrganization();
  await call(selo, "POST", "/proofs", { token: live, body: { sha256: EMPTY } });
  rows = await countRows(selo);
  expect((await send([filePart("", "empty.txt")])).body).toMatchObject({ sha256: EMPTY, label: null });
});

test.each([PATH, OF_FILE])(
  "%s: a file of PROOF_MAX_FILE_BYTES is hashed, of one byte more is 413, announced or not",
  async (path) => {
    expectError(await send([filePart(randomBytes(MOST))], path), 404, "proof_not_found");
    expectError(await send([filePart(randomBytes(MOST + 1))], path), 413, "too_large");
    const { bytes, headers } = multipartBody([filePart(randomBytes(MOST + 1))]);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    expectError(await call(selo, "POST", path, { body: stream, headers }), 413, "too_large");
    const head = `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${headers["content-type"]}\r\nContent-Length: ${MOST * 100}\r\n\r\n`;
    expectError(await sendRaw(selo, head), 413, "too_large");
  },
);

describe("refused with 422", () => {
  test.each<[string, Parts, readonly string[]]>([
    ["both file and sha256", [filePart(file), textPart("sha256", sha256)], ["sha256"]],
    ["both, in the other order", [textPart("sha256", sha256), filePart(file)], ["sha256"]],
    ["neither", [textPart("label", "x")], ["label"]],
    ["an empty sha256", [textPart("sha256", "")], ["sha256"]],
    ["a digest with 0x before it", [textPart("sha256", `0x${sha256}`)], ["sha256"]],
    ["two digests", [textPart("sha256", sha256), textPart("sha256", sha256)], ["sha256"]],
    ["two files", [filePart(file), filePart(file)], ["file"]],
    ["the digest as a file", [filePart(sha256, "x", "sha256")], ["sha256"]],
    ["an unknown field", [filePart(file), textPart("label", "x")], ["label"]],
  ])("multipart with %s", async (_, parts, fields) => {
    expectError(await send(parts), 422, "invalid_request", fields);
  });

  test.each<[string, Parts, readonly string[]]>([
    ["both file and sha256", [filePart(file), textPart("sha256", sha256)], ["sha256"]],
    ["a digest in place of the file", [textPart("sha256", sha256)], ["sha256"]],
    ["two files", [filePart(file), filePart(file)], ["file"]],
    ["an unknown field", [filePart(file), textPart("label", "x")], ["label"]],
    ["the file under another name", [filePart(file, "a.pdf", "document")], ["document"]],
  ])("a file's own path with %s", async (_, parts, fields) => {
    expectError(await send(parts, OF_FILE), 422, "invalid_request", fields);
  });

  test.each<[string, object | string, readonly string[]]>([
    ["a digest of another alphabet", { sha256: "g".repeat(64) }, ["sha256"]],
    ["null", { sha256: null }, ["sha256"]],
    ["nothing", {}, ["sha256"]],
    ["more than it takes", { sha256, label: "x" }, ["label"]],
    ["a file in JSON", { sha256, file: "x" }, ["file"]],
  ])("JSON with %s", async (_, body, fields) => {
    expectError(await json(body), 422, "invalid_request", fields);
  });

  test("parameters in the query", async () => {
    const response = await call(selo, "POST", `${PATH}?sha256=${sha256}`, { body: { sha256 } });
    expectError(response, 422, "invalid_request", ["sha256"]);
  });
});

test.each([PATH, OF_FILE])("%s: a multipart message without parts is 400", async (path) => {
  const { headers } = multipartBody([]);
  expectError(await call(selo, "POST", path, { body: "--selo-boundary--\r\n", headers }), 400, "malformed_request");
});

test("a proof of the test environment is not found by its file", async () => {
  const other = randomBytes(1_000);
  const body = { sha256: createHash("sha256").update(other).digest("hex") };
  await call(selo, "POST", "/proofs", { token: organization.test, body });
  rows = await countRows(selo);
  expectError(await send([filePart(other)]), 404, "proof_not_found");
  expectError(await send([filePart(other)], OF_FILE), 404, "proof_not_found");
});
