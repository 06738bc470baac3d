import { z } from "zod";
import { type Operation, rowOf } from "../../../surfaces/operation.ts";
import { patchedMembers } from "../../../surfaces/patched-members.ts";
import { operation, type SignatureParts } from "../parts.ts";
import { applyTemplate } from "./apply-template.ts";
import { applyTemplateInBulk } from "./apply-template-in-bulk.ts";
import { participants } from "./template-input.ts";

const template = rowOf("templates").meta({ description: "The template." });

/** Templates: what recurs in envelopes. signature-service §4. */
export const templateOperations: readonly Operation<SignatureParts>[] = [
  operation({
    name: "createTemplate",
    command: "create_template",
    input: z.object({ participants: participants.optional() }),
    answers: { schema: "Template" },
    errors: ["auth_method_not_allowed"],
    rest: {
      method: "POST",
      path: "/templates",
      status: 201,
      tag: "Templates",
      summary: "Create a template",
      description:
        "A participant without `email` is a placeholder: whoever applies the template names its recipient by `order_index`.",
    },
    graphql: {
      description: "Creates a template.",
      payload: {
        name: "CreateTemplatePayload",
        description: "The new template.",
        members: z.object({ template }),
      },
    },
    run: ({ call }, input) => call("create_template", input, 201),
  }),
  {
    name: "listTemplates",
    command: "list_templates",
    answers: { schema: "TemplatePage" },
    rest: {
      method: "GET",
      path: "/templates",
      status: 200,
      tag: "Templates",
      summary: "List templates, newest first",
    },
  },
  {
    name: "getTemplate",
    command: "get_template",
    answers: { schema: "Template" },
    errors: ["not_found"],
    rest: { method: "GET", path: "/templates/{id}", status: 200, tag: "Templates", summary: "Read a template" },
  },
  operation({
    name: "updateTemplate",
    command: "update_template",
    made: ["given"],
    input: z.object({ participants: participants.optional() }),
    answers: { schema: "Template" },
    errors: ["not_found", "auth_method_not_allowed"],
    rest: {
      method: "PATCH",
      path: "/templates/{id}",
      status: 200,
      tag: "Templates",
      summary: "Change a template",
      description:
        "Only the given members change; `participants` are replaced as a whole. Envelopes that the template has made do not change.",
    },
    graphql: {
      description: "Changes the given members of a template. Envelopes do not change.",
      payload: {
        name: "UpdateTemplatePayload",
        description: "The changed template.",
        members: z.object({ template }),
      },
    },
    run: ({ call }, input) => call("update_template", { ...input, given: patchedMembers(input) }),
  }),
  {
    name: "deleteTemplate",
    command: "delete_template",
    answers: { nothing: "Deleted." },
    errors: ["not_found"],
    rest: {
      method: "DELETE",
      path: "/templates/{id}",
      status: 204,
      tag: "Templates",
      summary: "Delete a template",
      description: "Its envelopes stay as they are; their `template_id` becomes null.",
    },
  },
  applyTemplate,
  applyTemplateInBulk,
];
