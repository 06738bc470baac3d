/** The thread of password-hashes.ts: takes passwords, returns their tags, or how hard they are to guess. */
import { getPriority, setPriority } from "node:os";
import { takeOrders } from "../../../adapters/threads/orders.ts";
import { type HashParameters, passwordTag } from "./password-tag.ts";

export interface PasswordToHash {
  readonly password: string;
  readonly parameters: HashParameters;
}

export interface PasswordToScore {
  readonly password: string;
  /** Words that an attacker knows of the person. */
  readonly known: readonly string[];
}

/** Beside busy processes of the usual priority a hash still gets a tenth of a core: a sign-in takes half a second then. */
const NICENESS = 10;

// On Linux this lowers the priority of the thread alone. Elsewhere it would lower that of the process, so it is not done.
// A process that was started with a lower one keeps it, and may not raise it.
if (process.platform === "linux" && getPriority() < NICENESS) setPriority(NICENESS);
takeOrders(async (order: PasswordToHash | PasswordToScore) => {
  if ("parameters" in order) return Buffer.from(passwordTag(order.password, order.parameters));
  const { passwordScore } = await import("./password-score.ts");
  return Buffer.from(String(passwordScore(order.password, order.known)));
});
