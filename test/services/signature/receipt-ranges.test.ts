// GET /proofs/{id}/receipt in parts and with conditions (RFC 9110 §13, §14), by fetch and by curl.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { call, countRows, expectError, type RestResponse } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";

let selo: TestGateway;
let organization: TestOrganization;
let receipt: string;
let whole: Buffer;
let etag: string;
let disposition: string;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Acme" });
  const { id, verification_code: code } = await register();
  receipt = `/proofs/${id}/receipt`;
  const first = await ask({});
  whole = first.bytes;
  etag = first.headers.get("etag") ?? "";
  disposition = `inline; filename="receipt-${code}.pdf"`;
});
afterAll(() => selo.stop());

async function register(label = "Contract 12"): Promise<RestResponse["body"]> {
  const body = { sha256: randomBytes(32).toString("hex"), label };
  return (await call(selo, "POST", "/proofs", { token: organization.live, body })).body;
}
const ask = (headers: Record<string, string>, method = "GET") =>
  call(selo, method, receipt, { token: organization.live, headers });

/** The headers that say what a file is and which part of it came. */
function fileHeaders({ headers }: Pick<RestResponse, "headers">) {
  const names = ["accept-ranges", "content-disposition", "content-length", "content-range", "content-type", "etag"];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

function expectPart(response: RestResponse, start: number, end: number): void {
  expect(response.status).toBe(206);
  expect(fileHeaders(response)).toEqual({
    "accept-ranges": "bytes",
    "content-disposition": disposition,
    "content-length": String(end - start + 1),
    "content-range": `bytes ${start}-${end}/${whole.length}`,
    "content-type": "application/pdf",
    etag,
  });
  expect(response.bytes.equals(whole.subarray(start, end + 1))).toBe(true);
}

function expectWhole(response: RestResponse): void {
  expect(response.status).toBe(200);
  expect(fileHeaders(response)).toEqual({
    "accept-ranges": "bytes",
    "content-disposition": disposition,
    "content-length": String(whole.length),
    "content-range": null,
    "content-type": "application/pdf",
    etag,
  });
  expect(response.bytes.equals(whole)).toBe(true);
}

function expectKnown(response: RestResponse): void {
  expect({ status: response.status, text: response.text }).toEqual({ status: 304, text: "" });
  expect(fileHeaders(response)).toEqual({
    "accept-ranges": "bytes",
    "content-disposition": null,
    "content-length": null,
    "content-range": null,
    "content-type": null,
    etag,
  });
}

function expectNone(response: RestResponse): void {
  expectError(response, 416, "range_not_satisfiable");
  expect(fileHeaders(response)).toEqual({
    "accept-ranges": "bytes",
    "content-disposition": null,
    "content-length": String(response.bytes.length),
    "content-range": `bytes */${whole.length}`,
    "content-type": "application/json; charset=utf-8",
    etag: null,
  });
}

test("its ETag is strong, and the SHA-256 of its bytes", () => {
  expect(etag).toBe(`"${createHash("sha256").update(whole).digest("base64url")}"`);
});

describe("every combination of the headers", () => {
  const length = () => whole.length;
  /** Values of each header, and what each makes of the answer; null: the header is absent. */
  const ranges: readonly (readonly [string | null, (response: RestResponse) => void])[] = [
    [null, expectWhole],
    ["bytes=0-0", (response) => expectPart(response, 0, 0)],
    ["bytes=100-199", (response) => expectPart(response, 100, 199)],
    ["bytes=100-", (response) => expectPart(response, 100, length() - 1)],
    ["bytes=-100", (response) => expectPart(response, length() - 100, length() - 1)],
    ["bytes=0-999999999", (response) => expectPart(response, 0, length() - 1)],
    ["bytes=-999999999", (response) => expectPart(response, 0, length() - 1)],
    ["bytes=999999999-", expectNone],
    ["bytes=-0", expectNone],
    ["bytes=0-1,5-6", expectWhole],
    ["bytes=9-1", expectWhole],
    ["bytes=x", expectWhole],
    ["lines=1-2", expectWhole],
  ];
  const knowing = {
    known: () => [etag, `W/${etag}`, `"other", ${etag}`, "*"],
    unknown: () => [null, '"other"', "nonsense"],
  };
  const belonging = {
    same: () => [null, etag],
    other: () => ['"other"', `W/${etag}`, new Date().toUTCString(), "nonsense"],
  };
  const headersOf = (values: Record<string, string | null>) =>
    Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null));

  test.each(ranges)("Range: %s", async (range, expectAnswer) => {
    for (const ifRange of belonging.same())
      for (const ifNoneMatch of knowing.unknown())
        expectAnswer(await ask(headersOf({ range, "if-range": ifRange, "if-none-match": ifNoneMatch })));
    // The parts that the caller has belong to another file, as far as can be known: he gets all of this one.
    for (const ifRange of belonging.other())
      for (const ifNoneMatch of knowing.unknown())
        expectWhole(await ask(headersOf({ range, "if-range": ifRange, "if-none-match": ifNoneMatch })));
    // Who has the file already gets none of it, whatever part he asks for (§13.2.2).
    for (const ifRange of [...belonging.same(), ...belonging.other()])
      for (const ifNoneMatch of knowing.known())
        expectKnown(await ask(headersOf({ range, "if-range": ifRange, "if-none-match": ifNoneMatch })));
  });

  test.each(ranges.map(([range]) => range))("HEAD, Range: %s: the headers of GET without a range", async (range) => {
    const got = fileHeaders(await ask({}));
    for (const ifRange of [null, etag, '"other"']) {
      const head = await ask(headersOf({ range, "if-range": ifRange }), "HEAD");
      expect({ status: head.status, ...fileHeaders(head), text: head.text }).toEqual({
        status: 200,
        ...got,
        text: "",
      });
      expectKnown(await ask(headersOf({ range, "if-range": ifRange, "if-none-match": etag }), "HEAD"));
    }
  });
});

