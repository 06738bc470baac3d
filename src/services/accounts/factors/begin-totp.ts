import { z } from "zod";
import { sessionOfRequest } from "../account/session-of-request.ts";
import { operation } from "../parts.ts";
import { newTotp } from "./totp.ts";

const begun = z.object({ email: z.string() });

/** Begins the set-up of an authenticator app. TypeScript draws the secret and encrypts it. */
export const beginTotp = operation({
  name: "beginTotp",
  command: "begin_totp",
  made: ["session_sha256", "id", "sealed_secret", "secret_sha256"],
  errors: ["conflict"],
  isKeyless: true,
  rest: null,
  graphql: {
    description:
      "Begins the set-up of an authenticator app for the person who is signed in. The app is asked for once confirmTotp has confirmed it. Another set-up that was not confirmed ends. 409 conflict with an app, and in a session that the password alone opened, for a person who has a passkey.",
    example: { document: "mutation { beginTotp { uri secret } }" },
    payload: {
      name: "BeginTotpPayload",
      description: "What the person gives to the app, shown only once.",
      members: z.object({
        uri: z.string().meta({ description: "An `otpauth:` address, for a QR code and for apps on the same device." }),
        secret: z.string().meta({ description: "The secret alone (base32), for apps without a camera." }),
      }),
    },
  },
  run: async ({ call, parts, requester }) => {
    const { kept, shown } = newTotp(parts.masterKeys);
    const answer = await call("begin_totp", { ...sessionOfRequest(requester), ...kept });
    return { ...answer, body: JSON.stringify(shown(begun.parse(JSON.parse(answer.body ?? "null")).email)) };
  },
});
