import { operationsOf } from "../../surfaces/operation.ts";
import type { CommonParts } from "../started-service.ts";
import type { RelyingParty } from "./passkeys/relying-party.ts";
import type { BrowserSessions } from "./sessions/browser-sessions.ts";
import type { PasswordHashes } from "./sign-in/password-hashes.ts";

/** The objects that this service's operations work with. */
export interface AccountsParts extends CommonParts {
  readonly passwordHashes: PasswordHashes;
  readonly browserSessions: BrowserSessions;
  readonly relyingParty: RelyingParty;
}

export const operation = operationsOf<AccountsParts>();
