import { z } from "zod";
import { jsonOf, rowOf } from "../../../surfaces/operation.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";
import type { PreparedReport } from "./prepared-report.ts";

/** What an envelope proves: its signed records and its whole chain. Its answer is made of many parts, which only a definition of an operation can describe for GraphQL. */
export const getEnvelopeEvidence = operation({
  name: "getEnvelopeEvidence",
  command: "envelope_evidence",
  answers: {
    schema: "EnvelopeEvidence",
    or: { file: "application/pdf", description: "The sealed evidence report." },
  },
  errors: ["not_found", "conflict"],
  rest: {
    method: "GET",
    path: "/envelopes/{id}/evidence",
    status: 200,
    session: true,
    tag: "Envelopes",
    summary: "Read what an envelope proves",
    description:
      "Available in every status: the signed record of each participant who has finished, the record of the completion, and the chain of the envelope's events, recomputed for this answer. Signed texts hold names, addresses and values only as salted commitments.\n\n" +
      "With `Accept: application/pdf`, the answer is the evidence report: a sealed PDF (PDF/A-3b) in the envelope's language, with documents, participants, consent, every step and a QR code. The report is available once the envelope has been sent (409 `conflict` before). Its attachment `evidence.json` contains everything that an offline check needs. The report has no network addresses. Its bytes and its `ETag` stay the same while nothing happens in the envelope. A `Range` header with one byte range returns 206 with these bytes. Any other `Accept` gets JSON.",
  },
  graphql: {
    field: "envelopeEvidence",
    description: "What an envelope proves.",
    payload: {
      name: "EnvelopeEvidence",
      description: "What an envelope proves: signed records, and the chain of events. JSON has the members of REST.",
      members: z.object({
        envelope: jsonOf("The envelope."),
        documents: jsonOf("The documents, in order."),
        participants: z
          .array(rowOf("envelope_participants"))
          .meta({ description: "The participants. Personal numbers are masked." }),
        records: jsonOf("What participants signed, in chronological order."),
        completion: jsonOf("The record of the completion. Null before completion.", true),
        chain: jsonOf("The state of the envelope's chain, recomputed for this answer."),
        events: jsonOf("All events of the envelope, oldest first."),
        platform_keys: z.array(rowOf("platform_keys")).meta({ description: "The keys that signed the records." }),
      }),
    },
  },
  run: async ({ call, prefers, parts }, { id }) => {
    if (prefers === "json") return call("envelope_evidence", { id });
    const { body } = await call("prepare_report", { id });
    const { pdf, fileName } = await parts.reports.make(JSON.parse(body ?? "") as PreparedReport);
    return { file: bytesInMemory(pdf), contentType: "application/pdf", fileName };
  },
});
