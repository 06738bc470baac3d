import type { Operation } from "../../surfaces/operation.ts";
import { beginTotp } from "./factors/begin-totp.ts";
import { confirmTotp } from "./factors/confirm-totp.ts";
import { getFactors } from "./factors/get-factors.ts";
import { getSignInRules } from "./factors/get-sign-in-rules.ts";
import { removeTotp } from "./factors/remove-totp.ts";
import { renewRecoveryCodes } from "./factors/renew-recovery-codes.ts";
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
  getFactors,
  beginTotp,
  confirmTotp,
  renewRecoveryCodes,
  removeTotp,
  getSignInRules,
];
