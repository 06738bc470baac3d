import { randomUUID } from "node:crypto";
import type { MemberRule, ServiceFacts } from "../../support/service-facts.ts";
import { ADDRESS, AMOUNT, CUSTOMER, ISSUER, invoicingCaller, long, SERVICE } from "./invoicing-stage.ts";
import { sampleMails } from "./sample-mails.ts";

/** What a request is refused for by its form, and what only once the row is known that it changes. */
interface Rule extends MemberRule {
  readonly later: readonly unknown[];
}

/** A text of the layout with at most so many characters: no others than those of Latin-1. */
const textOf = (most: number): Rule => ({
  at: [long(most), "A"],
  beyond: [long(most + 1), ""],
  later: ["\n", "Ł"],
});
const patternOf = (right: string, wrong: readonly string[], later: readonly string[] = []): Rule => ({
  at: [right],
  beyond: [...wrong, "", `${right}\n`],
  later,
});
const orNull = ({ at, ...rest }: Rule): Rule => ({ at: [...at, null], ...rest });

const registration = orNull(patternOf("A".repeat(15), ["A".repeat(16), "1-2"]));
const cnpj = patternOf("12ABC34501DE35", ["11.222.333/0001-81"], ["11222333000180"]);

const customerRules = {
  name: textOf(300),
  // Other kinds have other documents.
  document_type: { at: ["cnpj"], beyond: ["x", "CNPJ"], later: [] },
  document: { at: ["12ABC34501DE35"], beyond: ["1".repeat(41)], later: ["11222333000180", "", "11.222.333/0001-81"] },
  country: patternOf("BR", ["br", "BRA"], ["PT"]),
  email: { at: [`${"a".repeat(60)}@${"b".repeat(11)}.example`, null], beyond: [long(81)], later: ["none", ""] },
  phone: orNull(patternOf("1".repeat(20), ["1".repeat(21), "12345", "+5511987654321"])),
  municipal_registration: registration,
};

const serviceRules = {
  name: textOf(255),
  description: { at: [long(2000), "A\nB"], beyond: [long(2001), ""], later: ["\n", "Ł"] },
  national_code: patternOf("170101", ["17010", "1701011", "17.01"]),
  municipal_code: orNull(patternOf("001", ["01", "0001"])),
  nbs_code: orNull(patternOf("115021000", ["11502100", "1.1502.10.00"])),
  iss_rate: { at: ["100.00"], beyond: ["1000.00"], later: ["100.01", "5.001", "5,00", "05", "-1", "5.", ""] },
  pis_cofins_cst: orNull(patternOf("01", ["1", "001"])),
};

const issuerRules = {
  cnpj,
  name: textOf(300),
  municipal_registration: registration,
  city_code: patternOf("3304557", ["33045570", "São Paulo"], ["3304558"]),
  // Small companies in Simples Nacional alone have a regime.
  simples: { at: [3], beyond: [4, 0, "3"], later: [] },
  simples_regime: { at: [3, 1], beyond: [4, 0], later: [] },
  series: patternOf("70000", ["123456", "A"]),
};

const money = { at: ["999999999999999.99", "0.1"], beyond: [1500, "1.234", "01", "-1", "1e3", ""], later: [] };
const id = { at: ["0197a0c0-0000-7000-8000-000000000001", "x"], beyond: ["a".repeat(101), ""], later: [] };
const invoiceRules = (isChange: boolean): Readonly<Record<string, Rule>> => {
  const optional = (rule: Rule) => (isChange ? orNull(rule) : rule);
  const amounts = ["deductions", "discount_unconditional", "discount_conditional", "other_withholdings"];
  const withheld = ["pis", "cofins", "inss", "ir", "csll"].map((tax) => `${tax}_amount`);
  return {
    customer_id: id,
    service_id: id,
    issuer_id: optional(id),
    amount_services: money,
    ...Object.fromEntries([...amounts, ...withheld].map((name) => [name, optional(money)])),
    iss_rate: optional({ at: ["100.00", "2.01"], beyond: ["100.01", 5, "5.001", "05", ""], later: [] }),
    description: optional({ at: [long(2000), "A\nB"], beyond: [long(2001), ""], later: [] }),
    competence_date: optional({ at: ["2026-01-31"], beyond: ["2026-02-30", "today"], later: [] }),
    external_ref: optional({ at: [long(120)], beyond: [long(121), ""], later: [] }),
  };
};
const INVOICE = { customer_id: "nobody", service_id: "nothing", amount_services: AMOUNT };

const rulesOf = (rules: Readonly<Record<string, Rule>>, isOfRow: boolean): Readonly<Record<string, MemberRule>> =>
  Object.fromEntries(
    Object.entries(rules).map(([name, { at, beyond, later }]) => [
      name,
      { at, beyond: isOfRow ? beyond : [...beyond, ...later] },
    ]),
  );

