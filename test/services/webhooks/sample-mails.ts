import type { SampleMail } from "../../support/service-facts.ts";

const failing = {
  id: "01a20531-2d6f-7d89-be1d-14e06e4e3f07",
  url: "https://erp.acme.com.br/hook",
  reason: "failing",
  failures: 23,
  failing_since: "2026-11-20T21:50:00.000000Z",
  error_code: "http_status",
  response_status: 503,
  kept_days: 30,
};

/** A mail of each kind and each of its forms, by the name of the form, as SQL hands them to the worker. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "webhook-failing": { kind: "webhook_disabled", data: failing },
  "webhook-gone": {
    kind: "webhook_disabled",
    data: {
      ...failing,
      url: `https://${"long".repeat(15)}.example/${"y".repeat(300)}`,
      reason: "gone",
      failures: 0,
      failing_since: null,
      response_status: 410,
    },
    environment: "test",
  },
};
