import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";
import { rowOf } from "../../../surfaces/operation.ts";

/** What GraphQL answers where an endpoint has a new secret. */
export const shownSecret = {
  name: "WebhookSecretPayload",
  description: "A webhook with its secret, which is shown this once.",
  members: z.object({
    webhook: rowOf("webhook_endpoints").meta({ description: "The webhook." }),
    secret: z.string().nullable().meta({
      description: "The signing secret: whsec_… Null where an Idempotency-Key repeats an earlier request.",
    }),
  }),
};

/** Puts a new secret into an answer. One that was kept is answered without it: its secret never was. */
export function withSecret(answer: Answer, secret: string): Answer {
  if (answer.replayed || answer.body === null) return answer;
  return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), secret }) };
}
