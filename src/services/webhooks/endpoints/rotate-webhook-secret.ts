import { operation } from "../parts.ts";
import { newWebhookSecret, sealWebhookSecret } from "./secret.ts";
import { answersSecret, shownSecret, withSecret } from "./shown-secret.ts";

/** Gives an endpoint a new secret. TypeScript makes and encrypts it. */
export const rotateWebhookSecret = operation({
  name: "rotateWebhookSecret",
  command: "rotate_webhook_secret",
  made: ["sealed_secret"],
  answers: answersSecret,
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/webhooks/{id}/rotate",
    status: 200,
    tag: "Webhooks",
    summary: "Give a webhook a new secret",
    description:
      "The new secret signs immediately. For 24 hours, the previous secret also signs, in `X-Webhook-Signature-Previous`. Receivers can switch to the new secret at any time within these 24 hours. A second rotation drops the oldest secret.",
  },
  graphql: {
    description: "Gives a webhook a new secret, which signs immediately. The previous secret also signs for 24 hours.",
    payload: shownSecret,
  },
  run: async ({ call, parts }, { id }) => {
    const secret = newWebhookSecret();
    const sealed_secret = sealWebhookSecret(parts.masterKeys, id, secret);
    return withSecret(await call("rotate_webhook_secret", { id, sealed_secret }), secret);
  },
});
