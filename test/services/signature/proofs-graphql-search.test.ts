// proofs(search:) of GraphQL: what it finds is what GET /proofs?search= finds, and pages, filters, orders and counts are those of every connection.
import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { readStatements } from "../../support/read-statements.ts";
import { call } from "../../support/rest-client.ts";

interface Proof {
  readonly id: string;
  readonly registeredAt: string;
}
interface Page {
  readonly nodes: readonly Proof[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
}

let selo: TestGateway;
let organization: TestOrganization;
/** Those labelled "wanted", the newest first; among them stand as many others. Several were registered at one instant. */
let wanted: Proof[];
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ credits: 100 });
  for (const owner of [organization.live, organization.test, (await selo.newOrganization()).live])
    for (let turn = 0; turn < (owner === organization.live ? 14 : 2); turn++)
      for (const label of ["Wanted", "other"])
        await call(selo, "POST", "/proofs", {
          token: owner,
          body: { sha256: digest(`${owner}${label}${turn}`), label },
        });
  const admin = await selo.database.admin.connect();
  await admin.query("begin; set local session_replication_role = replica");
  // Two and two have one instant.
  await admin.query(
    `update signature.proofs as proof set registered_at = '2026-01-01T00:00:00.123456Z'::timestamptz + place / 4 * interval '1 second'
     from (select id, row_number() over (order by id) - 1 as place from signature.proofs where tenant_id = $1 and environment = 'live') as placed
     where placed.id = proof.id`.replace("$1", `'${organization.id}'`),
  );
  await admin.query("commit");
  admin.release();
  const all = await ask("first: 200", "nodes { id registeredAt label }");
  wanted = all.nodes
    .filter((proof) => "label" in proof && proof.label === "Wanted")
    .map(({ id, registeredAt }) => ({ id, registeredAt }));
  expect(wanted).toHaveLength(14);
});
afterAll(() => selo?.stop());
afterEach(() => vi.restoreAllMocks());

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

async function ask(
  args: string,
  selection = "nodes { id registeredAt } edges { cursor } totalCount pageInfo { hasNextPage hasPreviousPage }",
  token = organization.live,
): Promise<Page> {
  const answer = await graphql(selo, token, `{ proofs(${args}) { ${selection} } }`);
  expect(answer.errors).toEqual([]);
  return answered<Page>(answer, "proofs");
}
const ids = (proofs: readonly Proof[]) => proofs.map(({ id }) => id);

test.each(["wanted", "WANTED", "ant", "nothing of the kind", "%", "other"])(
  "finds what REST finds: %s",
  async (text) => {
    const { body } = await call(selo, "GET", `/proofs?search=${encodeURIComponent(text)}`, {
      token: organization.live,
    });
    const page = await ask(`search: "${text}"`);
    expect(ids(page.nodes)).toEqual(ids(body.items));
    expect(page.totalCount).toBe(body.total);
  },
);

test("a digest by its beginning, and null and nothing like no search", async () => {
  const sha256 = digest(`${organization.live}Wanted3`);
  expect((await ask(`search: "${sha256.slice(0, 12)}"`)).totalCount).toBe(1);
  for (const nothing of ['""', "null"]) expect((await ask(`search: ${nothing}`)).totalCount).toBe(28);
  expect((await ask('search: "wanted"', undefined, organization.test)).totalCount).toBe(2);
});

