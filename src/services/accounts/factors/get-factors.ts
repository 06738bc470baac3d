import { z } from "zod";
import { INSTANT } from "../../../surfaces/openapi/members.ts";
import { operation } from "../parts.ts";
import { shownPasskey } from "../passkeys/passkey-members.ts";

/** What a person has beside the password. */
export const getFactors = operation({
  name: "getFactors",
  command: "read_factors",
  rest: null,
  graphql: {
    field: "secondFactor",
    description: "The second factors of the person who is signed in.",
    example: { document: "{ secondFactor { secondFactor totpSince recoveryCodesLeft passkeys { id name } } }" },
    payload: {
      name: "SecondFactor",
      description: "What a person has beside the password.",
      members: z.object({
        second_factor: z.string().meta({
          description:
            "none, missing (the organization of the session demands one), totp (an authenticator app) or passkey.",
        }),
        totp_since: z
          .string()
          .meta(INSTANT)
          .nullable()
          .meta({ description: "Since when there is an authenticator app (UTC). Null without one." }),
        recovery_codes_left: z.int32().meta({ description: "The number of recovery codes that have not been used." }),
        passkeys: z.array(shownPasskey).meta({ description: "The passkeys, the oldest first. 20 at most." }),
      }),
    },
  },
  run: async ({ call }) => call("read_factors", {}),
});