test("what was asked for and by whom is decided before its parts are", async () => {
  const range = { range: "bytes=999999999-", "if-none-match": "*" };
  const stranger = await selo.newOrganization();
  const writer = await organization.token("live", ["proofs:write"]);
  const rows = await countRows(selo);
  const get = (token: string | null, where = receipt) => call(selo, "GET", where, { token, headers: range });
  expectError(await get(null), 401, "unauthenticated");
  expectError(await get(writer), 403, "missing_scope");
  for (const token of [stranger.live, organization.test]) expectError(await get(token), 404, "not_found");
  expectError(await get(organization.live, "/proofs/x/receipt"), 422, "invalid_request", ["id"]);
  expectError(await get(organization.live, `${receipt}?a=1`), 422, "invalid_request", ["a"]);
  expect(await countRows(selo)).toEqual(rows);
});

describe("the bytes of a receipt", () => {
  test("are the same from another gateway, which renders in a thread of its own, so that parts of both fit", async () => {
    const beside = await startGatewayBeside(selo);
    try {
      // With embedded fonts.
      const { id } = await register("漢字 ação 😀 Ω");
      const get = (target: Pick<TestGateway, "baseUrl">, headers: Record<string, string> = {}) =>
        call(target, "GET", `/proofs/${id}/receipt`, { token: organization.live, headers });
      const all = await get(selo);
      const half = Math.floor(all.bytes.length / 2);
      const begin = await get(selo, { range: `bytes=0-${half - 1}` });
      const rest = await get(beside, { range: `bytes=${half}-`, "if-range": begin.headers.get("etag") ?? "" });
      expect([begin.status, rest.status]).toEqual([206, 206]);
      expect(Buffer.concat([begin.bytes, rest.bytes]).equals(all.bytes)).toBe(true);
    } finally {
      await beside.stop();
    }
  });

  test("have another ETag once what is printed changes, and a part of the old ones is not added to", async () => {
    const own = await selo.newOrganization({ language: "en" });
    const made = await call(selo, "POST", "/proofs", { token: own.live, body: { sha256: "ab".repeat(32) } });
    const get = (headers: Record<string, string> = {}) =>
      call(selo, "GET", `/proofs/${made.body.id}/receipt`, { token: own.live, headers });
    const before = await get();
    await tamper(selo.database, ["update platform.organizations set language = 'pt-BR' where id = $1", [own.id]]);
    const old = before.headers.get("etag") ?? "";
    const resumed = await get({ range: "bytes=100-", "if-range": old, "if-none-match": old });
    expect(resumed.status).toBe(200);
    expect(resumed.headers.get("etag")).not.toBe(old);
    expect(resumed.bytes.equals(before.bytes)).toBe(false);
    expect((await get()).bytes.equals(resumed.bytes)).toBe(true);
  });
});

describe("curl", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-ranges-"));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const curl = async (file: string, ...options: string[]) => {
    const { stdout } = await promisify(execFile)("curl", [
      ...["--silent", "--show-error", "--header", `Authorization: Bearer ${organization.live}`],
      ...["--output", path.join(folder, file), "--write-out", "%{http_code}", ...options],
      `${selo.baseUrl}/api/v1${receipt}`,
    ]);
    return stdout;
  };
  const read = (file: string) => fs.readFileSync(path.join(folder, file));

  test.each([
    ["0-99", () => whole.subarray(0, 100)],
    ["100-", () => whole.subarray(100)],
    ["-7", () => whole.subarray(-7)],
  ])("-r %s", async (range, meant) => {
    expect(await curl(`part${range}`, "-r", range)).toBe("206");
    expect(read(`part${range}`).equals(meant())).toBe(true);
  });

  test("-r of several ranges gets the whole file, and of none 416", async () => {
    expect(await curl("several", "-r", "0-1,3-4")).toBe("200");
    expect(read("several").equals(whole)).toBe(true);
    expect(await curl("beyond", "-r", `${whole.length}-`)).toBe("416");
    expect(JSON.parse(read("beyond").toString())).toMatchObject({ detail: { code: "range_not_satisfiable" } });
  });

  test("-C - goes on where a download broke off", async () => {
    fs.writeFileSync(path.join(folder, "broken"), whole.subarray(0, 1234));
    expect(await curl("broken", "--continue-at", "-")).toBe("206");
    expect(read("broken").equals(whole)).toBe(true);
  });

  test("--etag-compare does not load what it has", async () => {
    const known = path.join(folder, "etag");
    expect(await curl("first", "--etag-save", known)).toBe("200");
    expect(read("first").equals(whole)).toBe(true);
    expect(await curl("again", "--etag-compare", known)).toBe("304");
    expect(fs.existsSync(path.join(folder, "again")) ? read("again").length : 0).toBe(0);
  });
});

test("a hundred readers at once each get their part", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, number) => {
      const { status, bytes } = await ask({ range: `bytes=${number * 50}-` });
      return status === 206 && bytes.equals(whole.subarray(number * 50));
    }),
  );
  expect(answers).toEqual(Array(100).fill(true));
});
