// What is answered to readers of each media type (GraphQL over HTTP §6), each cell of the table a test.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaTypeOf } from "../../../src/surfaces/graphql/media-type.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type GraphqlAnswer, graphql, post } from "../../support/graphql-client.ts";

const RESPONSE = "application/graphql-response+json";
const JSON_TYPE = "application/json";

let selo: TestGateway;
let organization: TestOrganization;
/** A token that reads no proofs and uploads none. */
let narrow: string;
beforeAll(async () => {
  selo = await startTestGateway({ CORS_ORIGINS: "https://app.example" });
  organization = await selo.newOrganization();
  narrow = await organization.token("live", ["labels:read"]);
});
afterAll(() => selo.stop());

const told = ({ status, headers, data, errors }: GraphqlAnswer) => ({
  status,
  type: headers.get("content-type"),
  codes: errors.map(({ extensions }) => extensions.code),
  data,
});

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly ask: (headers: Record<string, string>) => Promise<GraphqlAnswer>;
}

/** An upload, with a token that may not upload. */
function form(): FormData {
  const parts = new FormData();
  parts.set("operations", JSON.stringify({ query: "{ __typename }" }));
  parts.set("map", "{}");
  return parts;
}

const PROOFS = "{ proofs { nodes { id } } }";
const NO_ID = "01a1fba4-b4c6-717b-8089-2cd0f88410ec";
const REFUSED: Record<string, Refused> = {
  "a body that cannot be read": {
    status: 400,
    code: "malformed_request",
    ask: (headers) => post(selo, organization.live, "{", headers),
  },
  "a document that does not parse": {
    status: 400,
    code: "malformed_request",
    ask: (headers) => graphql(selo, organization.live, "{", {}, headers),
  },
  "an unknown token": {
    status: 401,
    code: "unauthenticated",
    ask: (headers) => graphql(selo, "svc_live_nonsense", PROOFS, {}, headers),
  },
  "no token": {
    status: 401,
    code: "unauthenticated",
    ask: (headers) => graphql(selo, null, PROOFS, {}, headers),
  },
  "a file of a token that uploads none": {
    status: 403,
    code: "missing_scope",
    ask: (headers) => post(selo, narrow, form(), headers),
  },
  "a body over the limit": {
    status: 413,
    code: "too_large",
    ask: (headers) => post(selo, organization.live, " ".repeat(1024 * 1024 + 1), headers),
  },
  "another content type": {
    status: 415,
    code: "unsupported_media_type",
    ask: (headers) => post(selo, organization.live, "x", { ...headers, "content-type": "text/plain" }),
  },
  "a document that is not valid": {
    status: 422,
    code: "invalid_request",
    ask: (headers) => graphql(selo, organization.live, "{ nothing }", {}, headers),
  },
  "a variable of another type": {
    status: 422,
    code: "invalid_request",
    ask: (headers) =>
      graphql(selo, organization.live, "query ($n: Int) { proofs(first: $n) { nodes { id } } }", { n: "a" }, headers),
  },
};

