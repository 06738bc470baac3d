import { newId } from "../../../adapters/crypto/new-id.ts";
import { operation } from "../parts.ts";
import { endpointAddress } from "./endpoint-address.ts";
import { newWebhookSecret, sealWebhookSecret } from "./secret.ts";
import { answersSecret, shownSecret, withSecret } from "./shown-secret.ts";

/** Registers an endpoint. TypeScript checks its address, and makes and encrypts its secret. */
export const createWebhook = operation({
  name: "createWebhook",
  command: "create_webhook",
  made: ["id", "is_loopback", "sealed_secret"],
  answers: answersSecret,
  rest: {
    method: "POST",
    path: "/webhooks",
    status: 201,
    tag: "Webhooks",
    summary: "Register an address that events are posted to",
    description:
      "The answer holds the signing `secret`, which is shown only once. Store it for the receiver. An organization may have 50 webhooks in each environment.",
  },
  graphql: {
    description: "Registers an address that events are posted to. Each environment has at most 50 webhooks.",
    payload: shownSecret,
  },
  run: async ({ call, parts }, { description, ...input }) => {
    const address = endpointAddress(input.url, parts.webhookAllowLoopback);
    const id = newId();
    const secret = newWebhookSecret();
    const sealed_secret = sealWebhookSecret(parts.masterKeys, id, secret);
    // An empty text means no description.
    const parameters = { ...input, ...address, description: description || null, id, sealed_secret };
    return withSecret(await call("create_webhook", parameters, 201), secret);
  },
});
