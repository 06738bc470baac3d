import { z } from "zod";
import { invalidRequest } from "../../../errors/app-error.ts";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { operation } from "../parts.ts";
import { isRefused } from "../sign-in/attempt-answers.ts";
import { madeResponse, shownPasskey } from "./passkey-members.ts";
import { newPasskeySecret } from "./passkey-secret.ts";

/** Keeps a passkey that the browser made. */
export const addPasskey = operation({
  name: "addPasskey",
  command: "add_passkey",
  made: [
    "session_sha256",
    "challenge",
    "id",
    "credential_id",
    "public_key",
    "counter",
    "transports",
    "sealed_secret",
    "secret_sha256",
  ],
  input: z.object({
    response: madeResponse.meta({
      json: true,
      description: "What the browser answered to the options, as its `toJSON` makes it (RegistrationResponseJSON).",
    }),
  }),
  errors: ["conflict"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Keeps a passkey that the browser of the person who is signed in made, with the answer to passkeyCreationOptions. It signs the person in without a password; a mail tells so. 422 invalid_request for a wrong answer, and for a challenge that is used, over, or of another session. 409 conflict for the 21st passkey, for a known one, and in a session that the password alone opened, for a person who has a passkey.",
    example: {
      document:
        'mutation ($response: JSON!) { addPasskey(input: {name: "Phone", response: $response}) { passkey { id name } } }',
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
  run: async ({ call, parts, requester }, { name, response }) => {
    // Whatever is wrong, SQL first says whether the caller may add one, and takes no empty challenge.
    const made = (await parts.relyingParty.madePasskey(response as never)) ?? NO_PASSKEY;
    const secret = newPasskeySecret(parts.masterKeys);
    const answer = await call("add_passkey", {
      ...sessionOfRequest(requester),
      ...(name === undefined ? {} : { name }),
      ...made,
      ...secret,
    });
    const passkey: unknown = JSON.parse(answer.body ?? "null");
    if (isRefused(passkey))
      throw invalidRequest([{ field: "response", message: "is not a right answer to the options, or came too late" }]);
    return { ...answer, body: JSON.stringify({ passkey }) };
  },
});

const NO_PASSKEY = { challenge: "", credential_id: "", public_key: "", counter: 0, transports: [] };
