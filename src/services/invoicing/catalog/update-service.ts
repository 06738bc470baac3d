import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { patchedMembers } from "../../../surfaces/patched-members.ts";
import { operation } from "../parts.ts";
import { approximateTaxes, ibsCbs } from "./nested-members.ts";

/** Changes the given members of a service. */
export const updateInvoiceService = operation({
  name: "updateInvoiceService",
  command: "update_invoice_service",
  made: ["given"],
  input: z.object({ approximate_taxes: approximateTaxes.nullish(), ibs_cbs: ibsCbs.nullish() }),
  answers: { schema: "InvoiceService" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/services/{id}",
    session: true,
    status: 200,
    tag: "Services",
    summary: "Change a service",
    description: "Only the given members change. Invoices keep what they copied.",
  },
  graphql: {
    description: "Changes the given members of a service of invoices. Invoices keep what they copied.",
    payload: {
      name: "UpdateInvoiceServicePayload",
      description: "The changed service.",
      members: z.object({ service: rowOf("invoice_services").meta({ description: "The service." }) }),
    },
  },
  run: ({ call }, input) => call("update_invoice_service", { ...input, given: patchedMembers(input) }),
});
