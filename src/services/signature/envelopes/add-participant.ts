import { z } from "zod";
import { newId } from "../../../adapters/crypto/new-id.ts";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { hasNumbers, keptNumbers, keyOfCaller, madeOfNumbers, personalNumbers } from "./personal-numbers.ts";

/** Adds a participant to a draft. TypeScript checks, masks and encrypts CPF, SSN digits and telephone number. */
export const addParticipant = operation({
  name: "addParticipant",
  command: "add_participant",
  made: ["participant_id", ...madeOfNumbers],
  input: z.object(personalNumbers),
  answers: { schema: "EnvelopeParticipant" },
  errors: ["not_found", "auth_method_not_allowed"],
  rest: {
    method: "POST",
    path: "/envelopes/{id}/participants",
    status: 201,
    tag: "Envelopes",
    summary: "Add a participant to a draft",
    description: "An envelope has at most 50 participants.",
  },
  graphql: {
    description: "Adds a participant to a draft. An envelope has at most 50.",
    payload: {
      name: "AddParticipantPayload",
      description: "The added participant.",
      members: z.object({ participant: rowOf("envelope_participants").meta({ description: "The participant." }) }),
    },
  },
  run: async ({ call, parts, requester }, { cpf, ssn_last4, phone, ...input }) => {
    const numbers = { cpf, ssn_last4, phone };
    const key = hasNumbers(numbers) ? await keyOfCaller(parts, requester, "add_participant") : null;
    const participant_id = newId();
    return call("add_participant", { ...input, participant_id, ...keptNumbers(numbers, participant_id, key) }, 201);
  },
});
