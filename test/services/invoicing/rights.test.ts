// What the service lets whom do. A right that is not here is refused.
import { invoicing } from "../../../src/services/invoicing/service.ts";
import { testRights } from "../../support/service-rights.ts";

/** Functions that views call as whoever reads them. */
const OF_VIEWS = ["invoicing.amounts_of", "invoicing.issuer_problems", "invoicing.withholdings_json"];

testRights(invoicing, {
  commands: {
    "invoices:write": [
      "archive_invoice_customer",
      "archive_invoice_service",
      "create_invoice",
      "create_invoice_customer",
      "create_invoice_service",
      "delete_invoice",
      "emit_invoice",
      "update_invoice",
      "update_invoice_customer",
      "update_invoice_service",
    ],
    "invoices:cancel": ["cancel_invoice"],
    "invoices:manage": [
      "archive_invoice_issuer",
      "create_invoice_issuer",
      "prepare_issuer_certificate",
      "record_issuer_certificate",
      "update_invoice_issuer",
    ],
    "invoices:read": [
      "find_invoice_file",
      "get_invoice",
      "get_invoice_customer",
      "get_invoice_issuer",
      "get_invoice_service",
      "list_invoice_customers",
      "list_invoice_issuers",
      "list_invoice_services",
      "list_invoices",
      "preview_invoice",
      "read_invoice_document",
    ],
  },
  views: {
    "invoices:read": ["api.invoice_customers", "api.invoice_issuers", "api.invoice_services", "api.invoices"],
  },
  logins: {
    selo_analyst: OF_VIEWS,
    selo_app: ["gateway.read_linked_invoice_file", ...OF_VIEWS],
    selo_worker: ["jobs.claim_transmissions", "jobs.ending_certificates"],
  },
  loginsOnTables: ["selo_app select invoicing.document_types", "selo_app select invoicing.statuses"],
  systemOnTables: [
    "select invoicing.customers",
    "select invoicing.invoices",
    "select invoicing.issuers",
    "select invoicing.services",
    "select invoicing.transmissions",
    "update invoicing.issuers (sealed_key)",
    "update invoicing.transmissions",
  ],
  tables: {
    ofEnvironments: [
      "invoicing.customers",
      "invoicing.invoices",
      "invoicing.issuers",
      "invoicing.services",
      "invoicing.transmissions",
    ],
    ofOrganizations: [],
    lookUps: [],
    ofNobody: ["invoicing.document_types", "invoicing.moves", "invoicing.statuses", "invoicing.transmission_kinds"],
    refuse: {},
  },
  unrecorded: {
    "invoicing.put_invoice": "whoever calls it records",
    "invoicing.queue_transmission": "the command that asks for it records",
    "jobs.begin_transmission": "invoicing.record_invoice_event records",
    "jobs.claim_transmissions": "a lease of work",
    "jobs.keep_request": "what became of it is recorded with the answer, by its digest",
    "jobs.record_transmission": "invoicing.record_invoice_event records",
    "jobs.warn_of_certificate": "a mail, and when it was sent",
    "gateway.create_invoice": "invoicing.record_invoice_event records",
    "gateway.update_invoice": "invoicing.record_invoice_event records",
  },
  refusedToGateway: [
    "select * from invoicing.customers",
    "select * from invoicing.services",
    "select * from invoicing.issuers",
    "select * from invoicing.invoices",
    "select * from invoicing.transmissions",
    "select jobs.claim_transmissions(1)",
    "select from jobs.ending_certificates()",
    "select api.delete_invoice(null)",
    "select gateway.emit_invoice(null)",
    "select invoicing.invoice_json(null)",
    "select api.archive_invoice_customer(null)",
    "select gateway.create_invoice_customer('A', 'none')",
    "select gateway.invoice_customers_chosen('{}', '{id}')",
    "select invoicing.require_issuer(null)",
    "select invoicing.default_issuer_id()",
  ],
});
