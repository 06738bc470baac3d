import { z } from "zod";
import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { INSTANT, SHA256 } from "../../surfaces/openapi/members.ts";
import { pageOf, propertiesOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, ref, schemaOf } from "../../surfaces/openapi/schema.ts";
import { AUDIT_CHAIN } from "../platform/openapi.ts";
import { address, approximateTaxes, ibsCbs } from "./catalog/nested-members.ts";
import { invoicePreview, withholdings } from "./invoices/preview-invoice.ts";

const text = (description: string) => z.string().meta({ description });

const party = z
  .object({
    name: text("Name or company name."),
    document: z.string().nullable().meta({ description: "CPF, CNPJ or foreign tax number. Null without a document." }),
  })
  .meta({ title: "InvoiceParty", description: "A customer as an invoice names it." });

const invoicedService = z
  .object({ name: text("Name of the service."), national_code: text("National service code (cTribNac).") })
  .meta({ title: "InvoicedService", description: "A service as an invoice names it." });

const cancellation = z
  .object({
    reason_code: text("1 wrong issue, 2 service not rendered, 9 other."),
    reason: text("The reason, in words."),
  })
  .meta({ title: "InvoiceCancellation", description: "Why an invoice is to be canceled." });

const certificate = z
  .object({
    subject: text("Whose certificate it is."),
    issuer: text("Who issued it."),
    serial: text("Serial number, hexadecimal."),
    sha256: z.string().meta({ ...SHA256, description: "SHA-256 of the certificate." }),
    not_before: z.string().meta({ ...INSTANT, description: "When it begins to be valid (UTC)." }),
    not_after: z.string().meta({ ...INSTANT, description: "When it expires (UTC)." }),
  })
  .meta({ title: "IssuerCertificate", description: "The certificate of an issuer." });

const problem = z
  .object({ code: text("Name of the problem."), message: text("The problem, in words.") })
  .meta({ title: "IssuerProblem", description: "Why an issuer cannot issue." });

export const invoicingDescription: ApiDescription = {
  offers: ["Brazilian service invoices (NFS-e)"],
  tags: {
    Customers: "To whom services are invoiced. An invoice keeps a copy of its customer.",
    Services: "What is invoiced, with what taxes it. An invoice keeps a copy of its service.",
    Invoices:
      "Service invoices (NFS-e). Money travels as decimal strings. An invoice keeps copies of its customer and its service.",
    Issuers: "Companies in whose name invoices are issued, each with its own numbers.",
  },
  formats: {
    invoiceAddress: z
      .object(address.shape)
      .meta({ title: "InvoiceAddress", description: "The address of a customer of invoices." }),
    approximateTaxes: z
      .object(approximateTaxes.shape)
      .meta({ title: "ApproximateTaxes", description: approximateTaxes.description }),
    ibsCbs: z.object(ibsCbs.shape).meta({ title: "IbsCbs", description: "IBS and CBS of a service." }),
    invoiceParty: party,
    invoicedService,
    invoice_events: { type: "array", items: ref("AuditEvent") },
    invoice_chain: {
      ...objectOf({
        ...propertiesOf(AUDIT_CHAIN),
        valid: { type: "boolean", description: "Whether the chain is intact." },
        broken_at: {
          type: ["integer", "null"],
          format: "int64",
          description: "Place of the first fault. Null if there is none.",
        },
      }),
    },
    withholdings,
    cancellation,
    issuerCertificate: certificate,
    issuerProblems: z.array(problem),
  },
  schemas: ({ row }) => ({
    InvoiceCustomer: row("invoice_customers"),
    InvoiceCustomerPage: pageOf("InvoiceCustomer", "A page of customers."),
    InvoiceService: row("invoice_services"),
    InvoiceServicePage: pageOf("InvoiceService", "A page of services."),
    Invoice: row("invoices"),
    ListedInvoice: {
      description:
        "An invoice as lists show it. It has `events` and `chain` only if the parameter `fields` names them.",
      ...objectOf(propertiesOf(row("invoices")), ["events", "chain"]),
    },
    InvoicePage: pageOf("ListedInvoice", "A page of invoices."),
    InvoicePreview: { description: "What an invoice would come to.", ...schemaOf(invoicePreview) },
    InvoiceFileLink: {
      description: "A link to a file of an invoice.",
      ...objectOf({
        url: { type: "string", format: "uri", description: "The link. Keep it secret." },
        expires_at: { ...INSTANT, description: "When the link expires (UTC): five minutes from now." },
      }),
    },
    InvoiceIssuer: row("invoice_issuers"),
    InvoiceIssuerPage: pageOf("InvoiceIssuer", "A page of issuers."),
  }),
};
