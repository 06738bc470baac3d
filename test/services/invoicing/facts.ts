import type { ServiceFacts } from "../../support/service-facts.ts";
import { invoicingCaller } from "./invoicing-stage.ts";

export const facts: ServiceFacts = {
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  audit: {
    write: async (selo, { live }) => {
      const { addCustomer, addIssuer, addService, ask } = invoicingCaller(selo, live);
      const { id: customer } = await addCustomer();
      await ask("PATCH", `/customers/${customer}`, { email: "fiscal@padaria.example" });
      const { id: service } = await addService();
      await ask("PATCH", `/services/${service}`, { iss_rate: "2.90" });
      const { id: issuer } = await addIssuer();
      await ask("PATCH", `/issuers/${issuer}`, { next_number: 7 });
      await ask("POST", `/customers/${(await addCustomer()).id}/archive`);
      await ask("POST", `/services/${(await addService()).id}/archive`);
      await ask("POST", `/issuers/${(await addIssuer()).id}/archive`);
    },
  },
  graphql: {
    queries: [
      "invoiceCustomer",
      "invoiceCustomers",
      "invoiceIssuer",
      "invoiceIssuers",
      "invoiceService",
      "invoiceServices",
    ],
    mutations: [
      "archiveInvoiceCustomer",
      "archiveInvoiceIssuer",
      "archiveInvoiceService",
      "createInvoiceCustomer",
      "createInvoiceIssuer",
      "createInvoiceService",
      "updateInvoiceCustomer",
      "updateInvoiceIssuer",
      "updateInvoiceService",
    ],
    json: [
      "InvoiceCustomer.address",
      "InvoiceIssuer.certificate",
      "InvoiceIssuer.problems",
      "InvoiceService.approximateTaxes",
      "InvoiceService.ibsCbs",
    ],
    types: {
      invoice_customers: "InvoiceCustomer",
      invoice_issuers: "InvoiceIssuer",
      invoice_services: "InvoiceService",
    },
    enums: { DocumentType: ["CNPJ", "CPF", "NIF", "NONE"] },
    enumInputs: {
      CreateInvoiceCustomerInput: { documentType: "DocumentType!" },
      UpdateInvoiceCustomerInput: { documentType: "DocumentType" },
    },
  },
};
