// What a refusal says beyond its code: the request's id, where the code is explained, and what to do.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError, sendRaw } from "../../support/rest-client.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PUBLIC_URL = "https://selo.test";

let selo: TestGateway;
let named: Awaited<ReturnType<typeof startGatewayBeside>>;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  named = await startGatewayBeside(selo, { PUBLIC_URL });
  organization = await selo.newOrganization();
});
afterAll(async () => {
  await named.stop();
  await selo.stop();
});

describe("a caller's X-Request-Id", () => {
  const answered = async (id: string) => {
    const { headers, body } = await call(selo, "GET", "/proofs", { headers: { "x-request-id": id } });
    expect(body.request_id).toBe(headers.get("x-request-id"));
    return headers.get("x-request-id");
  };

  test.each(["a", "0", "Root-1.67891233_abc", randomUUID(), "x".repeat(100)])(
    "of 1 to 100 letters, digits, dots, hyphens and underscores is echoed and used: %s",
    async (id) => {
      expect(await answered(id)).toBe(id);
    },
  );

  test.each(["", "x".repeat(101), "two words", "a,b", "a/b", 'quoted"', "=", "é"])(
    "of any other form is replaced by a new UUID: %s",
    async (id) => {
      expect(await answered(id)).toMatch(UUID);
    },
  );

  test("stands in the audit trail and in the log", async () => {
    const id = `mine-${randomUUID()}`;
    const made = await call(selo, "POST", "/proofs", {
      token: organization.live,
      body: { sha256: randomUUID().replaceAll("-", "").repeat(2) },
      headers: { "x-request-id": id },
    });
    expect(made.status).toBe(201);
    const { rows } = await selo.database.admin.query(
      "select action from platform.audit_events where request_id = $1 order by action",
      [id],
    );
    expect(rows).toContainEqual({ action: "proof.registered" });
    expect(selo.logs.some((line) => line.includes(id))).toBe(true);
  });

  test("stands in the extensions of GraphQL", async () => {
    const { errors, headers } = await graphql(selo, organization.live, "{ nothing }", {}, { "x-request-id": "mine" });
    expect(headers.get("x-request-id")).toBe("mine");
    expect(errors).toMatchObject([{ extensions: { requestId: "mine" } }]);
  });

  test("of a request that cannot be read is a new UUID, in the header and in the body", async () => {
    const answer = await sendRaw(
      selo,
      "GET /api/v1/proofs HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\nno colon\r\n\r\n",
    );
    expect(answer?.body.request_id).toMatch(UUID);
    expectError(answer, 400, "malformed_request");
  });
});

describe("the address of a code's documentation", () => {
  const at = (code: string) => `${PUBLIC_URL}/guides/errors#${code}`;

  test.each([
    ["of a path", "/proofs", "unauthenticated"],
    ["of no path", "/nothing", "not_found"],
    ["of a path that does not decode", "/proofs/%zz", "malformed_request"],
  ])("begins with PUBLIC_URL: %s", async (_, path, code) => {
    expect((await call(named, "GET", path)).body).toMatchObject({ detail: { code }, documentation: at(code) });
  });

  test("begins with PUBLIC_URL: of bytes that are no request", async () => {
    expect((await sendRaw(named, "nonsense\r\n\r\n"))?.body).toMatchObject({ documentation: at("malformed_request") });
  });

  test.each([
    ["refused before it ran", "{", "malformed_request"],
    ["refused while it ran", `{ publicProof(code: "none") { verification { valid } } }`, "proof_not_found"],
  ])("begins with PUBLIC_URL: GraphQL, %s", async (_, query, code) => {
    const { errors } = await graphql(named, null, query);
    expect(errors).toMatchObject([{ extensions: { code, documentation: at(code) } }]);
  });
});

describe("a token without the word Bearer", () => {
  const HINT = /must begin with the word Bearer/;

  test.each([
    ["REST", "/api/v1/proofs", {}],
    ["the stream of events", "/api/v1/webhooks/listen", {}],
    ["GraphQL", "/graphql", { method: "POST", body: '{"query":"{ __typename }"}' }],
  ])("has its hint: %s", async (_, path, init) => {
    const ask = async (authorization: string) => {
      const headers = { authorization, "content-type": "application/json" };
      const response = await fetch(selo.baseUrl + path, { ...init, headers });
      return { status: response.status, text: await response.text() };
    };
    for (const authorization of [organization.live, `Token ${organization.live}`, "Basic dTpw"]) {
      const { status, text } = await ask(authorization);
      expect({ status, text }).toEqual({ status: 401, text: expect.stringMatching(HINT) });
      expect(text).not.toContain(organization.live);
    }
    for (const authorization of ["Bearer", "Bearer nonsense", `bearer ${organization.live}x`]) {
      const { status, text } = await ask(authorization);
      expect({ status, text }).toEqual({ status: 401, text: expect.stringContaining("is missing, unknown") });
    }
  });
});

