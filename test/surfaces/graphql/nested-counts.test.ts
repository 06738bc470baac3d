// Counts of connections inside rows, of more rows than the product's own have in a test: records of webhook endpoints, as many as an endpoint's description says.
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { readStatements } from "../../support/read-statements.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let withRecords: Awaited<ReturnType<typeof startGatewayBeside>>;
let organization: TestOrganization;
/** The endpoints' ids by their number of records. */
const ids = new Map<number, string>();
beforeAll(async () => {
  selo = await startTestGateway();
  await selo.database.admin.query(`
    set role selo_owner;
    create view api.endpoint_records as
      select record.id, endpoint.id as endpoint_id, record.id % 2 = 0 as is_even
      from api.webhook_endpoints as endpoint cross join lateral generate_series(1, endpoint.description::integer) as record (id);
    comment on view api.endpoint_records is
      E'@primaryKey endpoint_id,id\\n@defaultOrder ID_ASC\\n@foreignKey (endpoint_id) references api.webhook_endpoints (id)|@foreignFieldName endpointRecords\\nRecords.';
    comment on column api.endpoint_records.id is E'@notNull\\n@behavior +orderBy\\nFrom 1.';
    comment on column api.endpoint_records.endpoint_id is E'@notNull\\nThe endpoint.';
    comment on column api.endpoint_records.is_even is E'@notNull\\n@behavior +filterBy\\nWhether it is even.';
    grant select on api.endpoint_records to selo_app;
    reset role`);
  withRecords = await startGatewayBeside(selo);
  organization = await selo.newOrganization();
  const { register } = webhookCaller(selo, organization.test);
  for (const records of [0, 3, 10_000, 10_001]) ids.set(records, (await register({ description: `${records}` })).id);
});
afterAll(async () => {
  await withRecords?.stop();
  await selo?.stop();
});
afterEach(() => vi.restoreAllMocks());

interface Endpoint {
  readonly id: string;
  readonly endpointRecords: object;
}

const COUNTS = "totalCount totalCountCapped";

/** What stands under `endpointRecords` of each endpoint, by its number of records. */
async function recordsOf(field: string): Promise<Map<number, object>> {
  const answer = await graphql(
    withRecords,
    organization.test,
    `{ webhookEndpoints(first: 4) { nodes { id ${field} } } }`,
  );
  expect(answer.errors).toEqual([]);
  const { nodes } = answered<{ readonly nodes: readonly Endpoint[] }>(answer, "webhookEndpoints");
  const found = new Map(nodes.map(({ id, endpointRecords }) => [id, endpointRecords]));
  return new Map([...ids].map(([records, id]) => [records, found.get(id) as object]));
}

const ALL = new Map<number, object>([
  [0, { totalCount: 0, totalCountCapped: false }],
  [3, { totalCount: 3, totalCountCapped: false }],
  [10_000, { totalCount: 10_000, totalCountCapped: false }],
  [10_001, { totalCount: 10_000, totalCountCapped: true }],
]);

test("each row has the count of its own connection, exact up to 10,000", async () => {
  expect(await recordsOf(`endpointRecords { ${COUNTS} }`)).toEqual(ALL);
});

test("whatever page is asked for beside it, and under the filters", async () => {
  const page = await recordsOf(`endpointRecords(first: 2) { ${COUNTS} nodes { id } pageInfo { hasNextPage } }`);
  expect(page).toEqual(
    new Map(
      [...ALL].map(([records, counts]) => [
        records,
        { ...counts, nodes: [{ id: "1" }, { id: "2" }].slice(0, records), pageInfo: { hasNextPage: records > 2 } },
      ]),
    ),
  );
  const even = [...(await recordsOf("endpointRecords(filter: { isEven: { equalTo: true } }) { totalCount }"))];
  expect(even).toEqual([0, 3, 10_000, 10_001].map((records) => [records, { totalCount: Math.floor(records / 2) }]));
});

test("all rows are counted in one statement, each up to 10,001 records", async () => {
  const counts = async (field: string) => {
    const texts = await readStatements(() => recordsOf(field));
    return texts.filter((text) => /count\(/.test(text));
  };
  expect(await counts("endpointRecords(first: 1) { nodes { id } }")).toEqual([]);
  const [text, ...others] = await counts(`endpointRecords(first: 1) { ${COUNTS} nodes { id } }`);
  expect(others).toEqual([]);
  expect(text).toMatch(
    /lateral \(select count\(\*\)::text as "0", \S+\.idx as "1" from \([^;]* limit 10001\) as counted\)/,
  );
});

test("of one row, too", async () => {
  for (const [records, counts] of ALL) {
    const document = `{ webhookEndpoint(id: "${ids.get(records)}") { endpointRecords { ${COUNTS} } } }`;
    const answer = await graphql(withRecords, organization.test, document);
    expect(answered(answer, "webhookEndpoint")).toEqual({ endpointRecords: counts });
  }
});

test("below a mutation's payload", async () => {
  const document = `mutation ($id: ID!) { disableWebhook(input: { id: $id }) { webhook { endpointRecords(first: 1) { ${COUNTS} nodes { id } } } } }`;
  const texts = await readStatements(async () => {
    const answer = await graphql(withRecords, organization.test, document, { id: ids.get(10_001) });
    expect(answer.errors).toEqual([]);
    expect(answered(answer, "disableWebhook")).toEqual({
      webhook: { endpointRecords: { ...ALL.get(10_001), nodes: [{ id: "1" }] } },
    });
  });
  expect(texts.filter((text) => /count\(.* limit 10001\)/s.test(text))).toHaveLength(1);
});

test("the count of each row asked for counts among a document's values", async () => {
  const document = (rows: number) => `{ webhookEndpoints(first: ${rows}) { nodes { endpointRecords { ${COUNTS} } } } }`;
  // 1 and for each row its own 1, the field's 1 and twice 100.
  expect((await graphql(withRecords, organization.test, document(148))).status).toBe(200);
  const refused = await graphql(withRecords, organization.test, document(149));
  expect(refused.errors[0]?.extensions.fields?.[0]?.message).toMatch(
    /^asks for [0-9,]+ values, page sizes counted; at most 30,000$/,
  );
});
