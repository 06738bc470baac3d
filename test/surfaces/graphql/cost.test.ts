// Documents that would be dear to validate or to answer are refused before anything else looks at them.

import { getIntrospectionQuery, Kind, type OperationDefinitionNode, parse, print, visit } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql, nodeIdOf, post } from "../../support/graphql-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

async function ask(
  query: string,
  variables: object = {},
): Promise<{ status: number; code: string | null; ms: number }> {
  const begun = performance.now();
  const response = await fetch(`${selo.baseUrl}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.test}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return { status: response.status, code: body.errors?.[0]?.extensions.code ?? null, ms: performance.now() - begun };
}

/** Without Accept, as JSON: the document is at fault, and not the request. */
const refused = { status: 200, code: "invalid_request" };

test.each(["query", "mutation"])("fragments that double with each level are refused at once: %s", async (kind) => {
  const root = kind === "query" ? "Query" : "Mutation";
  let document = `${kind} { ...F0 }`;
  for (let level = 0; level < 40; level++)
    document += ` fragment F${level} on ${root} { ...F${level + 1} ...F${level + 1} }`;
  document += ` fragment F40 on ${root} { __typename }`;
  const answer = await ask(document);
  expect(answer).toMatchObject(refused);
  expect((await fetch(`${selo.baseUrl}/healthz`)).status).toBe(200);
});

test("aliases of aliases, also of the introspection, are refused", async () => {
  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_, place) => `a${place}: ${field}`).join(" ");
  expect(
    await ask(`{ ${aliases(40, "__schema { types { ...F } }")} } fragment F on __Type { ${aliases(30, "name")} }`),
  ).toMatchObject(refused);
  expect(await ask(`{ proofs(first: 200) { nodes { ${aliases(60, "platformSignaturePq")} } } }`)).toMatchObject(
    refused,
  );
  expect(
    await ask(`query ($n: Int) { proofs(first: $n) { nodes { ${aliases(60, "id")} } } }`, { n: 200 }),
  ).toMatchObject(refused);
});

const times = (count: number, text: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => text(place)).join(" ");
/** `{ __schema { queryType { ofType { … { name } } } } }` of so many levels. */
const nested = (levels: number) =>
  `{ __schema { queryType ${"{ ofType ".repeat(levels - 3)}{ name ${"}".repeat(levels)}`;
const NOBODYS = "0197a0c0-0000-7000-8000-000000000000";
/** So many fields below a proof, ten by ten in a fragment: GraphQL itself bounds how often one set may name the same. */
const proofWith = (count: number) =>
  `{ proof(id: "${NOBODYS}") { ${times(Math.floor(count / 10), () => "...F")} ${times(count % 10, () => "id")} } }
   fragment F on Proof { ${times(10, () => "id")} }`;

const PROOF_OF_74 = `fragment P on Proof { ${times(74, () => "id")} }`;
const proofsOf148 = "nodes { ...P ...P }";

test("a number without end is not written out", async () => {
  const fragments = times(60, (place) => `fragment F${place} on Query { ...F${place + 1} ...F${place + 1} }`);
  const answer = await graphql(selo, null, `{ ...F0 } ${fragments} fragment F60 on Query { __typename }`);
  expect(answer.errors[0]?.message).toBe(
    "query has more than 1,000,000,000 fields, fragments written out; at most 1,000.",
  );
});

test.each<[string, (count: number) => string, most: number, message: RegExp]>([
  [
    "aliases",
    (count) => `{ ${times(count, (place) => `a${place}: __typename`)} }`,
    50,
    /^has 51 aliases, fragments written out; at most 50$/,
  ],
  [
    "aliases, those of a fragment with each of its spreads",
    (count) => `{ ${times(count / 2, () => "...F")} } fragment F on Query { a: __typename b: __typename }`,
    50,
    /^has 52 aliases, fragments written out; at most 50$/,
  ],
  [
    "nodes, each of which may be of any type: node of proofs",
    (count) => `{ ${times(count, (place) => `a${place}: node(id: "${nodeIdOf("Proof", NOBODYS)}") { nodeId }`)} }`,
    5,
    /^asks for node 6 times, fragments written out; at most 5$/,
  ],
  ["levels", nested, 20, /^is 21 levels deep; at most 20$/],
  ["fields", (count) => proofWith(count - 1), 1_000, /^has 1,001 fields, fragments written out; at most 1,000$/],
  [
    "values, page sizes counted",
    // 1 + 200 × (1 + 148), and the rest beside it.
    (count) => `{ proofs(first: 200) { ${proofsOf148} } ${times(count - 29_801, () => "__typename")} } ${PROOF_OF_74}`,
    30_000,
    /^asks for 30,001 values, page sizes counted; at most 30,000$/,
  ],
  [
    "values, a page's size by the default of a variable",
    (count) =>
      `query ($size: Int = 200) { proofs(first: $size) { ${proofsOf148} } ${times(count - 29_801, () => "__typename")} } ${PROOF_OF_74}`,
    30_000,
    /^asks for 30,001 values, page sizes counted; at most 30,000$/,
  ],
])("a document has at most so many %s, with a token or without", async (name, document, most, message) => {
  const step = name.startsWith("aliases,") ? 2 : 1;
  for (const token of [organization.test, null]) {
    const allowed = await graphql(selo, token, document(most));
    // What asks for a token is refused for that, and not for what it costs.
    const codes = token === null && /proof|node\(/.test(document(most)) ? ["unauthenticated"] : [];
    expect(allowed.errors.map(({ extensions }) => extensions.code)).toEqual(codes);
    const over = await graphql(selo, token, document(most + step));
    expect({ status: over.status, errors: over.errors.map(({ extensions }) => extensions) }).toMatchObject({
      status: 400,
      errors: [
        {
          code: "invalid_request",
          http: { status: 422 },
          fields: [{ field: "query", message: expect.stringMatching(message) }],
        },
      ],
    });
    expect(over.data).toBeUndefined();
  }
});

test("the natural list, envelopes with their participants, is answered", async () => {
  const document =
    "{ envelopes { nodes { id title status createdAt participants { nodes { id name email status } } } } }";
  // As Relay asks for it.
  const byEdges =
    "{ envelopes { edges { cursor node { id nodeId title status __typename participants { edges { cursor node { id name email status __typename } } pageInfo { endCursor hasNextPage } } } } pageInfo { endCursor } } }";
  for (const natural of [document, byEdges])
    expect((await graphql(selo, organization.test, natural)).errors).toEqual([]);
  const larger = document.replace("envelopes {", "envelopes(first: 200) {");
  expect((await graphql(selo, organization.test, larger)).errors[0]?.message).toBe(
    "query asks for 51,201 values, page sizes counted; at most 30,000.",
  );
});

test("what an object holds at most, as lists within it are counted, is what its commands allow", async () => {
  const { admin } = selo.database;
  const { rows } = await admin.query<{ field: string; most: number }>(
    `select found[1] as field, found[2]::integer as most from gateway.view_comments,
       regexp_match(comment, '@foreignFieldName (\\w+)\\|@mostOfOne (\\d+)') as found where found is not null order by 1`,
  );
  expect(rows.map(({ field }) => field)).toEqual(["documents", "fields", "labels", "participants"]);
  for (const { field, most } of rows) {
    // A list that one command replaces whole is limited by that command's parameter.
    const said = [`The envelope already has ${most} ${field}, the maximum.`, `_ids {..${most}}`];
    const { rowCount } = await admin.query(
      `select from pg_proc where pronamespace in ('api'::regnamespace, 'gateway'::regnamespace)
       and (position($1 in prosrc) > 0 or (proname = $3 and position($2 in obj_description(oid, 'pg_proc')) > 0)) limit 1`,
      [...said, `set_envelope_${field}`],
    );
    expect([field, rowCount]).toEqual([field, 1]);
  }
});

test("a request's values count in its rate limit, 1,000 as one request", async () => {
  const limited = await startGatewayBeside(selo, {
    TOKEN_REQUESTS_PER_MINUTE: "30",
    PUBLIC_REQUESTS_PER_MINUTE: "30",
    TRUST_PROXY: "1",
  });
  try {
    const { live } = await selo.newOrganization();
    const left = ({ headers }: GraphqlAnswer) => Number(/;r=(\d+);/.exec(headers.get("ratelimit") ?? "")?.[1]);
    const proofs = (first: number, ids: number) =>
      `{ proofs(first: ${first}) { nodes { ${times(ids, () => "id")} } } }`;
    expect(left(await graphql(limited, live, proofs(1, 1)))).toBe(29);
    expect(left(await graphql(limited, live, proofs(111, 8)))).toBe(28);
    // 1 + 200 × 5 and 1 + 200 × 50 values.
    expect(left(await graphql(limited, live, proofs(200, 4)))).toBe(26);
    expect(left(await graphql(limited, live, proofs(200, 49)))).toBe(15);
    const refused = await graphql(limited, live, proofs(200, 89));
    expect([refused.status, refused.errors[0]?.extensions.code, refused.data]).toEqual([
      429,
      "rate_limited",
      undefined,
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Without a token they count for the address.
    const keys = `{ platformKeys(first: 200) { nodes { ${times(9, () => "id")} } } }`;
    expect(left(await graphql(limited, null, keys, {}, { "x-forwarded-for": "198.51.100.7" }))).toBe(27);
  } finally {
    await limited.stop();
  }
});

test("fragments in a circle are refused", async () => {
  expect(await ask("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }")).toMatchObject(refused);
  const circle =
    "{ __schema { types { ...A } } } fragment A on __Type { name ofType { ...A } fields { type { ...A } } }";
  expect(await ask(circle)).toMatchObject(refused);
});

test("what tools and pages ask is not refused", async () => {
  expect((await ask(getIntrospectionQuery())).status).toBe(200);
  expect(
    (
      await ask(
        "{ proofs(first: 200) { nodes { id sha256 label fileName registeredAt verifyUrl evidence platformSignature } } }",
      )
    ).status,
  ).toBe(200);
});

/** With all that schemas can say of themselves. */
const WHOLE_SCHEMA = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

describe("the schema itself", () => {
  const ONCE = /__schema and __type at most once each/;
  const CHARACTERS = /at most \d+ characters about the schema/;
  const PARTS = "kind name description fields { name description args { name description } }";
  const over: Record<string, readonly [document: string, message: RegExp, variables?: object]> = {
    "45 aliases of types": [`{ __schema { ${times(45, (place) => `a${place}: types { ${PARTS} }`)} } }`, CHARACTERS],
    "45 aliases of types by a fragment": [
      `{ __schema { ${times(45, (place) => `a${place}: types { ...Parts }`)} } } fragment Parts on __Type { ${PARTS} }`,
      CHARACTERS,
    ],
    "aliases of one text": [
      `{ __schema { types { fields { ${times(45, (place) => `a${place}: description`)} } } } }`,
      CHARACTERS,
    ],
    "aliases of what is within fragments of fragments": [
      `{ __schema { types { ...A } } } fragment A on __Type { ${times(5, (place) => `a${place}: fields { ...B }`)} }
       fragment B on __Field { ${times(9, (place) => `b${place}: description`)} }`,
      CHARACTERS,
    ],
    "__schema twice": ["{ a: __schema { queryType { name } } b: __schema { queryType { name } } }", ONCE],
    "__schema twice by a fragment": [
      "{ ...A ... on Query { b: __schema { queryType { name } } } } fragment A on Query { __schema { queryType { name } } }",
      ONCE,
    ],
    "45 aliases of __type": [`{ ${times(45, (place) => `a${place}: __type(name: "Query") { name }`)} }`, ONCE],
    "aliases of one type": [
      `{ __type(name: "Query") { ${times(45, (place) => `a${place}: fields { description args { description } }`)} } }`,
      CHARACTERS,
    ],
    "aliases of a type that a variable names": [
      `query ($name: String!) { __type(name: $name) { ${times(45, (place) => `a${place}: fields { description args { description } }`)} } }`,
      CHARACTERS,
      { name: "Query" },
    ],
    "aliases of a type that a default names": [
      `query ($name: String! = "Query") { __type(name: $name) { ${times(45, (place) => `a${place}: fields { description args { description } }`)} } }`,
      CHARACTERS,
    ],
    "an operation that is not the one named": [
      `query A { __typename } query B { __schema { ${times(45, (place) => `a${place}: types { ${PARTS} }`)} } }`,
      CHARACTERS,
    ],
  };
  test.each(Object.keys(over))("is not asked for over and over: %s", async (name) => {
    const [document, message, variables = {}] = over[name] ?? ["", /never/];
    for (const token of [null, organization.test]) {
      const { status, data, errors } = await graphql(selo, token, document, { ...variables });
      expect({ status, data }).toEqual({ status: 400, data: undefined });
      expect(errors.map(({ extensions }) => extensions)).toMatchObject([
        {
          code: "invalid_request",
          http: { status: 422 },
          fields: [{ field: "query", message: expect.stringMatching(message) }],
        },
      ]);
    }
  });

  /** As Apollo Client asks: for the type of every object as well. */
  const withTypenames = print(
    visit(parse(WHOLE_SCHEMA), {
      SelectionSet: {
        leave: (set, _key, parent) =>
          (parent as OperationDefinitionNode).kind === Kind.OPERATION_DEFINITION
            ? undefined
            : {
                ...set,
                selections: [
                  ...set.selections,
                  { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } } as const,
                ],
              },
      },
    }),
  );
  // gql.tada and urql: types within types, ten levels down.
  const TYPE_REF = `kind name ${"ofType { kind name ".repeat(9)}${"} ".repeat(9)}`;
  const GQL_TADA = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name }
    types { ...FullType } directives { name description locations args(includeDeprecated: true) { ...InputValue } isRepeatable } } }
    fragment FullType on __Type { kind name description specifiedByURL
      fields(includeDeprecated: true) { name description isDeprecated deprecationReason args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } }
      interfaces { ...TypeRef } possibleTypes { ...TypeRef } inputFields(includeDeprecated: true) { ...InputValue }
      enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } }
    fragment InputValue on __InputValue { name description defaultValue type { ...TypeRef } isDeprecated deprecationReason }
    fragment TypeRef on __Type { ${TYPE_REF} }`;
  test.each<[string, string]>([
    ["graphql-js, as GraphiQL and code generators ask", getIntrospectionQuery()],
    ["graphql-js with all options", WHOLE_SCHEMA],
    ["Apollo Client", withTypenames],
    ["gql.tada and urql", GQL_TADA],
    ["one of each", `{ __schema { queryType { name } } __type(name: "Proof") { fields { name } } }`],
    [
      "an operation for each, of which one runs",
      "query A { __schema { queryType { name } } } query B { __schema { queryType { name } } }",
    ],
  ])("is told to tools: %s", async (_, document) => {
    const operationName = document.startsWith("query A") ? "A" : null;
    const answer = await post(selo, null, JSON.stringify({ query: document, operationName }));
    expect({ status: answer.status, errors: answer.errors }).toEqual({ status: 200, errors: [] });
    expect(answered<object>(answer, "__schema")).toMatchObject({ queryType: { name: "Query" } });
  });

  test("is told up to one and a half times of what the standard query answers, and no further", async () => {
    const standard = await graphql(selo, null, WHOLE_SCHEMA);
    const most = 1.5 * JSON.stringify(standard.data).length;
    // Each further alias is some 2 % of the limit.
    const document = (count: number) =>
      `{ __schema { types { fields { ${times(8, (place) => `a${place}: description`)} ${times(count, (place) => `b${place}: isDeprecated`)} } } } }`;
    let allowed = 0;
    for (let count = 0; ; count++) {
      const { status, data } = await graphql(selo, null, document(count));
      if (status !== 200) break;
      allowed = JSON.stringify(data).length;
    }
    expect(allowed).toBeLessThanOrEqual(most * 1.01);
    expect(allowed).toBeGreaterThan(most * 0.95);
  });
});

test("a multipart map whose path is long is refused and harms nothing", async () => {
  const form = new FormData();
  form.set(
    "operations",
    JSON.stringify({
      query: "mutation ($f: Upload!) { uploadProof(input: { file: $f }) { created } }",
      variables: { f: null },
    }),
  );
  form.set("map", JSON.stringify({ 0: [`variables.${"a.".repeat(200_000)}f`] }));
  form.set("0", new Blob(["x"]), "x.txt");
  const response = await fetch(`${selo.baseUrl}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization.test}` },
    body: form,
  });
  expect(response.status).toBe(413);
});
