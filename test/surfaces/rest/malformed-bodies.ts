// Malformed bodies, which are the same of every route that reads one.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { takesNoBody } from "../../../src/surfaces/rest/route.ts";
import { expectError, filePart, multipartBody, sendRaw } from "../../support/rest-client.ts";
import { everyRoute as routes } from "../../support/routes.ts";
import { type Extent, endsCredential, type MalformedStage, named } from "./malformed-stage.ts";

const JSON_TYPE = { "content-type": "application/json" };
const withBody = routes.filter(({ body }) => body !== undefined);

/** Bodies that no parser of JSON reads. */
const UNREADABLE: readonly (string | Uint8Array)[] = [
  "{",
  "}",
  "{]",
  '{"sha256":}',
  '{"sha256":"a",}',
  "{'sha256':'a'}",
  '{"a":1}{"b":2}',
  "nul",
  "undefined",
  "NaN",
  '{"a":NaN}',
  '{"a":01}',
  '{"a":"\t"}',
  '{"a":"\\x"}',
  '{"a":"\\ud83"}',
  " ",
  "\n",
  "sha256=abc",
  "\0",
  '{"a":1}\0',
  "/* comment */ {}",
  Buffer.from([0x22, 0xff, 0x22]), // not UTF-8
  Buffer.from([0x22, 0xc3, 0x22]), // a sequence that breaks off
  Buffer.from([0x22, 0xc0, 0x80, 0x22]), // overlong NUL
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), // a surrogate in UTF-8
  Buffer.from('{"label":"a"}', "utf16le"),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
  randomBytes(1000),
  "[".repeat(100_000),
];

const OTHER_TYPES = [
  "text/plain",
  "text/json",
  "application/xml",
  "application/x-www-form-urlencoded",
  "application/jsonp",
  "application/problem+json",
  "application/vnd.selo+json",
  "application/json-patch+json",
  "application/octet-stream",
  "application",
  "json",
  "*/*",
  "multipart/mixed; boundary=a",
  "multipart/form-datax; boundary=a",
];

