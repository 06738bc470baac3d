/** The thread of password-hashes.ts: takes passwords, returns their tags. */
import { setPriority } from "node:os";
import { takeOrders } from "../../../adapters/threads/orders.ts";
import { type HashParameters, passwordTag } from "./password-tag.ts";

export interface PasswordToHash {
  readonly password: string;
  readonly parameters: HashParameters;
}

/** Beside busy processes of the usual priority a hash still gets a tenth of a core: a sign-in takes half a second then. */
const NICENESS = 10;

// On Linux this lowers the priority of the thread alone. Elsewhere it would lower that of the process, so it is not done.
if (process.platform === "linux") setPriority(NICENESS);
takeOrders(async ({ password, parameters }: PasswordToHash) => Buffer.from(passwordTag(password, parameters)));
