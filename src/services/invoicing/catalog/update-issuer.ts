import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { patchedMembers } from "../../../surfaces/patched-members.ts";
import { operation } from "../parts.ts";

/** Changes the given members of an issuer. */
export const updateInvoiceIssuer = operation({
  name: "updateInvoiceIssuer",
  command: "update_invoice_issuer",
  made: ["given"],
  answers: { schema: "InvoiceIssuer" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/issuers/{id}",
    session: true,
    status: 200,
    tag: "Issuers",
    summary: "Change an issuer",
    description: "Only the given members change. Invoices keep what they copied.",
  },
  graphql: {
    description: "Changes the given members of an issuer of invoices. Invoices keep what they copied.",
    payload: {
      name: "UpdateInvoiceIssuerPayload",
      description: "The changed issuer.",
      members: z.object({ issuer: rowOf("invoice_issuers").meta({ description: "The issuer." }) }),
    },
  },
  run: ({ call }, input) => call("update_invoice_issuer", { ...input, given: patchedMembers(input) }),
});