/** JSON that is no object, or whose members no path knows or likes. */
const NO_REQUESTS = [
  "null",
  "true",
  "0",
  '""',
  "[]",
  "[1]",
  '{"unknown":1}',
  '{"__proto__":{"sha256":"a"}}',
  '{"constructor":{"prototype":{}}}',
  `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  `{"a":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
  `{"file_size":${"9".repeat(5_000)}}`,
  '{"file_size":1e999999}',
  `{${Array.from({ length: 20_000 }, (_, i) => `"m${i}":${i}`).join(",")}}`,
  `{"${"n".repeat(100_000)}":1}`,
  '{"a\\u0000b":1}',
  '{"\\ud800":1}',
];

/** Defines the tests of bodies. */
export function testMalformedBodies(stage: MalformedStage, extent: Extent): void {
  const { send, head } = stage;
  const some = named(extent.routes(withBody));

  describe("a body that nobody asked for", () => {
    const withoutBody = routes.filter(
      ({ body, method, takes }) => body === undefined && method !== "GET" && takes !== "file",
    );

    test.each(named(withoutBody))("%s: members are 422", async (_, route) => {
      expectError(await send(route, { body: { unknown: 1 } }), 422, "invalid_request", ["unknown"]);
    });

    test.each(named(extent.routes(withoutBody.filter((route) => !endsCredential(route)))))(
      "%s: nothing, said to be JSON, and {} are as good as none; what is no object is refused",
      async (_, route) => {
        // The same of both, because errors hold it.
        const id = { "x-request-id": "the-same" };
        const ask = async (request: object) => {
          const { status, text } = await send(route, request);
          // But for random values.
          return [status, text.replace(/[\w-]{60,}/g, "")];
        };
        const without = await ask({ headers: id });
        const headers = { ...JSON_TYPE, ...id };
        for (const body of ["", "{}"]) expect(await ask({ body, headers })).toEqual(without);
        for (const body of ["[]", "1", '"a"'])
          expectError(await send(route, { body, headers }), 422, "invalid_request");
        for (const body of ["{", "nul", " "])
          expectError(await send(route, { body, headers }), 400, "malformed_request");
        for (const type of ["text/plain", "multipart/form-data; boundary=a", "application/x-www-form-urlencoded"]) {
          const response = await send(route, { body: "a", headers: { "content-type": type } });
          expectError(response, 415, "unsupported_media_type");
        }
      },
    );
  });

  describe("a JSON body", () => {
    test.each(named(withBody))("%s: that cannot be parsed is 400 malformed_request", async (_, route) => {
      for (const body of extent.inputs(route, UNREADABLE))
        expectError(await send(route, { body }), 400, "malformed_request");
    });

    test.each(named(withBody.filter(takesNoBody)))(
      "%s: may be absent, since every member is optional",
      async (_, route) => {
        for (const headers of extent.inputs(route, [["Content-Length: 0"], []]))
          expectError(await sendRaw(stage.selo, head(route, headers)), 404, "not_found");
      },
    );

    test.each(named(withBody.filter((route) => !takesNoBody(route))))(
      "%s: that is empty is 400, with and without a length and a content type",
      async (_, route) => {
        const raw = (headers: readonly string[], body = "") => sendRaw(stage.selo, head(route, headers) + body);
        for (const ask of extent.inputs(route, [
          () => send(route, { body: "" }),
          () => send(route, { body: "", headers: JSON_TYPE }),
          () => raw(["Content-Length: 0"]),
          () => raw([]),
          () => raw(["Content-Type: application/json", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
        ]))
          expectError(await ask(), 400, "malformed_request");
      },
    );

    test.each(some)("%s: that breaks off is 400, and a caller who goes away is nobody's fault", async (_, route) => {
      const body = JSON.stringify({ sha256: "2".repeat(64) });
      const start = head(route, ["Content-Type: application/json", `Content-Length: ${body.length + 10}`]) + body;
      expectError(await sendRaw(stage.selo, start, "half-close"), 400, "malformed_request");
      await sendRaw(stage.selo, start, "reset");
      const chunked = head(route, ["Content-Type: application/json", "Transfer-Encoding: chunked"]);
      expectError(await sendRaw(stage.selo, `${chunked}10\r\n{"sha`, "half-close"), 400, "malformed_request");
      expectError(await sendRaw(stage.selo, `${chunked}zz\r\n{}\r\n0\r\n\r\n`), 400, "malformed_request");
      const faults = stage.selo.logs.filter((line) => /internal_error|"request failed"/.test(line));
      expect(faults).toEqual([]);
    });

    test.each(some)(
      "%s: of the most bytes (1 MiB, if the path does not say) is read, of one byte more is 413, announced or not",
      async (_, route) => {
        const most = route.of.mostJsonBytes ?? 1024 * 1024;
        const exactly = `{"unknown":"${"a".repeat(most - 14)}"}`;
        expect(Buffer.byteLength(exactly)).toBe(most);
        expectError(await send(route, { body: exactly }), 422, "invalid_request");
        expectError(await send(route, { body: `${exactly} ` }), 413, "too_large");
        const stream = new ReadableStream({
          start(controller) {
            controller.enqueue(Buffer.from(`${exactly} `));
            controller.close();
          },
        });
        expectError(await send(route, { body: stream }), 413, "too_large");
        const announced = head(route, ["Content-Type: application/json", "Content-Length: 99999999999"]);
        expectError(await sendRaw(stage.selo, announced), 413, "too_large");
      },
    );

    test.each(named(withBody))("%s: of another content type is 415", async (_, route) => {
      const body = JSON.stringify({ sha256: "3".repeat(64) });
      const unsaid = head(route, [`Content-Length: ${body.length}`]) + body;
      for (const ask of extent.inputs(route, [
        ...OTHER_TYPES.map((type) => () => send(route, { body, headers: { "content-type": type } })),
        () => sendRaw(stage.selo, unsaid),
      ]))
        expectError(await ask(), 415, "unsupported_media_type");
    });

    test.each(some)("%s: application/json with parameters and in any case is read", async (_, route) => {
      for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]) {
        const response = await send(route, { body: '{"unknown":1}', headers: { "content-type": type } });
        expectError(response, 422, "invalid_request");
      }
    });

    test.each(named(withBody))("%s: that is no object, or whose members are wrong, is 422", async (_, route) => {
      // Where nothing is required, nothing is asked for.
      const bodies = route.body?.safeParse({}).success ? NO_REQUESTS : [...NO_REQUESTS, "{}"];
      for (const body of extent.inputs(route, bodies)) {
        const response = await send(route, { body });
        expectError(response, 422, "invalid_request");
        // An answer is not a multiple of what was sent.
        expect(response.text.length).toBeLessThan(20_000);
      }
    });

    test.each(named(withBody))("%s: every member refuses NUL, lone surrogates and other types", async (_, route) => {
      const members = Object.entries(route.body?.shape ?? {});
      const isBoolean = (of: (typeof members)[number][1]) => of.safeParse(true).success;
      const isObject = (of: (typeof members)[number][1]) => of.safeParse({}).success;
      for (const textOf of extent.inputs(route, [
        () => '"a\\u0000"',
        () => '"\\ud800"',
        () => '"\\udfff\\ud800"',
        // A list may be empty.
        (of: (typeof members)[number][1]) => (of.safeParse([]).success ? "{}" : "[]"),
        (of: (typeof members)[number][1]) => (isObject(of) ? '{"a":{"a":{"a":{"a":{"a":1}}}}}' : "{}"),
        (of: (typeof members)[number][1]) => (isBoolean(of) ? "1" : "true"),
        () => "-1.5",
      ])) {
        const body = `{${members.map(([name, shape]) => `"${name}":${textOf(shape)}`).join(",")}}`;
        const response = await send(route, { body });
        expectError(response, 422, "invalid_request");
        // A wrong member within an object is named by its place.
        const wrong = response.body.fields.map(({ field }: { field: string }) => field.split(".")[0]);
        expect(new Set(wrong)).toEqual(new Set(members.map(([name]) => name)));
      }
    });
  });

  describe("a path that takes a file alone", () => {
    const ofFileAlone = named(extent.routes(routes.filter(({ takes }) => takes === "file")));

    test.each(ofFileAlone)("%s: any other content type is 415, and so is JSON with any content", async (_, route) => {
      const whole = JSON.stringify({ sha256: "4".repeat(64) });
      for (const body of [whole, "{}", "{", "null", ""])
        expectError(await send(route, { body, headers: JSON_TYPE }), 415, "unsupported_media_type");
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/mixed; boundary=a", "*/*"]) {
        const response = await send(route, { body: "a", headers: { "content-type": type } });
        expectError(response, 415, "unsupported_media_type");
      }
      const unsaid = `${head(route, ["Content-Length: 1"])}a`;
      expectError(await sendRaw(stage.selo, unsaid), 415, "unsupported_media_type");
    });

    test.each(ofFileAlone)("%s: nothing at all is 400", async (_, route) => {
      for (const headers of [[], ["Content-Length: 0"]])
        expectError(await sendRaw(stage.selo, head(route, headers)), 400, "malformed_request");
    });
  });

  describe("multipart", () => {
    const { bytes, headers } = multipartBody([filePart("x")]);

    test.each(named(extent.routes(routes.filter(({ multipart }) => multipart))))(
      "%s: broken or truncated is 400",
      async (_, route) => {
        for (const body of [
          bytes.subarray(0, 40),
          bytes.subarray(0, -6),
          Buffer.from("--"),
          Buffer.from("\r\n\r\n"),
          randomBytes(500),
        ])
          expectError(await send(route, { body, headers }), 400, "malformed_request");
        const withoutBoundary = { "content-type": "multipart/form-data" };
        expectError(await send(route, { body: bytes, headers: withoutBoundary }), 400, "malformed_request");
        const type = `Content-Type: ${headers["content-type"]}`;
        const longer = Buffer.concat([
          Buffer.from(head(route, [type, `Content-Length: ${bytes.length + 9}`])),
          bytes.subarray(0, -4),
        ]);
        expectError(await sendRaw(stage.selo, longer, "half-close"), 400, "malformed_request");
        await sendRaw(stage.selo, longer, "reset");
      },
    );
  });
}
