// Queries by GET: the same as by POST, but for mutations, which are never taken, and the length of the address.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type GraphqlAnswer, get, graphql, post } from "../../support/graphql-client.ts";

const ORIGIN = "https://app.example";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ CORS_ORIGINS: ORIGIN });
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const register = (label: string) =>
  graphql(
    selo,
    organization.live,
    `mutation { registerProof(input: {sha256: "${randomBytes(32).toString("hex")}", label: "${label}"}) { created } }`,
  );

describe("a query", () => {
  test("is answered as by POST, with its variables and the operation that it names", async () => {
    await register("by-get");
    const document = {
      query: `query Other { __typename }
        query Search($text: String!, $limit: Int = 5) { proofs(search: $text, first: $limit) { nodes { label } } }`,
      operationName: "Search",
    };
    const variables = { text: "by-get" };
    const asked = await get(selo, organization.live, {
      ...document,
      variables: JSON.stringify(variables),
      extensions: JSON.stringify({ clientLibrary: { name: "x" } }),
    });
    expect(asked).toMatchObject({ status: 200, errors: [], data: { proofs: { nodes: [{ label: "by-get" }] } } });
    const posted = await post(selo, organization.live, JSON.stringify({ ...document, variables }));
    expect(posted.data).toEqual(asked.data);
  });

  test("is for nobody's cache, and says what its answer depends on", async () => {
    for (const asked of [
      await get(selo, organization.live, { query: "{ __typename }" }),
      await get(selo, organization.live, { query: "{ nothing }" }),
      await get(selo, "nonsense", { query: "{ __typename }" }),
    ]) {
      expect(asked.headers.get("cache-control")).toBe("no-store");
      expect(asked.headers.get("vary")).toBe("Origin, Accept, Authorization");
      expect(asked.headers.get("content-type")).toBe("application/graphql-response+json; charset=utf-8");
    }
  });

  test("of anyone is answered with what is public, as a simple request of a page", async () => {
    const response = await fetch(`${selo.baseUrl}/graphql?query={platformKeys(first:1){nodes{keyId}}}`, {
      headers: { origin: ORIGIN },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(await response.json()).toEqual({ data: { platformKeys: { nodes: [{ keyId: expect.any(String) }] } } });
  });

  test("may have empty members and null for variables, and an Idempotency-Key that says nothing", async () => {
    const members = { query: "{ __typename }", operationName: "", variables: "null", extensions: "" };
    expect(codes(await get(selo, organization.live, members, { "idempotency-key": "a\tb" }))).toEqual([200]);
  });
});

describe("a mutation is never taken", () => {
  const query = `mutation A { registerProof(input: {sha256: "${"ab".repeat(32)}"}) { created } } query B { __typename }`;

  test.each(["application/graphql-response+json", "application/json"])("%s: 405 with Allow: POST", async (accept) => {
    const asked = await get(selo, organization.live, { query, operationName: "A" }, { accept });
    expect(codes(asked)).toEqual([405, "method_not_allowed"]);
    expect(asked.headers.get("allow")).toBe("POST");
    expect(asked.data).toBeUndefined();
    expect((await get(selo, organization.live, { query, operationName: "B" }, { accept })).status).toBe(200);
    const found = await graphql(selo, organization.live, `{ proofs(search: "${"ab".repeat(32)}") { nodes { id } } }`);
    expect(found.data).toEqual({ proofs: { nodes: [] } });
  });

  test("a token that is none is told so first", async () => {
    expect(codes(await get(selo, "nonsense", { query, operationName: "A" }))).toEqual([401, "unauthenticated"]);
    const { id, token } = await selo.operator.createToken(organization.id, "live", "short-lived", ["proofs:write"]);
    expect((await get(selo, token, { query: "{ __typename }" })).status).toBe(200);
    await selo.operator.revokeToken(id);
    expect(codes(await get(selo, token, { query, operationName: "A" }))).toEqual([401, "unauthenticated"]);
  });
});

describe("limits", () => {
  test("an address of 8 KiB is read, one byte more is 413", async () => {
    const sized = (bytes: number) => {
      const members = "query=%7B__typename%7D";
      return members + "+".repeat(bytes - "/graphql?".length - members.length);
    };
    expect(codes(await get(selo, organization.live, sized(8_192)))).toEqual([200]);
    const refused = await get(selo, organization.live, sized(8_193));
    expect(codes(refused)).toEqual([413, "too_large"]);
    expect(refused.errors[0]?.message).toContain("8192");
  });

  test("of a document are those of POST", async () => {
    const wide = `{ ${Array.from({ length: 51 }, (_, place) => `a${place}: __typename`).join(" ")} }`;
    for (const query of [
      wide,
      "{ proofs(first: 200) { nodes { id sha256 label fileName } } }".replace("200", "100000"),
    ]) {
      const asked = await get(selo, organization.live, { query });
      const posted = await graphql(selo, organization.live, query);
      const told = ({ errors }: GraphqlAnswer) =>
        errors.map(({ message, extensions: { requestId: _, ...extensions } }) => ({ message, ...extensions }));
      // The first is refused before it runs, the second by what runs.
      expect([asked.status, posted.status]).toEqual(query === wide ? [400, 400] : [422, 422]);
      expect(told(asked)).toEqual(told(posted));
      expect(told(asked)).not.toEqual([]);
    }
  });

  test("of an address and of a token are those of POST", async () => {
    const limited = await startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "3", TOKEN_REQUESTS_PER_MINUTE: "2" });
    try {
      const { live } = await limited.newOrganization();
      const query = "{ __typename }";
      expect((await graphql(limited, null, query)).headers.get("ratelimit")).toMatch(/^"address";r=2;/);
      const second = await get(limited, null, { query });
      expect(second.headers.get("ratelimit")).toMatch(/^"address";r=1;/);
      // A root field that is counted takes one, and each further one takes another.
      const keys = "{ platformKeys { nodes { keyId } } more: platformKeys { nodes { keyId } } }";
      expect(codes(await get(limited, null, { query: keys }))).toEqual([429, "rate_limited"]);
      expect(codes(await get(limited, live, { query }))).toEqual([200]);
      expect(codes(await graphql(limited, live, query))).toEqual([200]);
      const last = await get(limited, live, { query });
      expect(codes(last)).toEqual([429, "rate_limited"]);
      expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    } finally {
      await limited.stop();
    }
  });

  test("of credentials and scopes are those of POST", async () => {
    const narrow = await organization.token("live", ["labels:read"]);
    const query = "{ proofs { nodes { id } } }";
    expect(codes(await get(selo, null, { query }))).toEqual([401, "unauthenticated"]);
    expect(codes(await get(selo, narrow, { query }))).toEqual([403, "missing_scope"]);
    expect(codes(await get(selo, narrow, { query }, { accept: "application/json" }))).toEqual([200, "missing_scope"]);
  });
});