describe("every wrong member has the words of its kind", () => {
  const fieldsOf = async (method: string, path: string, body?: object | string) => {
    const answer = await call(selo, method, path, {
      token: organization.test,
      ...(body === undefined ? {} : { body }),
    });
    expectError(answer, 422, "invalid_request");
    return answer.body.fields as { field: string; message: string }[];
  };

  test.each<[string, object | string, string, string]>([
    ["a member that is missing", {}, "sha256", "is required"],
    ["null", { sha256: null }, "sha256", "must not be null"],
    ["a number for a text", { sha256: 1 }, "sha256", "must be text"],
    ["a list for a text", { sha256: "0".repeat(64), label: [] }, "label", "must be text"],
    ["a text for a number", { sha256: "0".repeat(64), file_size: "1" }, "file_size", "must be a whole number"],
    ["a fraction", { sha256: "0".repeat(64), file_size: 1.5 }, "file_size", "must be a whole number"],
    ["a list for the whole", "[]", "", "must be an object"],
    ["null for the whole", "null", "", "must be an object"],
    ["an unknown member", { sha256: "0".repeat(64), unknown: 1 }, "unknown", "is not a member of this request"],
  ])("POST /proofs: %s", async (_, body, field, message) => {
    expect(await fieldsOf("POST", "/proofs", body)).toEqual([{ field, message }]);
  });

  test.each<[string, object, string, string]>([
    ["a member that is missing", { event_types: ["*"] }, "url", "is required"],
    ["a text for a list", { url: "https://example.com", event_types: "*" }, "event_types", "must be a list"],
    ["a number in a list", { url: "https://example.com", event_types: [1] }, "event_types.0", "must be text"],
  ])("POST /webhooks: %s", async (_, body, field, message) => {
    expect(await fieldsOf("POST", "/webhooks", body)).toEqual([{ field, message }]);
  });

  const LARGE = "9".repeat(400);
  test.each([
    ["in a query", "GET", `/proofs?limit=${LARGE}`, undefined, "limit", "must be between 1 and 200"],
    ["just past 10 digits", "GET", "/proofs?limit=99999999999", undefined, "limit", "must be between 1 and 200"],
    ["beyond a double", "POST", "/proofs", `{"sha256":"${"0".repeat(64)}","file_size":${LARGE}}`, "file_size", null],
    ["past 2^53", "POST", "/proofs", `{"sha256":"${"0".repeat(64)}","file_size":9007199254740993}`, "file_size", null],
  ])("a number that is too large says the limits: %s", async (_, method, path, body, field, message) => {
    expect(await fieldsOf(method, path, body)).toEqual([
      { field, message: message ?? expect.stringMatching(/^must be between 0 and \d+$/) },
    ]);
  });
});

test("test proofs are not found by digest, and the refusal says so", async () => {
  const sha256 = randomUUID().replaceAll("-", "").repeat(2);
  const made = await call(selo, "POST", "/proofs", { token: organization.test, body: { sha256 } });
  expect(made.status).toBe(201);
  const sought = await call(selo, "POST", "/public/proofs/verify", { body: { sha256 } });
  expectError(sought, 404, "proof_not_found");
  expect(sought.body.detail.message).toBe(
    "No live proof has this digest. A proof of the test environment can only be found by its verification code.",
  );
  const byCode = await call(selo, "GET", `/public/proofs/${made.body.verification_code}`);
  expect(byCode.status).toBe(200);
});

test.each(["GET /healthz", "GET /api/v1/proofs", "POST /graphql"])("two Host headers are 400: %s", async (line) => {
  const one = "Host: selo.test\r\n";
  const answer = await sendRaw(selo, `${line} HTTP/1.1\r\n${one}hOST: evil.test\r\n\r\n`);
  expect([answer?.status, answer?.text]).toEqual([400, expect.stringContaining("several Host headers")]);
});

describe("JSON", () => {
  const asked = async (path: string, type: string, body: string) => {
    const response = await fetch(`${selo.baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": type, authorization: `Bearer ${organization.test}` },
      body,
    });
    return [response.status, await response.text()] as const;
  };

  test.each(["iso-8859-1", '"UTF-16"', "utf-7", "latin1"])("in %s is 415", async (charset) => {
    const refused = [415, expect.stringContaining("JSON must be UTF-8.")];
    expect(await asked("/api/v1/envelopes", `application/json; charset=${charset}`, "{}")).toEqual(refused);
    const type = `application/json; x=y;charset = ${charset}`;
    expect(await asked("/graphql", type, '{"query": "{ __typename }"}')).toEqual(refused);
  });

  test.each(["utf-8", '"UTF-8"', "utf8", "us-ascii"])("in %s is read", async (charset) => {
    const answer = await asked("/api/v1/envelopes", `application/json; charset=${charset}`, "{}");
    expect(answer).toEqual([422, expect.stringContaining('"title"')]);
  });
});
