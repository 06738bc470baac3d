import { z } from "zod";
import { operation } from "../parts.ts";

// An envelope has at most 50 participants.
const credits = (kind: string) =>
  z
    .int()
    .min(0)
    .max(50)
    .meta({ description: `${kind} credits that sending costs.` });
const balance = (kind: string) => z.int().meta({ description: `${kind} credits of the organization.` });

/** What sending an envelope takes; also the schema of the answer in REST. */
export const envelopeCost = z
  .object({
    signature_credits: credits("Signature"),
    icp_brasil_credits: credits("ICP-Brasil"),
    balances: z
      .object({ signature: balance("Signature"), icp_brasil: balance("ICP-Brasil") })
      .meta({ title: "EnvelopeBalances", description: "The credits of the organization." }),
    sufficient: z
      .boolean()
      .meta({ description: "Whether the organization has enough credits. Always true in the test environment." }),
    charged: z.boolean().meta({ description: "Whether sending costs the credits. False in the test environment." }),
  })
  .meta({ description: "What sending an envelope costs." });

/** The cost of an envelope. Its answer is an object of objects, which only a definition of an operation can describe for GraphQL. */
export const calculateEnvelopeCost = operation({
  name: "calculateEnvelopeCost",
  command: "calculate_envelope_cost",
  answers: { schema: "EnvelopeCost" },
  errors: ["not_found", "conflict"],
  rest: {
    method: "POST",
    path: "/envelopes/{id}/calculate-cost",
    status: 200,
    tag: "Envelopes",
    summary: "Calculate what sending an envelope costs",
    description:
      "Sending costs a signature credit for each signatario whose modality is not qualificada, and an ICP-Brasil credit for each participant whose modality is qualificada. Returns 409 `conflict` once the envelope has been sent, because sending costs credits only once.",
  },
  graphql: {
    field: "envelopeCost",
    description: "What sending an envelope costs.",
    payload: { name: "EnvelopeCost", description: "What sending an envelope costs.", members: envelopeCost },
  },
  run: ({ call }, { id }) => call("calculate_envelope_cost", { id }),
});
