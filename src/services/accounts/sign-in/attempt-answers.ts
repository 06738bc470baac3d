import { z } from "zod";
import { AppError } from "../../../errors/app-error.ts";

const late = z.object({ retry_after: z.int().min(1) });

/**
 * The answer of a command that counts attempts.
 * @throws AppError 429 too_many_attempts
 */
export function attemptAnswer(body: string | null): unknown {
  const answer: unknown = JSON.parse(body ?? "null");
  const refused = late.safeParse(answer);
  if (!refused.success) return answer;
  const { retry_after: retryAfterSeconds } = refused.data;
  throw new AppError(
    429,
    "too_many_attempts",
    `Too many attempts have failed. Try again in ${retryAfterSeconds} s.`,
    undefined,
    { retryAfterSeconds },
  );
}

/** Whether SQL checked the attempt and refused it. */
export const isRefused = (answer: unknown): boolean => z.object({ refused: z.literal(true) }).safeParse(answer).success;
