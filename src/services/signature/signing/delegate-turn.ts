import { z } from "zod";
import { AppError } from "../../../errors/app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { Work } from "../../../surfaces/operation.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { keptNumbers, madeOfNumbers, personalNumbers } from "../envelopes/personal-numbers.ts";
import { operation, type SignatureParts } from "../parts.ts";
import { signingSurface as surface } from "./signing-surface.ts";

const { cpf, phone } = personalNumbers;

/** Hands the turn to somebody else. SQL does it all but the encryption of personal numbers. */
export const delegateTurn = operation({
  name: "delegateTurn",
  command: "delegate_turn",
  made: ["session_sha256", ...madeOfNumbers.filter((name) => !name.includes("ssn"))],
  input: z.object({
    cpf: cpf.describe(
      "CPF of this person, with or without punctuation. Required if `delegation` of `GET /{participant_id}` names `cpf`.",
    ),
    phone: phone.describe(
      "Telephone number of this person in E.164 with its country code, such as +5511987654321. Required if `delegation` of `GET /{participant_id}` names `phone`.",
    ),
  }),
  answers: { schema: "SigningDelegated" },
  errors: ["session_expired", "factor_required", "not_your_turn", "conflict", "clock_behind"],
  rest: {
    surface,
    method: "POST",
    path: "/{participant_id}/delegate",
    status: 200,
    tag: "Signing",
    summary: "Hand the turn to somebody else",
    description:
      "Only where the sender allows it: `delegation` of `GET /{participant_id}` is not null then. The other person gets an invitation with a link of their own and decides in their own name. This link, its codes and its sessions end with the answer; the same request with the same `Idempotency-Key` still gets that answer. The sender is told who handed the turn to whom, and both names stand in the evidence report. Returns 409 `conflict` where the sender does not allow it, for an observador, for a participant who signs with a certificate, after a turn was passed on three times, after the act, and once the envelope has ended.",
  },
  run: async (work, { cpf, phone, ...input }) => {
    const { call, parts, requester } = work;
    const { participant_id } = input;
    try {
      const key = (cpf ?? phone) == null ? null : await parts.dataKeys.ofCaller(parts.database, requester);
      const given = { ...input, ...keptNumbers({ cpf, phone }, participant_id, key) };
      return await endingOverdue(work, { command: "end_overdue_signing", participant_id }, () =>
        call("delegate_turn", given),
      );
    } catch (error) {
      const isOver = error instanceof AppError && error.code === "unauthenticated";
      const repeated = isOver ? await firstAnswer(work, participant_id) : null;
      if (repeated === null) throw error;
      return repeated;
    }
  },
});

/** The answer that ended this link, for the same request with the same Idempotency-Key. Null without one. */
async function firstAnswer({ parts, requester }: Work<SignatureParts>, participant_id: string): Promise<Answer | null> {
  const { credentialHash, idempotency, origin } = requester;
  if (credentialHash === null || idempotency === null) return null;
  const { body } = await parts.database.call({
    credentialHash: null,
    origin,
    command: "repeat_delegation",
    arguments: {
      participant_id,
      credential_sha256: credentialHash.toString("hex"),
      key: idempotency.key,
      request_sha256: idempotency.requestHash.toString("hex"),
    },
  });
  return body === null || body === "null" ? null : { status: 200, body, replayed: true };
}
