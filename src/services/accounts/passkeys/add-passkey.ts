import { z } from "zod";
import { AppError, invalidRequest } from "../../../errors/app-error.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { ownProof, withOwnProof } from "../factors/own-proof.ts";
import { code } from "../factors/prove-factor.ts";
import { operation } from "../parts.ts";
import { madeResponse, shownPasskey } from "./passkey-members.ts";
import { newPasskeySecret } from "./passkey-secret.ts";

const wrong = z.object({ is_wrong: z.literal(true) });
const known = z.object({ is_known: z.literal(true) });

/** Keeps a passkey that the browser made. Asks for the password, and for a code where there is an authenticator app: a passkey is as good as both. */
export const addPasskey = operation({
  name: "addPasskey",
  command: "prepare_proof",
  records: "add_passkey",
  made: ["network"],
  input: ownProof.extend({
    code: code.optional(),
    name: wireText(100).optional().meta({ description: "What you call the passkey. `Passkey` by default." }),
    response: madeResponse.meta({
      json: true,
      description: "What the browser answered to the options, as its `toJSON` makes it (RegistrationResponseJSON).",
    }),
  }),
  errors: ["conflict", "too_many_attempts"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Keeps a passkey that the browser of the person who is signed in made, with the answer to passkeyCreationOptions. It signs the person in without a password; a mail tells so. The other sessions of the person end. Who has an authenticator app gives its code, too. 422 invalid_request for a wrong answer, for a challenge that is used, over, or of another session, and for a wrong password or code, which counts as a failed sign-in. 409 conflict for the 21st passkey, for a known one, and in a session that the password alone opened, for a person who has a passkey.",
    example: {
      document:
        'mutation ($response: JSON!) { addPasskey(input: {name: "Phone", password: "correct-horse-battery", response: $response}) { passkey { id name } } }',
      variables: {
        response: {
          id: "EXAMPLE",
          rawId: "EXAMPLE",
          type: "public-key",
          response: { clientDataJSON: "EXAMPLE", attestationObject: "EXAMPLE" },
        },
      },
    },
    payload: {
      name: "AddPasskeyPayload",
      description: "The passkey that was added.",
      members: z.object({ passkey: shownPasskey }),
    },
  },
  run: async (work, { password, code: given, name, response }) => {
    const { parts, requester } = work;
    const secret = newPasskeySecret(parts.masterKeys);
    const answer = await withOwnProof(work, { password, code: given ?? "" }, async (proof) =>
      work.call("add_passkey", {
        ...sessionOfRequest(requester),
        ...(name === undefined ? {} : { name }),
        // SQL takes no empty challenge.
        ...((await parts.relyingParty.madePasskey(response as never)) ?? NO_PASSKEY),
        ...secret,
        ...proof,
      }),
    );
    const passkey: unknown = JSON.parse(answer.body ?? "null");
    if (wrong.safeParse(passkey).success)
      throw invalidRequest([{ field: "response", message: "is not a right answer to the options, or came too late" }]);
    if (known.safeParse(passkey).success) throw new AppError(409, "conflict", "This passkey is known already.");
    return { ...answer, body: JSON.stringify({ passkey }) };
  },
});

const NO_PASSKEY = { challenge: "", credential_id: "", public_key: "", counter: 0, transports: [] };
