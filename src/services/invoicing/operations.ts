import type { Operation } from "../../surfaces/operation.ts";
import { createInvoiceCustomer } from "./catalog/create-customer.ts";
import { createInvoiceIssuer } from "./catalog/create-issuer.ts";
import { createInvoiceService } from "./catalog/create-service.ts";
import { putIssuerCertificate } from "./catalog/put-certificate.ts";
import { updateInvoiceCustomer } from "./catalog/update-customer.ts";
import { updateInvoiceIssuer } from "./catalog/update-issuer.ts";
import { updateInvoiceService } from "./catalog/update-service.ts";
import { cancelInvoice } from "./invoices/cancel-invoice.ts";
import { createInvoice } from "./invoices/create-invoice.ts";
import { emitInvoice } from "./invoices/emit-invoice.ts";
import { downloadDanfse, downloadDps, downloadNfse } from "./invoices/get-invoice-document.ts";
import { linkInvoiceFile } from "./invoices/link-invoice-file.ts";
import { previewInvoice } from "./invoices/preview-invoice.ts";
import { updateInvoice } from "./invoices/update-invoice.ts";
import type { InvoicingParts } from "./parts.ts";

/** Service invoices: message-webhooks part B §4. */
export const invoicingOperations: readonly Operation<InvoicingParts>[] = [
  createInvoiceCustomer,
  {
    name: "listInvoiceCustomers",
    command: "list_invoice_customers",
    answers: { schema: "InvoiceCustomerPage" },
    rest: {
      method: "GET",
      path: "/customers",
      session: true,
      status: 200,
      tag: "Customers",
      summary: "List customers, newest first",
    },
  },
  {
    name: "getInvoiceCustomer",
    command: "get_invoice_customer",
    answers: { schema: "InvoiceCustomer" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/customers/{id}",
      session: true,
      status: 200,
      tag: "Customers",
      summary: "Read a customer",
    },
  },
  updateInvoiceCustomer,
  {
    name: "archiveInvoiceCustomer",
    command: "archive_invoice_customer",
    answers: { schema: "InvoiceCustomer" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/customers/{id}/archive",
      session: true,
      status: 200,
      tag: "Customers",
      summary: "Archive a customer",
      description: "An archived customer takes no new invoice. Invoices that name the customer stay as they are.",
    },
  },
  createInvoiceService,
  {
    name: "listInvoiceServices",
    command: "list_invoice_services",
    answers: { schema: "InvoiceServicePage" },
    rest: {
      method: "GET",
      path: "/services",
      session: true,
      status: 200,
      tag: "Services",
      summary: "List services, newest first",
    },
  },
  {
    name: "getInvoiceService",
    command: "get_invoice_service",
    answers: { schema: "InvoiceService" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/services/{id}",
      session: true,
      status: 200,
      tag: "Services",
      summary: "Read a service",
    },
  },
  updateInvoiceService,
  {
    name: "archiveInvoiceService",
    command: "archive_invoice_service",
    answers: { schema: "InvoiceService" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/services/{id}/archive",
      session: true,
      status: 200,
      tag: "Services",
      summary: "Archive a service",
      description: "An archived service takes no new invoice. Invoices that name the service stay as they are.",
    },
  },
  createInvoiceIssuer,
  {
    name: "listInvoiceIssuers",
    command: "list_invoice_issuers",
    answers: { schema: "InvoiceIssuerPage" },
    rest: {
      method: "GET",
      path: "/issuers",
      session: true,
      status: 200,
      tag: "Issuers",
      summary: "List issuers, newest first",
    },
  },
  {
    name: "getInvoiceIssuer",
    command: "get_invoice_issuer",
    answers: { schema: "InvoiceIssuer" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/issuers/{id}",
      session: true,
      status: 200,
      tag: "Issuers",
      summary: "Read an issuer",
    },
  },
  updateInvoiceIssuer,
  putIssuerCertificate,
  {
    name: "archiveInvoiceIssuer",
    command: "archive_invoice_issuer",
    answers: { schema: "InvoiceIssuer" },
    errors: ["not_found"],
    rest: {
      method: "POST",
      path: "/issuers/{id}/archive",
      session: true,
      status: 200,
      tag: "Issuers",
      summary: "Archive an issuer",
      description: "An archived issuer takes no new invoice. Invoices that name the issuer stay as they are.",
    },
  },
  previewInvoice,
  createInvoice,
  {
    name: "listInvoices",
    command: "list_invoices",
    answers: { schema: "InvoicePage" },
    rest: {
      method: "GET",
      path: "/invoices",
      session: true,
      status: 200,
      tag: "Invoices",
      summary: "List invoices, newest first",
    },
  },
  {
    name: "getInvoice",
    command: "get_invoice",
    answers: { schema: "Invoice" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/invoices/{id}",
      session: true,
      status: 200,
      tag: "Invoices",
      summary: "Read an invoice",
      description: "With its events, and with their chain, which is verified now.",
    },
  },
  updateInvoice,
  emitInvoice,
  cancelInvoice,
  linkInvoiceFile,
  downloadDanfse,
  downloadNfse,
  downloadDps,
  {
    name: "deleteInvoice",
    command: "delete_invoice",
    answers: { nothing: "Deleted." },
    errors: ["not_found", "not_draft"],
    rest: {
      method: "DELETE",
      path: "/invoices/{id}",
      session: true,
      status: 204,
      tag: "Invoices",
      summary: "Delete a draft",
      description: "Only a draft that never took a number can be deleted. Its Idempotency-Key is free again.",
    },
  },
];
