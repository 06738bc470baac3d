import { z } from "zod";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { operation } from "../parts.ts";
import { ownProof, withOwnProof } from "./own-proof.ts";

/** What is left of the second factors. */
export const leftFactor = {
  description: "What is left.",
  members: z.object({
    second_factor: z.string().meta({
      description:
        "none, totp or passkey; or missing if there is none and the organization of the session demands one.",
    }),
  }),
};

/** Removes the authenticator app and the recovery codes. Asks for password and code. */
export const removeTotp = operation({
  name: "removeTotp",
  command: "prepare_proof",
  records: "remove_totp",
  made: ["network"],
  input: ownProof,
  errors: ["conflict", "too_many_attempts"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Removes the authenticator app of the person who is signed in, with the recovery codes. From then on the password alone signs in. The other sessions of the person end. A wrong password or code gets 422 `invalid_request` and counts as a failed sign-in: after five, 429 `too_many_attempts`.",
    example: {
      document: 'mutation { removeTotp(input: {password: "correct-horse-battery", code: "123456"}) { secondFactor } }',
    },
    payload: { ...leftFactor, name: "RemoveTotpPayload" },
  },
  run: (work, input) =>
    withOwnProof(work, input, (proof) => work.call("remove_totp", { ...sessionOfRequest(work.requester), ...proof })),
});
