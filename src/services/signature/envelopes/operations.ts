import type { Operation } from "../../../surfaces/operation.ts";
import { downloadDossier } from "../dossiers/download-dossier.ts";
import type { SignatureParts } from "../parts.ts";
import { addParticipant } from "./add-participant.ts";
import { calculateEnvelopeCost } from "./calculate-envelope-cost.ts";
import { cancelEnvelope } from "./cancel-envelope.ts";
import { downloadAttachment } from "./download-attachment.ts";
import { downloadFinalDocument } from "./download-final-document.ts";
import { getEnvelopeEvidence } from "./get-envelope-evidence.ts";
import { getPublicEnvelope, verifyPublicEnvelope } from "./public-envelopes.ts";
import { remindParticipants } from "./remind-participants.ts";
import { sendEnvelope } from "./send-envelope.ts";
import { updateEnvelope } from "./update-envelope.ts";
import { updateParticipant } from "./update-participant.ts";

/** Envelopes, from the draft to their end: signature-service §4. */
export const envelopeOperations: readonly Operation<SignatureParts>[] = [
  {
    name: "createEnvelope",
    command: "create_envelope",
    answers: { schema: "Envelope" },
    rest: {
      method: "POST",
      path: "/envelopes",
      status: 201,
      tag: "Envelopes",
      summary: "Create an envelope",
      description:
        "The new envelope is a draft. Add documents, participants and fields, then send it. `status` becomes `ready` once nothing that sending needs is missing.",
    },
  },
  {
    name: "listEnvelopes",
    command: "list_envelopes",
    answers: { schema: "EnvelopePage" },
    rest: {
      method: "GET",
      path: "/envelopes",
      status: 200,
      tag: "Envelopes",
      summary: "List or search envelopes, newest first",
      description:
        "Items have `documents`, `participants`, `fields` and `labels` only if the parameter `fields` names them.",
    },
  },
  {
    name: "getEnvelope",
    command: "get_envelope",
    answers: { schema: "Envelope" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/envelopes/{id}",
      status: 200,
      tag: "Envelopes",
      summary: "Read an envelope with its documents, participants and fields",
      description: "CPF, SSN and telephone numbers are masked.",
    },
  },
  updateEnvelope,
  {
    name: "deleteEnvelope",
    command: "delete_envelope",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/envelopes/{id}",
      status: 204,
      tag: "Envelopes",
      summary: "Remove a draft",
      description: "Also removes its participants and fields. Its documents remain and can be used in other envelopes.",
    },
  },
  {
    name: "addEnvelopeDocument",
    command: "add_envelope_document",
    answers: { schema: "EnvelopeDocument" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/envelopes/{id}/documents",
      status: 201,
      tag: "Envelopes",
      summary: "Add an uploaded document to a draft",
      description: "An envelope has at most 10 documents. A document can be in many envelopes, but only once in each.",
    },
  },
  {
    name: "moveEnvelopeDocument",
    command: "move_envelope_document",
    answers: { schema: "EnvelopeDocument" },
    errors: ["not_found"],
    rest: {
      method: "PATCH",
      path: "/envelopes/{id}/documents/{document_id}",
      status: 200,
      tag: "Envelopes",
      summary: "Move a document of a draft to another place",
    },
  },
  {
    name: "removeEnvelopeDocument",
    command: "remove_envelope_document",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/envelopes/{id}/documents/{document_id}",
      status: 204,
      tag: "Envelopes",
      summary: "Take a document out of a draft",
      description: "Also removes the fields on the document. The document itself remains.",
    },
  },
  addParticipant,
  updateParticipant,
  {
    name: "removeParticipant",
    command: "remove_participant",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/envelopes/{id}/participants/{participant_id}",
      status: 204,
      tag: "Envelopes",
      summary: "Take a participant out of a draft",
      description: "Also removes the fields of the participant.",
    },
  },
  {
    name: "addField",
    command: "add_field",
    answers: { schema: "EnvelopeField" },
    errors: ["not_found", "fields_not_allowed_in_report_placement"],
    rest: {
      method: "POST",
      path: "/envelopes/{id}/fields",
      status: 201,
      tag: "Envelopes",
      summary: "Place a field on a document of a draft",
      description:
        "Positions are fractions of the page as it is displayed, after rotation and cropping. An envelope has at most 500 fields.",
    },
  },
  {
    name: "updateField",
    command: "update_field",
    answers: { schema: "EnvelopeField" },
    errors: ["not_found"],
    rest: {
      method: "PATCH",
      path: "/envelopes/{id}/fields/{field_id}",
      status: 200,
      tag: "Envelopes",
      summary: "Change a field of a draft",
      description: "Only the given members change. Participant, document and condition cannot change.",
    },
  },
  {
    name: "removeField",
    command: "remove_field",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/envelopes/{id}/fields/{field_id}",
      status: 204,
      tag: "Envelopes",
      summary: "Take a field out of a draft",
      description: "Removing a checkbox also removes the fields that it shows.",
    },
  },
  calculateEnvelopeCost,
  sendEnvelope,
  cancelEnvelope,
  remindParticipants,
  downloadFinalDocument,
  downloadAttachment,
  getEnvelopeEvidence,
  downloadDossier,
  getPublicEnvelope,
  verifyPublicEnvelope,
];
