// A mail of each kind and each of its forms, as SQL hands them to the worker.
import type { MailMessage } from "../../src/adapters/mail/mail-sender.ts";
import type { SiteOperator } from "../../src/config/config.ts";
import { composeMail } from "../../src/services/platform/mails/compose-mail.ts";
import { services } from "../../src/services/services.ts";
import { mailKindsOf } from "../../workers/platform/send-mail.ts";

/** The mails of the product. */
export const productMails = await mailKindsOf(services);

export const LANGUAGES = ["en", "pt-BR"] as const;
export const PUBLIC_URL = "https://selo.example";
export const OPERATOR: SiteOperator = {
  name: "Selo Serviços Digitais Ltda",
  details: "CNPJ 12.345.678/0001-90, São Paulo",
  contact: "mailto:contato@selo.example",
  privacy: "https://selo.example/privacy",
  terms: "https://selo.example/terms",
};
export const CONTACT = "contato@acme.example";
export const NO_OPERATOR: SiteOperator = { name: null, details: null, contact: null, privacy: null, terms: null };

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

const participation = {
  envelope_id: "0197a0c0-0000-7000-8000-000000000003",
  participant_id: "0197a0c0-0000-7000-8000-000000000001",
  link_version: 1,
  title: "Contrato de locação",
  message: "Bom dia, Ana. Segue o contrato que combinamos.",
  role: "signatario",
  status: "sent",
  reason: null,
  expires_at: "2026-12-21T22:23:00.000000Z",
  name: "Ana Souza",
  documents: 1,
  pages: 5,
  verification_code: "K7QF-2MXR-9TDA",
  is_alone: false,
};
const completed = { ...participation, status: "completed", copies_until: "2027-02-19T22:23:45.000000Z" };
const link = { link: `/sign/${participation.participant_id}#${"Ab3dEf_-".repeat(6).slice(0, 43)}` };
const completion = {
  envelope_id: participation.envelope_id,
  title: participation.title,
  verification_code: participation.verification_code,
  participants: [
    { name: "Ana Souza", role: "signatario", completed_at: "2026-11-21T17:47:00.000000Z" },
    { name: "Júlia Nakamura", role: "testemunha", completed_at: "2026-11-21T18:10:00.000000Z" },
    { name: "Bruno Lima", role: "aprovador", completed_at: "2026-11-21T19:02:00.000000Z" },
  ],
  documents: [{ id: "0197a0c0-0000-7000-8000-000000000004", filename: "contrato.pdf" }],
};
const stopped = { envelope_id: participation.envelope_id, title: participation.title, reason: null };

export interface SampleMail {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly environment?: "live" | "test";
  /** What the kind prepares before it is composed. */
  readonly prepared?: object;
}

