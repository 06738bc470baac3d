import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql, post } from "../../support/graphql-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

/** The one error of an answer, as everything that is refused as a whole must look. */
function refusal(answer: GraphqlAnswer, status: number, code: string, statusOfCode = status) {
  expect({ status: answer.status, errors: answer.errors.map(({ extensions }) => extensions) }).toEqual({
    status,
    errors: [expect.objectContaining({ code, http: { status: statusOfCode } })],
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/graphql-response\+json/);
  expect(answer.headers.get("x-request-id")).toBeTruthy();
  return answer.errors[0];
}
/** Refused before anything ran: 400, while the error tells the status of its code. */
const refusedFirst = (answer: GraphqlAnswer) => refusal(answer, 400, "invalid_request", 422);
const fieldsOf = (answer: GraphqlAnswer) => answer.errors[0]?.extensions.fields?.map(({ field }) => field);

describe("credentials", () => {
  const operations = {
    query: "{ proofs { nodes { id } } }",
    "query for anyone": "{ platformKeys { nodes { keyId } } }",
    introspection: "{ __schema { queryType { name } } }",
    typename: "{ __typename }",
    mutation: `mutation { registerProof(input: {sha256: "x"}) { created } }`,
    broken: "{",
  };
  test.each(Object.entries(operations))("%s with a token that is none: 401, before it is read", async (_, query) => {
    for (const token of ["nonsense", "", `svc_live_${"A".repeat(43)}`]) {
      const answer = await graphql(selo, token, query);
      refusal(answer, 401, "unauthenticated");
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.data).toBeUndefined();
    }
  });

  test("a broken body with a token that is none is 401 as well", async () => {
    refusal(await post(selo, "nonsense", "{"), 401, "unauthenticated");
    refusal(await post(selo, "nonsense", "x", { "content-type": "text/plain" }), 401, "unauthenticated");
  });

  test("without a token, what is public is answered, and everything else is 401", async () => {
    for (const [name, query] of Object.entries(operations)) {
      const answer = await graphql(selo, null, query);
      if (name === "broken") refusal(answer, 400, "malformed_request");
      else if (name === "query" || name === "mutation") {
        refusal(answer, 401, "unauthenticated");
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        expect(answer.data).toBeUndefined();
      } else expect({ name, status: answer.status, errors: answer.errors }).toEqual({ name, status: 200, errors: [] });
    }
  });

  test("without a token, nothing of an operation runs when a part of it needs one", async () => {
    const answer = await graphql(
      selo,
      null,
      "{ platformKeys { nodes { keyId } } ... on Query { all: proofs { nodes { id } } } }",
    );
    refusal(answer, 401, "unauthenticated");
    expect(answer.data).toBeUndefined();
  });

  test("without a token, a multipart request is 401 before it is read", async () => {
    const answer = await post(selo, null, new FormData());
    refusal(answer, 401, "unauthenticated");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.data).toBeUndefined();
  });

  test.each([
    ...Object.entries(operations),
    ["a field that is skipped", "{ proofs @skip(if: true) { nodes { id } } }"],
    ["what is public", `{ publicProof(code: "7Q2M-K9XT-4HBC") { proof { id } } }`],
    ["a function", "{ billingPlan { plan } }"],
    ["one thing beside what anyone may read", "{ platformKeys { nodes { keyId } } billingPlan { plan } }"],
    ["what does not exist", "{ nothing }"],
  ])("%s of a revoked token is refused at once, with nothing of an answer", async (_, query) => {
    const { id, token } = await selo.operator.createToken(organization.id, "live", "short-lived", ["proofs:read"]);
    // Known to the gateway, so that its limit lets it through.
    expect((await graphql(selo, token, "{ __typename }")).status).toBe(200);
    await selo.operator.revokeToken(id);
    const answer = await graphql(selo, token, query);
    refusal(answer, 401, "unauthenticated");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.data).toBeUndefined();
  });

  test("what anyone may read, of a revoked token, is refused at once, alone and beside something else", async () => {
    const sha256 = randomBytes(32).toString("hex");
    const made = await graphql(
      selo,
      organization.live,
      `mutation { registerProof(input: {sha256: "${sha256}"}) { proof { verificationCode } } }`,
    );
    const { proof } = answered<{ proof: { verificationCode: string } }>(made, "registerProof");
    const open = `publicProof(code: "${proof.verificationCode}") { proof { id } }`;
    for (const query of [
      `{ ${open} }`,
      `{ ${open} proofs { nodes { id } } }`,
      `{ verifiedProof(sha256: "${sha256}") { proof { id } } }`,
    ]) {
      const { id, token } = await selo.operator.createToken(organization.id, "live", "short-lived", ["proofs:read"]);
      expect((await graphql(selo, token, `{ ${open} }`)).status).toBe(200);
      await selo.operator.revokeToken(id);
      const answer = await graphql(selo, token, query);
      refusal(answer, 401, "unauthenticated");
      expect(answer.data).toBeUndefined();
    }
  });

  test("a body of a revoked token that cannot be read is 401 as well", async () => {
    const { id, token } = await selo.operator.createToken(organization.id, "live", "short-lived", ["proofs:read"]);
    expect((await graphql(selo, token, "{ __typename }")).status).toBe(200);
    await selo.operator.revokeToken(id);
    for (const body of ["{", "[]", JSON.stringify({ query: `{ ${"a ".repeat(1_500)} }` })])
      refusal(await post(selo, token, body), 401, "unauthenticated");
    refusal(await post(selo, token, "x", { "content-type": "text/plain" }), 401, "unauthenticated");
  });
});

