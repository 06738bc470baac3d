import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { endingOverdue } from "./end-overdue.ts";
import {
  hasNumbers,
  keptNumbers,
  keyOfCaller,
  madeOfNumbers,
  openNumber,
  personalNumbers,
} from "./personal-numbers.ts";

interface KeptPhone {
  readonly enciphered_phone: string | null;
}

/** Changes the given members of a participant; once the envelope was sent, who the participant is. */
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
    summary: "Change a participant",
    description:
      "Only the given members change. Null removes a number. Once the envelope was sent, `name`, `email`, `phone` and `cpf` can change until the participant has acted: a wrong address is mended, or somebody else takes the place. An invited participant then gets an invitation with a new link, and the link before, its codes and its sessions end. The id of the participant, its place and its fields stay. Another CPF, or another name with another address, is another person, of whom the digits of an SSN are not known: they are removed. This needs the scope `envelopes:send` as well. Returns 409 `conflict` for other members, after ten changes of an invited participant within a day, after the act, and once the envelope has ended.",
  },
  graphql: {
    description:
      "Changes the given members of a participant. Once the envelope was sent, only name, email, phone and cpf, and an invited participant gets a new link.",
    payload: {
      name: "UpdateParticipantPayload",
      description: "The changed participant.",
      members: z.object({ participant: rowOf("envelope_participants").meta({ description: "The participant." }) }),
    },
  },
  run: async (work, { cpf, ssn_last4, phone, ...input }) => {
    const { call, parts, requester } = work;
    const numbers = { cpf, ssn_last4, phone };
    const { id, participant_id } = input;
    const key = hasNumbers(numbers) ? await keyOfCaller(parts, requester, "update_participant") : null;
    // Null, the last place, differs from an absent member.
    const has_order_index = input.order_index !== undefined;
    const update = (changed: Parameters<typeof keptNumbers>[0]) =>
      endingOverdue(work, { command: "end_overdue_envelope", id }, () =>
        call("update_participant", { ...input, has_order_index, ...keptNumbers(changed, participant_id, key) }),
      );
    if (phone == null || key === null) return update(numbers);
    // The same number has another cipher each time, and no digest. Given once more, it ends no link.
    return work.prepared<KeptPhone>("find_phone", { id, participant_id }, ({ enciphered_phone }) =>
      update(openNumber(key, "phone", enciphered_phone, participant_id) === phone ? { cpf, ssn_last4 } : numbers),
    );
  },
});