export const facts: ServiceFacts = {
  mails: sampleMails,
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  operations: {
    createInvoiceCustomer: { body: CUSTOMER, rules: rulesOf(customerRules, false) },
    updateInvoiceCustomer: { rules: rulesOf(customerRules, true) },
    createInvoiceService: { body: SERVICE, rules: rulesOf(serviceRules, false) },
    updateInvoiceService: { rules: rulesOf(serviceRules, true) },
    createInvoiceIssuer: { body: { ...ISSUER, simples: 3, simples_regime: 1 }, rules: rulesOf(issuerRules, false) },
    createInvoice: { body: INVOICE, rules: rulesOf(invoiceRules(false), false) },
    previewInvoice: { body: INVOICE, rules: rulesOf(invoiceRules(false), false) },
    updateInvoice: { rules: rulesOf(invoiceRules(true), true) },
    cancelInvoice: {
      body: { reason_code: "2", reason: long(15) },
      rules: {
        reason_code: { at: ["1", "2", "9"], beyond: ["3", "", 2] },
        reason: { at: [long(255)], beyond: [long(256), ""] },
      },
    },
    listInvoices: {
      rules: {
        status: { at: ["draft,queued"], beyond: ["unknown", ""] },
        period: { at: ["7d", "30d", "month", "year", "all"], beyond: ["1d", ""] },
      },
    },
    updateInvoiceIssuer: { rules: rulesOf(issuerRules, true) },
  },
  refusals: async (...given) => (await import("./refusals.ts")).refuseInvoices(...given),
  settings: {
    NFSE_URL_LIVE: {
      more: " (`simulator` for `npm start`)",
      neverInProduction: "simulator",
      taken: [
        ["https://sefin.nfse.gov.br/SefinNacional", "https://sefin.nfse.gov.br/SefinNacional"],
        ["simulator", "simulator"],
      ],
      refused: [["http://sefin.nfse.gov.br"], ["sefin"]],
    },
    NFSE_URL_TEST: {
      more: " (`simulator` for `npm start`)",
      neverInProduction: "simulator",
      taken: [["simulator", "simulator"]],
      refused: [["http://sefin.nfse.gov.br"]],
    },
    NFSE_CA_FILE: { otherwise: "those of the system", taken: [["ca.pem", "ca.pem"]] },
    NFSE_TRUSTED_CERTIFICATES: { taken: [["signers.pem", "signers.pem"]] },
  },
  events: {
    sent: ["invoice.authorized", "invoice.cancel_refused", "invoice.canceled", "invoice.failed", "invoice.rejected"],
    data: {
      invoice: {
        invoice_id: randomUUID(),
        status: "authorized",
        number: 421,
        access_key: "3".repeat(50),
        external_ref: "order-4711",
        last_error_code: null,
      },
    },
  },
  audit: {
    write: async (selo, { live }) => {
      const { addCustomer, addDraft, addIssuer, addService, ask } = invoicingCaller(selo, live);
      const { id: customer } = await addCustomer({ address: ADDRESS });
      await ask("PATCH", `/customers/${customer}`, { email: "fiscal@padaria.example" });
      const { id: service } = await addService({
        nbs_code: "115021000",
        approximate_taxes: { simples: "6.00" },
        ibs_cbs: { operation_indicator: "030101", cst: "000", classification: "000001" },
      });
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
      "invoiceFileLink",
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
      "cancelInvoice",
      "createInvoice",
      "createInvoiceCustomer",
      "createInvoiceIssuer",
      "createInvoiceService",
      "deleteInvoice",
      "emitInvoice",
      "putIssuerCertificate",
      "updateInvoice",
      "updateInvoiceCustomer",
      "updateInvoiceIssuer",
      "updateInvoiceService",
    ],
    unfiltered: { "listInvoices.period": "A period in words, such as 30d: filter by createdAt." },
    json: [],
    types: {
      invoice_customers: "InvoiceCustomer",
      invoice_issuers: "InvoiceIssuer",
      invoice_services: "InvoiceService",
      invoices: "Invoice",
    },
    enums: {
      DocumentType: ["CNPJ", "CPF", "NIF", "NONE"],
      InvoiceStatus: ["AUTHORIZED", "CANCELED", "CANCELING", "DRAFT", "FAILED", "QUEUED", "REJECTED"],
    },
    enumInputs: {
      CreateInvoiceCustomerInput: { documentType: "DocumentType!" },
      UpdateInvoiceCustomerInput: { documentType: "DocumentType" },
      InvoiceFilter: { status: "InvoiceStatusFilter" },
    },
  },
};
