import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** Characters of the Idempotency-Key of an invoice (message-webhooks part B §5.6). */
const MOST_OF_KEY = 120;

/** What SQL answers. */
const made = z.object({ invoice: z.unknown(), is_new: z.boolean() });

/** Makes an invoice. The invoice keeps the Idempotency-Key of the request, which therefore never expires. */
export const createInvoice = operation({
  name: "createInvoice",
  command: "create_invoice",
  made: ["idempotency_key"],
  keepsKey: MOST_OF_KEY,
  answers: {
    schema: "Invoice",
    statuses: { 201: "The invoice.", 200: "The invoice of an earlier request with the same Idempotency-Key." },
  },
  errors: [
    "invalid_reference",
    "competence_in_future",
    "municipal_code_required",
    "provider_not_ready",
    "issuer_missing",
  ],
  rest: {
    method: "POST",
    path: "/invoices",
    session: true,
    status: 201,
    tag: "Invoices",
    summary: "Make an invoice",
    description:
      "With `emit`, which is the default, the invoice is queued for transmission, and an error of the preview refuses it: nothing is made. Without `emit`, the invoice is a draft. The invoice keeps the Idempotency-Key, of up to 120 characters: any later request with the same key gets the same invoice, whatever its body.",
  },
  graphql: {
    description:
      "Makes an invoice. With `emit`, which is the default, the invoice is queued for transmission. Otherwise it is a draft. The invoice keeps the Idempotency-Key, which is the member `idempotencyKey` or the header. A later request with the same key gets the same invoice, with the header `Idempotent-Replayed`.",
    payload: {
      name: "CreateInvoicePayload",
      description: "The invoice.",
      members: z.object({ invoice: rowOf("invoices").meta({ description: "The invoice." }) }),
    },
  },
  run: async ({ call, requester }, input) => {
    const answer = await call("create_invoice", { ...input, idempotency_key: requester.keptKey ?? null });
    const { invoice, is_new } = made.parse(JSON.parse(answer.body ?? "null"));
    return { ...answer, status: is_new ? 201 : 200, body: JSON.stringify(invoice), replayed: !is_new };
  },
});