describe.each([RESPONSE, JSON_TYPE])("%s", (accept) => {
  const type = `${accept}; charset=utf-8`;

  test.each(Object.entries(REFUSED))("refused before it ran: %s", async (_, { status, code, ask }) => {
    expect(told(await ask({ accept }))).toEqual({ status, type, codes: [code], data: undefined });
  });

  test("refused before it ran: a request beyond the limit is 429 with Retry-After", async () => {
    const limited = await startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "2" });
    try {
      const asked = [];
      for (let request = 0; request < 3; request++)
        asked.push(await graphql(limited, null, "{ __typename }", {}, { accept }));
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 429]);
      const last = asked[2] as GraphqlAnswer;
      expect(told(last)).toEqual({ status: 429, type, codes: ["rate_limited"], data: undefined });
      expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(last.headers.get("vary")).toBe("Accept");
    } finally {
      await limited.stop();
    }
  });

  test("refused before it ran: the token was revoked after the gateway had seen it", async () => {
    const { id, token } = await selo.operator.createToken(organization.id, "live", "short-lived", ["proofs:read"]);
    expect((await graphql(selo, token, "{ __typename }")).status).toBe(200);
    await selo.operator.revokeToken(id);
    expect(told(await graphql(selo, token, PROOFS, {}, { accept }))).toEqual({
      status: 401,
      type,
      codes: ["unauthenticated"],
      data: undefined,
    });
  });

  test.each([
    ["a query", PROOFS, 403, "missing_scope", null],
    ["a query of one thing", `{ proof(id: "${NO_ID}") { id } }`, 403, "missing_scope", { proof: null }],
    [
      "a mutation",
      `mutation { registerProof(input: {sha256: "${"ab".repeat(32)}"}) { created } }`,
      403,
      "missing_scope",
      { registerProof: null },
    ],
  ])("ran without data: %s", async (_, query, status, code, data) => {
    expect(told(await graphql(selo, narrow, query, {}, { accept }))).toEqual({
      status: accept === RESPONSE ? status : 200,
      type,
      codes: [code],
      data,
    });
  });

  test("ran without data: a wrong value that only SQL knows is 422, or 200", async () => {
    const query = `mutation { registerProof(input: {sha256: "x"}) { created } }`;
    const answer = await graphql(selo, organization.live, query, {}, { accept });
    expect(told(answer)).toMatchObject({ status: accept === RESPONSE ? 422 : 200, codes: ["invalid_request"] });
    expect(answer.errors[0]?.extensions.http).toEqual({ status: 422 });
  });

  test("ran with some data: 200 beside the errors", async () => {
    const query = `{ proof(id: "${NO_ID}") { id } platformKeys(first: 1) { nodes { keyId } } }`;
    expect(told(await graphql(selo, narrow, query, {}, { accept }))).toEqual({
      status: 200,
      type,
      codes: ["missing_scope"],
      data: { proof: null, platformKeys: { nodes: [{ keyId: expect.any(String) }] } },
    });
  });

  test("ran with all data: 200", async () => {
    expect(told(await graphql(selo, organization.live, "{ __typename }", {}, { accept }))).toEqual({
      status: 200,
      type,
      codes: [],
      data: { __typename: "Query" },
    });
  });

  test("caches are told that the answer depends on Accept, beside Origin for pages", async () => {
    const headers = { accept, origin: "https://app.example" };
    const answers = [
      await graphql(selo, organization.live, "{ __typename }", {}, headers),
      await graphql(selo, organization.live, "{ nothing }", {}, headers),
      await post(selo, organization.live, "{", headers),
    ];
    for (const answer of answers) expect(answer.headers.get("vary")).toBe("Origin, Accept");
  });
});

test.each([
  // As clients send it, out of the box.
  ["Apollo Client", "application/graphql-response+json,application/json;q=0.9", RESPONSE],
  [
    "urql",
    "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
    RESPONSE,
  ],
  ["a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON_TYPE],
  ["curl and fetch", "*/*", JSON_TYPE],
  ["nothing said", undefined, JSON_TYPE],
  ["an empty header", "", JSON_TYPE],
  // By quality, then by order.
  ["the new one alone", "application/graphql-response+json", RESPONSE],
  ["with its charset", "application/graphql-response+json; charset=UTF-8", RESPONSE],
  ["in capitals", "Application/GraphQL-Response+JSON", RESPONSE],
  ["JSON preferred", "application/graphql-response+json;q=0.5, application/json", JSON_TYPE],
  ["the new one preferred", "application/json;q=0.5, application/graphql-response+json;q=0.6", RESPONSE],
  ["JSON first", "application/json, application/graphql-response+json", JSON_TYPE],
  ["the new one beside anything", "application/graphql-response+json, */*;q=0.1", RESPONSE],
  ["anything else", "application/graphql-response+json;q=0, */*", JSON_TYPE],
  ["anything but JSON", "application/json;q=0, */*", RESPONSE],
  ["any application", "application/*", JSON_TYPE],
  ["neither", "text/html", JSON_TYPE],
  ["nonsense", ";;;,,q=/", JSON_TYPE],
  ["more than is kept", `${"text/x, ".repeat(200)}application/graphql-response+json`, RESPONSE],
])("Accept of %s", (_, accept, type) => {
  for (let time = 0; time < 2; time++) expect(mediaTypeOf(accept)).toBe(`${type}; charset=utf-8`);
});
