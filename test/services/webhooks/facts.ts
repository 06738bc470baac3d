import { randomUUID } from "node:crypto";
import type { ServiceFacts } from "../../support/service-facts.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";
import { sampleMails } from "./sample-mails.ts";

export const facts: ServiceFacts = {
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  operations: {
    // What cannot be an event's id is the id of no event.
    getEvent: { wrongValue: "not_found" },
  },
  // `GET /webhooks/listen` names kinds of events in its own form.
  withoutPath: ["open_webhook_stream.event_types"],
  settings: {
    // Retries may take ten days, and events are kept for longer.
    WEBHOOK_RETENTION_DAYS: { taken: [["12", 12]], refused: [["11"]] },
  },
  events: {
    sent: ["webhook.test"],
    // message-webhooks part A §6.
    later: [
      "domain.sending_paused",
      "domain.verification_failed",
      "domain.verified",
      "message.accepted",
      "message.bounced",
      "message.cancelled",
      "message.clicked",
      "message.complained",
      "message.deferred",
      "message.delivered",
      "message.expired",
      "message.failed",
      "message.opened",
      "message.partially_delivered",
      "message.rejected",
      "message.sent",
      "message.suppressed",
      "message.undeliverable",
      "message.unsubscribed",
    ],
    data: {
      webhook: { message: "Test" },
      message: {
        message_id: randomUUID(),
        status: "delivered",
        channel: "email",
        message_type: "transactional",
        recipient: "a@example.com",
      },
      domain: { domain_id: randomUUID(), domain: "example.com" },
    },
  },
  mails: sampleMails,
  audit: {
    write: async (selo, { live }) => {
      const webhooks = webhookCaller(selo, live);
      const { id } = await webhooks.register({ description: "Ours" });
      await webhooks.ask("POST", `/webhooks/${id}/rotate`);
      await webhooks.ask("POST", `/webhooks/${id}/disable`);
      await webhooks.ask("DELETE", `/webhooks/${(await webhooks.register()).id}`);
    },
  },
  graphql: {
    queries: [
      "webhookDeliveries",
      "webhookDelivery",
      "webhookEndpoint",
      "webhookEndpoints",
      "webhookEvent",
      "webhookEventKind",
      "webhookEventKinds",
      "webhookEvents",
    ],
    mutations: [
      "createWebhook",
      "deleteWebhook",
      "disableWebhook",
      "enableWebhook",
      "replayWebhook",
      "retryWebhookDelivery",
      "rotateWebhookSecret",
      "testWebhook",
      "updateWebhook",
    ],
    lists: { listEvents: "webhookEvents", listWebhooks: "webhookEndpoints" },
    unfiltered: { "listenToWebhooks.event_types": "A stream and not a list." },
    json: ["WebhookEvent.data", "WebhookEventKind.dataSchema"],
    types: {
      webhook_deliveries: "WebhookDelivery",
      webhook_endpoints: "WebhookEndpoint",
      webhook_event_kinds: "WebhookEventKind",
      webhook_events: "WebhookEvent",
    },
    enums: {
      EndpointStatus: ["ACTIVE", "DISABLED"],
      DisabledReason: ["FAILING", "GONE", "MANUAL"],
      DeliveryStatus: ["EXHAUSTED", "FAILED", "PENDING", "SKIPPED", "SUCCEEDED"],
      DeliveryTrigger: ["AUTO", "MANUAL", "TEST"],
    },
    enumInputs: { ReplayWebhookInput: { status: "DeliveryStatus" } },
    // The key of events is shown as their id.
    hidden: ["webhook_events.uuid"],
  },
  partitions: {
    addDay: "select webhooks.add_partition((now() at time zone 'UTC')::date + $1::integer)",
    uncounted: { "webhooks.events": ["id"], "webhooks.attempts": ["id", "endpoint_id", "event_id"] },
  },
};
