import { type FieldError, invalidRequest } from "../../../errors/app-error.ts";
import type { PasswordHashes } from "./password-hashes.ts";

/** Unicode code points. */
export const PASSWORD_LENGTH = { least: 12, most: 128 } as const;

/** Of zxcvbn: 3 takes an attacker who has the hash some 10^8 guesses. */
const LEAST_SCORE = 3;

/**
 * Refuses a password that is short or easy to guess.
 * @param known what the person's password must not be made of: name, e-mail address
 * @param group the network address of the caller
 * @throws AppError 422 invalid_request; 503 unavailable if too many passwords wait
 */
export async function requireGoodPassword(
  hashes: PasswordHashes,
  password: string,
  known: readonly string[],
  group: string,
): Promise<void> {
  const refuse = (message: string) => invalidRequest([{ field: "password", message } satisfies FieldError]);
  if ([...password].length < PASSWORD_LENGTH.least)
    throw refuse(`must have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`);
  if ((await hashes.scoreOf(password, known, group)) < LEAST_SCORE)
    throw refuse("is too easy to guess: take more words, or words that do not go together");
}
