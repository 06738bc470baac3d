import type { ServiceFacts } from "../../support/service-facts.ts";
import { invoicingCaller } from "./invoicing-stage.ts";

export const facts: ServiceFacts = {
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  audit: {
    write: async (selo, { live }) => {
      const { addCustomer, addDraft, addIssuer, addService, ask } = invoicingCaller(selo, live);
      const { id: customer } = await addCustomer();
      await ask("PATCH", `/customers/${customer}`, { email: "fiscal@padaria.example" });
      const { id: service } = await addService();
      await ask("PATCH", `/services/${service}`, { iss_rate: "2.90" });
      const { id: issuer } = await addIssuer();
      await ask("PATCH", `/issuers/${issuer}`, { next_number: 7 });
      const members = { customer_id: customer, service_id: service, amount_services: "1500.00" };
      const { id: invoice } = await addDraft({ ...members, external_ref: "order-4711" });
      await ask("PATCH", `/invoices/${invoice}`, { amount_services: "1800.00" });
      await ask("DELETE", `/invoices/${(await addDraft(members)).id}`);
      await ask("POST", `/customers/${(await addCustomer()).id}/archive`);
      await ask("POST", `/services/${(await addService()).id}/archive`);
      await ask("POST", `/issuers/${(await addIssuer()).id}/archive`);
    },
  },
  graphql: {
    queries: [
      "invoice",
      "invoiceCustomer",
      "invoiceCustomers",
      "invoiceIssuer",
      "invoiceIssuers",
      "invoicePreview",
      "invoiceService",
      "invoiceServices",
      "invoices",
    ],
    mutations: [
      "archiveInvoiceCustomer",
      "archiveInvoiceIssuer",
      "archiveInvoiceService",
      "createInvoice",
      "createInvoiceCustomer",
      "createInvoiceIssuer",
      "createInvoiceService",
      "deleteInvoice",
      "emitInvoice",
      "updateInvoice",
      "updateInvoiceCustomer",
      "updateInvoiceIssuer",
      "updateInvoiceService",
    ],
    json: [
      "Invoice.cancel",
      "Invoice.customer",
      "Invoice.service",
      "Invoice.withholdings",
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
      invoices: "Invoice",
    },
    enums: { DocumentType: ["CNPJ", "CPF", "NIF", "NONE"] },
    enumInputs: {
      CreateInvoiceCustomerInput: { documentType: "DocumentType!" },
      UpdateInvoiceCustomerInput: { documentType: "DocumentType" },
    },
  },
};
