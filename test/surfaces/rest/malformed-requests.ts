// Malformed addresses, headers and parameters, which are the same of every route.
import { describe, expect, test } from "vitest";
import { scopeOf, takesNoBody } from "../../../src/surfaces/rest/route.ts";
import { call, expectCommonHeaders, expectError, filePart, multipartBody, sendRaw } from "../../support/rest-client.ts";
import { isPathOf, everyRoute as routes } from "../../support/routes.ts";
import {
  answersAlways,
  codeOfWrongValue,
  type Extent,
  expectDocumented,
  type MalformedStage,
  named,
  organizationParameterOf,
  parametersOf,
  prefixOf,
  soundBodyOf,
} from "./malformed-stage.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE", "SEARCH"];

/** Defines the tests of what a request has before its body. */
export function testMalformedRequests(stage: MalformedStage, extent: Extent): void {
  const { send, head, pathOf, pathWith, credentialsOf } = stage;
  const some = named(extent.routes(routes));
  const reads = routes.filter(({ method }) => method === "GET");
  const ofOrganizations = routes.filter((route) => route.path.includes(`{${organizationParameterOf(route)}}`));
  const withParameters = routes.filter((route) => parametersOf(route).length > 0);

  describe("every route", () => {
    test.each(named(routes))("%s: unknown query parameters are 422", async (_, route) => {
      const wantsBody = (route.body !== undefined && !takesNoBody(route)) || route.takes === "file";
      for (const ask of extent.inputs(route, [
        async () => {
          const response = await send(route, {}, "?unknown=1");
          if (wantsBody) expectError(response, 400, "malformed_request");
          else expectError(response, 422, "invalid_request");
        },
        async () => {
          const { bytes, headers } = multipartBody([filePart("x")]);
          const request = route.takes === "file" ? { body: bytes, headers } : {};
          const body = route.body ? { body: { sha256: "1".repeat(64) } } : request;
          expectError(await send(route, body, "?unknown=1"), 422, "invalid_request", ["unknown"]);
        },
      ]))
        await ask();
    });

    test.each(named(routes))("%s: broken percent-encoding in the query is 400", async (_, route) => {
      const queries = ["?a=%", "?a=%zz", "?a=%ff", "?%=1", "?search=%E7%E3o", "?search=%ED%A0%80"];
      for (const query of extent.inputs(route, queries))
        expectError(await send(route, route.body ? { body: {} } : {}, query), 400, "malformed_request");
    });

    test.each(named(routes))("%s: a method it does not have is 405 with Allow", async (_, route) => {
      const path = prefixOf(route) + pathOf(route);
      // A path may be that of another route as well: /public/proofs/verify is where POST verifies and GET looks for a code.
      const known = routes.filter((each) => isPathOf(each, path)).map(({ method }) => method as string);
      const allowed = [...new Set([...known, ...(known.includes("GET") ? ["HEAD"] : [])])].sort();
      const others = METHODS.filter((method) => !allowed.includes(method));
      for (const method of extent.inputs(route, others)) {
        const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
        const response = await sendRaw(stage.selo, request);
        expectError(response, 405, "method_not_allowed");
        expect(response?.headers.get("allow")).toBe(allowed.join(", "));
      }
    });

    test.each(named(extent.routes(reads)))("%s: HEAD answers as GET does, without a body", async (_, route) => {
      const request = { prefix: prefixOf(route), headers: scopeOf(route) === null ? {} : credentialsOf(route) };
      const get = await call(stage.selo, "GET", pathOf(route), request);
      const response = await call(stage.selo, "HEAD", pathOf(route), request);
      expect({ status: response.status, text: response.text }).toEqual({ status: get.status, text: "" });
      expect(response.headers.get("content-length")).toBe(get.headers.get("content-length"));
      expectCommonHeaders(response);
    });

    test.each(named(routes))("%s: a path that goes on, or is in another case, is 404", async (_, route) => {
      const path = pathOf(route);
      const others = [`${path}/`, `${path}/more`, `/${path}`, path.toUpperCase()];
      const unknown = others.filter((other) => !routes.some((each) => isPathOf(each, prefixOf(route) + other)));
      for (const other of extent.inputs(route, unknown))
        expectError(await send(route, {}, "", other), 404, "not_found");
    });

    test.each(some)("%s: a URL that is too long is refused", async (_, route) => {
      const path = `${pathOf(route)}?a=${"a".repeat(100_000)}`;
      const response = await sendRaw(stage.selo, head(route, ["Content-Length: 0"], path));
      expectDocumented(response);
      expect([400, 413, 414, 431]).toContain(response?.status);
    });

    test.each(some)("%s: headers that are no HTTP are 400", async (_, route) => {
      for (const broken of ["no colon", "Bad Name: x", "X-Nul: a\0b", "Content-Length: abc", "Content-Length: -1"])
        expectError(await sendRaw(stage.selo, head(route, [broken])), 400, "malformed_request");
    });

    test.each(some)("%s: both a length and chunks, a smuggler's request, is 400", async (_, route) => {
      const headers = ["Content-Type: application/json", "Content-Length: 5", "Transfer-Encoding: chunked"];
      expectError(await sendRaw(stage.selo, `${head(route, headers)}0\r\n\r\n`), 400, "malformed_request");
    });
  });

  describe("path parameters", () => {
    test.each(named(ofOrganizations))(
      "%s: what is not the number of the key's organization is 403",
      async (_, route) => {
        const { number } = stage.organization;
        const others = ["x", "0", "-1", "%00", "%20", "null", "😀", `0${number}`, `${number}.0`, "9".repeat(30)];
        for (const value of [...extent.inputs(route, others), `${number + 1}`]) {
          const path = route.path.replace(`{${organizationParameterOf(route)}}`, encodeURI(value).replace("%25", "%"));
          const response = await send(route, soundBodyOf(route), "", path.replaceAll(/\{\w+\}/g, "1"));
          expectError(response, 403, "forbidden");
        }
      },
    );

    test.each(named(extent.routes(withParameters)))("%s: broken percent-encoding is 400", async (_, route) => {
      for (const value of ["%", "%zz", "%ff", "%C3", "%E0%A4%A"])
        expectError(await send(route, {}, "", pathWith(route, value)), 400, "malformed_request");
    });

    test.each(named(withParameters))(
      "%s: values of the wrong kind are 422 naming the parameter, or 404 where what cannot be an id or code is one of nothing",
      async (_, route) => {
        const parameters = parametersOf(route);
        const code = codeOfWrongValue(route);
        for (const value of extent.inputs(route, ["x", "%00", "%20", "null", "1", "😀", "a".repeat(450)])) {
          const path = pathWith(route, encodeURI(value).replaceAll("%25", "%"));
          const response = await send(route, soundBodyOf(route), "", path);
          if (answersAlways(route)) expect([response.status, response.text]).toEqual([202, ""]);
          else if (code !== null) expectError(response, 404, code);
          else expectError(response, 422, "invalid_request", parameters);
        }
      },
    );

    test.each(named(withParameters))("%s: a very long value is refused", async (_, route) => {
      const response = await send(route, {}, "", pathWith(route, "a".repeat(3_000)));
      if (answersAlways(route)) {
        expect([response.status, response.text]).toEqual([202, ""]);
        return;
      }
      expectDocumented(response);
      expect([400, 404, 422]).toContain(response.status);
    });
  });

  describe("query parameters", () => {
    test.each(named(routes.filter(({ query }) => query !== undefined)))(
      "%s: given twice, in another case, as an array or with NUL are 422",
      async (_, route) => {
        const names = Object.keys(route.query?.shape ?? {});
        for (const [of, fields] of extent.inputs(route, [
          [(name: string) => `${name}=1&${name}=1`, names],
          [(name: string) => `${name}[]=1`, names.map((name) => `${name}[]`)],
          [(name: string) => `${name}[a]=1`, names.map((name) => `${name}[a]`)],
          [(name: string) => `${name.toUpperCase()}=1`, names.map((name) => name.toUpperCase())],
          [(name: string) => `${name}=%00`, names],
        ] as const)) {
          const response = await send(route, {}, `?${names.map(of).join("&")}`);
          expectError(response, 422, "invalid_request");
          expect(fieldsOf(response.body)).toEqual(fields.toSorted());
        }
      },
    );

    test.each(named(extent.routes(routes.filter(({ query }) => query !== undefined))))(
      "%s: five hundred unknown ones are 422",
      async (_, route) => {
        const many = Array.from({ length: 500 }, (_, i) => `p${i}=1`).join("&");
        expectError(await send(route, {}, `?${many}`), 422, "invalid_request");
      },
    );
  });

  describe("a read", () => {
    test.each(named(extent.routes(reads)))("%s: does not mind a body it does not read", async (_, route) => {
      const without = await send(route);
      const body = '{"sha256":';
      const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`];
      const response = await sendRaw(stage.selo, head(route, headers) + body);
      expect(response?.status).toBe(without.status);
    });
  });
}

const fieldsOf = ({ fields }: { readonly fields: readonly { readonly field: string }[] }) =>
  fields.map(({ field }) => field).sort();
