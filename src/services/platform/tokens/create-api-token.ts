import { z } from "zod";
import { operationsOf } from "../../../surfaces/operation.ts";
import type { CommonParts } from "../../started-service.ts";

/** Makes an API token for a person. SQL draws its secret, and keeps its hash alone. */
export const createApiToken = operationsOf<CommonParts>()({
  name: "createApiToken",
  command: "create_api_token",
  answers: {
    schema: "ApiTokenWithSecret",
    row: "api_tokens",
    with: z.object({
      token: z.string().optional().meta({
        description:
          "The whole token, `svc_…`. It is shown only once: an answer that an Idempotency-Key repeats does not contain it.",
      }),
    }),
  },
  rest: null,
  graphql: {
    description:
      "Makes an API token of either environment. People alone make tokens, and give no scope that their role lacks.",
    payload: {
      name: "CreateApiTokenPayload",
      description: "A token with its secret, which is shown only once.",
      row: { name: "apiToken", description: "The token." },
    },
    example: {
      document:
        "mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { apiToken { id prefix expiresAt } token } }",
      variables: {
        input: { environment: "TEST", name: "Warehouse", scopes: ["proofs:read", "proofs:write"] },
      },
    },
  },
  run: ({ call }, input) => call("create_api_token", input),
});
