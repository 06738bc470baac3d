import { z } from "zod";
import { invalidRequest } from "../../../errors/app-error.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { operation } from "../parts.ts";
import { shownCodes, withCodes } from "./recovery-codes.ts";
import { OpenedTotp, sealedFactor } from "./totp.ts";

/** Confirms the set-up of an authenticator app by its first code. From then on signing in asks for a code. */
export const confirmTotp = operation({
  name: "confirmTotp",
  command: "prepare_totp",
  records: "confirm_totp",
  input: z.object({ code: wireText(64).meta({ description: "The six digits that the app shows." }) }),
  errors: ["conflict"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Confirms the set-up of an authenticator app with a code that the app shows. From then on signing in asks for a code. The other sessions of the person end. 409 conflict without a set-up.",
    example: { document: 'mutation { confirmTotp(input: {code: "123456"}) { recoveryCodes } }' },
    payload: shownCodes,
  },
  run: async ({ call, parts, requester }, { code }) => {
    const prepared = await call("prepare_totp", {});
    const opened = new OpenedTotp(parts.masterKeys, sealedFactor.parse(JSON.parse(prepared.body ?? "null")));
    const { proof, step } = opened.proofOf(code);
    if (step === null) throw invalidRequest([{ field: "code", message: "is not the code that the app shows now" }]);
    const { shown, kept } = opened.newRecoveryCodes();
    return withCodes(await call("confirm_totp", { ...sessionOfRequest(requester), proof, step, codes: kept }), shown);
  },
});
