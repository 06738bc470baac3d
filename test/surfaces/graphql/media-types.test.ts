// What is answered to readers of each media type (GraphQL over HTTP §6), each cell of the table a test.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mediaTypeOf } from "../../../src/surfaces/graphql/media-type.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type GraphqlAnswer, get, graphql, post } from "../../support/graphql-client.ts";

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
  /** The HTTP status for a reader of either media type. */
  readonly status: Readonly<Record<typeof RESPONSE | typeof JSON_TYPE, number>>;
  readonly code: string;
  /** The status of the code, which the error tells. */
  readonly statusOfCode: number;
  readonly ask: (headers: Record<string, string>) => Promise<GraphqlAnswer>;
}

/** A document that does not parse, validate or coerce. */
const ofDocument = { [RESPONSE]: 400, [JSON_TYPE]: 200 };
const inBoth = (status: number) => ({ [RESPONSE]: status, [JSON_TYPE]: status });
const unreadable = { code: "malformed_request", statusOfCode: 400 };
const invalid = { code: "invalid_request", statusOfCode: 422 };
/** A refusal that keeps the status of its code. */
const kept = (status: number, code: string) => ({ status: inBoth(status), code, statusOfCode: status });

/** An upload, with a token that may not upload. */
function form(): FormData {
  const parts = new FormData();
  parts.set("operations", JSON.stringify({ query: "{ __typename }" }));
  parts.set("map", "{}");
  return parts;
}

const PROOFS = "{ proofs { nodes { id } } }";
const KEY = { "idempotency-key": "media-types" };
const NO_ID = "01a1fba4-b4c6-717b-8089-2cd0f88410ec";
const REGISTER = `mutation { registerProof(input: {sha256: "${"ab".repeat(32)}"}) { created } }`;
const asking = (document: string, variables: object = {}, more: Record<string, string> = {}) => ({
  ask: (headers: Record<string, string>) =>
    graphql(selo, organization.live, document, { ...variables }, { ...headers, ...more }),
});
const sending = (body: string, more: Record<string, string> = {}) => ({
  ask: (headers: Record<string, string>) => post(selo, organization.live, body, { ...headers, ...more }),
});
const REFUSED: Record<string, Refused> = {
  "a body that cannot be read": { status: inBoth(400), ...unreadable, ...sending("{") },
  "no body": { status: inBoth(400), ...unreadable, ...sending("") },
  "no query": { status: inBoth(400), ...invalid, ...sending("{}") },
  "a parameter of the wrong type": {
    status: inBoth(400),
    ...invalid,
    ...sending(`{"query": "{ __typename }", "variables": []}`),
  },
  "an unknown parameter": { status: inBoth(400), ...invalid, ...sending(`{"query": "{ __typename }", "id": 1}`) },
  "a batch": { status: inBoth(400), ...invalid, ...sending(`[{"query": "{ __typename }"}]`) },
  "a document that does not parse": { status: ofDocument, ...unreadable, ...asking("{") },
  "a document that is not valid": { status: ofDocument, ...invalid, ...asking("{ nothing }") },
  "a document that costs too much": { status: ofDocument, ...invalid, ...asking(`{ ${"a: __typename ".repeat(51)} }`) },
  "a variable of another type": {
    status: ofDocument,
    ...invalid,
    ...asking("query ($n: Int) { proofs(first: $n) { nodes { id } } }", { n: "a" }),
  },
  "a variable that is missing": {
    status: ofDocument,
    ...invalid,
    ...asking("query ($id: ID!) { proof(id: $id) { id } }"),
  },
  "an operation that is not in the document": {
    status: ofDocument,
    ...invalid,
    ...sending(`{"query": "query a { __typename }", "operationName": "b"}`),
  },
  "a subscription": { status: ofDocument, ...invalid, ...asking("subscription { proofs }") },
  "an Idempotency-Key beside two mutations": {
    status: ofDocument,
    ...invalid,
    ...asking(REGISTER.replace("{", `{ other: ${REGISTER.slice(REGISTER.indexOf("{") + 1, -1)}`), {}, KEY),
  },
  "a persisted query": {
    status: ofDocument,
    ...invalid,
    ...sending(`{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "${"ab".repeat(32)}"}}}`),
  },
  "an unknown token": {
    ...kept(401, "unauthenticated"),
    ask: (headers) => graphql(selo, "svc_live_nonsense", PROOFS, {}, headers),
  },
  "an unknown token with a document that is not valid": {
    ...kept(401, "unauthenticated"),
    ask: (headers) => graphql(selo, "svc_live_nonsense", "{ nothing }", {}, headers),
  },
  "no token": { ...kept(401, "unauthenticated"), ask: (headers) => graphql(selo, null, PROOFS, {}, headers) },
  "a file of a token that uploads none": {
    ...kept(403, "missing_scope"),
    ask: (headers) => post(selo, narrow, form(), headers),
  },
  "a mutation by GET": {
    ...kept(405, "method_not_allowed"),
    ask: (headers) => get(selo, organization.live, { query: REGISTER }, headers),
  },
  "a body over the limit": { ...kept(413, "too_large"), ...sending(" ".repeat(1024 * 1024 + 1)) },
  "another content type": {
    ...kept(415, "unsupported_media_type"),
    ...sending("x", { "content-type": "text/plain" }),
  },
};

describe.each([RESPONSE, JSON_TYPE] as const)("%s", (accept) => {
  const type = `${accept}; charset=utf-8`;

  test.each(Object.entries(REFUSED))("refused before it ran: %s", async (_, { status, code, statusOfCode, ask }) => {
    const answer = await ask({ accept });
    expect(told(answer)).toEqual({ status: status[accept], type, codes: [code], data: undefined });
    expect(answer.errors[0]?.extensions.http).toEqual({ status: statusOfCode });
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
