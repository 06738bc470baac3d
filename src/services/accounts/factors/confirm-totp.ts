import { z } from "zod";
import { invalidRequest } from "../../../errors/app-error.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { operation } from "../parts.ts";
import { ownProof, withOwnProof } from "./own-proof.ts";
import { shownCodes, withCodes } from "./recovery-codes.ts";
import { OpenedTotp, sealedFactor } from "./totp.ts";

/** Confirms the set-up of an authenticator app by its first code. Asks for the password: a stolen session alone must not lock its person out. */
export const confirmTotp = operation({
  name: "confirmTotp",
  command: "prepare_totp",
  records: "confirm_totp",
  input: z.object({
    code: wireText(64).meta({ description: "The six digits that the app shows." }),
    password: ownProof.shape.password,
  }),
  errors: ["conflict", "too_many_attempts"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Confirms the set-up of an authenticator app with a code that the app shows. From then on signing in asks for a code. The other sessions of the person end. A wrong password gets 422 `invalid_request` and counts as a failed sign-in: after five, 429 `too_many_attempts`. 409 conflict without a set-up.",
    example: {
      document:
        'mutation { confirmTotp(input: {code: "123456", password: "correct-horse-battery"}) { recoveryCodes } }',
    },
    payload: shownCodes,
  },
  run: async (work, { code, password }) => {
    const { call, parts, requester } = work;
    const prepared = await call("prepare_totp", {});
    const opened = new OpenedTotp(parts.masterKeys, sealedFactor.parse(JSON.parse(prepared.body ?? "null")));
    const { proof, step } = opened.proofOf(code);
    if (step === null) throw invalidRequest([{ field: "code", message: "is not the code that the app shows now" }]);
    const { shown, kept } = opened.newRecoveryCodes();
    const answer = await withOwnProof(work, { password, code: NO_CODE }, ({ network, tag }) =>
      call("confirm_totp", { ...sessionOfRequest(requester), proof, step, codes: kept, network, tag }),
    );
    return withCodes(answer, shown);
  },
});

/** The person has no app yet. If another request confirmed one meanwhile, SQL refuses the second call with 409 conflict. */
const NO_CODE = "";
