import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { patchedMembers } from "../../../surfaces/patched-members.ts";
import { operation } from "../parts.ts";
import { address } from "./nested-members.ts";

/** Changes the given members of a customer. */
export const updateInvoiceCustomer = operation({
  name: "updateInvoiceCustomer",
  command: "update_invoice_customer",
  made: ["given"],
  input: z.object({ address: address.nullish() }),
  answers: { schema: "InvoiceCustomer" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/customers/{id}",
    session: true,
    status: 200,
    tag: "Customers",
    summary: "Change a customer",
    description: "Only the given members change. Invoices keep what they copied.",
  },
  graphql: {
    description: "Changes the given members of a customer of invoices. Invoices keep what they copied.",
    payload: {
      name: "UpdateInvoiceCustomerPayload",
      description: "The changed customer.",
      members: z.object({ customer: rowOf("invoice_customers").meta({ description: "The customer." }) }),
    },
  },
  run: ({ call }, input) => call("update_invoice_customer", { ...input, given: patchedMembers(input) }),
});
