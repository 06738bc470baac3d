// Documents that would be dear to validate or to answer are refused before anything else looks at them.

import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";

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
