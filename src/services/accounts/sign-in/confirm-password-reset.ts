import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { AppError } from "../../../errors/app-error.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";
import { attemptAnswer, isRefused } from "./attempt-answers.ts";
import { PASSWORD_LENGTH, requireGoodPassword } from "./judge-password.ts";
import { linkSha256 } from "./password-link.ts";
import { newSalt } from "./password-tag.ts";
import { hashParameters } from "./sign-in.ts";

const prepared = hashParameters.omit({ salt: true }).extend({ email: z.string(), name: z.string() }).nullable();

/** Sets the password of the person of a link. A link is used once, and a password that is refused does not use it up. */
export const confirmPasswordReset = operation({
  name: "confirmPasswordReset",
  command: "prepare_password_reset",
  records: "confirm_password_reset",
  made: ["link_sha256", "network"],
  input: z.object({
    link: wireText(200).meta({ description: "The part of the link after `#`." }),
    password: wireText(PASSWORD_LENGTH.most).meta({
      description: `The new password: ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters, and not easy to guess.`,
    }),
  }),
  answers: { nothing: "The password is set. All sessions of the person have ended." },
  errors: ["not_found", "csrf", "too_many_attempts"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/password-reset/confirm",
    status: 204,
    tag: "Signing in",
    summary: "Set a password with a link",
    description: "A link that is unknown, used or over returns 404 `not_found`.",
  },
  run: async ({ call, parts, requester }, { link, password }) => {
    const network = networkOf(requester.origin.address);
    const link_sha256 = linkSha256(link);
    const asked = prepared.parse(attemptAnswer((await call("prepare_password_reset", { link_sha256, network })).body));
    if (asked !== null) await requireGoodPassword(parts.passwordHashes, password, [asked.email, asked.name], network);
    const salt = newSalt();
    const given =
      asked === null ? {} : { salt, tag: await parts.passwordHashes.tagOf(password, { salt, ...asked }, network) };
    // Without a tag the attempt is only counted.
    const answer = await call("confirm_password_reset", { link_sha256, network, ...given });
    if (isRefused(attemptAnswer(answer.body)))
      throw new AppError(404, "not_found", "There is no such link, or it was used, or it is over.");
    return answer;
  },
});
