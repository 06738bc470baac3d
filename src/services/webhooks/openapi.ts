import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { pageOf } from "../../surfaces/openapi/resources.ts";
import { objectOf } from "../../surfaces/openapi/schema.ts";
import { deliveries, eventSchema, webhookHeaders } from "./deliveries/openapi.ts";
import { listenToWebhooks } from "./streams/listen.ts";

export const webhookDescription: ApiDescription = {
  tags: {
    Webhooks:
      "Events of the organization, posted to your own addresses as they happen. Each delivery is signed, and failed deliveries are retried. `X-Webhook-Signature` is `v1=` and the " +
      "hexadecimal HMAC-SHA-256 of `{X-Webhook-Timestamp}.{raw body}`, keyed by the UTF-8 bytes of the whole secret, `whsec_` included. " +
      "Compare in constant time and refuse a timestamp more than 300 seconds away; examples in three languages: `/guides/receivers`. " +
      "Any 2xx answer within 15 seconds is success. Otherwise, the delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. A response 410 disables the webhook, and so do 20 failures in a row over at least a day. The same event may arrive more than once, and events may arrive in any order. `X-Webhook-Id` is the event's id. " +
      "The section `webhooks` of this description lists the kinds of events. On a developer's machine, `selo listen` shows events as they arrive, without a public address.",
  },
  offers: ["signed webhooks"],
  listRules: "`/events` has no `fields`, because an event is answered as it is delivered.",
  changing: { secret: /whsec_[\w-]{43}/ },
  ownPaths: [listenToWebhooks],
  schemas: ({ row }) => ({
    Webhook: row("webhook_endpoints"),
    WebhookPage: pageOf("Webhook", "A page of webhooks."),
    WebhookDelivery: row("webhook_deliveries"),
    WebhookDeliveryPage: pageOf("WebhookDelivery", "A page of delivery attempts."),
    WebhookReplay: {
      description: "The result of a replay.",
      ...objectOf({
        replayed: {
          type: "integer",
          minimum: 0,
          maximum: 10_000,
          description: "Number of deliveries that will be attempted again.",
        },
        has_more: { type: "boolean", description: "Whether more such deliveries exist." },
      }),
    },
    Event: eventSchema({
      type: { type: "string", description: "The kind of event." },
      data: { type: "object", description: "The facts. Their shape depends on the kind of event." },
    }),
    EventPage: pageOf("Event", "A page of events."),
  }),
  webhooks: deliveries,
  parameters: webhookHeaders,
};