describe.each(["DESC", "ASC"])("in the order REGISTERED_AT_%s", (direction) => {
  const inOrder = () => (direction === "DESC" ? wanted : [...wanted].reverse());
  const order = `search: "wanted", orderBy: REGISTERED_AT_${direction}`;

  test.each([1, 3, 5])("page by page forwards, %i at a time", async (size) => {
    const found: string[] = [];
    let after = "";
    for (;;) {
      const page = await ask(`${order}, first: ${size}${after}`);
      found.push(...ids(page.nodes));
      expect(page.totalCount).toBe(wanted.length);
      expect(page.pageInfo.hasNextPage).toBe(found.length < wanted.length);
      if (!page.pageInfo.hasNextPage) break;
      after = `, after: "${page.edges.at(-1)?.cursor}"`;
    }
    expect(found).toEqual(ids(inOrder()));
  });

  test.each([1, 4])("and backwards, %i at a time", async (size) => {
    const found: string[] = [];
    let before = "";
    for (;;) {
      const page = await ask(`${order}, last: ${size}${before}`);
      found.unshift(...ids(page.nodes));
      expect(page.pageInfo.hasPreviousPage).toBe(found.length < wanted.length);
      if (!page.pageInfo.hasPreviousPage) break;
      before = `, before: "${page.edges[0]?.cursor}"`;
    }
    expect(found).toEqual(ids(inOrder()));
  });

  test.each([
    ["lessThan", (at: string, middle: string) => at < middle],
    ["lessThanOrEqualTo", (at: string, middle: string) => at <= middle],
    ["greaterThan", (at: string, middle: string) => at > middle],
    ["greaterThanOrEqualTo", (at: string, middle: string) => at >= middle],
    ["equalTo", (at: string, middle: string) => at === middle],
  ])("filtered by %s, counted and paged", async (operator, holds) => {
    const middle = wanted[6]?.registeredAt ?? "";
    const expected = inOrder().filter(({ registeredAt }) => holds(registeredAt, middle));
    expect(expected.length).toBeGreaterThan(0);
    const filter = `${order}, filter: {registeredAt: {${operator}: "${middle}"}}`;
    const page = await ask(`${filter}, first: 2`);
    expect(ids(page.nodes)).toEqual(ids(expected.slice(0, 2)));
    expect(page.totalCount).toBe(expected.length);
    const rest = await ask(`${filter}, after: "${page.edges[0]?.cursor}"`);
    expect(ids(rest.nodes)).toEqual(ids(expected.slice(1)));
  });

  test("filtered by several instants", async () => {
    const at = [wanted[1], wanted[9]].map((proof) => proof?.registeredAt ?? "");
    const expected = inOrder().filter(({ registeredAt }) => at.includes(registeredAt));
    const page = await ask(`${order}, filter: {registeredAt: {in: ${JSON.stringify(at)}}}`);
    expect([ids(page.nodes), page.totalCount]).toEqual([ids(expected), expected.length]);
  });
});

test("with variables, and named twice in one document", async () => {
  const document = `query ($text: String, $first: Int) {
    one: proofs(search: $text, first: $first) { nodes { id } totalCount }
    all: proofs(first: $first) { nodes { id } totalCount }
  }`;
  const answer = await graphql(selo, organization.live, document, { text: "wanted", first: 2 });
  expect(answer.data).toMatchObject({
    one: { nodes: wanted.slice(0, 2).map(({ id }) => ({ id })), totalCount: 14 },
    all: { totalCount: 28 },
  });
});

test("a text over the limit, and a cursor of another list, are refused in words of ours", async () => {
  const long = await graphql(selo, organization.live, `{ proofs(search: "${"x".repeat(256)}") { nodes { id } } }`);
  expect(long.errors.map(({ extensions }) => [extensions.code, extensions.fields])).toEqual([
    ["invalid_request", [{ field: "search", message: "must have at most 255 characters" }]],
  ]);
  for (const cursor of ["nonsense", Buffer.from('["x","y","z"]').toString("base64")]) {
    const wrong = await graphql(
      selo,
      organization.live,
      `{ proofs(search: "x", after: "${cursor}") { nodes { id } } }`,
    );
    expect(wrong.errors.map(({ extensions }) => extensions.code)).toEqual(["invalid_request"]);
  }
});

test("it is one statement, and another where it is counted; without a search no function is asked", async () => {
  const statements = (document: string) => readStatements(() => graphql(selo, organization.live, document));
  expect(await statements('{ proofs(search: "wanted") { nodes { id } } }')).toHaveLength(1);
  expect(await statements('{ proofs(search: "wanted") { nodes { id } totalCount } }')).toHaveLength(2);
  for (const text of await statements("{ proofs { nodes { id } totalCount } }"))
    expect(text).not.toContain("find_proofs");
});
