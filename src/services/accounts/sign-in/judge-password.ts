import { type FieldError, invalidRequest } from "../../../errors/app-error.ts";

/** Unicode code points. */
export const PASSWORD_LENGTH = { least: 12, most: 128 } as const;

/** Of zxcvbn: 3 takes an attacker who has the hash some 10^8 guesses. */
const LEAST_SCORE = 3;

/**
 * Refuses a password that is short or easy to guess.
 * @param known what the person's password must not be made of: name, e-mail address
 * @throws AppError 422 invalid_request
 */
export async function requireGoodPassword(password: string, known: readonly string[]): Promise<void> {
  const refuse = (message: string) => invalidRequest([{ field: "password", message } satisfies FieldError]);
  if ([...password].length < PASSWORD_LENGTH.least)
    throw refuse(`must have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters`);
  const { passwordScore } = await import("./password-score.ts");
  if (passwordScore(password, known) < LEAST_SCORE)
    throw refuse("is too easy to guess: take more words, or words that do not go together");
}
