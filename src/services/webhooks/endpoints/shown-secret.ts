import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";

/** The answer of operations that give an endpoint a new secret. */
export const answersSecret = {
  schema: "WebhookWithSecret",
  row: "webhook_endpoints",
  with: z.object({
    // The form that newWebhookSecret makes.
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9_-]{43}$/)
      .optional()
      .meta({
        description:
          "The signing secret, `whsec_…`. It is shown only once: an answer that an Idempotency-Key repeats does not contain it.",
      }),
  }),
};

/** The same in GraphQL. */
export const shownSecret = {
  name: "WebhookSecretPayload",
  description: "A webhook with its secret, which is shown only once.",
  row: { name: "webhook", description: "The webhook." },
};

/** Puts a new secret into an answer. A replayed answer has no secret, because the stored answer never contains it. */
export function withSecret(answer: Answer, secret: string): Answer {
  if (answer.replayed || answer.body === null) return answer;
  return { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), secret }) };
}
