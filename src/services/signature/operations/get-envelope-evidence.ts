import { z } from "zod";
import { jsonOf, rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** What an envelope proves: its signed records and its whole chain. Its answer is made of many parts, which only a definition of an operation can describe for GraphQL. */
export const getEnvelopeEvidence = operation({
  name: "getEnvelopeEvidence",
  command: "envelope_evidence",
  answers: { schema: "EnvelopeEvidence" },
  errors: ["not_found"],
  rest: {
    method: "GET",
    path: "/envelopes/{id}/evidence",
    status: 200,
    tag: "Envelopes",
    summary: "Read what an envelope proves",
    description:
      "In every status: the signed record of each participant who has finished, the record of the completion, and the chain of the envelope's events, recomputed for this answer. " +
      "Names, addresses and values are in signed texts only as salted commitments.",
  },
  graphql: {
    field: "envelopeEvidence",
    description: "What an envelope proves.",
    payload: {
      name: "EnvelopeEvidence",
      description: "What an envelope proves: signed records, and the chain of events. JSON has the members of REST.",
      members: z.object({
        envelope: jsonOf("The envelope."),
        documents: jsonOf("The documents, in their order."),
        participants: z
          .array(rowOf("envelope_participants"))
          .meta({ description: "The participants. Personal numbers are masked." }),
        records: jsonOf("What participants signed, in the order of time."),
        completion: jsonOf("The record of the end. Null before completion.", true),
        chain: jsonOf("The state of the envelope's chain, recomputed for this answer."),
        events: jsonOf("All events of the envelope, oldest first."),
        platform_keys: z.array(rowOf("platform_keys")).meta({ description: "The keys that signed the records." }),
      }),
    },
  },
  run: ({ call }, { id }) => call("envelope_evidence", { id }),
});
