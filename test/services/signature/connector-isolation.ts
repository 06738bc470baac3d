// Requests for what an organization has of connectors, for the matrix of isolation.ts.
import { graphql } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";
import { anEnvelope } from "./envelope-stage.ts";

const CONNECTOR = "id name endpoint bucket status";
const DELIVERY = "id connectorId envelopeId status";

/** A connector that nobody can reach. */
export const UNREACHABLE = {
  name: "Archive",
  endpoint: "https://storage.invalid",
  region: "us-east-1",
  bucket: "contracts",
  access_key_id: "key",
  secret: "secret",
};

interface Made {
  readonly id: string;
  readonly deliveryId: string;
}
/** The owner's only connector at a question of GraphQL, and a delivery to it. */
let made: Made;

/** The only connector of the owner's, for one question: some of them take it away, and there are at most ten. */
async function aConnector({ selo, owner, marker }: Stage): Promise<Made> {
  const { admin } = selo.database;
  await admin.query("delete from signature.connectors where tenant_id = $1", [owner.id]);
  const body = { ...UNREACHABLE, name: marker };
  const { id } = (await call(selo, "POST", "/integrations/connectors", { token: owner.live, body })).body;
  const envelope = await anEnvelope({ selo, tenantId: owner.id, token: owner.live, environment: "live" });
  const { rows } = await admin.query<{ id: string }>(
    "insert into signature.package_deliveries (tenant_id, environment, connector_id, envelope_id) values ($1, 'live', $2, $3) returning id",
    [owner.id, id, envelope.id],
  );
  return { id, deliveryId: rows[0]?.id ?? "" };
}

const onOne =
  (more: string, shows: (one: Made, stage: Stage) => readonly string[], body?: object) =>
  async (stage: Stage): Promise<Asked> => {
    const one = await aConnector(stage);
    const path = `/integrations/connectors/${one.id}${more}`;
    return { path, shows: [...shows(one, stage)], ...(body ? { body } : {}) };
  };
const named = ({ id }: Made, { marker }: Stage) => [id, marker];

const field = (document: () => string, shows: RootField["shows"], more: Partial<RootField> = {}): RootField => ({
  scope: "integrations:manage",
  ask: ({ selo }, token) => graphql(selo, token, document()),
  shows,
  ...more,
});
const marked = ({ marker }: Stage) => [marker];
const ofOne = { isOfOne: true } as const;
const SINCE = new Date(Date.now() - 60_000).toISOString();

export const connectorIsolation: Required<Pick<ServiceIsolation, "rest" | "graphql" | "renew" | "secretsNow">> = {
  rest: {
    "POST /integrations/connectors": () => ({
      path: "/integrations/connectors",
      body: UNREACHABLE,
      shows: ["storage.invalid"],
    }),
    "GET /integrations/connectors": async (stage) => ({
      path: "/integrations/connectors",
      shows: named(await aConnector(stage), stage),
    }),
    "GET /integrations/connectors/{id}": onOne("", named),
    "PATCH /integrations/connectors/{id}": onOne("", named, { region: "sa-east-1" }),
    "DELETE /integrations/connectors/{id}": onOne("", () => []),
    "POST /integrations/connectors/{id}/enable": onOne("/enable", named),
    "POST /integrations/connectors/{id}/disable": onOne("/disable", named),
    "POST /integrations/connectors/{id}/test": onOne("/test", () => ['"ok"']),
    "GET /integrations/connectors/{id}/deliveries": onOne("/deliveries", ({ deliveryId }) => [deliveryId]),
    "POST /integrations/connectors/{id}/replay": onOne("/replay", () => ['"queued"'], { since: SINCE }),
  },
  async renew(stage) {
    made = await aConnector(stage);
  },
  secretsNow: () => [made.id, made.deliveryId],
  graphql: {
    connector: field(() => `{ connector(id: "${made.id}") { ${CONNECTOR} } }`, marked),
    connectors: field(() => `{ connectors(first: 20) { nodes { ${CONNECTOR} } edges { cursor } } }`, marked),
    packageDelivery: field(
      () => `{ packageDelivery(id: "${made.deliveryId}") { ${DELIVERY} } }`,
      () => [made.deliveryId],
    ),
    packageDeliveries: field(
      () => `{ packageDeliveries(first: 200) { nodes { ${DELIVERY} } edges { cursor } } }`,
      () => [made.deliveryId],
    ),
    createConnector: field(
      () =>
        `mutation { createConnector(input: {name: "a", endpoint: "https://storage.invalid", region: "a", bucket: "abc", accessKeyId: "a", secret: "a"}) { connector { ${CONNECTOR} } } }`,
      () => ["storage.invalid"],
    ),
    updateConnector: field(
      () => `mutation { updateConnector(input: {id: "${made.id}", region: "b"}) { connector { ${CONNECTOR} } } }`,
      marked,
      ofOne,
    ),
    enableConnector: field(
      () => `mutation { enableConnector(input: {id: "${made.id}"}) { connector { ${CONNECTOR} } } }`,
      marked,
      ofOne,
    ),
    disableConnector: field(
      () => `mutation { disableConnector(input: {id: "${made.id}"}) { connector { ${CONNECTOR} } } }`,
      marked,
      ofOne,
    ),
    testConnector: field(
      () => `mutation { testConnector(input: {id: "${made.id}"}) { ok error { code } } }`,
      () => ['"ok"'],
      ofOne,
    ),
    replayConnector: field(
      () => `mutation { replayConnector(input: {id: "${made.id}", since: "${SINCE}"}) { queued } }`,
      () => ["queued"],
      ofOne,
    ),
    deleteConnector: field(
      () => `mutation { deleteConnector(input: {id: "${made.id}"}) { done } }`,
      () => ['"done":true'],
      ofOne,
    ),
  },
};
