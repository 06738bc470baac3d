import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";

/** What is answered where an endpoint has a new secret. */
export const answersSecret = {
  schema: "WebhookWithSecret",
  row: "webhook_endpoints",
  with: z.object({
    // As newWebhookSecret makes it.
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9_-]{43}$/)
      .optional()
      .meta({
        description:
          "The signing secret, `whsec_…`. It is shown this once: an answer that an Idempotency-Key repeats is without it.",
      }),
  }),
};

/** The same in GraphQL. */
export const shownSecret = {
  name: "WebhookSecretPayload",
  description: "A webhook with its secret, which is shown this once.",
  row: { name: "webhook", description: "The webhook." },
};

/** Puts a new secret into an answer. One that was kept is answered without it: its secret never was. */
export function withSecret(answer: Answer, secret: string): Answer {
  if (answer.replayed || answer.body === null) return answer;
  return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), secret }) };
}
