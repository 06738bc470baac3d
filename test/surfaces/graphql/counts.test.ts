// totalCount and totalCountCapped of connections: as total and total_capped of REST, and counted only where they are asked for.

import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { insertProofs } from "../../support/cheap-proofs.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { readStatements } from "../../support/read-statements.ts";
import { call } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());
beforeEach(async () => {
  organization = await selo.newOrganization();
});
afterEach(() => vi.restoreAllMocks());

interface Counted {
  readonly totalCount: number;
  readonly totalCountCapped: boolean;
  readonly nodes?: readonly { readonly id: string }[];
}

const COUNTS = "totalCount totalCountCapped";
async function proofs(query: string, token = organization.test): Promise<Counted> {
  const answer = await graphql(selo, token, query);
  expect(answer.errors).toEqual([]);
  return answered<Counted>(answer, "proofs");
}

async function register(count: number, token = organization.test): Promise<void> {
  for (let made = 0; made < count; made++) {
    const body = { sha256: randomBytes(32).toString("hex") };
    expect((await call(selo, "POST", "/proofs", { token, body })).status).toBe(201);
  }
}

test("every connection has them", async () => {
  const { data } = await graphql(
    selo,
    organization.test,
    "{ __schema { types { name fields { name type { kind ofType { kind name } } } } } }",
  );
  const { types } = (data as { __schema: { types: { name: string; fields: { name: string; type: object }[] }[] } })
    .__schema;
  const connections = types.filter(({ name }) => name.endsWith("Connection"));
  expect(connections.length).toBeGreaterThan(5);
  const notNull = (name: string) => ({ kind: "NON_NULL", ofType: { kind: "SCALAR", name } });
  for (const { fields } of connections)
    expect(fields).toEqual(
      expect.arrayContaining([
        { name: "totalCount", type: notNull("Int") },
        { name: "totalCountCapped", type: notNull("Boolean") },
      ]),
    );
});

test("all of a connection is counted, whatever page and order is asked for", async () => {
  expect(await proofs(`{ proofs { ${COUNTS} nodes { id } } }`)).toEqual({
    totalCount: 0,
    totalCountCapped: false,
    nodes: [],
  });
  await register(3);
  const whole = { totalCount: 3, totalCountCapped: false };
  expect(await proofs(`{ proofs { ${COUNTS} } }`)).toEqual(whole);
  const page = await graphql(
    selo,
    organization.test,
    `{ proofs(last: 1, orderBy: REGISTERED_AT_ASC) { ${COUNTS} edges { cursor } pageInfo { startCursor } nodes { id } } }`,
  );
  const { nodes, pageInfo, ...counts } = answered<Counted & { pageInfo: { startCursor: string } }>(page, "proofs");
  expect(counts).toMatchObject(whole);
  expect(nodes).toHaveLength(1);
  const before = `{ proofs(first: 1, before: "${pageInfo.startCursor}", orderBy: REGISTERED_AT_ASC) { ${COUNTS} nodes { id } } }`;
  expect(await proofs(before)).toMatchObject(whole);
  expect(await proofs("{ proofs(first: 1) { totalCountCapped } }")).toEqual({ totalCountCapped: false });
});

test("a count has the filters of its connection, each connection of a document its own", async () => {
  await insertProofs(selo, organization.id, 10);
  const answer = await graphql(
    selo,
    organization.test,
    `query ($from: Datetime!) {
      some: proofs(filter: { registeredAt: { greaterThan: $from } }) { ${COUNTS} }
      one: proofs(filter: { registeredAt: { equalTo: "2026-01-01T00:00:10Z" } }) { ${COUNTS} nodes { id } }
      none: proofs(filter: { registeredAt: { lessThan: "2026-01-01T00:00:00Z" } }) { ${COUNTS} }
      all: proofs(first: 1) { ${COUNTS} }
    }`,
    { from: "2026-01-01T00:00:04Z" },
  );
  expect(answer.errors).toEqual([]);
  const counts = ["some", "one", "none", "all"].map((name) => answered<Counted>(answer, name).totalCount);
  expect(counts).toEqual([6, 1, 0, 10]);
});

