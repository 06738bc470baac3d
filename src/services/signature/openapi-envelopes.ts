import { pageOf, propertiesOf, type Rows } from "../../surfaces/openapi/resources.ts";
import { objectOf, ref, type Schema, schemaOf } from "../../surfaces/openapi/schema.ts";
import { envelopeCost } from "./operations/calculate-envelope-cost.ts";
import { reminders } from "./operations/remind-participants.ts";

export const ENVELOPE_TAGS = {
  Envelopes:
    "An envelope has documents, participants and fields. It is a draft until it is sent: `status` is `draft` while something that sending needs is missing, " +
    "and `ready` otherwise. Only drafts can be changed. A sent envelope is out with its participants until it is `completed`, `declined`, `expired` or `cancelled`.",
};

const listOf = (schema: string): Schema => ({ type: "array", items: ref(schema) });

/** The lists in an envelope that is answered alone. */
export const ENVELOPE_FORMATS: Readonly<Record<string, Schema>> = {
  envelope_documents: listOf("EnvelopeDocument"),
  envelope_participants: listOf("EnvelopeParticipant"),
  envelope_fields: listOf("EnvelopeField"),
};

/** Envelopes and what they consist of. */
export function envelopeSchemas(row: Rows["row"]): Record<string, Schema> {
  const envelope = row("envelopes");
  return {
    Envelope: envelope,
    ListedEnvelope: {
      description:
        "An envelope as lists show it: with `documents`, `participants` and `fields` only where the parameter `fields` names them.",
      ...objectOf(propertiesOf(envelope), ["documents", "participants", "fields"]),
    },
    EnvelopePage: pageOf("ListedEnvelope", "A page of envelopes."),
    EnvelopeDocument: row("envelope_documents"),
    EnvelopeParticipant: row("envelope_participants"),
    EnvelopeField: row("envelope_fields"),
    EnvelopeCost: schemaOf(envelopeCost),
    EnvelopeReminders: schemaOf(reminders),
  };
}
