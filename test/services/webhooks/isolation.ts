import { randomBytes } from "node:crypto";
import { answered, graphql } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";

const WEBHOOK = "id url description eventTypes status";
const EVENT = "id type resourceId data";
const DELIVERY = "id endpointId deliveryId eventId status";

/** What the owner's event tells, which webhooks are posted. */
let proofId: string;
/** The event of its registration. */
let event: { readonly id: string };
/** The owner's only webhook at a question of GraphQL, and a delivery of a test event to it. */
let webhook: { readonly id: string; readonly deliveryId: string };

/** The only webhook of the owner's, for one question: some of them take it away, and there are at most 50. */
async function aWebhook({ selo, owner, marker }: Stage, more = ""): Promise<Asked & { readonly id: string }> {
  await selo.database.admin.query("delete from webhooks.endpoints where tenant_id = $1", [owner.id]);
  const body = {
    url: `https://example.com/${randomBytes(6).toString("hex")}`,
    event_types: ["*"],
    description: marker,
  };
  const { id } = (await call(selo, "POST", "/webhooks", { token: owner.live, body })).body;
  return { path: `/webhooks/${id}${more}`, shows: [id], id };
}

async function aDelivery(stage: Stage): Promise<{ readonly id: string; readonly webhookId: string }> {
  const { id: webhookId, path } = await aWebhook(stage, "/test");
  const { body } = await call(stage.selo, "POST", path, { token: stage.owner.live });
  return { id: body.id, webhookId };
}

const asks =
  (document: () => string): RootField["ask"] =>
  ({ selo }, token) =>
    graphql(selo, token, document());
const marked = ({ marker }: Stage) => [marker];

/** Fields of schema api that need the one scope of webhooks. */
const field = (document: () => string, shows: RootField["shows"], more: Partial<RootField> = {}): RootField => ({
  scope: "webhooks:manage",
  ask: asks(document),
  shows,
  ...more,
});
const ofOne = { isOfOne: true } as const;

