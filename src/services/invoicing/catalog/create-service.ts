import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { approximateTaxes, ibsCbs } from "./nested-members.ts";

/** Adds a service. */
export const createInvoiceService = operation({
  name: "createInvoiceService",
  command: "create_invoice_service",
  input: z.object({ approximate_taxes: approximateTaxes.nullish(), ibs_cbs: ibsCbs.nullish() }),
  answers: { schema: "InvoiceService" },
  rest: {
    method: "POST",
    path: "/services",
    session: true,
    status: 201,
    tag: "Services",
    summary: "Add a service",
  },
  graphql: {
    description: "Adds a service of invoices.",
    payload: {
      name: "CreateInvoiceServicePayload",
      description: "The added service.",
      members: z.object({ service: rowOf("invoice_services").meta({ description: "The service." }) }),
    },
  },
  run: ({ call }, input) => call("create_invoice_service", input, 201),
});