/** By the name of the form. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "token-created": {
    kind: "token_created",
    data: {
      name: "almoxarifado",
      prefix: "svc_live_Ab3dEf",
      scopes: ["proofs:read", "proofs:write"],
      expires_at: "2027-11-21T22:23:00.000000Z",
    },
  },
  // Nothing in it has a place to break.
  "token-created-long": {
    kind: "token_created",
    data: { name: "x".repeat(100), prefix: "svc_test_Ab3dEf", scopes: ["proofs:read"], expires_at: null },
    environment: "test",
  },
  "token-revoked": { kind: "token_revoked", data: { name: "almoxarifado", prefix: "svc_live_Ab3dEf" } },
  "signing-code": {
    kind: "signing_code",
    data: { participant_id: "0197a0c0-0000-7000-8000-000000000001", code_id: "0197a0c0-0000-7000-8000-000000000002" },
    prepared: { code: "049213", title: "Contrato de locação", expires_at: new Date("2026-11-21T22:33:45Z") },
  },
  invitation: { kind: "envelope_invitation", data: participation, prepared: link },
  // A name that leaves no room, and no message.
  "invitation-observador": {
    kind: "envelope_invitation",
    data: { ...participation, title: "x".repeat(255), role: "observador", message: null, documents: 3, pages: 12 },
    prepared: link,
    environment: "test",
  },
  "invitation-aprovador": {
    kind: "envelope_invitation",
    data: { ...participation, role: "aprovador" },
    prepared: link,
  },
  "invitation-testemunha": {
    kind: "envelope_invitation",
    data: { ...participation, role: "testemunha" },
    prepared: link,
  },
  reminder: { kind: "envelope_reminder", data: { ...participation, link_version: 2 }, prepared: link },
  "envelope-cancelled": {
    kind: "envelope_ended",
    data: { ...participation, status: "cancelled", reason: "O valor mudou." },
    prepared: link,
  },
  "envelope-expired": { kind: "envelope_ended", data: { ...participation, status: "expired" }, prepared: link },
  "envelope-completed": { kind: "envelope_completed", data: completed, prepared: link },
  "envelope-completed-alone": {
    kind: "envelope_completed",
    data: { ...completed, is_alone: true, documents: 2 },
    prepared: link,
  },
  "envelope-completion": { kind: "envelope_completion", data: completion },
  "envelope-completion-alone": {
    kind: "envelope_completion",
    data: { ...completion, participants: completion.participants.slice(0, 1) },
    environment: "test",
  },
  "envelope-declined": {
    kind: "envelope_stopped",
    data: { ...stopped, status: "declined", reason: "O valor do aluguel está errado." },
  },
  "envelope-failed": { kind: "envelope_stopped", data: { ...stopped, status: "failed" } },
  "envelope-unsealable": {
    kind: "envelope_stopped",
    data: { ...stopped, status: "failed", failure_reason: "unsealable" },
  },
  "participant-failed": { kind: "envelope_ended", data: { ...participation, status: "failed" }, prepared: link },
  "chain-broken": {
    kind: "zone_chain_broken",
    data: {
      zone_id: 7,
      name: "acme.com.br",
      signed: true,
      parent_ds: [`12345 13 2 ${"AB".repeat(32)}`],
      ds_records: [`54321 13 2 ${"CD".repeat(32)}`],
    },
  },
  "chain-broken-unsigned": {
    kind: "zone_chain_broken",
    // The longest name, and many records of a provider before.
    data: {
      zone_id: 7,
      name: `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(53)}.com.br`,
      signed: false,
      parent_ds: Array.from({ length: 8 }, (_, place) => `${place} 13 4 ${"AB".repeat(48)}`),
      ds_records: [],
    },
  },
  "zone-lost": {
    kind: "zone_delegation_lost",
    data: {
      zone_id: 12,
      name: "acme.com.br",
      nameservers: ["ns1.selo.example", "ns2.selo.example"],
      observed: ["ns1.outro.com.br", "ns2.outro.com.br"],
    },
  },
  // Names that leave no room, and a domain without nameservers.
  "zone-lost-long": {
    kind: "zone_delegation_lost",
    data: {
      zone_id: 13,
      name: `${"x".repeat(63)}.${"y".repeat(63)}.${"z".repeat(63)}.example`,
      nameservers: [`${"n".repeat(63)}.selo.example`, "ns2.selo.example"],
      observed: [],
    },
  },
  "zone-taken": { kind: "zone_taken", data: { zone_id: 12, name: "acme.com.br", kept_days: 30 } },
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

export interface SampleOptions {
  readonly language: (typeof LANGUAGES)[number];
  readonly organization?: string;
  readonly operator?: SiteOperator;
  readonly timeZone?: string;
  /** Address of the organization. */
  readonly contact?: string | null;
}

/** The mail as it is sent to a contact in São Paulo. */
export function composeSample(sample: SampleMail, options: SampleOptions): MailMessage {
  const {
    language,
    organization = "Acme Ltda",
    operator = OPERATOR,
    timeZone = "America/Sao_Paulo",
    contact = CONTACT,
  } = options;
  const { kind, data, environment = "live", prepared = {} } = sample;
  const at = "2026-11-21T22:23:45.000000Z";
  return composeMail(
    {
      recipient: "ana@example.org",
      language,
      created_at: at,
      kind,
      data: { ...data, organization, time_zone: timeZone, contact, environment, at },
    },
    {
      id: "0197a0c0-0000-7000-8000-000000000000",
      site: { publicUrl: PUBLIC_URL, operator },
      kinds: productMails,
      prepared,
    },
  );
}