describe("malformed input", () => {
  test.each([
    ["variables that are not JSON", "query={__typename}&variables={", 400, "malformed_request", "variables"],
    ["extensions that are not JSON", "query={__typename}&extensions=a", 400, "malformed_request", "extensions"],
    ["broken percent-encoding", "query=%7", 400, "malformed_request", ""],
    ["a document that does not parse", "query={", 400, "malformed_request", ""],
  ])("%s: 400 malformed_request", async (_, address, status, code, word) => {
    const asked = await get(selo, organization.live, address);
    expect(codes(asked)).toEqual([status, code]);
    expect(asked.errors[0]?.message).toContain(word);
  });

  test.each([
    ["no query", "", "query"],
    ["members, but no query", "variables={}", "query"],
    ["an empty query", "query=", "query"],
    ["two queries", "query={a}&query={b}", "query"],
    ["an unknown member", "query={__typename}&id=1", "id"],
    ["variables of another type", "query={__typename}&variables=[]", "variables"],
    ["an operation that is not there", "query=query+a{__typename}&operationName=b", "operationName"],
    [
      "a wrong variable",
      "query=query($n:Int){proofs(first:$n){totalCount}}&variables={%22n%22:%22x%22}",
      "variables.n",
    ],
  ])("%s: 400 invalid_request", async (_, address, field) => {
    const asked = await get(selo, organization.live, address);
    expect(codes(asked)).toEqual([400, "invalid_request"]);
    expect(asked.errors[0]?.extensions.fields).toEqual([{ field, message: expect.any(String) }]);
  });
});

test("a persisted query by GET, which has no query, is told that there are none", async () => {
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: "ab".repeat(32) } });
  for (const members of [{ extensions }, { extensions, query: "{ __typename }" }]) {
    const { status, errors } = await get(selo, organization.live, { ...members, variables: "{}" });
    expect([status, errors.map(({ message }) => message)]).toEqual([400, ["PersistedQueryNotSupported"]]);
  }
});

test("nothing of an address is logged at trace, whatever is answered", async () => {
  const quiet = await startTestGateway({ LOG_LEVEL: "trace" });
  try {
    const { live } = await quiet.newOrganization();
    const query = `query Quiet($text: String!) { proofs(search: $text) { nodes { id } } }`;
    const members = { query, variables: JSON.stringify({ text: "quiet-search" }) };
    const asked = [
      await get(quiet, live, members),
      await get(quiet, "quiet-token", members),
      await get(quiet, live, { query: "{ quietField }" }),
      await get(quiet, live, { ...members, variables: "quiet-variables" }),
      await get(quiet, live, "query=%quiet-percent"),
      await get(quiet, live, { query: "mutation { quietMutation }" }),
      await get(quiet, live, { ...members, operationName: `quiet-${"x".repeat(8_192)}` }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 401, 400, 400, 400, 400, 413]);
    // Over 16 KiB Node refuses the bytes itself.
    expect((await fetch(`${quiet.baseUrl}/graphql?query=quiet-${"x".repeat(16_384)}`)).status).toBe(413);
    // A failure of ours, which is logged with its cause.
    await quiet.database.admin.query("drop function gateway.find_proofs");
    expect((await get(quiet, live, members)).status).toBe(500);
    const logged = quiet.logs.join("");
    expect(logged).toContain('"msg":"GraphQL operation failed"');
    expect(logged).toContain('"route":"/graphql"');
    for (const secret of ["quiet", "Quiet", "proofs(search", live, "graphql?"]) expect(logged).not.toContain(secret);
  } finally {
    await quiet.stop();
  }
});
