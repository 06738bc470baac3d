import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { AppError } from "../../../errors/app-error.ts";
import { newSession } from "../../../surfaces/http/session.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { code, withSecondFactor } from "../factors/prove-factor.ts";
import { operation } from "../parts.ts";
import { attemptAnswer } from "./attempt-answers.ts";
import { PASSWORD_LENGTH } from "./judge-password.ts";
import { newSalt } from "./password-tag.ts";

export const hashParameters = z.object({
  salt: z.string(),
  memory: z.int(),
  passes: z.int(),
  parallelism: z.int(),
});

/** Parameters with which the password is to be hashed anew; null if it has those of today. */
const renewal = z.object({ renew: hashParameters.omit({ salt: true }).nullable() });

/**
 * Opens a session for an e-mail address and its password. SQL hands out salt and parameters, takes the tag that Argon2id makes of them and
 * the password, and decides: the gateway learns neither whether an address is known nor what is stored of a password.
 */
export const signIn = operation({
  name: "signIn",
  command: "prepare_sign_in",
  records: "sign_in",
  made: ["network"],
  input: z.object({
    password: wireText(PASSWORD_LENGTH.most).meta({ description: "The password." }),
    code: code.optional(),
  }),
  answers: { schema: "Session" },
  errors: ["unauthenticated", "second_factor_required", "csrf", "too_many_attempts"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/sign-in",
    status: 200,
    tag: "Signing in",
    summary: "Sign in with a password",
    description:
      "Sets the cookies `inv_session` and `inv_csrf`. The session acts for the organization that the person opened last. A wrong password and an unknown address get the same 401 `unauthenticated`. A right password of a person who has a second factor gets 401 `second_factor_required` without `code`. After five failures with an address from one place, further attempts get 429 `too_many_attempts` for a quarter of an hour.",
  },
  run: async ({ call, parts, requester }, { email, password, code: given }) => {
    const network = networkOf(requester.origin.address);
    const asked = attemptAnswer((await call("prepare_sign_in", { email, network })).body);
    const tag = await parts.passwordHashes.tagOf(password, hashParameters.parse(asked), network);
    const { secret, digests } = newSession();
    const answer = await withSecondFactor(
      parts.masterKeys,
      given,
      {
        password: () => new AppError(401, "unauthenticated", "The e-mail address or the password is wrong."),
        code: () => new AppError(401, "unauthenticated", "The code is wrong, or was used already."),
      },
      async (proof) => {
        const announced = { email, network, tag, ...("proof" in proof && { proof: proof.proof }) };
        attemptAnswer((await call("announce_sign_in", announced)).body);
        return call("sign_in", { email, network, tag, ...digests, ...proof });
      },
    );
    const { renew } = renewal.parse(JSON.parse(answer.body ?? "null"));
    // Only once the password was right: a failure takes as long for everybody.
    if (renew !== null) {
      const salt = newSalt();
      const renewed_tag = await renewedTag(() => parts.passwordHashes.tagOf(password, { salt, ...renew }, network));
      if (renewed_tag !== null)
        await call("renew_password_hash", { live_sha256: digests.live_sha256, tag, salt, renewed_tag });
    }
    return parts.browserSessions.opened(answer, secret);
  },
});

/** Null if too many wait for their hashes: the next sign-in tries again. */
async function renewedTag(hashAnew: () => Promise<string>): Promise<string | null> {
  try {
    return await hashAnew();
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") return null;
    throw error;
  }
}
