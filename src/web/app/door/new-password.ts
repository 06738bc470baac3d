import type { Refusal } from "../api/refusal.ts";
import type { AppWords } from "../words.ts";

/** Unicode code points, as the service counts them. */
const LENGTH = { least: 12, most: 128 } as const;

/** What is wrong with the length of a new password; null if nothing is. How easy it is to guess the service judges. */
export function lengthFault({ welcome }: AppWords, password: string): string | null {
  const { length } = [...password];
  return length < LENGTH.least || length > LENGTH.most ? welcome.length : null;
}

/** What the service said of a new password; null if it said something else. */
export function passwordFault({ welcome }: AppWords, { fields }: Refusal): string | null {
  const fault = fields.find(({ field }) => /(^|\.)(new_?)?password$/i.test(field));
  if (fault === undefined) return null;
  return fault.message.includes("guess") ? welcome.easy : welcome.length;
}
