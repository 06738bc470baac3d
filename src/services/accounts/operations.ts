import type { Operation } from "../../surfaces/operation.ts";
import { changePassword } from "./account/change-password.ts";
import { endOtherSessions } from "./account/end-other-sessions.ts";
import { readAccount } from "./account/read-account.ts";
import { beginTotp } from "./factors/begin-totp.ts";
import { confirmTotp } from "./factors/confirm-totp.ts";
import { getFactors } from "./factors/get-factors.ts";
import { getSignInRules } from "./factors/get-sign-in-rules.ts";
import { removeTotp } from "./factors/remove-totp.ts";
import { renewRecoveryCodes } from "./factors/renew-recovery-codes.ts";
import { acceptInvitation } from "./invitations/accept-invitation.ts";
import { inviteMember, resendInvitation } from "./invitations/invite-member.ts";
import { readInvitation } from "./invitations/read-invitation.ts";
import type { AccountsParts } from "./parts.ts";
import { addPasskey } from "./passkeys/add-passkey.ts";
import { passkeyCreationOptions } from "./passkeys/passkey-creation-options.ts";
import { passkeyOptions } from "./passkeys/passkey-options.ts";
import { removePasskey } from "./passkeys/remove-passkey.ts";
import { signInWithPasskey } from "./passkeys/sign-in-with-passkey.ts";
import { getSession } from "./sessions/get-session.ts";
import { signOut } from "./sessions/sign-out.ts";
import { switchSession } from "./sessions/switch-session.ts";
import { confirmPasswordReset } from "./sign-in/confirm-password-reset.ts";
import { requestPasswordReset } from "./sign-in/request-password-reset.ts";
import { signIn } from "./sign-in/sign-in.ts";

/** How a person signs in, and what a person does with the own account. */
export const accountOperations: readonly Operation<AccountsParts>[] = [
  signIn,
  passkeyOptions,
  signInWithPasskey,
  getSession,
  switchSession,
  signOut,
  requestPasswordReset,
  confirmPasswordReset,
  readInvitation,
  acceptInvitation,
  inviteMember,
  resendInvitation,
  readAccount,
  endOtherSessions,
  changePassword,
  getFactors,
  beginTotp,
  confirmTotp,
  renewRecoveryCodes,
  removeTotp,
  passkeyCreationOptions,
  addPasskey,
  removePasskey,
  getSignInRules,
];