describe("malformed input", () => {
  const send = (body: string, headers?: Record<string, string>) => post(selo, organization.live, body, headers);

  test.each([
    ["a body that is not JSON", "{"],
    ["an empty body", ""],
    ["a document that does not parse", JSON.stringify({ query: "{" })],
    ["a document nested beyond any use", JSON.stringify({ query: "{...".repeat(999) })],
    ["a document of too many tokens", JSON.stringify({ query: `{ ${"a ".repeat(2_000)} }` })],
  ])("%s: 400 malformed_request", async (_, body) => {
    refusal(await send(body), 400, "malformed_request");
  });

  test("bytes that are not UTF-8: 400", async () => {
    const answer = await post(selo, organization.live, new Uint8Array([0x7b, 0xff, 0x7d]), {
      "content-type": "application/json",
    });
    refusal(answer, 400, "malformed_request");
  });

  test("another content type: 415", async () => {
    const body = JSON.stringify({ query: "{ __typename }" });
    refusal(await send(body, { "content-type": "text/plain" }), 415, "unsupported_media_type");
    refusal(await send(body, { "content-type": "application/graphql" }), 415, "unsupported_media_type");
  });

  test("a body of 1 MiB is read, one byte more is 413", async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ query: "{ __typename }", extensions: { x: "" } });
      return JSON.stringify({ query: "{ __typename }", extensions: { x: "x".repeat(bytes - empty.length) } });
    };
    expect((await send(sized(1024 * 1024))).status).toBe(200);
    refusal(await send(sized(1024 * 1024 + 1)), 413, "too_large");
  });

  test.each([
    ["a batch", `[{"query":"{ __typename }"}]`, [""]],
    ["no object", "5", [""]],
    ["no query", "{}", ["query"]],
    ["an empty query", `{"query":""}`, ["query"]],
    ["unknown members", `{"query":"{ __typename }","operation":1,"id":2}`, ["operation", "id"]],
    [
      "members of the wrong type",
      `{"query":5,"variables":[],"operationName":{}}`,
      ["query", "operationName", "variables"],
    ],
    ["an operation that is not there", `{"query":"query a { __typename }","operationName":"b"}`, ["operationName"]],
    ["operations to choose from", `{"query":"query a { __typename } query b { __typename }"}`, ["operationName"]],
    ["a subscription", `{"query":"subscription { proofs }"}`, ["query"]],
    ["a field that does not exist", `{"query":"{ nothing }"}`, ["query"]],
    ["a missing argument", `{"query":"{ proof { id } }"}`, ["query"]],
    ["an unknown enum value", `{"query":"{ proofs(orderBy: LABEL_ASC) { nodes { id } } }"}`, ["query"]],
  ])("%s: 400 invalid_request with fields", async (_, body, fields) => {
    const answer = await send(body);
    refusedFirst(answer);
    expect(fieldsOf(answer)).toEqual(fields);
  });

  test.each([
    ["named by its digest", { query: undefined }],
    ["named by its digest, beside the document", {}],
    ["of another version", { extensions: { persistedQuery: { version: 2 } } }],
  ])("a persisted query, %s, is refused in the words after which clients send the document", async (_, members) => {
    const query = `mutation { registerProof(input: {sha256: "${"cd".repeat(32)}"}) { created } }`;
    const sha256Hash = createHash("sha256").update(query).digest("hex");
    const body = { query, extensions: { persistedQuery: { version: 1, sha256Hash } }, ...members };
    const answer = await send(JSON.stringify(body));
    expect(refusedFirst(answer)?.message).toBe("PersistedQueryNotSupported");
    expect(fieldsOf(answer)).toEqual(["extensions.persistedQuery"]);
    const found = await graphql(selo, organization.live, `{ proofs(search: "${"cd".repeat(32)}") { nodes { id } } }`);
    expect(found.data).toEqual({ proofs: { nodes: [] } });
  });

  test("null for the persisted query asks for none", async () => {
    const body = { query: "{ __typename }", extensions: { persistedQuery: null } };
    expect((await send(JSON.stringify(body))).status).toBe(200);
  });

  test.each([
    ["a field that does not exist", "{ nothing }", {}],
    ["a subscription", "subscription { proofs }", {}],
    ["a page too large", "{ proofs(first: 1000) { nodes { id } } }", {}],
    ["a cursor of nothing", `{ proofs(after: "x") { nodes { id } } }`, {}],
    ["what SQL refuses", `mutation { registerProof(input: {sha256: "x"}) { created } }`, {}],
    ["a wrong variable", "query ($n: Int) { proofs(first: $n) { nodes { id } } }", { n: "x" }],
    [
      "five missing ones",
      `query (${"abcde".replaceAll(/./g, "$$$&: Int! ")}) { ${"abcde".replaceAll(/./g, "$&: proofs(first: $$$&) { totalCount } ")} }`,
      {},
    ],
  ])("the message alone says what is wrong, of %s", async (_, query, variables) => {
    const { errors } = await graphql(selo, organization.live, query, variables);
    expect(errors.length).toBeGreaterThan(0);
    for (const { message, extensions } of errors) {
      const { fields = [] } = extensions;
      expect(fields.length).toBeGreaterThan(0);
      for (const named of fields.slice(0, 3)) {
        expect(message).toContain(named.message);
        if (named.field !== "query") expect(message).toContain(named.field);
      }
      if (fields.length > 3) expect(message).toContain(String(fields.length - 3));
    }
  });

  test.each([
    ["greaterThan", `{ proofs(filter: {registeredAt: {greaterThan: "yesterday"}}) { totalCount } }`],
    ["in", `{ proofs(filter: {registeredAt: {in: ["2026-01-01T00:00:00Z", 5]}}) { totalCount } }`],
    ["fileSize", `mutation { registerProof(input: {sha256: "x", fileSize: 99999999999999999999}) { created } }`],
    ["from", `{ creditUsage(from: "2026-02-30") { day } }`],
    ["variables.at", `query ($at: Datetime = "now") { proofs(filter: {registeredAt: {equalTo: $at}}) { totalCount } }`],
  ])("a wrong literal is an error of %s, with its place", async (field, document) => {
    const answer = await graphql(selo, organization.live, document);
    refusedFirst(answer);
    expect(fieldsOf(answer)).toEqual([field]);
    const [error] = answer.errors;
    expect(error?.message).toMatch(new RegExp(`^${field} must be `));
    const literal = /"yesterday"|5\]|9{20}|"2026-02-30"|"now"/.exec(document);
    expect((error as unknown as { locations: unknown }).locations).toEqual([
      { line: 1, column: (literal?.index ?? 0) + 1 },
    ]);
  });

  test("a query of 65,536 characters is read, one more is 400", async () => {
    const sized = (characters: number) => `{ __typename }${"#".repeat(characters - 14)}`;
    expect((await graphql(selo, organization.live, sized(65_536))).status).toBe(200);
    const answer = await graphql(selo, organization.live, sized(65_537));
    refusedFirst(answer);
    expect(fieldsOf(answer)).toEqual(["query"]);
  });

  test("null members and any Accept are no reason to refuse", async () => {
    const body = JSON.stringify({ query: "{ __typename }", variables: null, operationName: null, extensions: null });
    expect((await send(body, { accept: "text/html" })).status).toBe(200);
  });

  test("variables of the wrong type name their path", async () => {
    const register = "mutation($input: RegisterProofInput!) { registerProof(input: $input) { created } }";
    const wrong = async (variables: Record<string, unknown>) => {
      const answer = await graphql(selo, organization.live, register, variables);
      refusedFirst(answer);
      return fieldsOf(answer);
    };
    expect(await wrong({})).toEqual(["variables.input"]);
    expect(await wrong({ input: null })).toEqual(["variables.input"]);
    expect(await wrong({ input: { sha256: 5, fileSize: 1.5 } })).toEqual([
      "variables.input.sha256",
      "variables.input.fileSize",
    ]);
    expect(await wrong({ input: { sha256: "x", more: 1 } })).toEqual(["variables.input"]);
    expect(await wrong({ input: { sha256: "x", label: "a\0b" } })).toEqual(["variables.input.label"]);
    expect(await wrong({ input: { sha256: "x", label: "\ud800" } })).toEqual(["variables.input.label"]);
  });

  test("NUL and lone surrogates in the document", async () => {
    const nul = await graphql(selo, organization.live, String.raw`{ proofs(search: "a\u0000") { nodes { id } } }`);
    refusedFirst(nul);
    refusal(
      await graphql(selo, organization.live, String.raw`{ proofs(search: "\uD800") { nodes { id } } }`),
      400,
      "malformed_request",
    );
  });
});

