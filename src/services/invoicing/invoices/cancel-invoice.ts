import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** Asks for the cancellation of an authorized invoice. */
export const cancelInvoice = operation({
  name: "cancelInvoice",
  command: "cancel_invoice",
  answers: { schema: "Invoice" },
  errors: ["not_found", "invalid_status", "reason_too_short"],
  rest: {
    method: "POST",
    path: "/invoices/{id}/cancel",
    session: true,
    status: 202,
    tag: "Invoices",
    summary: "Cancel an authorized invoice",
    description:
      "The tax authority decides. The invoice is `canceling` until then, and `authorized` again if it refuses.",
  },
  graphql: {
    description: "Asks the tax authority to cancel an authorized invoice.",
    payload: {
      name: "CancelInvoicePayload",
      description: "The invoice.",
      members: z.object({ invoice: rowOf("invoices").meta({ description: "The invoice." }) }),
    },
  },
  run: ({ call }, input) => call("cancel_invoice", input, 202),
});
