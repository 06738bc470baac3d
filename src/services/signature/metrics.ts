import { Counter, Gauge, type Registry } from "prom-client";

const ENDS = ["completed", "declined", "expired", "cancelled", "failed"] as const;
const ACTIONS = ["signed", "approved", "witnessed"] as const;
const RESULTS = ["ready", "quarantined", "refused", "failed"] as const;

type Environment = "live" | "test";

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
    labelNames: ["environment", "result"],
    registers,
  });
  const sent = new Counter({
    name: "selo_envelopes_sent_total",
    help: "Envelopes sent.",
    labelNames: ["environment"],
    registers,
  });
  const ended = new Counter({
    name: "selo_envelopes_ended_total",
    help: "Envelopes that ended: completed, declined, expired, cancelled, failed. A failed envelope that is completed later counts in both.",
    labelNames: ["environment", "how"],
    registers,
  });
  const signed = new Counter({
    name: "selo_signatures_made_total",
    help: "Participants who finished: signed, approved, witnessed.",
    labelNames: ["environment", "action"],
    registers,
  });
  const codes = new Counter({
    name: "selo_signing_codes_mailed_total",
    help: "One-time codes of participants, each with its mail or SMS.",
    labelNames: ["environment"],
    registers,
  });
  const wrongCodes = new Counter({
    name: "selo_signing_codes_wrong_total",
    help: "Wrong codes that participants typed, each compared with a code.",
    labelNames: ["environment"],
    registers,
  });
  const sealed = new Counter({
    name: "selo_pdfs_sealed_total",
    help: "Seals of PDFs: made or failed.",
    labelNames: ["environment", "outcome"],
    registers,
  });
  const timeStamps = new Counter({
    name: "selo_seal_time_stamps_total",
    help: "Time stamps that seals of live asked TSA_URL for: made, or failed, which no usable answer in time is.",
    labelNames: ["outcome"],
    registers,
  });
  const expires = new Gauge({
    name: "selo_seal_certificate_expires_timestamp_seconds",
    help: "When the certificate that seals PDFs expires; known from the first seal or test seal of this process. selo keys rotate renews it, unless it is your own.",
    labelNames: ["environment"],
    registers,
  });
  // Each series exists from the start, so that its first count shows as an increase.
  for (const environment of ["live", "test"]) {
    for (const counter of [registered, sent, codes, wrongCodes]) counter.inc({ environment }, 0);
    for (const outcome of ["made", "failed"]) sealed.inc({ environment, outcome }, 0);
    for (const result of RESULTS) checked.inc({ environment, result }, 0);
    for (const how of ENDS) ended.inc({ environment, how }, 0);
    for (const action of ACTIONS) signed.inc({ environment, action }, 0);
  }
  for (const outcome of ["made", "failed"]) timeStamps.inc({ outcome }, 0);
  return {
    registered: (environment: Environment) => registered.inc({ environment }),
    checked: (environment: Environment, result: (typeof RESULTS)[number]) => checked.inc({ environment, result }),
    sent: (environment: Environment) => sent.inc({ environment }),
    ended: (environment: Environment, how: (typeof ENDS)[number]) => ended.inc({ environment, how }),
    signed: (environment: Environment, action: (typeof ACTIONS)[number]) => signed.inc({ environment, action }),
    codeMailed: (environment: Environment) => codes.inc({ environment }),
    codeWrong: (environment: Environment) => wrongCodes.inc({ environment }),
    pdfSealed: (environment: Environment, outcome: "made" | "failed") => sealed.inc({ environment, outcome }),
    timeStamped: (outcome: "made" | "failed") => timeStamps.inc({ outcome }),
    certificateExpires: (environment: Environment, at: Date) => expires.set({ environment }, at.getTime() / 1_000),
  };
}

export type SignatureMetrics = ReturnType<typeof signatureMetrics>;