test("nothing of another organization or of the other environment is counted", async () => {
  const stranger = await selo.newOrganization();
  await register(2);
  await register(1, organization.live);
  await register(4, stranger.test);
  const counts = async (token: string) => (await proofs(`{ proofs { ${COUNTS} } }`, token)).totalCount;
  expect(await counts(organization.test)).toBe(2);
  expect(await counts(organization.live)).toBe(1);
  expect(await counts(stranger.test)).toBe(4);
  expect(await counts(stranger.live)).toBe(0);
});

test("a count asks for the scope of its connection, and for a token", async () => {
  const codes = ({ status, data, errors }: GraphqlAnswer) => [
    status,
    data?.["proofs"] ?? null,
    ...errors.map(({ extensions }) => extensions.code),
  ];
  const others = (await selo.operator.allScopes()).filter((scope) => scope !== "proofs:read");
  const token = await organization.token("live", others);
  for (const members of ["totalCount", `${COUNTS} nodes { id }`]) {
    const document = `{ proofs { ${members} } }`;
    expect(new Set(codes(await graphql(selo, token, document)))).toEqual(new Set([403, null, "missing_scope"]));
    expect(codes(await graphql(selo, null, document))).toEqual([401, null, "unauthenticated"]);
  }
});

describe("the statement that counts", () => {
  test("is sent only where a count is selected, once for both fields and each connection", async () => {
    const sent = async (document: string, variables = {}) => {
      const texts = await readStatements(async () => {
        expect((await graphql(selo, organization.test, document, variables)).errors).toEqual([]);
      });
      return { all: texts.length, counts: texts.filter((text) => /count\(/.test(text)).length };
    };
    expect(await sent("{ proofs { nodes { id } pageInfo { hasNextPage } } }")).toEqual({ all: 1, counts: 0 });
    expect(await sent("{ proofs { nodes { id } totalCount } }")).toEqual({ all: 2, counts: 1 });
    expect(await sent("{ proofs { totalCountCapped totalCount } }")).toEqual({ all: 2, counts: 1 });
    expect(await sent(`{ proofs { ...C nodes { id } } } fragment C on ProofConnection { ${COUNTS} }`)).toEqual({
      all: 2,
      counts: 1,
    });
    const maybe = "query ($with: Boolean!) { proofs { nodes { id } totalCount @include(if: $with) } }";
    expect(await sent(maybe, { with: false })).toEqual({ all: 1, counts: 0 });
    expect(await sent(maybe, { with: true })).toEqual({ all: 2, counts: 1 });
    expect(await sent(`{ proofs { ${COUNTS} } platformKeys { ${COUNTS} } }`)).toEqual({ all: 4, counts: 2 });
  });

  test("reads 10,001 rows at most, in no order", async () => {
    const texts = await readStatements(() =>
      graphql(selo, organization.test, `{ proofs(orderBy: REGISTERED_AT_ASC) { ${COUNTS} } }`),
    );
    const text = texts.find((each) => /count\(/.test(each));
    expect(text).toMatch(/^select count\(\*\)::text as "0" from \([^;]* limit 10001\) as counted$/);
    expect(text).not.toMatch(/order by/);
  });
});

test("a count is exact up to 10,000; beyond it is 10,000 and capped", async () => {
  await insertProofs(selo, organization.id, 10_000);
  expect(await proofs(`{ proofs(first: 1) { ${COUNTS} } }`)).toEqual({ totalCount: 10_000, totalCountCapped: false });
  await register(1);
  expect(await proofs(`{ proofs(first: 1) { ${COUNTS} } }`)).toEqual({ totalCount: 10_000, totalCountCapped: true });
  const within = `{ proofs(filter: { registeredAt: { lessThan: "2026-01-01T00:00:03Z" } }) { ${COUNTS} } }`;
  expect(await proofs(within)).toEqual({ totalCount: 2, totalCountCapped: false });
});

test("counts count among a document's values", async () => {
  const document = (count: number) =>
    `{ ${Array.from({ length: count }, (_, place) => `a${place}: platformKeys { totalCount totalCountCapped nodes { id id id id id id id id id id id } }`).join(" ")} }`;
  // 1 and twice 100 each, and 50 times 12.
  expect((await graphql(selo, organization.test, document(37))).status).toBe(200);
  expect((await graphql(selo, organization.test, document(38))).errors[0]?.extensions.fields?.[0]?.message).toMatch(
    /^asks for [0-9,]+ values, page sizes counted; at most 30,000$/,
  );
});
