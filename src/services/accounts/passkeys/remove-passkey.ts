import { z } from "zod";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { ownProof, withOwnProof } from "../factors/own-proof.ts";
import { code } from "../factors/prove-factor.ts";
import { leftFactor } from "../factors/remove-totp.ts";
import { operation } from "../parts.ts";

/** Removes a passkey. Asks for the password, and for a code where there is an authenticator app. */
export const removePasskey = operation({
  name: "removePasskey",
  command: "prepare_proof",
  records: "remove_passkey",
  made: ["network"],
  input: ownProof.extend({ id: z.uuid().meta({ description: "The passkey." }), code: code.optional() }),
  errors: ["not_found", "conflict", "too_many_attempts"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Removes a passkey of the person who is signed in. Who has an authenticator app gives its code, too. A wrong password or code gets 422 `invalid_request` and counts as a failed sign-in: after five, 429 `too_many_attempts`. 409 conflict in a session that the password alone opened.",
    example: {
      document:
        'mutation { removePasskey(input: {id: "01a1fba4-b4c6-717b-8089-2cd0f88410ec", password: "correct-horse-battery"}) { secondFactor } }',
    },
    gone: "id",
    payload: {
      ...leftFactor,
      name: "RemovePasskeyPayload",
      members: leftFactor.members.extend({ id: z.uuid().meta({ description: "The id that went. The passkey." }) }),
    },
  },
  run: (work, { id, password, code: given }) =>
    withOwnProof(work, { password, code: given ?? "" }, (proof) =>
      work.call("remove_passkey", { ...sessionOfRequest(work.requester), id, ...proof }),
    ),
});
