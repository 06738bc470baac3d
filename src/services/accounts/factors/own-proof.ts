import { z } from "zod";
import { networkOf } from "../../../adapters/ip-addresses.ts";
import { invalidRequest } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { Work } from "../../../surfaces/operation.ts";
import { wireText } from "../../../surfaces/wire-text.ts";
import type { AccountsParts } from "../parts.ts";
import { attemptAnswer } from "../sign-in/attempt-answers.ts";
import { PASSWORD_LENGTH } from "../sign-in/judge-password.ts";
import { hashParameters } from "../sign-in/sign-in.ts";
import { withSecondFactor } from "./prove-factor.ts";
import type { FactorProof, OpenedTotp } from "./totp.ts";

/** The password and the code that a person who has signed in gives once more. */
export const ownProof = z.object({
  password: wireText(PASSWORD_LENGTH.most).meta({ description: "The password of the person who is signed in." }),
  code: wireText(64).meta({ description: "The six digits that the authenticator app shows, or a recovery code." }),
});

/**
 * Runs a command that asks a person who has signed in for password and code.
 * @param ask the command, by the parameters that prove both
 */
export async function withOwnProof(
  { call, parts, requester }: Work<AccountsParts>,
  { password, code }: z.output<typeof ownProof>,
  ask: (proof: OwnProof, factor: OpenedTotp | null) => Promise<Answer>,
): Promise<Answer> {
  const network = networkOf(requester.origin.address);
  const asked = attemptAnswer((await call("prepare_proof", { network })).body);
  const tag = await parts.passwordHashes.tagOf(password, hashParameters.parse(asked), network);
  return withSecondFactor(parts.masterKeys, code, REFUSALS, (proof, factor) => ask({ network, tag, ...proof }, factor));
}

/** Not 401: the session of the request is good. */
const REFUSALS = {
  password: () => invalidRequest([{ field: "password", message: "is not your password" }]),
  code: () => invalidRequest([{ field: "code", message: "is wrong, or was used already" }]),
};

type OwnProof = { readonly network: string; readonly tag: string } & Partial<FactorProof>;
