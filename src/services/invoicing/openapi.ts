import { z } from "zod";
import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { INSTANT, SHA256 } from "../../surfaces/openapi/members.ts";
import { pageOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, type Schema, schemaOf } from "../../surfaces/openapi/schema.ts";
import { address, approximateTaxes, ibsCbs } from "./catalog/nested-members.ts";

const text = (description: string): Schema => ({ type: "string", description });

export const invoicingDescription: ApiDescription = {
  offers: ["Brazilian service invoices (NFS-e)"],
  tags: {
    Customers: "To whom services are invoiced. An invoice keeps a copy of its customer.",
    Services: "What is invoiced, with what taxes it. An invoice keeps a copy of its service.",
    Issuers: "Companies in whose name invoices are issued, each with its own numbers.",
  },
  formats: {
    invoiceAddress: schemaOf(z.object(address.shape)),
    approximateTaxes: schemaOf(z.object(approximateTaxes.shape)),
    ibsCbs: schemaOf(z.object(ibsCbs.shape)),
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
    InvoiceIssuer: row("invoice_issuers"),
    InvoiceIssuerPage: pageOf("InvoiceIssuer", "A page of issuers."),
  }),
};
