import { z } from "zod";
import { instant, page, type Route, wholeNumber } from "../../surfaces/rest/route.ts";
import { wireText } from "../platform/wire-text.ts";
import { webhookChanges, webhookInput } from "./operations/manage-endpoints.ts";
import type { WebhookParts } from "./parts.ts";
import { createWebhook, rotateWebhookSecret, updateWebhook } from "./rest/manage-webhooks.ts";

const webhookId = z.strictObject({ id: z.uuid("must be a UUID").meta({ description: "The webhook." }) });
/** Whatever cannot be an event's id is the id of no event: 404 like any other that does not exist. */
const eventId = z
  .string()
  .transform((id) => (/^evt_[0-9a-f]{32}$/.test(id) ? id : ""))
  .meta({ type: "string", description: "The event: `evt_` and 32 hexadecimal digits." });
const between = {
  from: instant.optional().meta({ description: "Only what came at or after this instant." }),
  to: instant.optional().meta({ description: "Only what came before this instant." }),
};
/** What the last attempt of a delivery may have ended with. */
const ENDED = ["SUCCEEDED", "FAILED", "EXHAUSTED", "SKIPPED"] as const;
const STATUSES = ["PENDING", ...ENDED] as const;

/** Webhooks: message-webhooks part A §4. */
export const webhookRoutes: readonly Route<WebhookParts>[] = [
  {
    method: "POST",
    path: "/webhooks",
    operation: "createWebhook",
    tag: "Webhooks",
    summary: "Register an address that events are posted to",
    description:
      "The answer holds the signing `secret`, this once: keep it where the receiver finds it. An organization may have 50 in each environment.",
    command: "create_webhook",
    made: ["id", "is_loopback", "sealed_secret"],
    status: 201,
    answers: { schema: "WebhookWithSecret" },
    body: webhookInput,
    handle: createWebhook,
  },
  {
    method: "GET",
    path: "/webhooks",
    operation: "listWebhooks",
    tag: "Webhooks",
    summary: "List webhooks, newest first",
    command: "list_webhooks",
    status: 200,
    answers: { schema: "WebhookPage" },
    query: page,
  },
  {
    method: "GET",
    path: "/webhooks/{id}",
    operation: "getWebhook",
    tag: "Webhooks",
    summary: "Read a webhook",
    command: "get_webhook",
    status: 200,
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    params: webhookId,
  },
  {
    method: "PATCH",
    path: "/webhooks/{id}",
    operation: "updateWebhook",
    tag: "Webhooks",
    summary: "Change address, description or kinds of events",
    description:
      "Only what is given changes. Attempts from then on go to the new address, those of earlier events too.",
    command: "update_webhook",
    made: ["is_loopback"],
    status: 200,
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    params: webhookId,
    body: webhookChanges,
    handle: updateWebhook,
  },
  {
    method: "DELETE",
    path: "/webhooks/{id}",
    operation: "deleteWebhook",
    tag: "Webhooks",
    summary: "Remove a webhook",
    description: "Nothing is posted to it any more, and what waited for it is not delivered.",
    command: "delete_webhook",
    status: 204,
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    params: webhookId,
  },
  {
    method: "POST",
    path: "/webhooks/{id}/rotate",
    operation: "rotateWebhookSecret",
    tag: "Webhooks",
    summary: "Give a webhook a new secret",
    description:
      "The new secret signs at once. For 24 hours the one before signs too, in `X-Webhook-Signature-Previous`, so that receivers can " +
      "exchange it at any moment of them; a second rotation drops the oldest.",
    command: "rotate_webhook_secret",
    made: ["sealed_secret"],
    status: 200,
    answers: { schema: "WebhookWithSecret" },
    errors: ["not_found"],
    params: webhookId,
    handle: rotateWebhookSecret,
  },
  {
    method: "POST",
    path: "/webhooks/{id}/enable",
    operation: "enableWebhook",
    tag: "Webhooks",
    summary: "Enable a webhook",
    description: "Failures are counted from zero. What was skipped stays so until it is replayed.",
    command: "enable_webhook",
    status: 200,
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    params: webhookId,
  },
  {
    method: "POST",
    path: "/webhooks/{id}/disable",
    operation: "disableWebhook",
    tag: "Webhooks",
    summary: "Disable a webhook",
    description:
      "Nothing is posted any more. Events from now on, and retries when they come due, are skipped and can be replayed.",
    command: "disable_webhook",
    status: 200,
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    params: webhookId,
  },
  {
    method: "POST",
    path: "/webhooks/{id}/test",
    operation: "testWebhook",
    tag: "Webhooks",
    summary: "Send a test event",
    description:
      "A `webhook.test` event, signed like any other, whatever the webhook is subscribed to. Once, and never counted.",
    command: "test_webhook",
    status: 202,
    answers: { schema: "WebhookDelivery" },
    errors: ["not_found"],
    params: webhookId,
  },
  {
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    operation: "listWebhookDeliveries",
    tag: "Webhooks",
    summary: "List delivery attempts, newest first",
    description:
      "One item for each attempt. A delivery that had none yet, or was skipped, is an item with `attempt` 0.",
    command: "list_webhook_deliveries",
    status: 200,
    answers: { schema: "WebhookDeliveryPage" },
    errors: ["not_found"],
    params: webhookId,
    query: page.extend({
      status: z
        .enum(STATUSES, `must be one of ${STATUSES.join(", ")}`)
        .optional()
        .meta({ description: "Only attempts that ended so." }),
      event_type: wireText(100).optional().meta({ description: "Only events of this kind." }),
      response_status: wholeNumber(100, 599)
        .optional()
        .meta({ description: "Only attempts answered with this HTTP status." }),
      ...between,
    }),
  },
  {
    method: "POST",
    path: "/webhooks/{id}/replay",
    operation: "replayWebhook",
    tag: "Webhooks",
    summary: "Deliver many events again",
    description:
      "Every delivery of events of a period whose last attempt did not succeed, or ended with the `status` asked for: up to 10,000 with " +
      "each request, the oldest first. With `has_more`, the same request replays the next ones.",
    command: "replay_webhook",
    status: 202,
    answers: { schema: "WebhookReplay" },
    errors: ["not_found"],
    params: webhookId,
    body: z.strictObject({
      since: instant.nullish().meta({ description: "Events from this instant on; all that are kept by default." }),
      until: instant.nullish().meta({ description: "Events before this instant; until now by default." }),
      status: z
        .enum(ENDED, `must be one of ${ENDED.join(", ")}`)
        .nullish()
        .meta({ description: "What the last attempt ended with; anything but SUCCEEDED by default." }),
    }),
  },
  {
    method: "POST",
    path: "/webhooks/deliveries/{delivery_id}/retry",
    operation: "retryWebhookDelivery",
    tag: "Webhooks",
    summary: "Deliver an event again",
    description:
      "The same bytes under the same event id, to the present address, signed with the present secret. Takes the id of a delivery or of one " +
      "of its attempts.",
    command: "retry_webhook_delivery",
    status: 202,
    answers: { schema: "WebhookDelivery" },
    errors: ["not_found"],
    params: z.strictObject({
      delivery_id: z.uuid("must be a UUID").meta({ description: "The delivery, or an attempt." }),
    }),
  },
  {
    method: "GET",
    path: "/events",
    operation: "listEvents",
    tag: "Webhooks",
    summary: "List events, newest first",
    description: "The event log: what happened, whether or not a webhook wanted it, each as it is delivered.",
    command: "list_events",
    status: 200,
    answers: { schema: "EventPage" },
    query: page.extend({
      type: wireText(100).optional().meta({ description: "Only events of this kind." }),
      ...between,
    }),
  },
  {
    method: "GET",
    path: "/events/{id}",
    operation: "getEvent",
    tag: "Webhooks",
    summary: "Read an event",
    command: "get_event",
    status: 200,
    answers: { schema: "Event" },
    errors: ["not_found"],
    params: z.strictObject({ id: eventId }),
  },
];
