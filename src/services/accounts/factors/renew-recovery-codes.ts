import { operation } from "../parts.ts";
import { ownProof, withOwnProof } from "./own-proof.ts";
import { shownCodes, withCodes } from "./recovery-codes.ts";

/** Makes ten new recovery codes. Asks for password and code, as these codes are as good as the app. */
export const renewRecoveryCodes = operation({
  name: "renewRecoveryCodes",
  command: "prepare_proof",
  records: "renew_recovery_codes",
  made: ["network"],
  input: ownProof,
  errors: ["conflict", "too_many_attempts"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Makes ten new recovery codes of the person who is signed in. The earlier ones no longer work. A wrong password or code gets 422 `invalid_request` and counts as a failed sign-in: after five, 429 `too_many_attempts`.",
    example: {
      document:
        'mutation { renewRecoveryCodes(input: {password: "correct-horse-battery", code: "123456"}) { recoveryCodes } }',
    },
    payload: shownCodes,
  },
  run: async (work, input) => {
    let codes: readonly string[] = [];
    const answer = await withOwnProof(work, input, (proof, factor) => {
      const made = factor?.newRecoveryCodes();
      codes = made?.shown ?? [];
      return work.call("renew_recovery_codes", { ...proof, codes: made?.kept ?? null });
    });
    return withCodes(answer, codes);
  },
});