test.each(["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s /graphql: 405 with Allow", async (method) => {
  const response = await fetch(`${selo.baseUrl}/graphql?query=%7B__typename%7D`, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, POST");
  if (method !== "HEAD") {
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "method_not_allowed" } }] });
  }
});

describe("status", () => {
  test("follows the first error when no root field answered, and is 200 otherwise", async () => {
    const writer = await organization.token("live", ["proofs:write"]);
    const alone = await graphql(selo, writer, "{ proofs { nodes { id } } }");
    refusal(alone, 403, "missing_scope");
    // A connection is never null, so its failure is that of the whole.
    expect(alone.data).toBeNull();
    expect(alone.errors[0]).toMatchObject({ path: ["proofs"], message: expect.stringContaining("proofs:read") });

    const beside = await graphql(
      selo,
      writer,
      `{ proof(id: "01a1fba4-b4c6-717b-8089-2cd0f88410ec") { id } platformKeys(first: 1) { nodes { keyId } } }`,
    );
    expect(beside.status).toBe(200);
    expect(beside.errors.map(({ extensions }) => extensions.code)).toEqual(["missing_scope"]);
  });

  test("of a proof that is not there is 200 with null", async () => {
    const answer = await graphql(
      selo,
      organization.live,
      `{ proof(id: "01a1fba4-b4c6-717b-8089-2cd0f88410ec") { id } }`,
    );
    expect(answer).toMatchObject({ status: 200, data: { proof: null }, errors: [] });
  });
});

