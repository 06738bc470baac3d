import { z } from "zod";
import type { Answer } from "../../../postgres/call.ts";

/** Recovery codes, as GraphQL answers them. */
export const shownCodes = {
  name: "RecoveryCodesPayload",
  description: "Recovery codes, shown only once.",
  members: z.object({
    recovery_codes: z
      .array(z.string())
      .meta({ description: "Ten codes of twelve letters and digits. Each replaces a code of the app once." }),
  }),
};

/** The answer of a command that kept recovery codes, with the codes. */
export const withCodes = (answer: Answer, recovery_codes: readonly string[]): Answer => ({
  ...answer,
  body: JSON.stringify({ recovery_codes }),
});
