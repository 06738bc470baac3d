import { z } from "zod";
import { nameOf, rowOf } from "../../../surfaces/operation.ts";
import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { operation } from "../parts.ts";
import type { PreparedReport } from "./prepared-report.ts";
import { signedRecord } from "./signed-record.ts";

const instant = (description: string) => z.string().nullable().meta({ format: "date-time", description });

const envelope = z
  .object({
    id: z.uuid().meta({ description: "Id of the envelope." }),
    title: z.string().nullable().meta({ description: "Title of the envelope. Null once the envelope was erased." }),
    status: nameOf("signature.envelope_statuses", "State of the envelope."),
    signing_order: nameOf("signature.signing_orders", "In which order participants act."),
    field_placement: nameOf("signature.field_placements", "Where the values of fields go."),
    jurisdiction: nameOf("platform.jurisdictions", "The law that the envelope names."),
    verification_code: z
      .string()
      .nullable()
      .meta({ description: "Code of the public verification page. Null before the envelope was sent." }),
    verify_url: z
      .string()
      .nullable()
      .meta({ description: "Address of the public verification page. Null before the envelope was sent." }),
    sent_at: instant("When the envelope was sent (UTC). Null before."),
    completed_at: instant("When the last participant finished (UTC). Null before completion."),
  })
  .meta({ title: "EvidencedEnvelope", description: "An envelope in its evidence." });

const document = z
  .object({
    document_id: z.uuid().meta({ description: "Id of the document." }),
    filename: z
      .string()
      .nullable()
      .meta({ description: "Name of the uploaded file. Null once the envelope was erased." }),
    sha256: z.string().meta({ description: "SHA-256 of the uploaded document, hexadecimal." }),
    final_sha256: z
      .string()
      .nullable()
      .meta({ description: "SHA-256 of the final document, hexadecimal. Null before completion." }),
  })
  .meta({ title: "EvidencedDocument", description: "A document in the evidence of its envelope." });

const fault = z
  .object({
    seq: z.int32().nullable().meta({ description: "Place of the event in the chain, from 1." }),
    event_id: z.string().nullable().meta({ description: "Id of the event." }),
    fault: z.string().meta({ description: "What is wrong with the event." }),
  })
  .meta({ title: "AuditFault", description: "What is wrong with an event of the audit trail." });

const chain = z
  .object({
    subject_id: z.uuid().meta({ description: "The subject of the chain." }),
    length: z.int32().meta({ description: "Number of events." }),
    head_hash: z.string().nullable().meta({ description: "Hash of the last event, hexadecimal. Null without events." }),
    sealed_by: z
      .int32()
      .nullable()
      .meta({ description: "Number of the last seal that covers events of the chain. Null without one." }),
    sealed_length: z
      .int32()
      .nullable()
      .meta({ description: "Number of events that the seal covers. Null without one." }),
    faults: z.array(fault).meta({ description: "Faults of the chain: none in a chain that nobody changed." }),
  })
  .meta({
    title: "AuditChain",
    description: "The state of the chain of a subject's events, recomputed for this answer.",
  });

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
      description: "What an envelope proves: signed records, and the chain of events.",
      members: z.object({
        envelope,
        documents: z.array(document).meta({ description: "The documents, in order." }),
        participants: z
          .array(rowOf("envelope_participants"))
          .meta({ description: "The participants. Personal numbers are masked." }),
        records: z.array(signedRecord).meta({ description: "What participants signed, in chronological order." }),
        completion: signedRecord
          .nullable()
          .meta({ description: "The record of the completion. Null before completion." }),
        chain,
        events: z.array(rowOf("audit_events")).meta({ description: "All events of the envelope, oldest first." }),
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
