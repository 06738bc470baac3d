import { z } from "zod";
import { jsonOf } from "../../../surfaces/operation.ts";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { operation } from "../parts.ts";
import { newNonce } from "./passkey-members.ts";

const prepared = z.object({
  challenge: z.string(),
  person_id: z.uuid(),
  email: z.string(),
  name: z.string(),
  known: z.array(z.object({ credential_id: z.string(), transports: z.array(z.string()) })),
});

/** What a browser needs to make a passkey for the person who is signed in. */
export const passkeyCreationOptions = operation({
  name: "passkeyCreationOptions",
  command: "prepare_passkey",
  made: ["session_sha256", "nonce"],
  errors: ["conflict"],
  rest: null,
  graphql: {
    description:
      "What the browser of the person who is signed in needs to make a passkey. Give `options` to `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`, and what it answers to addPasskey. The challenge is good once, for 5 minutes, in this session. 409 conflict in a session that the password alone opened, for a person who has a passkey: sign in with it first.",
    example: { document: "{ passkeyCreationOptions { options } }" },
    payload: {
      name: "PasskeyCreationOptions",
      description: "What a browser needs to make a passkey.",
      members: z.object({ options: jsonOf("PublicKeyCredentialCreationOptionsJSON of WebAuthn.") }),
    },
  },
  run: async ({ call, parts, requester }) => {
    const answer = await call("prepare_passkey", { ...sessionOfRequest(requester), nonce: newNonce() });
    const { challenge, person_id, ...person } = prepared.parse(JSON.parse(answer.body ?? "null"));
    const options = await parts.relyingParty.creationOptions(Buffer.from(challenge, "hex"), {
      id: person_id,
      ...person,
    });
    return { ...answer, body: JSON.stringify({ options }) };
  },
});
