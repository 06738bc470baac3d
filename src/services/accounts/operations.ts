import type { Operation } from "../../surfaces/operation.ts";
import { acceptInvitation } from "./invitations/accept-invitation.ts";
import { inviteMember, resendInvitation } from "./invitations/invite-member.ts";
import { readInvitation } from "./invitations/read-invitation.ts";
import type { AccountsParts } from "./parts.ts";
import { getSession } from "./sessions/get-session.ts";
import { signOut } from "./sessions/sign-out.ts";
import { switchSession } from "./sessions/switch-session.ts";
import { confirmPasswordReset } from "./sign-in/confirm-password-reset.ts";
import { requestPasswordReset } from "./sign-in/request-password-reset.ts";
import { signIn } from "./sign-in/sign-in.ts";

/** What a person does to sign in. */
export const accountOperations: readonly Operation<AccountsParts>[] = [
  signIn,
  getSession,
  switchSession,
  signOut,
  requestPasswordReset,
  confirmPasswordReset,
  readInvitation,
  acceptInvitation,
  inviteMember,
  resendInvitation,
];
