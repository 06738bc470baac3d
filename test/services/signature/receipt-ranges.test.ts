// GET /proofs/{id}/receipt in parts and with conditions (RFC 9110 §13, §14), by fetch and by curl.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGatewayBeside, type TestGateway } from "../../support/gateway.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";
import {
  belonging,
  expectHead,
  expectKnown,
  expectWhole,
  knowing,
  openReceiptStage,
  RANGES,
  type ReceiptStage,
} from "./receipt-range-stage.ts";

let stage: ReceiptStage;
beforeAll(async () => {
  stage = await openReceiptStage();
});
afterAll(() => stage?.selo.stop());

test("its ETag is strong, and the SHA-256 of its bytes", () => {
  const { etag, whole } = stage;
  expect(etag).toBe(`"${createHash("sha256").update(whole).digest("base64url")}"`);
});

/** The values of each header in turn; every combination of them is in receipt-ranges.full.test.ts. */
describe("the headers of parts and conditions", () => {
  const inTurn = <Value>(values: readonly Value[], place: number) => values[place % values.length] as Value;

  test.each(RANGES.map((row, place) => [...row, place] as const))("Range: %s", async (range, expectAnswer, place) => {
    const ask = (ifRange: string | null, ifNoneMatch: string | null) =>
      stage.ask({ range, "if-range": ifRange, "if-none-match": ifNoneMatch });
    const [same, other] = [belonging.same(stage), belonging.other(stage)];
    for (const ifRange of same) expectAnswer(stage, await ask(ifRange, inTurn(knowing.unknown, place)));
    // The parts that the caller has belong to another file, as far as can be known: he gets all of this one.
    expectWhole(stage, await ask(inTurn(other, place), inTurn(knowing.unknown, place + 1)));
    // Who has the file already gets none of it, whatever part he asks for (§13.2.2).
    expectKnown(stage, await ask(inTurn([...same, ...other], place), inTurn(knowing.known(stage), place)));
  });

  test.each(RANGES.map(([range], place) => [range, place] as const))(
    "HEAD, Range: %s: the headers of GET without a range",
    async (range, place) => {
      await expectHead(stage, { range, "if-range": inTurn([null, stage.etag, '"other"'], place) });
    },
  );
});

test("what was asked for and by whom is decided before its parts are", async () => {
  const { selo, organization, receipt } = stage;
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
  test("are the same from another gateway, which renders in its own thread, so that parts of both fit", async () => {
    const { selo, organization, register } = stage;
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
    const { selo } = stage;
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
    const { selo, organization, receipt } = stage;
    const { stdout } = await promisify(execFile)("curl", [
      ...["--silent", "--show-error", "--header", `Authorization: Bearer ${organization.live}`],
      ...["--output", path.join(folder, file), "--write-out", "%{http_code}", ...options],
      `${selo.baseUrl}/api/v1${receipt}`,
    ]);
    return stdout;
  };
  const read = (file: string) => fs.readFileSync(path.join(folder, file));

  test.each([
    ["0-99", 0, 100],
    ["100-", 100, undefined],
    ["-7", -7, undefined],
  ])("-r %s", async (range, start, end) => {
    expect(await curl(`part${range}`, "-r", range)).toBe("206");
    expect(read(`part${range}`).equals(stage.whole.subarray(start, end))).toBe(true);
  });

  test("-r of several ranges gets the whole file, and of none 416", async () => {
    expect(await curl("several", "-r", "0-1,3-4")).toBe("200");
    expect(read("several").equals(stage.whole)).toBe(true);
    expect(await curl("beyond", "-r", `${stage.whole.length}-`)).toBe("416");
    expect(JSON.parse(read("beyond").toString())).toMatchObject({ detail: { code: "range_not_satisfiable" } });
  });

  test("-C - goes on where a download broke off", async () => {
    fs.writeFileSync(path.join(folder, "broken"), stage.whole.subarray(0, 1234));
    expect(await curl("broken", "--continue-at", "-")).toBe("206");
    expect(read("broken").equals(stage.whole)).toBe(true);
  });

  test("--etag-compare does not load what it has", async () => {
    const known = path.join(folder, "etag");
    expect(await curl("first", "--etag-save", known)).toBe("200");
    expect(read("first").equals(stage.whole)).toBe(true);
    expect(await curl("again", "--etag-compare", known)).toBe("304");
    expect(fs.existsSync(path.join(folder, "again")) ? read("again").length : 0).toBe(0);
  });
});

test("thirty readers at once each get their part", async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, number) => {
      const { status, bytes } = await stage.ask({ range: `bytes=${number * 50}-` });
      return status === 206 && bytes.equals(stage.whole.subarray(number * 50));
    }),
  );
  expect(answers).toEqual(Array(30).fill(true));
});
