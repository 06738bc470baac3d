import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { endpointAddress } from "./endpoint-address.ts";

/** Changes what is given of an endpoint; a new address is judged here. */
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
      "Only what is given changes. Attempts from then on go to the new address, those of earlier events too.",
  },
  graphql: {
    description: "Changes what is given of a webhook; attempts from then on go to the new address.",
    payload: {
      name: "UpdateWebhookPayload",
      description: "A webhook that was changed.",
      members: z.object({ webhook: rowOf("webhook_endpoints").meta({ description: "The webhook." }) }),
    },
  },
  run: ({ call, parts }, input) => {
    const address = input.url === undefined ? {} : endpointAddress(input.url, parts.webhookAllowLoopback);
    // An empty text is no description; an absent one leaves what is there.
    const description = input.description === "" ? { description: null } : {};
    return call("update_webhook", { ...input, ...address, ...description });
  },
});
