import { z } from "zod";
import { pageOf, type Rows } from "../../../surfaces/openapi/resources.ts";
import { type Formats, type Schema, schemaOf } from "../../../surfaces/openapi/schema.ts";
import { nameOf } from "../../../surfaces/operation.ts";
import { bulk } from "./apply-template-in-bulk.ts";

export const TEMPLATE_TAGS = {
  Templates:
    "A template has what recurs in envelopes: title, message, order and participants. A participant without an e-mail address is a placeholder. " +
    "Applying the template to recipients makes an envelope, or a hundred in one call. Envelopes do not change with their template.",
};

const participant = z
  .object({
    role: nameOf("signature.participant_roles", "What the participant does."),
    order_index: z.int().min(1).max(999).meta({ description: "Place, by which a recipient names a placeholder." }),
    auth_method: nameOf("signature.auth_methods", "How the participant is authenticated."),
    modality: nameOf("signature.modalities", "Kind of the signature."),
    name: z.string().nullable().meta({ description: "Name. For a placeholder, that of a recipient without one." }),
    email: z.string().nullable().meta({ description: "E-mail address. Null for a placeholder." }),
  })
  .meta({ title: "TemplateParticipant", description: "A participant of a template." });

export const TEMPLATE_FORMATS: Formats = { template_participants: z.array(participant) };

/** Templates, and what a bulk answers. */
export const templateSchemas = (row: Rows["row"]): Record<string, Schema> => ({
  Template: row("templates"),
  TemplatePage: pageOf("Template", "A page of templates."),
  TemplateBulk: schemaOf(bulk),
});
