import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { endpointAddress } from "./endpoint-address.ts";

/** Changes the given members of an endpoint. TypeScript checks a new address. */
export const updateWebhook = operation({
  name: "updateWebhook",
  command: "update_webhook",
  made: ["is_loopback"],
  answers: { schema: "Webhook" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/webhooks/{id}",
    status: 200,
    tag: "Webhooks",
    summary: "Change address, description or kinds of events",
    description:
      "Only the given members change. All later attempts go to the new address, including attempts for earlier events.",
  },
  graphql: {
    description: "Changes the given members of a webhook. All later attempts go to the new address.",
    payload: {
      name: "UpdateWebhookPayload",
      description: "The changed webhook.",
      members: z.object({ webhook: rowOf("webhook_endpoints").meta({ description: "The webhook." }) }),
    },
  },
  run: ({ call, parts }, input) => {
    const address = input.url === undefined ? {} : endpointAddress(input.url, parts.webhookAllowLoopback);
    // An empty text removes the description; an absent member leaves it unchanged.
    const description = input.description === "" ? { description: null } : {};
    return call("update_webhook", { ...input, ...address, ...description });
  },
});
