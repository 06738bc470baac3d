import type { Operation } from "../../../surfaces/operation.ts";
import type { SignatureParts } from "../parts.ts";

/** Labels, by which an organization finds its envelopes again. */
export const labelOperations: readonly Operation<SignatureParts>[] = [
  {
    name: "createLabel",
    command: "create_label",
    answers: { schema: "Label" },
    errors: ["conflict"],
    rest: {
      method: "POST",
      path: "/labels",
      status: 201,
      tag: "Labels",
      summary: "Create a label",
      description: "There are at most 200 labels in an environment.",
    },
  },
  {
    name: "listLabels",
    command: "list_labels",
    answers: { schema: "LabelPage" },
    rest: {
      method: "GET",
      path: "/labels",
      status: 200,
      tag: "Labels",
      summary: "List labels, by name",
      description: "The order does not depend on upper and lower case.",
    },
  },
  {
    name: "getLabel",
    command: "get_label",
    answers: { schema: "Label" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/labels/{id}",
      status: 200,
      tag: "Labels",
      summary: "Read a label",
    },
  },
  {
    name: "updateLabel",
    command: "update_label",
    answers: { schema: "Label" },
    errors: ["not_found", "conflict"],
    rest: {
      method: "PATCH",
      path: "/labels/{id}",
      status: 200,
      tag: "Labels",
      summary: "Change a label",
      description: "Only the given members change. Its envelopes keep the label.",
    },
  },
  {
    name: "deleteLabel",
    command: "delete_label",
    answers: { nothing: "Removed." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/labels/{id}",
      status: 204,
      tag: "Labels",
      summary: "Remove a label",
      description: "Its envelopes lose the label and stay as they are.",
    },
  },
  {
    name: "setEnvelopeLabels",
    command: "set_envelope_labels",
    answers: { schema: "Envelope" },
    errors: ["not_found"],
    rest: {
      method: "PUT",
      path: "/envelopes/{id}/labels",
      status: 200,
      tag: "Labels",
      summary: "Give an envelope its labels",
      description:
        "The envelope then has these labels and no others, whatever its state. Labels are marks of your organization: participants do not see them, and no evidence has them.",
    },
  },
];
