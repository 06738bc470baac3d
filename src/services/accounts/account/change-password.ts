import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { invalidRequest } from "../../../errors/app-error.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { operation } from "../parts.ts";
import { attemptAnswer, isRefused } from "../sign-in/attempt-answers.ts";
import { PASSWORD_LENGTH, requireGoodPassword } from "../sign-in/judge-password.ts";
import { newSalt } from "../sign-in/password-tag.ts";
import { hashParameters } from "../sign-in/sign-in.ts";
import { sessionOfRequest } from "./session-of-request.ts";

const prepared = z.object({
  email: z.string(),
  name: z.string(),
  present: hashParameters,
  new: hashParameters.omit({ salt: true }),
});

/** Replaces the password of the person who asks, who proves the present one as in a sign-in. */
export const changePassword = operation({
  name: "changePassword",
  command: "prepare_password_change",
  records: "change_password",
  made: ["session_sha256", "network"],
  isKeyless: true,
  input: z.object({
    present_password: wireText(PASSWORD_LENGTH.most).meta({ description: "The present password." }),
    password: wireText(PASSWORD_LENGTH.most).meta({
      description: `The new password: ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters, and not easy to guess.`,
    }),
  }),
  rest: null,
  graphql: {
    description:
      "Replaces your password, and ends your other sessions. A wrong present password gets 422 `invalid_request` and counts as a failed sign-in: after five, 429 `too_many_attempts`.",
    payload: {
      name: "ChangePasswordPayload",
      description: "What was done.",
      members: z.object({ changed: z.boolean().meta({ description: "Always true." }) }),
    },
    example: {
      document: "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { changed } }",
      variables: { input: { presentPassword: "correct-horse-battery", password: "staple-orbit-lantern-42" } },
    },
  },
  run: async ({ call, parts, requester }, { present_password, password }) => {
    const network = networkOf(requester.origin.address);
    const session = sessionOfRequest(requester);
    const asked = prepared.parse(attemptAnswer((await call("prepare_password_change", { ...session, network })).body));
    await requireGoodPassword(parts.passwordHashes, password, [asked.email, asked.name], network);
    const tag = await parts.passwordHashes.tagOf(present_password, asked.present, network);
    const salt = newSalt();
    const new_tag = await parts.passwordHashes.tagOf(password, { salt, ...asked.new }, network);
    const answer = await call("change_password", { ...session, network, tag, salt, new_tag });
    // Not 401: the session of the request is good.
    if (isRefused(attemptAnswer(answer.body)))
      throw invalidRequest([{ field: "present_password", message: "is not your present password" }]);
    return answer;
  },
});
