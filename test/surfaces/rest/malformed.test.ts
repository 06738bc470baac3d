// Malformed input, everywhere the same: every route of the table with every kind of bad input.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { dnsSurface } from "../../../src/services/dns/surface.ts";
import { signingSurface } from "../../../src/services/signature/rest/signing-surface.ts";
import { type Route, scopeOf, takesNoBody } from "../../../src/surfaces/rest/route.ts";
import type { RestSurface } from "../../../src/surfaces/rest/surface.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { aSession, sentWith } from "../../services/signature/completion-stage.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import {
  call,
  countRows,
  expectCommonHeaders,
  expectError,
  filePart,
  multipartBody,
  type RestResponse,
  sendRaw,
} from "../../support/rest-client.ts";
import { isPathOf, everyRoute as routes } from "../../support/routes.ts";
import { upload } from "../../support/uploads.ts";

let selo: TestGateway;
let organization: TestOrganization;
/** Headers with a good credential of the surface. */
let credentials: Readonly<Record<"main" | "signing" | "dns", Readonly<Record<string, string>>>>;
let rows: Record<string, number>;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: "0".repeat(64) } });
  // The first content that an organization sends makes its data key, whatever becomes of the content.
  await upload(selo, organization.live, Buffer.from("no PDF"));
  const stage = { selo, tenantId: organization.id, token: organization.live, environment: "live" } as const;
  const { links } = await sentWith(stage);
  credentials = {
    main: { authorization: `Bearer ${organization.live}` },
    dns: { authorization: `Bearer ${(await issueKey(selo.operator, organization.id, "robot")).secret}` },
    signing: { "x-signing-link": links[0].secret, "x-signing-session": await aSession(stage, links[0]) },
  };
  rows = await countRows(selo);
});
afterAll(async () => {
  // Nothing in this file may have written anything.
  const after = await countRows(selo);
  await selo.stop();
  expect(after).toEqual(rows);
});

const prefixOf = (route: Route) => surfaceOf(route).prefix;
const organizationParameterOf = (route: Route) => surfaceOf(route).organizationIn?.parameter;
const named = (list: readonly Route[]): [string, Route][] =>
  list.map((route) => [`${route.method} ${prefixOf(route).replace("/api/v1", "")}${route.path}`, route]);
const every = named(routes);
const withBody = named(routes.filter(({ body }) => body !== undefined));
const withRequiredBody = named(routes.filter((route) => route.body !== undefined && !takesNoBody(route)));
const ofFileAlone = named(routes.filter(({ takes }) => takes === "file"));
const withMultipart = named(routes.filter(({ multipart }) => multipart));
const reads = named(routes.filter(({ method }) => method === "GET"));
const ofOrganizations = named(routes.filter((route) => route.path.includes(`{${organizationParameterOf(route)}}`)));
/** Those of the path, but for that of the organization. */
const parametersOf = (route: Route) =>
  [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) =>
    name === organizationParameterOf(route) ? [] : [name],
  );
const withParameters = named(routes.filter((route) => parametersOf(route).length > 0));

/** The route's path with this value of its parameters; the organization is the caller's. */
const pathWith = (route: Route, value: string) =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === organizationParameterOf(route) ? String(organization.number) : value,
  );
/** The route's path with good parameters. */
const pathOf = (route: Route) => pathWith(route, "0197a0c0-0000-7000-8000-000000000000");
const kinds = new Map<RestSurface, "signing" | "dns">([
  [signingSurface, "signing"],
  [dnsSurface, "dns"],
]);
const credentialsOf = (route: Route) => credentials[kinds.get(surfaceOf(route)) ?? "main"];
const send = (route: Route, request: Parameters<typeof call>[3] = {}, suffix = "", path = pathOf(route)) =>
  call(selo, route.method, path + suffix, {
    prefix: prefixOf(route),
    ...request,
    headers: { ...credentialsOf(route), ...request.headers },
  });

/** Request line and headers of a raw request to a route, with the headers of a JSON body. */
function head(route: Route, headers: readonly string[], path = pathOf(route)): string {
  return [
    `${route.method} ${prefixOf(route)}${path} HTTP/1.1`,
    "Host: selo.test",
    ...Object.entries(credentialsOf(route)).map(([name, value]) => `${name}: ${value}`),
    ...headers,
    "",
    "",
  ].join("\r\n");
}

