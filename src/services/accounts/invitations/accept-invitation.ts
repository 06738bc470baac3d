import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { AppError } from "../../../errors/app-error.ts";
import { newSession } from "../../../surfaces/http/session.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { code, withSecondFactor } from "../factors/prove-factor.ts";
import { operation } from "../parts.ts";
import { attemptAnswer } from "../sign-in/attempt-answers.ts";
import { PASSWORD_LENGTH, requireGoodPassword } from "../sign-in/judge-password.ts";
import { linkSha256 } from "../sign-in/password-link.ts";
import { newSalt } from "../sign-in/password-tag.ts";
import { hashParameters } from "../sign-in/sign-in.ts";
import { linkMember, unknownInvitation } from "./read-invitation.ts";

/** Without a salt, the person has no password yet. */
const prepared = hashParameters
  .extend({ email: z.string(), name: z.string().nullable(), salt: z.string().nullable() })
  .nullable();

const unknown = z.object({ unknown: z.literal(true) });

/**
 * Makes the person of an invitation a member, and opens a session. Who has a password proves it; who has none sets one, and a password that
 * is refused does not use the link up.
 */
export const acceptInvitation = operation({
  name: "acceptInvitation",
  command: "prepare_invitation",
  records: "accept_invitation",
  made: ["link_sha256", "network"],
  input: z.object({
    link: linkMember,
    password: wireText(PASSWORD_LENGTH.most).meta({
      description: `The password of a person who has one. Otherwise a new one: ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters, and not easy to guess.`,
    }),
    name: wireText(255).min(1).optional().meta({
      description: "Name, for a person who sets a password. By default the part of the e-mail address before the `@`.",
    }),
    code: code.optional(),
    language: wireText(35).optional().meta({
      description:
        "Language tag such as `pt-BR`, for a person who sets a password. By default that of the organization.",
    }),
  }),
  answers: { schema: "Session" },
  errors: ["unauthenticated", "second_factor_required", "not_found", "conflict", "csrf", "too_many_attempts"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/invitations/accept",
    status: 200,
    tag: "Invitations",
    summary: "Accept an invitation",
    description:
      "Sets the cookies `inv_session` and `inv_csrf`, as a sign-in does. A wrong password returns 401 `unauthenticated`, and counts as one of a sign-in. A right password of a person who has a second factor returns 401 `second_factor_required` without `code`. A link that is unknown, used, withdrawn, replaced or over returns 404 `not_found`.",
  },
  run: async ({ call, parts, requester }, { link, password, code: given, ...profile }) => {
    const network = networkOf(requester.origin.address);
    const link_sha256 = linkSha256(link);
    const asked = prepared.parse(attemptAnswer((await call("prepare_invitation", { link_sha256, network })).body));
    const isNew = asked?.salt === null;
    if (isNew)
      await requireGoodPassword(
        parts.passwordHashes,
        password,
        [asked.email, profile.name ?? asked.name ?? ""],
        network,
      );
    const salt = asked?.salt ?? newSalt();
    // Without a tag the attempt is only counted.
    const proof =
      asked === null ? {} : { salt, tag: await parts.passwordHashes.tagOf(password, { ...asked, salt }, network) };
    const { secret, digests } = newSession();
    const answer = await withSecondFactor(parts.masterKeys, given, REFUSALS, async (ofFactor) => {
      const answered = await call("accept_invitation", {
        link_sha256,
        network,
        ...proof,
        ...digests,
        ...profile,
        ...ofFactor,
      });
      if (unknown.safeParse(JSON.parse(answered.body ?? "null")).success) throw unknownInvitation();
      return answered;
    });
    return parts.browserSessions.opened(answer, secret);
  },
});

const REFUSALS = {
  password: () => new AppError(401, "unauthenticated", "The password is wrong."),
  code: () => new AppError(401, "unauthenticated", "The code is wrong, or was used already."),
};
