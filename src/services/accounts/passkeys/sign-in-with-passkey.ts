import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { AppError } from "../../../errors/app-error.ts";
import { newSession } from "../../../surfaces/http/session.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";
import { attemptAnswer, isRefused } from "../sign-in/attempt-answers.ts";
import { signatureResponse } from "./passkey-members.ts";
import { passkeyProof } from "./passkey-secret.ts";

const found = z.object({
  passkey: z
    .object({ id: z.uuid(), person_id: z.uuid(), public_key: z.string(), sealed_secret: z.string() })
    .nullable(),
});

/** Opens a session for a signature of a passkey. The gateway checks the signature; SQL counts, uses the challenge up, and decides. */
export const signInWithPasskey = operation({
  name: "signInWithPasskey",
  command: "find_passkey_to_prove",
  records: "sign_in_with_passkey",
  made: ["credential_id", "network"],
  input: z.object({
    response: signatureResponse.meta({
      description: "What the browser answered to the options, as its `toJSON` makes it (AuthenticationResponseJSON).",
    }),
  }),
  answers: { schema: "Session" },
  errors: ["unauthenticated", "csrf", "too_many_attempts"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/passkey",
    status: 200,
    tag: "Signing in",
    summary: "Sign in with a passkey",
    description:
      "Sets the cookies `inv_session` and `inv_csrf`, as `POST /sign-in` does. A passkey whose device made sure of the person is both factors. Anything wrong returns 401 `unauthenticated`: an unknown passkey, a wrong signature, a challenge that is used or over. After 20 failures from one place, further attempts get 429 `too_many_attempts` for a quarter of an hour.",
  },
  run: async ({ call, parts, requester }, { response }) => {
    const network = networkOf(requester.origin.address);
    const credential_id = Buffer.from(response.id, "base64url").toString("hex");
    const asked = await call("find_passkey_to_prove", { credential_id, network });
    const { passkey } = found.parse(attemptAnswer(asked.body));
    const signature = passkey === null ? null : await parts.relyingParty.signature(response as never, passkey);
    const { secret, digests } = newSession();
    const answer = await call("sign_in_with_passkey", {
      credential_id,
      challenge: signature?.challenge ?? "",
      network,
      // What is wrong is counted, as a wrong password is.
      proof: passkey === null || signature === null ? "" : passkeyProof(parts.masterKeys, passkey),
      counter: signature?.counter ?? 0,
      ...digests,
    });
    if (isRefused(attemptAnswer(answer.body)))
      throw new AppError(401, "unauthenticated", "The passkey is unknown, or its answer is wrong or too late.");
    return parts.browserSessions.opened(answer, secret);
  },
});
