import { pageOf, type Rows } from "../../../surfaces/openapi/resources.ts";
import { objectOf, orNull, type Schema, schemaOf } from "../../../surfaces/openapi/schema.ts";
import { bulk } from "./apply-template-in-bulk.ts";

export const TEMPLATE_TAGS = {
  Templates:
    "A template has what recurs in envelopes: title, message, order and participants. A participant without an e-mail address is a placeholder. " +
    "Applying the template to recipients makes an envelope, or a hundred in one call. Envelopes do not change with their template.",
};

const TEXT: Schema = { type: "string" };

export const TEMPLATE_FORMATS: Readonly<Record<string, Schema>> = {
  template_participants: {
    type: "array",
    items: objectOf({
      role: { ...TEXT, description: "What the participant does." },
      order_index: {
        type: "integer",
        minimum: 1,
        maximum: 999,
        description: "Place, by which a recipient names a placeholder.",
      },
      auth_method: { ...TEXT, description: "How the participant is authenticated." },
      modality: { ...TEXT, description: "Kind of the signature." },
      name: { ...orNull(TEXT), description: "Name. For a placeholder, that of a recipient without one." },
      email: { ...orNull(TEXT), description: "E-mail address. Null for a placeholder." },
    }),
  },
};

/** Templates, and what a bulk answers. */
export const templateSchemas = (row: Rows["row"]): Record<string, Schema> => ({
  Template: row("templates"),
  TemplatePage: pageOf("Template", "A page of templates."),
  TemplateBulk: schemaOf(bulk),
});
