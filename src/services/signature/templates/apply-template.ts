import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { hasNumbers, keyOfCaller } from "../envelopes/personal-numbers.ts";
import { operation } from "../parts.ts";
import { recipients } from "./template-input.ts";
import { keptRecipients } from "./template-recipients.ts";

/** Makes a draft from a template. SQL does it; TypeScript checks, masks and encrypts personal numbers. */
export const applyTemplate = operation({
  name: "applyTemplate",
  command: "apply_template",
  input: z.object({ recipients: recipients.nullish() }),
  answers: { schema: "Envelope" },
  errors: ["not_found", "template_participant_missing_recipient"],
  rest: {
    method: "POST",
    path: "/templates/{id}/apply",
    status: 201,
    tag: "Templates",
    summary: "Make an envelope from a template",
    description:
      "The envelope is a draft in report placement. Add documents, and send it as any other. If a placeholder is left without a name or an e-mail address, nothing is made.",
  },
  graphql: {
    description: "Makes a draft from a template.",
    payload: {
      name: "ApplyTemplatePayload",
      description: "The new envelope.",
      members: z.object({ envelope: rowOf("envelopes").meta({ description: "The envelope." }) }),
    },
  },
  run: async ({ call, parts, requester }, { recipients: given, ...input }) => {
    const filling = given ?? [];
    const key = filling.some(hasNumbers) ? await keyOfCaller(parts, requester, "apply_template") : null;
    return call("apply_template", { ...input, recipients: keptRecipients(filling, key) }, 201);
  },
});
