import type { Operation } from "../../surfaces/operation.ts";
import { createWebhook } from "./endpoints/create-webhook.ts";
import { rotateWebhookSecret } from "./endpoints/rotate-webhook-secret.ts";
import { updateWebhook } from "./endpoints/update-webhook.ts";
import type { WebhookParts } from "./parts.ts";

/** Webhooks: message-webhooks part A §4. */
export const webhookOperations: readonly Operation<WebhookParts>[] = [
  createWebhook,
  {
    name: "listWebhooks",
    command: "list_webhooks",
    answers: { schema: "WebhookPage" },
    rest: {
      method: "GET",
      path: "/webhooks",
      status: 200,
      tag: "Webhooks",
      summary: "List webhooks, newest first",
    },
  },
  {
    name: "getWebhook",
    command: "get_webhook",
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/webhooks/{id}",
      status: 200,
      tag: "Webhooks",
      summary: "Read a webhook",
    },
  },
  updateWebhook,
  {
    name: "deleteWebhook",
    command: "delete_webhook",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/webhooks/{id}",
      status: 204,
      tag: "Webhooks",
      summary: "Remove a webhook",
      description: "Selo stops posting to this webhook. Waiting deliveries are dropped.",
    },
  },
  rotateWebhookSecret,
  {
    name: "enableWebhook",
    command: "enable_webhook",
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/webhooks/{id}/enable",
      status: 200,
      tag: "Webhooks",
      summary: "Enable a webhook",
      description: "The count of failures starts again from zero. Skipped events stay skipped until they are replayed.",
    },
  },
  {
    name: "disableWebhook",
    command: "disable_webhook",
    answers: { schema: "Webhook" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/webhooks/{id}/disable",
      status: 200,
      tag: "Webhooks",
      summary: "Disable a webhook",
      description:
        "Selo stops posting to this webhook. New events and retries that come due are skipped. Skipped events can be replayed.",
    },
  },
  {
    name: "testWebhook",
    command: "test_webhook",
    answers: { schema: "WebhookDelivery" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/webhooks/{id}/test",
      status: 202,
      tag: "Webhooks",
      summary: "Send a test event",
      description:
        "Posts a `webhook.test` event, signed like any other event, even if the webhook is not subscribed to it. There is one attempt, and a failure is not counted.",
    },
  },
  {
    name: "listWebhookDeliveries",
    command: "list_webhook_deliveries",
    answers: { schema: "WebhookDeliveryPage" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/webhooks/{id}/deliveries",
      status: 200,
      tag: "Webhooks",
      summary: "List delivery attempts, newest first",
      description:
        "One item for each attempt. A skipped delivery, or a delivery without an attempt yet, is an item with `attempt` 0.",
    },
  },
  {
    name: "replayWebhook",
    command: "replay_webhook",
    answers: { schema: "WebhookReplay" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/webhooks/{id}/replay",
      status: 202,
      tag: "Webhooks",
      summary: "Deliver many events again",
      description:
        "Replays every delivery in a period whose last attempt did not succeed, or whose status is the given `status`. Each request replays up to 10,000 deliveries, oldest first. If `has_more` is true, repeat the request to replay the next deliveries.",
    },
  },
  {
    name: "retryWebhookDelivery",
    command: "retry_webhook_delivery",
    answers: { schema: "WebhookDelivery" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/webhooks/deliveries/{delivery_id}/retry",
      status: 202,
      tag: "Webhooks",
      summary: "Deliver an event again",
      description:
        "Posts the same bytes with the same event id again, to the current address, signed with the current secret. Accepts the id of a delivery or of one of its attempts.",
    },
  },
  {
    name: "listEvents",
    command: "list_events",
    answers: { schema: "EventPage" },
    rest: {
      method: "GET",
      path: "/events",
      status: 200,
      tag: "Webhooks",
      summary: "List events, newest first",
      description:
        "The event log: every event in the form of its delivery, including events that no webhook is subscribed to.",
    },
  },
  {
    name: "getEvent",
    command: "get_event",
    answers: { schema: "Event" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/events/{id}",
      status: 200,
      tag: "Webhooks",
      summary: "Read an event",
    },
  },
];
