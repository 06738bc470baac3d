import { z } from "zod";
import { operation } from "../parts.ts";

/** What an organization demands of its people. */
export const getSignInRules = operation({
  name: "getSignInRules",
  command: "read_sign_in_rules",
  rest: null,
  graphql: {
    field: "signInRules",
    description: "What the organization demands of its people.",
    example: { document: "{ signInRules { demandsSecondFactor } }" },
    payload: {
      name: "SignInRules",
      description: "What an organization demands of its people.",
      members: z.object({
        demands_second_factor: z
          .boolean()
          .meta({ description: "Whether a person without a second factor has no rights in the organization." }),
      }),
    },
  },
  run: async ({ call }) => call("read_sign_in_rules", {}),
});
