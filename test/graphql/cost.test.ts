// Documents that would be dear to validate or to answer are refused before anything else looks at them.

import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { graphql } from "./graphql-client.ts";

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

const refused = { status: 422, code: "invalid_request" };

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
/** So many fields below a proof, ten by ten in a fragment: GraphQL itself bounds how often one set may name the same. */
const proofWith = (count: number) =>
  `{ proof(id: "0197a0c0-0000-7000-8000-000000000000") { ${times(Math.floor(count / 10), () => "...F")} ${times(count % 10, () => "id")} } }
   fragment F on Proof { ${times(10, () => "id")} }`;

test.each<[string, (count: number) => string, most: number, message: RegExp]>([
  ["aliases", (count) => `{ ${times(count, (place) => `a${place}: __typename`)} }`, 50, /at most 50 aliases/],
  [
    "aliases, those of a fragment with each of its spreads",
    (count) => `{ ${times(count / 2, () => "...F")} } fragment F on Query { a: __typename b: __typename }`,
    50,
    /at most 50 aliases/,
  ],
  ["levels", nested, 20, /at most 20 levels/],
  ["fields", (count) => proofWith(count - 1), 1_000, /at most 1000 fields/],
  [
    "values, page sizes counted",
    // 1 + 200 × (1 + 23), and the rest beside it.
    (count) =>
      `{ proofs(first: 200) { nodes { ${times(23, () => "id")} } } ${times(count - 4_801, () => "__typename")} }`,
    5_000,
    /at most 5000 values/,
  ],
])("a document has at most so many %s, with a token or without", async (name, document, most, message) => {
  const step = name.startsWith("aliases,") ? 2 : 1;
  for (const token of [organization.test, null]) {
    const allowed = await graphql(selo, token, document(most));
    // What asks for a token is refused for that, and not for what it costs.
    const codes = token === null && document(most).includes("proof") ? ["unauthenticated"] : [];
    expect(allowed.errors.map(({ extensions }) => extensions.code)).toEqual(codes);
    const over = await graphql(selo, token, document(most + step));
    expect({ status: over.status, errors: over.errors.map(({ extensions }) => extensions) }).toEqual({
      status: 422,
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

test("fragments in a circle are refused", async () => {
  expect(await ask("{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }")).toMatchObject(refused);
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
    headers: { authorization: `Bearer ${organization.test}`, "apollo-require-preflight": "1" },
    body: form,
  });
  expect(response.status).toBe(413);
});
