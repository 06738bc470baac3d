// Cursors that no page has: made up, of another list, or of another order. Each is refused by the name of its argument, with and without a token.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ credits: 10 });
  for (const label of ["one", "two"]) {
    const sha256 = createHash("sha256").update(label).digest("hex");
    await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256, label } });
  }
});
afterAll(() => selo.stop());

interface List {
  /** The field, up to its paging arguments. */
  readonly list: string;
  readonly isOpen: boolean;
}
const LISTS: readonly (readonly [string, List])[] = [
  ["platformKeys without a token", { list: "platformKeys(", isOpen: true }],
  ["platformKeys", { list: "platformKeys(", isOpen: false }],
  ["proofs", { list: "proofs(", isOpen: false }],
  ["proofs by a search", { list: 'proofs(search: "o", ', isOpen: false }],
];

const encode = (values: unknown) => Buffer.from(JSON.stringify(values)).toString("base64");
const ask = ({ list, isOpen }: List, args: string, selection = "nodes { id }") =>
  graphql(selo, isOpen ? null : organization.live, `{ ${list}${args}) { ${selection} } }`);

/** The values in a cursor of the list itself. */
async function valuesOf(list: List): Promise<unknown[]> {
  const answer = await ask(list, "first: 1", "edges { cursor }");
  const page = answered<{ edges: { cursor: string }[] }>(answer, list.list.replace(/\(.*/, ""));
  return JSON.parse(Buffer.from(page.edges[0]?.cursor ?? "", "base64").toString());
}

describe.each(LISTS)("%s", (_, list) => {
  test.each(["after", "before"])("%s", async (name) => {
    const [order, ...parts] = await valuesOf(list);
    const own = await ask(list, `${name}: "${encode([order, ...parts])}"`);
    expect(own.errors).toEqual([]);
    for (const cursor of [
      "nonsense",
      "",
      Buffer.from("{").toString("base64"),
      encode({ 0: order }),
      encode("text"),
      encode([order, ...parts.map(() => ({ a: 1 }))]),
      encode([order, ...parts.map(() => [1])]),
      encode([order, ...parts, "more"]),
      encode([order]),
      encode([]),
      encode(["0000000000", ...parts]),
      encode([null, ...parts]),
    ]) {
      const answer = await ask(list, `${name}: ${JSON.stringify(cursor)}`);
      expect([
        cursor,
        answer.status,
        answer.errors.map(({ message, extensions }) => [message, extensions.fields]),
      ]).toEqual([
        cursor,
        422,
        [
          [
            `${name} must be a cursor of a page of this list.`,
            [{ field: name, message: "must be a cursor of a page of this list" }],
          ],
        ],
      ]);
    }
  });

  test("null is no cursor", async () => {
    const answer = await ask(list, "after: null, before: null");
    expect(answer.errors).toEqual([]);
  });
});

test("a value that Postgres cannot read is no fault of ours", async () => {
  const list: List = { list: "proofs(", isOpen: false };
  const [order, ...parts] = await valuesOf(list);
  for (const value of [true, 5, "x", "\0"]) {
    const answer = await ask(list, `after: "${encode([order, ...parts.map(() => value)])}"`);
    expect([answer.status, answer.errors.map(({ message }) => message)]).toEqual([
      422,
      ["The request has a value that is not valid."],
    ]);
  }
});

test("a cursor as a variable, and of another order", async () => {
  const [first] = answered<{ edges: { cursor: string }[] }>(
    await graphql(selo, organization.live, "{ proofs(orderBy: REGISTERED_AT_ASC) { edges { cursor } } }"),
    "proofs",
  ).edges;
  const document = "query ($after: Cursor) { webhookEndpoints(after: $after) { nodes { id } } }";
  const answer = await graphql(selo, organization.live, document, { after: first?.cursor });
  expect(answer.errors.map(({ extensions }) => extensions.fields)).toEqual([
    [{ field: "after", message: "must be a cursor of a page of this list" }],
  ]);
});
