import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { hasNumbers, keptNumbers, keyOfCaller, madeOfNumbers, personalNumbers } from "./personal-numbers.ts";

/** Changes the given members of a participant of a draft. */
export const updateParticipant = operation({
  name: "updateParticipant",
  command: "update_participant",
  made: ["has_order_index", ...madeOfNumbers],
  input: z.object(personalNumbers),
  answers: { schema: "EnvelopeParticipant" },
  errors: ["not_found", "auth_method_not_allowed"],
  rest: {
    method: "PATCH",
    path: "/envelopes/{id}/participants/{participant_id}",
    status: 200,
    tag: "Envelopes",
    summary: "Change a participant of a draft",
    description: "Only the given members change. Null removes a number.",
  },
  graphql: {
    description: "Changes the given members of a participant of a draft.",
    payload: {
      name: "UpdateParticipantPayload",
      description: "The changed participant.",
      members: z.object({ participant: rowOf("envelope_participants").meta({ description: "The participant." }) }),
    },
  },
  run: async ({ call, parts, requester }, { cpf, ssn_last4, phone, ...input }) => {
    const numbers = { cpf, ssn_last4, phone };
    const key = hasNumbers(numbers) ? await keyOfCaller(parts, requester, "update_participant") : null;
    // Null, the last place, differs from an absent member.
    const has_order_index = input.order_index !== undefined;
    return call("update_participant", {
      ...input,
      has_order_index,
      ...keptNumbers(numbers, input.participant_id, key),
    });
  },
});