export const isolation: ServiceIsolation = {
  async prepare({ selo, owner, marker }) {
    const made = await call(selo, "POST", "/proofs", {
      token: owner.live,
      body: { sha256: randomBytes(32).toString("hex"), label: marker },
    });
    proofId = made.body.id;
    const written = await graphql(selo, owner.live, "{ webhookEvents(first: 200) { nodes { id resourceId } } }");
    const { nodes } = answered<{ nodes: (typeof event & { resourceId: string })[] }>(written, "webhookEvents");
    event = nodes.find(({ resourceId }) => resourceId === proofId) as typeof event;
    return [proofId, event.id];
  },
  rest: {
    "POST /webhooks": () => ({
      path: "/webhooks",
      body: { url: "https://example.com/hook", event_types: ["*"] },
      shows: ["whsec_"],
    }),
    "GET /webhooks": async (stage) => ({ ...(await aWebhook(stage)), path: "/webhooks" }),
    "GET /webhooks/{id}": (stage) => aWebhook(stage),
    "PATCH /webhooks/{id}": async (stage) => ({ ...(await aWebhook(stage)), body: { event_types: ["message.*"] } }),
    "DELETE /webhooks/{id}": async (stage) => ({ ...(await aWebhook(stage)), shows: [] }),
    "POST /webhooks/{id}/rotate": (stage) => aWebhook(stage, "/rotate"),
    "POST /webhooks/{id}/enable": (stage) => aWebhook(stage, "/enable"),
    "POST /webhooks/{id}/disable": (stage) => aWebhook(stage, "/disable"),
    "POST /webhooks/{id}/test": (stage) => aWebhook(stage, "/test"),
    "GET /webhooks/{id}/deliveries": async (stage) => {
      const { id, webhookId } = await aDelivery(stage);
      return { path: `/webhooks/${webhookId}/deliveries`, shows: [id] };
    },
    "POST /webhooks/{id}/replay": async (stage) => ({
      ...(await aWebhook(stage, "/replay")),
      body: { since: "2026-01-01T00:00:00Z" },
      shows: ['"replayed"'],
    }),
    "POST /webhooks/deliveries/{delivery_id}/retry": async (stage) => {
      const { id } = await aDelivery(stage);
      return { path: `/webhooks/deliveries/${id}/retry`, shows: [id] };
    },
    "GET /events": () => ({ path: "/events?limit=200", shows: [proofId, event.id] }),
    "GET /events/{id}": () => ({ path: `/events/${event.id}`, shows: [proofId] }),
  },
  async renew({ selo, owner, ...stage }) {
    const { id } = await aWebhook({ selo, owner, ...stage });
    const tested = await graphql(
      selo,
      owner.live,
      `mutation { testWebhook(input: {id: "${id}"}) { delivery { id } } }`,
    );
    webhook = { id, deliveryId: answered<{ delivery: { id: string } }>(tested, "testWebhook").delivery.id };
  },
  secretsNow: () => [webhook.id, webhook.deliveryId],
  graphql: {
    webhookEndpoint: field(() => `{ webhookEndpoint(id: "${webhook.id}") { ${WEBHOOK} } }`, marked),
    webhookEndpoints: field(() => `{ webhookEndpoints { nodes { ${WEBHOOK} } edges { cursor } } }`, marked),
    webhookDelivery: field(
      () => `{ webhookDelivery(id: "${webhook.deliveryId}") { ${DELIVERY} } }`,
      () => [webhook.deliveryId],
    ),
    webhookDeliveries: field(
      () => `{ webhookDeliveries(first: 200) { nodes { ${DELIVERY} } edges { cursor } } }`,
      () => [webhook.deliveryId],
    ),
    webhookEvent: field(
      () => `{ webhookEvent(id: "${event.id}") { ${EVENT} } }`,
      ({ marker }) => [proofId, marker],
    ),
    webhookEvents: field(
      // From both ends: what the matrix does before has events, too.
      () => `{
        webhookEvents(first: 200) { nodes { ${EVENT} } edges { cursor } }
        oldest: webhookEvents(first: 200, orderBy: ID_ASC) { nodes { ${EVENT} } edges { cursor } }
      }`,
      ({ marker }) => [proofId, marker],
    ),
    webhookEventKind: {
      scope: null,
      ask: asks(() => `{ webhookEventKind(id: "proof.registered") { name description dataSchema } }`),
      shows: () => ["verification_code"],
    },
    webhookEventKinds: {
      scope: null,
      ask: asks(() => "{ webhookEventKinds(first: 50) { nodes { name description dataSchema } } }"),
      shows: () => ["verification_code"],
    },
    createWebhook: field(
      () =>
        `mutation { createWebhook(input: {url: "https://example.com/x", eventTypes: ["*"]}) { secret webhook { ${WEBHOOK} } } }`,
      () => ["whsec_"],
    ),
    updateWebhook: field(
      () => `mutation { updateWebhook(input: {id: "${webhook.id}", eventTypes: ["*"]}) { webhook { ${WEBHOOK} } } }`,
      marked,
      ofOne,
    ),
    rotateWebhookSecret: field(
      () => `mutation { rotateWebhookSecret(input: {id: "${webhook.id}"}) { webhook { ${WEBHOOK} } } }`,
      marked,
      ofOne,
    ),
    enableWebhook: field(
      () => `mutation { enableWebhook(input: {id: "${webhook.id}"}) { webhook { ${WEBHOOK} } } }`,
      marked,
      ofOne,
    ),
    disableWebhook: field(
      () => `mutation { disableWebhook(input: {id: "${webhook.id}"}) { webhook { ${WEBHOOK} } } }`,
      marked,
      ofOne,
    ),
    testWebhook: field(
      () => `mutation { testWebhook(input: {id: "${webhook.id}"}) { delivery { ${DELIVERY} } } }`,
      () => [webhook.id],
      ofOne,
    ),
    replayWebhook: field(
      () =>
        `mutation { replayWebhook(input: {id: "${webhook.id}", since: "2026-01-01T00:00:00Z"}) { replayed hasMore } }`,
      () => ["replayed"],
      ofOne,
    ),
    retryWebhookDelivery: field(
      () =>
        `mutation { retryWebhookDelivery(input: {deliveryId: "${webhook.deliveryId}"}) { delivery { ${DELIVERY} } } }`,
      () => [webhook.id],
      ofOne,
    ),
    deleteWebhook: field(
      () => `mutation { deleteWebhook(input: {id: "${webhook.id}"}) { done } }`,
      () => ['"done":true'],
      ofOne,
    ),
  },
};
