import { z } from "zod";
import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { INSTANT, SHA256 } from "../../surfaces/openapi/members.ts";
import { pageOf, propertiesOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, ref, type Schema, schemaOf } from "../../surfaces/openapi/schema.ts";
import { AUDIT_CHAIN } from "../platform/openapi.ts";
import { address, approximateTaxes, ibsCbs } from "./catalog/nested-members.ts";
import { invoicePreview, withholdings } from "./invoices/preview-invoice.ts";

const text = (description: string): Schema => ({ type: "string", description });

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
    invoiceAddress: schemaOf(z.object(address.shape)),
    approximateTaxes: schemaOf(z.object(approximateTaxes.shape)),
    ibsCbs: schemaOf(z.object(ibsCbs.shape)),
    invoiceParty: objectOf({
      name: text("Name or company name."),
      document: { type: ["string", "null"], description: "CPF, CNPJ or foreign tax number. Null without a document." },
    }),
    invoicedService: objectOf({
      name: text("Name of the service."),
      national_code: text("National service code (cTribNac)."),
    }),
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
    withholdings: schemaOf(withholdings),
    cancellation: objectOf({
      reason_code: text("1 wrong issue, 2 service not rendered, 9 other."),
      reason: text("The reason, in words."),
    }),
    issuerCertificate: objectOf({
      subject: text("Whose certificate it is."),
      issuer: text("Who issued it."),
      serial: text("Serial number, hexadecimal."),
      sha256: { ...SHA256, description: "SHA-256 of the certificate." },
      not_before: { ...INSTANT, description: "When it begins to be valid (UTC)." },
      not_after: { ...INSTANT, description: "When it expires (UTC)." },
    }),
    issuerProblems: {
      type: "array",
      items: objectOf({ code: text("Name of the problem."), message: text("The problem, in words.") }),
    },
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
