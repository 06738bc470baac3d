import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { address } from "./nested-members.ts";

/** Adds a customer. */
export const createInvoiceCustomer = operation({
  name: "createInvoiceCustomer",
  command: "create_invoice_customer",
  input: z.object({ address: address.nullish() }),
  answers: { schema: "InvoiceCustomer" },
  rest: {
    method: "POST",
    path: "/customers",
    session: true,
    status: 201,
    tag: "Customers",
    summary: "Add a customer",
  },
  graphql: {
    description: "Adds a customer of invoices.",
    payload: {
      name: "CreateInvoiceCustomerPayload",
      description: "The added customer.",
      members: z.object({ customer: rowOf("invoice_customers").meta({ description: "The customer." }) }),
    },
  },
  run: ({ call }, input) => call("create_invoice_customer", input, 201),
});
