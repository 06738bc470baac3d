import { z } from "zod";
import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";
import { newNonce } from "./passkey-members.ts";

const prepared = z.object({ challenge: z.string() });

/** What a browser needs to sign somebody in with a passkey. Nothing is kept: the challenge says itself that it is ours, and until when. */
export const passkeyOptions = operation({
  name: "passkeyOptions",
  command: "prepare_passkey_sign_in",
  made: ["nonce"],
  answers: { schema: "PasskeyOptions" },
  errors: ["csrf"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/passkey/options",
    status: 200,
    tag: "Signing in",
    summary: "Ask how to sign in with a passkey",
    description:
      "Give `options` to `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`, and what it answers to `POST /passkey`. The challenge is good once, for 5 minutes.",
  },
  run: async ({ call, parts }) => {
    const answer = await call("prepare_passkey_sign_in", { nonce: newNonce() });
    const { challenge } = prepared.parse(JSON.parse(answer.body ?? "null"));
    const options = await parts.relyingParty.requestOptions(Buffer.from(challenge, "hex"));
    return { ...answer, body: JSON.stringify({ options }) };
  },
});