describe("the database's words never leave", () => {
  const broken = async (sql: string, query: string) => {
    const definition = await selo.database.admin.query(
      "select pg_get_functiondef('gateway.find_proofs(text,jsonb)'::regprocedure) as sql",
    );
    await selo.database.admin.query(
      `create or replace function gateway.find_proofs(p_search text, p_page jsonb)
       returns setof uuid language plpgsql stable security definer set search_path = '' as $$ begin ${sql} end $$`,
    );
    try {
      return await graphql(selo, organization.live, query);
    } finally {
      await selo.database.admin.query(definition.rows[0].sql);
    }
  };

  test.each([
    [
      "a constraint violation",
      "raise exception 'duplicate key value secret' using errcode = '23505', detail = 'Key (secret)=(1)';",
    ],
    ["a syntax error", "execute 'selec secret';"],
    ["a failure without a code of ours", "raise exception 'secret';"],
    ["a cast that fails", "perform secret::integer from (select 'a') as t (secret);"],
  ])("%s", async (name, sql) => {
    const answer = await broken(sql, `{ proofs(search: "x") { nodes { id } } }`);
    expect(JSON.stringify([answer.data, answer.errors])).not.toMatch(/secret|syntax|integer|duplicate/);
    if (name === "a cast that fails") refusal(answer, 422, "invalid_request");
    else {
      const error = refusal(answer, 500, "internal_error");
      const requestId = answer.headers.get("x-request-id") ?? "";
      expect(error?.message).toContain(requestId);
      expect(selo.logs.some((line) => line.includes(requestId) && line.includes("GraphQL operation failed"))).toBe(
        true,
      );
    }
  });

  test("our own errors arrive with their code and fields", async () => {
    const answer = await broken(
      `perform platform.fail(404, 'not_found', 'No such thing.', '[{"field": "some_member", "message": "is wrong"}]');`,
      `{ proofs(search: "x") { nodes { id } } }`,
    );
    expect(refusal(answer, 404, "not_found")).toMatchObject({
      message: "No such thing.",
      extensions: { fields: [{ field: "someMember", message: "is wrong" }] },
    });
  });
});

