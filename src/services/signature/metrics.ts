import { Counter, Gauge, type Registry } from "prom-client";

const ENDS = ["completed", "declined", "expired", "cancelled", "failed"] as const;
const ACTIONS = ["signed", "approved", "witnessed"] as const;
const RESULTS = ["ready", "quarantined", "refused", "failed"] as const;

/** Metrics of proofs, documents, envelopes and the seals of PDFs. A repeated request or job counts once: what counts is what the database wrote. */
export function signatureMetrics(registers: Registry[]) {
  const registered = new Counter({
    name: "selo_proofs_registered_total",
    help: "New proofs of existence.",
    labelNames: ["environment"],
    registers,
  });
  const checked = new Counter({
    name: "selo_documents_checked_total",
    help: "Checks of uploaded documents that ended: ready, quarantined, refused (422 unprocessable_pdf, nothing is kept), failed.",
    labelNames: ["result"],
    registers,
  });
  const sent = new Counter({ name: "selo_envelopes_sent_total", help: "Envelopes sent.", registers });
  const ended = new Counter({
    name: "selo_envelopes_ended_total",
    help: "Envelopes that ended: completed, declined, expired, cancelled, failed. A failed envelope that is completed later counts in both.",
    labelNames: ["how"],
    registers,
  });
  const signed = new Counter({
    name: "selo_signatures_made_total",
    help: "Participants who finished: signed, approved, witnessed.",
    labelNames: ["action"],
    registers,
  });
  const codes = new Counter({
    name: "selo_signing_codes_mailed_total",
    help: "One-time codes of participants, each with its mail.",
    registers,
  });
  const wrongCodes = new Counter({
    name: "selo_signing_codes_wrong_total",
    help: "Wrong codes that participants gave, each compared with a code.",
    registers,
  });
  const sealed = new Counter({
    name: "selo_pdfs_sealed_total",
    help: "Seals of PDFs: made or failed.",
    labelNames: ["environment", "outcome"],
    registers,
  });
  const expires = new Gauge({
    name: "selo_seal_certificate_expires_timestamp_seconds",
    help: "When the certificate that seals PDFs expires; known from the first seal or test seal of this process. selo keys rotate renews it.",
    labelNames: ["environment"],
    registers,
  });
  // Each series exists from the start, so that its first count shows as an increase.
  for (const environment of ["live", "test"]) {
    registered.inc({ environment }, 0);
    for (const outcome of ["made", "failed"]) sealed.inc({ environment, outcome }, 0);
  }
  for (const result of RESULTS) checked.inc({ result }, 0);
  for (const how of ENDS) ended.inc({ how }, 0);
  for (const action of ACTIONS) signed.inc({ action }, 0);
  return {
    registered: (environment: "live" | "test") => registered.inc({ environment }),
    checked: (result: (typeof RESULTS)[number]) => checked.inc({ result }),
    sent: () => sent.inc(),
    ended: (how: (typeof ENDS)[number]) => ended.inc({ how }),
    signed: (action: (typeof ACTIONS)[number]) => signed.inc({ action }),
    codeMailed: () => codes.inc(),
    codeWrong: () => wrongCodes.inc(),
    pdfSealed: (environment: "live" | "test", outcome: "made" | "failed") => sealed.inc({ environment, outcome }),
    certificateExpires: (environment: "live" | "test", at: Date) => expires.set({ environment }, at.getTime() / 1_000),
  };
}

export type SignatureMetrics = ReturnType<typeof signatureMetrics>;
