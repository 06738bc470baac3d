import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { AppError } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import { attemptAnswer, isRefused } from "../sign-in/attempt-answers.ts";
import { type FactorProof, OpenedTotp, sealedFactor } from "./totp.ts";

/** A code of an authenticator app or a recovery code, as somebody types it. */
export const code = wireText(64).meta({
  description: "The six digits that the authenticator app shows, or a recovery code. Each works once.",
});

const asked = z.object({ second_factor: sealedFactor });

/**
 * Runs a command that takes a password and, of a person who has one, the second factor. The first call compares the password alone; SQL then
 * hands the sealed secret out, and a second call takes the proof that the code is right.
 * @param ask the command; without a proof in the first call
 * @param refusals of a wrong password, and of a wrong code after the right password
 * @throws AppError 401 second_factor_required for a right password without the code; 429 too_many_attempts; and what refusals make
 */
export async function withSecondFactor(
  masterKeys: MasterKeyring,
  given: string | null | undefined,
  refusals: { readonly password: () => AppError; readonly code: () => AppError },
  ask: (proof: FactorProof | Record<never, never>, factor: OpenedTotp | null) => Promise<Answer>,
): Promise<Answer> {
  const first = await ask({}, null);
  const told = attemptAnswer(first.body);
  if (isRefused(told)) throw refusals.password();
  const factor = asked.safeParse(told);
  if (!factor.success) return first;
  if (given === null || given === undefined)
    throw new AppError(
      401,
      "second_factor_required",
      "The password is right. The code of the second factor is missing.",
    );
  const opened = new OpenedTotp(masterKeys, factor.data.second_factor);
  const second = await ask(opened.proofOf(given), opened);
  if (isRefused(attemptAnswer(second.body))) throw refusals.code();
  return second;
}
