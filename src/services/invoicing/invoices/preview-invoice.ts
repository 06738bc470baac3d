import { z } from "zod";
import { operation } from "../parts.ts";

const amount = (description: string) => z.string().meta({ description: `${description}, in BRL with two decimals.` });

export const withholdings = z
  .object({
    iss: amount("ISS that the customer withholds"),
    pis: amount("PIS"),
    cofins: amount("COFINS"),
    inss: amount("INSS"),
    ir: amount("IR"),
    csll: amount("CSLL"),
    other: amount("Others"),
    total: amount("All of them"),
  })
  .meta({ title: "InvoiceWithholdings", description: "What the customer withholds." });

const problem = z
  .object({
    code: z.string().meta({ description: "Name of the problem." }),
    field: z.string().meta({ description: "The member that has it." }),
    severity: z.enum(["error", "warning"]).meta({
      title: "ProblemSeverity",
      description: "An error refuses the transmission, a warning does not.",
    }),
    message: z.string().meta({ description: "The problem, in words." }),
  })
  .meta({ title: "InvoiceProblem", description: "What is wrong with an invoice." });

export const invoicePreview = z.object({
  iss_base: amount("Base of ISS"),
  iss_amount: amount("ISS"),
  withholdings,
  net_amount: amount("What the customer pays"),
  problems: z
    .array(problem)
    .meta({ description: "In the order in which they refuse. Empty if the invoice can be transmitted." }),
});

/** Says what an invoice would come to, and what is wrong with it. */
export const previewInvoice = operation({
  name: "previewInvoice",
  command: "preview_invoice",
  answers: { schema: "InvoicePreview" },
  errors: ["invalid_reference", "issuer_missing"],
  rest: {
    method: "POST",
    path: "/invoices/preview",
    session: true,
    status: 200,
    tag: "Invoices",
    summary: "Preview an invoice",
    description: "Computes the amounts and lists problems. Nothing is kept or sent.",
  },
  graphql: {
    field: "invoicePreview",
    description: "What an invoice would come to, and its problems. Nothing is kept or sent.",
    payload: {
      name: "InvoicePreview",
      description: "What an invoice would come to.",
      members: invoicePreview,
    },
  },
  run: ({ call }, input) => call("preview_invoice", input),
});
