import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { AppError } from "../../../errors/app-error.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { accountsSurface } from "../accounts-surface.ts";
import { operation } from "../parts.ts";
import { attemptAnswer, isRefused } from "../sign-in/attempt-answers.ts";
import { linkSha256 } from "../sign-in/password-link.ts";

/** The member that names an invitation. */
export const linkMember = wireText(200).meta({ description: "The part of the link after `#`." });

export const unknownInvitation = () =>
  new AppError(404, "not_found", "There is no such invitation, or it was accepted or withdrawn, or its link is over.");

/** What an invitation says to who has its link. */
export const readInvitation = operation({
  name: "readInvitation",
  command: "read_invitation",
  made: ["link_sha256", "network"],
  input: z.object({ link: linkMember }),
  answers: { schema: "InvitationRead" },
  errors: ["not_found", "csrf", "too_many_attempts"],
  rest: {
    surface: accountsSurface,
    method: "POST",
    path: "/invitations/read",
    status: 200,
    tag: "Invitations",
    summary: "Read an invitation",
    description:
      "`known` says whether the person has a password already, which accepting asks for. A link that is unknown, used, withdrawn, replaced or over returns 404 `not_found`.",
  },
  run: async ({ call, requester }, { link }) => {
    const network = networkOf(requester.origin.address);
    const answer = await call("read_invitation", { link_sha256: linkSha256(link), network });
    if (isRefused(attemptAnswer(answer.body))) throw unknownInvitation();
    return answer;
  },
});