describe("every route", () => {
  test.each(every)("%s: unknown query parameters are 422", async (_, route) => {
    const wantsBody = (route.body !== undefined && !takesNoBody(route)) || route.takes === "file";
    expectError(
      await send(route, {}, "?unknown=1"),
      wantsBody ? 400 : 422,
      wantsBody ? "malformed_request" : "invalid_request",
    );
    if (route.takes === "file") {
      const { bytes, headers } = multipartBody([filePart("x")]);
      expectError(await send(route, { body: bytes, headers }, "?unknown=1"), 422, "invalid_request", ["unknown"]);
    }
    if (route.body) {
      const response = await send(route, { body: { sha256: "1".repeat(64) } }, "?unknown=1");
      expectError(response, 422, "invalid_request", ["unknown"]);
    }
  });

  test.each(every)("%s: broken percent-encoding in the query is 400, and the service goes on", async (_, route) => {
    for (const query of ["?a=%", "?a=%zz", "?a=%ff", "?%=1", "?search=%E7%E3o", "?search=%ED%A0%80"]) {
      expectError(await send(route, route.body ? { body: {} } : {}, query), 400, "malformed_request");
    }
    expect((await call(selo, "GET", "/public/platform-key")).status).toBe(200);
  });

  test.each(every)("%s: a method it does not have is 405 with Allow", async (_, route) => {
    const path = prefixOf(route) + pathOf(route);
    // A path may be that of another route as well: /public/proofs/verify is where POST verifies and GET looks for a code.
    const known = routes.filter((each) => isPathOf(each, path)).map(({ method }) => method as string);
    const allowed = [...new Set([...known, ...(known.includes("GET") ? ["HEAD"] : [])])].sort();
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE", "SEARCH"]) {
      if (allowed.includes(method)) continue;
      const response = await sendRaw(selo, `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
      expectError(response, 405, "method_not_allowed");
      expect(response?.headers.get("allow")).toBe(allowed.join(", "));
    }
  });

  test.each(reads)("%s: HEAD answers as GET does, without a body", async (_, route) => {
    const request = { prefix: prefixOf(route), headers: scopeOf(route) === null ? {} : credentialsOf(route) };
    const get = await call(selo, "GET", pathOf(route), request);
    const response = await call(selo, "HEAD", pathOf(route), request);
    expect({ status: response.status, text: response.text }).toEqual({ status: get.status, text: "" });
    expect(response.headers.get("content-length")).toBe(get.headers.get("content-length"));
    expectCommonHeaders(response);
  });

  test.each(every)("%s: a path that goes on, or is in another case, is 404", async (_, route) => {
    for (const path of [
      `${pathOf(route)}/`,
      `${pathOf(route)}/more`,
      `/${pathOf(route)}`,
      pathOf(route).toUpperCase(),
    ]) {
      if (routes.some((each) => isPathOf(each, prefixOf(route) + path))) continue;
      expectError(await send(route, {}, "", path), 404, "not_found");
    }
  });

  test.each(every)("%s: a URL that is too long is refused", async (_, route) => {
    const response = await sendRaw(
      selo,
      head(route, ["Content-Length: 0"], `${pathOf(route)}?a=${"a".repeat(100_000)}`),
    );
    expectDocumented(response);
    expect([400, 413, 414, 431]).toContain(response?.status);
  });

  test.each(every)("%s: headers that are no HTTP are 400", async (_, route) => {
    for (const broken of ["no colon", "Bad Name: x", "X-Nul: a\0b", "Content-Length: abc", "Content-Length: -1"]) {
      expectError(await sendRaw(selo, head(route, [broken])), 400, "malformed_request");
    }
  });

  test.each(every)("%s: both a length and chunks, a smuggler's request, is 400", async (_, route) => {
    const headers = ["Content-Type: application/json", "Content-Length: 5", "Transfer-Encoding: chunked"];
    expectError(await sendRaw(selo, `${head(route, headers)}0\r\n\r\n`), 400, "malformed_request");
  });
});

describe("path parameters", () => {
  test.each(ofOrganizations)("%s: what is not the number of the key's organization is 403", async (_, route) => {
    const { number } = organization;
    const wrong = ["x", "0", "-1", "%00", "%20", "null", "😀", `0${number}`, `${number}.0`, "9".repeat(30), number + 1];
    for (const value of wrong) {
      const path = route.path.replace(`{${organizationParameterOf(route)}}`, encodeURI(`${value}`).replace("%25", "%"));
      const body = route.body ? { body: SOUND[route.operation] ?? {} } : {};
      expectError(await send(route, body, "", path.replaceAll(/\{\w+\}/g, "1")), 403, "forbidden");
    }
  });

  test.each(withParameters)("%s: broken percent-encoding is 400", async (_, route) => {
    for (const value of ["%", "%zz", "%ff", "%C3", "%E0%A4%A"]) {
      expectError(await send(route, {}, "", pathWith(route, value)), 400, "malformed_request");
    }
  });

  test.each(withParameters)(
    "%s: values of the wrong kind are 422 naming the parameter; a code of no proof, and an id of no event, zone or record, 404",
    async (_, route) => {
      const parameters = parametersOf(route);
      for (const value of ["x", "%00", "%20", "null", "1", "😀", "a".repeat(450)]) {
        const path = pathWith(route, encodeURI(value).replaceAll("%25", "%"));
        const body = route.body ? { body: SOUND[route.operation] ?? {} } : {};
        const response = await send(route, body, "", path);
        // What cannot be a code is the code of no proof, and so with events.
        if (answersAlways(route)) expect([response.status, response.text]).toEqual([202, ""]);
        else if (parameters[0] === "code")
          expectError(response, 404, route.path.includes("envelopes") ? "envelope_not_found" : "proof_not_found");
        else if (route.path === "/events/{id}" || surfaceOf(route) === dnsSurface)
          expectError(response, 404, "not_found");
        else expectError(response, 422, "invalid_request", parameters);
      }
    },
  );

  test.each(withParameters)("%s: a very long value is refused", async (_, route) => {
    const response = await send(route, {}, "", pathWith(route, "a".repeat(3_000)));
    if (answersAlways(route)) {
      expect([response.status, response.text]).toEqual([202, ""]);
      return;
    }
    expectDocumented(response);
    expect([400, 404, 422]).toContain(response.status);
  });
});

describe("a body that nobody asked for", () => {
  const withoutBody = named(
    routes.filter(({ body, method, takes }) => body === undefined && method !== "GET" && takes !== "file"),
  );

  test.each(withoutBody)(
    "%s: nothing, said to be JSON, and {} are as good as none; members are 422",
    async (_, route) => {
      // The same of both, because errors hold it.
      const id = { "x-request-id": "the-same" };
      const without = await send(route, { headers: id });
      const headers = { "content-type": "application/json", ...id };
      for (const body of ["", "{}"]) expect((await send(route, { body, headers })).text).toBe(without.text);
      expectError(await send(route, { body: { unknown: 1 } }), 422, "invalid_request", ["unknown"]);
      for (const body of ["[]", "1", '"a"']) expectError(await send(route, { body, headers }), 422, "invalid_request");
      for (const body of ["{", "nul", " "]) expectError(await send(route, { body, headers }), 400, "malformed_request");
      for (const type of ["text/plain", "multipart/form-data; boundary=a", "application/x-www-form-urlencoded"])
        expectError(await send(route, { body: "a", headers: { "content-type": type } }), 415, "unsupported_media_type");
    },
  );
});

describe("a JSON body", () => {
  test.each(withBody)("%s: that cannot be parsed is 400 malformed_request", async (_, route) => {
    const bodies: (string | Uint8Array)[] = [
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
    for (const body of bodies) expectError(await send(route, { body }), 400, "malformed_request");
  });

  test.each(named(routes.filter(takesNoBody)))(
    "%s: may be absent, since every member is optional",
    async (_, route) => {
      for (const headers of [["Content-Length: 0"], []])
        expectError(await sendRaw(selo, head(route, headers)), 404, "not_found");
    },
  );

  test.each(withRequiredBody)(
    "%s: that is empty is 400, with and without a length and a content type",
    async (_, route) => {
      expectError(await send(route, { body: "" }), 400, "malformed_request");
      expectError(
        await send(route, { body: "", headers: { "content-type": "application/json" } }),
        400,
        "malformed_request",
      );
      expectError(await sendRaw(selo, head(route, ["Content-Length: 0"])), 400, "malformed_request");
      expectError(await sendRaw(selo, head(route, [])), 400, "malformed_request");
      const chunked = head(route, ["Content-Type: application/json", "Transfer-Encoding: chunked"]);
      expectError(await sendRaw(selo, `${chunked}0\r\n\r\n`), 400, "malformed_request");
    },
  );

  test.each(withBody)("%s: that breaks off is 400, and a caller who goes away is nobody's fault", async (_, route) => {
    const body = JSON.stringify({ sha256: "2".repeat(64) });
    const start = head(route, ["Content-Type: application/json", `Content-Length: ${body.length + 10}`]) + body;
    expectError(await sendRaw(selo, start, "half-close"), 400, "malformed_request");
    await sendRaw(selo, start, "reset");
    const chunked = head(route, ["Content-Type: application/json", "Transfer-Encoding: chunked"]);
    expectError(await sendRaw(selo, `${chunked}10\r\n{"sha`, "half-close"), 400, "malformed_request");
    expectError(await sendRaw(selo, `${chunked}zz\r\n{}\r\n0\r\n\r\n`), 400, "malformed_request");
    expect(selo.logs.filter((line) => line.includes("internal_error") || line.includes('"request failed"'))).toEqual(
      [],
    );
  });

  test.each(withBody)(
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
      expectError(await sendRaw(selo, announced), 413, "too_large");
    },
  );

  test.each(withBody)("%s: of another content type is 415", async (_, route) => {
    const body = JSON.stringify({ sha256: "3".repeat(64) });
    for (const type of [
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
    ]) {
      expectError(await send(route, { body, headers: { "content-type": type } }), 415, "unsupported_media_type");
    }
    const none = head(route, [`Content-Length: ${body.length}`]) + body;
    expectError(await sendRaw(selo, none), 415, "unsupported_media_type");
  });

  test.each(withBody)("%s: application/json with parameters and in any case is read", async (_, route) => {
    for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]) {
      expectError(
        await send(route, { body: '{"unknown":1}', headers: { "content-type": type } }),
        422,
        "invalid_request",
      );
    }
  });

  test.each(withBody)("%s: that is no object, or whose members are wrong, is 422", async (_, route) => {
    for (const body of [
      "null",
      "true",
      "0",
      '""',
      "[]",
      "[1]",
      // Where nothing is required, nothing is asked for.
      ...(route.body?.safeParse({}).success ? [] : ["{}"]),
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
    ]) {
      const response = await send(route, { body });
      expectError(response, 422, "invalid_request");
      // An answer is not a multiple of what was sent.
      expect(response.text.length).toBeLessThan(20_000);
    }
  });

  test.each(withBody)("%s: every member refuses NUL, lone surrogates and other types", async (_, route) => {
    for (const member of Object.keys(route.body?.shape ?? {})) {
      const isBoolean = route.body?.shape[member]?.safeParse(true).success;
      const isObject = route.body?.shape[member]?.safeParse({}).success;
      const others = [isObject ? '{"a":{"a":{"a":{"a":{"a":1}}}}}' : "{}", isBoolean ? "1" : "true", "-1.5"];
      const values = ['"a\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', "[]", ...others];
      for (const value of values) {
        const response = await send(route, { body: `{"${member}":${value}}` });
        expectError(response, 422, "invalid_request");
        // A wrong member within an object is named by its place.
        const names = response.body.fields.map(({ field }: { field: string }) => field.split(".")[0]);
        expect(names).toContain(member);
      }
    }
  });
});

