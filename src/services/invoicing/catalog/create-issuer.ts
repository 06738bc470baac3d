import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** Adds an issuer. */
export const createInvoiceIssuer = operation({
  name: "createInvoiceIssuer",
  command: "create_invoice_issuer",
  answers: { schema: "InvoiceIssuer" },
  rest: {
    method: "POST",
    path: "/issuers",
    session: true,
    status: 201,
    tag: "Issuers",
    summary: "Add an issuer",
  },
  graphql: {
    description: "Adds an issuer of invoices.",
    payload: {
      name: "CreateInvoiceIssuerPayload",
      description: "The added issuer.",
      members: z.object({ issuer: rowOf("invoice_issuers").meta({ description: "The issuer." }) }),
    },
  },
  run: ({ call }, input) => call("create_invoice_issuer", input, 201),
});