test("a server that cannot be reached is 503 with Retry-After", async () => {
  const other = await startTestGateway();
  try {
    const { live } = await other.newOrganization();
    expect((await graphql(other, live, "{ __typename }")).status).toBe(200);
    await other.database.admin.query(`alter database ${other.database.name} connection limit 0`);
    const ofGateway = "pg_stat_activity where application_name like 'selo gateway%' and datname = current_database()";
    await other.database.admin.query(`select pg_terminate_backend(pid) from ${ofGateway}`);
    // A connection that ends a moment later would fail the last request.
    await expect.poll(async () => (await other.database.admin.query(`select from ${ofGateway}`)).rowCount).toBe(0);
    const answer = await graphql(other, live, "{ proofs { nodes { id } } }");
    refusal(answer, 503, "unavailable");
    expect(answer.headers.get("retry-after")).toBe("5");
    await other.database.admin.query(`alter database ${other.database.name} connection limit -1`);
    expect((await graphql(other, live, "{ proofs { nodes { id } } }")).status).toBe(200);
  } finally {
    await other.stop();
  }
});

describe("a megabyte of wrong values", () => {
  const query = "query ($filter: ProofFilter) { proofs(filter: $filter) { nodes { id } } }";
  const ask = (variables: Record<string, unknown>) => graphql(selo, organization.live, query, variables);

  test.each([
    ["elements", () => ({ filter: { registeredAt: { in: Array<number>(200_000).fill(1) } } })],
    ["nulls", () => ({ filter: { registeredAt: { in: Array<null>(100_000).fill(null) } } })],
    [
      "members",
      () => ({ filter: Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`wrong${index}`, 1])) }),
    ],
    ["texts", () => ({ filter: { registeredAt: { in: Array<string>(100_000).fill("\0") } } })],
  ])("%s: the answer names a hundred, and is no multiple of what was sent", async (_, variables) => {
    const answer = await ask(variables());
    refusedFirst(answer);
    expect(answer.errors[0]?.extensions.fields).toHaveLength(100);
    expect(JSON.stringify(answer.errors).length).toBeLessThan(100_000); // it was 50 MB
  });

  test("a list with more entries than a document has tokens: 400", async () => {
    const within = (entries: number) =>
      ask({ filter: { registeredAt: { in: Array<string>(entries).fill("2026-01-01T00:00:00Z") } } });
    expect((await within(2_000)).status).toBe(200);
    const answer = await within(2_001);
    refusedFirst(answer);
    expect(answer.errors[0]?.extensions.fields).toEqual([
      { field: "variables.filter.registeredAt.in", message: "must have at most 2000 entries" },
    ]);
  });

  test("nested deeper than anything asks for: 400", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const body = `{"query": ${JSON.stringify(query)}, "variables": {"filter": {"registeredAt": ${deep}}}}`;
    refusedFirst(await post(selo, organization.live, body));
  });
});
