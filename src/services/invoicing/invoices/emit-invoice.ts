import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** Queues an invoice for transmission. */
export const emitInvoice = operation({
  name: "emitInvoice",
  command: "emit_invoice",
  answers: { schema: "Invoice" },
  errors: [
    "not_found",
    "invalid_status",
    "invalid_reference",
    "competence_in_future",
    "municipal_code_required",
    "provider_not_ready",
  ],
  rest: {
    method: "POST",
    path: "/invoices/{id}/emit",
    session: true,
    status: 202,
    tag: "Invoices",
    summary: "Transmit a draft, or a rejected or failed invoice again",
    description: "An error of the preview refuses, as with `POST /invoices`.",
  },
  graphql: {
    description: "Transmits a draft, or a rejected or failed invoice again.",
    payload: {
      name: "EmitInvoicePayload",
      description: "The invoice.",
      members: z.object({ invoice: rowOf("invoices").meta({ description: "The invoice." }) }),
    },
  },
  run: ({ call }, input) => call("emit_invoice", input, 202),
});
