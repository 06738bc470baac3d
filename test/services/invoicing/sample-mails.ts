import type { SampleMail } from "../../support/service-facts.ts";

const ID = "0197a0c0-0000-7000-8000-000000000001";
const SINCE = "2026-11-25T12:00:00.000000+00:00";

/** A mail of each kind and each of its forms, by the name of the form, as SQL hands them to the worker. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "certificate-ends": {
    kind: "invoice_certificate_ends",
    data: {
      issuer_id: ID,
      name: "Oficina de Software Ltda",
      cnpj: "12345678000195",
      ends_at: "2026-12-30T12:00:00.000000Z",
    },
  },
  "invoice-unanswered": {
    kind: "invoice_unanswered",
    data: {
      invoice_id: ID,
      is_cancellation: false,
      customer: "Padaria Aurora Ltda",
      series: "1",
      number: "42",
      since: SINCE,
    },
  },
  // Names that leave no room.
  "cancellation-unanswered": {
    kind: "invoice_unanswered",
    data: {
      invoice_id: ID,
      is_cancellation: true,
      customer: "X".repeat(300),
      series: "49999",
      number: "999999999999999",
      since: SINCE,
    },
  },
};
