import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { patchedMembers } from "../../../surfaces/patched-members.ts";
import { operation } from "../parts.ts";

/** Changes the given members of a draft or a rejected invoice. */
export const updateInvoice = operation({
  name: "updateInvoice",
  command: "update_invoice",
  made: ["given"],
  answers: { schema: "Invoice" },
  errors: ["not_found", "invalid_status", "invalid_reference", "competence_in_future", "issuer_missing"],
  rest: {
    method: "PATCH",
    path: "/invoices/{id}",
    session: true,
    status: 200,
    tag: "Invoices",
    summary: "Change a draft or a rejected invoice",
    description:
      "Only the given members change. A new customer or service is copied into the invoice, and a new service brings its rate, withholding and description.",
  },
  graphql: {
    description: "Changes the given members of a draft or a rejected invoice.",
    payload: {
      name: "UpdateInvoicePayload",
      description: "The changed invoice.",
      members: z.object({ invoice: rowOf("invoices").meta({ description: "The invoice." }) }),
    },
  },
  run: ({ call }, input) => call("update_invoice", { ...input, given: patchedMembers(input) }),
});