test("a text inside a list of a body refuses NUL and lone surrogates, and is named by its place", async () => {
  const [, route] = every.find(([, { operation }]) => operation === "replaceDnsRecords") as [string, Route];
  for (const content of ["a\\u0000", "\\ud800"]) {
    const body = `{"sets": [{"name": "www", "type": "TXT", "records": [{"content": "${content}"}]}]}`;
    expectError(await send(route, { body }), 422, "invalid_request", ["sets.0.records.0.content"]);
  }
});

describe("a path that takes a file alone", () => {
  test.each(ofFileAlone)("%s: any other content type is 415, and so is JSON with any content", async (_, route) => {
    const whole = JSON.stringify({ sha256: "4".repeat(64) });
    for (const body of [whole, "{}", "{", "null", ""]) {
      const headers = { "content-type": "application/json" };
      expectError(await send(route, { body, headers }), 415, "unsupported_media_type");
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/mixed; boundary=a", "*/*"])
      expectError(await send(route, { body: "a", headers: { "content-type": type } }), 415, "unsupported_media_type");
    expectError(await sendRaw(selo, `${head(route, ["Content-Length: 1"])}a`), 415, "unsupported_media_type");
  });

  test.each(ofFileAlone)("%s: nothing at all is 400", async (_, route) => {
    expectError(await sendRaw(selo, head(route, [])), 400, "malformed_request");
    expectError(await sendRaw(selo, head(route, ["Content-Length: 0"])), 400, "malformed_request");
  });
});

describe("multipart", () => {
  const { bytes, headers } = multipartBody([filePart("x")]);

  test.each(withMultipart)("%s: broken or truncated is 400", async (_, route) => {
    for (const body of [
      bytes.subarray(0, 40),
      bytes.subarray(0, -6),
      Buffer.from("--"),
      Buffer.from("\r\n\r\n"),
      randomBytes(500),
    ]) {
      expectError(await send(route, { body, headers }), 400, "malformed_request");
    }
    expectError(
      await send(route, { body: bytes, headers: { "content-type": "multipart/form-data" } }),
      400,
      "malformed_request",
    );
    const type = `Content-Type: ${headers["content-type"]}`;
    const longer = Buffer.concat([
      Buffer.from(head(route, [type, `Content-Length: ${bytes.length + 9}`])),
      bytes.subarray(0, -4),
    ]);
    expectError(await sendRaw(selo, longer, "half-close"), 400, "malformed_request");
    await sendRaw(selo, longer, "reset");
  });
});

describe("a read", () => {
  test.each(reads)("%s: does not mind a body it does not read", async (_, route) => {
    const without = await send(route);
    const body = '{"sha256":';
    const response = await sendRaw(
      selo,
      head(route, ["Content-Type: application/json", `Content-Length: ${body.length}`]) + body,
    );
    expect(response?.status).toBe(without.status);
  });

  test.each(named(routes.filter(({ query }) => query !== undefined)))(
    "%s: a query parameter given twice, in another case, as an array or with NUL is 422",
    async (_, route) => {
      for (const name of Object.keys(route.query?.shape ?? {})) {
        for (const query of [
          `${name}=1&${name}=1`,
          `${name}[]=1`,
          `${name}[a]=1`,
          `${name.toUpperCase()}=1`,
          `${name}=%00`,
        ]) {
          expectError(await send(route, {}, `?${query}`), 422, "invalid_request");
        }
      }
      const many = Array.from({ length: 500 }, (_, i) => `p${i}=1`).join("&");
      expectError(await send(route, {}, `?${many}`), 422, "invalid_request");
    },
  );
});

describe("what is no route", () => {
  test.each([
    "/",
    "",
    "/nothing",
    "/proofs/a/b/c",
    "/PROOFS",
    "/proofs%2F",
    "/../healthz",
    "/%2e%2e/healthz",
    "/proofs;a=b",
  ])("/api/v1%s is 404 not_found, with or without a token", async (path) => {
    const raw = (extra: string) => sendRaw(selo, `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${extra}\r\n`);
    for (const response of [await raw(""), await raw(`Authorization: Bearer ${organization.live}\r\n`)]) {
      if (path.includes("..") || path.includes("%2e")) {
        // Whether it is taken as it stands or resolved, it is no way into anything.
        expect([200, 404]).toContain(response?.status);
        expect(response?.text).not.toContain("platform_keys");
      } else {
        expectError(response, 404, "not_found");
      }
    }
  });

  test.each(["/nothing", "/api/", "/api/other", "/api/v2/proofs", "/.env", "/api/v1x"])(
    "%s outside the documented paths is 404",
    async (path) => {
      const response = await sendRaw(selo, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectError(response, 404, "not_found");
    },
  );

  test("bytes that are no HTTP are 400 or simply cut off", async () => {
    for (const bytes of [
      "garbage\r\n\r\n",
      "GET\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00",
      "FOO / HTTP/1.1\r\nHost: x\r\n\r\n",
    ]) {
      const response = await sendRaw(selo, Buffer.from(bytes, "latin1"), "half-close");
      if (response !== null) expectError(response, 400, "malformed_request");
    }
    expect((await call(selo, "GET", "/public/platform-key")).status).toBe(200);
  });
});

/** Bodies that are right, of paths whose ids are looked up after the body is read. */
const SOUND: Readonly<Record<string, object>> = {
  createDnsZone: { name: "example.com" },
  createDnsRecord: { name: "www", type: "A", content: "192.0.2.1" },
  replaceDnsRecords: { sets: [{ name: "www", type: "A", records: [] }] },
  importDnsZone: { bind_file: "" },
};

/** Whether a route has one answer, so that it tells nobody which participants exist. */
const answersAlways = ({ operation }: Route): boolean => operation === "mailSigningLink";

/** Any documented error. */
function expectDocumented(response: RestResponse | null): void {
  const code = { code: expect.any(String) };
  const isText = typeof response?.body?.detail === "string";
  expect(response?.body).toMatchObject(isText ? code : { detail: { ...code, message: expect.any(String) } });
  expectCommonHeaders(response);
}
