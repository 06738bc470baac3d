// envelopes(search:) of GraphQL: what it finds is what GET /envelopes?search= finds, and pages, filters, orders and counts are those of every connection.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { anEnvelope, aParticipant, aSendable, ask, type EnvelopeStage, openStage } from "./envelope-stage.ts";

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
}

let selo: TestGateway;
let stage: EnvelopeStage;
/** Found by "wanted", the newest first; among them stand as many others. */
let wanted: string[];
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  const made: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    made.push((await anEnvelope(stage, { title: `The Wanted ${turn}` })).id);
    await anEnvelope(stage, { title: "Other" });
    made.push((await anEnvelope(stage, { external_id: `x-wanted-${turn}` })).id);
    const { id } = await anEnvelope(stage);
    await aParticipant(stage, id, { name: "Ana Wanted" });
    made.push(id);
    made.push((await aSendable(stage, { title: "wanted and ready" })).id);
  }
  wanted = made.reverse();
  await anEnvelope(await openStage(selo), { title: "wanted by others" });
});
afterAll(() => selo?.stop());

const SELECTION = "nodes { id } edges { cursor } totalCount pageInfo { hasNextPage hasPreviousPage }";
const search = (args: string, selection = SELECTION): Promise<GraphqlAnswer> =>
  graphql(selo, stage.token, `{ envelopes(${args}) { ${selection} } }`);
const found = async (args: string): Promise<Page> => answered<Page>(await search(args), "envelopes");
const ids = ({ nodes }: Page) => nodes.map(({ id }) => id);

test("it finds what REST finds: titles, external ids, names and addresses of participants, in any case", async () => {
  const { body } = await ask(stage, "GET", "/envelopes?search=WANTED&limit=200");
  expect(body.items.map(({ id }: { readonly id: string }) => id)).toEqual(wanted);
  const page = await found('search: "WANTED"');
  expect(ids(page)).toEqual(wanted);
  expect(page.totalCount).toBe(wanted.length);
  expect(page.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
});

test("an empty search changes nothing", async () => {
  expect((await found('search: "", first: 200')).totalCount).toBe((await found("first: 200")).totalCount);
});

describe.each([
  ["ID_DESC", () => wanted],
  ["ID_ASC", () => [...wanted].reverse()],
] as const)("by %s", (orderBy, expected) => {
  test("pages follow each other, forward and backward", async () => {
    const forward: string[] = [];
    for (let after = ""; forward.length < expected().length; ) {
      const page = await found(`search: "wanted", first: 5, orderBy: ${orderBy}${after}`);
      forward.push(...ids(page));
      expect(page.totalCount).toBe(expected().length);
      expect(page.pageInfo.hasNextPage).toBe(forward.length < expected().length);
      after = `, after: "${page.edges.at(-1)?.cursor}"`;
    }
    expect(forward).toEqual(expected());
    const backward: string[] = [];
    for (let before = ""; backward.length < expected().length; ) {
      const page = await found(`search: "wanted", last: 5, orderBy: ${orderBy}${before}`);
      backward.unshift(...ids(page));
      expect(page.pageInfo.hasPreviousPage).toBe(backward.length < expected().length);
      before = `, before: "${page.edges[0]?.cursor}"`;
    }
    expect(backward).toEqual(expected());
  });
});

test.each([
  ["{status: {equalTo: READY}}", 3],
  ["{status: {in: [READY, SENT]}}", 3],
  ["{status: {lessThan: READY}}", 9],
  ["{status: {greaterThanOrEqualTo: READY}}", 3],
  ['{createdAt: {greaterThan: "2026-01-01T00:00:00Z"}}', 12],
  ['{createdAt: {lessThanOrEqualTo: "2026-01-01T00:00:00Z"}}', 0],
] as const)("a filter %s holds before a page is cut", async (filter, count) => {
  const page = await found(`search: "wanted", filter: ${filter}, first: 2`);
  expect(page.totalCount).toBe(count);
  expect(page.nodes).toHaveLength(Math.min(2, count));
});

test("an instant is a filter as well", async () => {
  const { body } = await ask(stage, "GET", `/envelopes/${wanted[4]}`);
  const page = await found(`search: "wanted", filter: {createdAt: {equalTo: "${body.created_at}"}}`);
  expect(ids(page)).toEqual([wanted[4]]);
});

test("a search over its limit and a malformed cursor are refused", async () => {
  expect((await search(`search: "${"x".repeat(256)}"`)).errors[0]?.extensions.code).toBe("invalid_request");
  const foreign = Buffer.from(JSON.stringify(["b8b0d1c2d0", "2026-01-01", "x"])).toString("base64");
  const { status, errors } = await search(`search: "wanted", after: "${foreign}"`);
  expect([status, errors[0]?.extensions.code]).toEqual([422, "invalid_request"]);
});
