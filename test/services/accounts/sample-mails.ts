import type { SampleMail } from "../../support/service-facts.ts";

const person = { name: "Ana Lima", email: "ana@acme.example" };
/** Of mails to people about their own accounts. */
const reason = {
  en: "You get this mail because you have an account at Selo, with access to Acme Ltda.",
  "pt-BR": "Você recebe este e-mail porque tem conta no Selo, com acesso a Acme Ltda.",
};
const invitationLink = `/app/invitation#${"Ab3dEf_-".repeat(6).slice(0, 43)}`;
const link = `/app/welcome#${"Ab3dEf_-".repeat(6).slice(0, 43)}`;

/** A mail of each kind and each of its forms, by the name of the form, as SQL hands them to the worker. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "password-reset": {
    kind: "password_reset",
    mockup: "mail-password-reset",
    data: { ...person, link_id: "0197a0c0-0000-4000-8000-000000000001", expires_at: "2026-11-21T23:23:45.000000Z" },
    prepared: { link },
    button: link,
    reason,
  },
  "member-invitation": {
    kind: "invitation",
    mockup: "mail-invitation",
    data: {
      email: "bruno@contabil.example",
      role: "accountant",
      inviter: "Ana Lima",
      inviter_email: "ana@acme.example",
      invitation_id: "0197a0c0-0000-7000-8000-000000000001",
      link_id: "0197a0c0-0000-4000-8000-000000000002",
      expires_at: "2026-12-03T17:31:00.000000Z",
    },
    prepared: { link: invitationLink },
    button: invitationLink,
    reason: {
      en: "Acme Ltda gave us your address.",
      "pt-BR": "O seu endereço foi informado por Acme Ltda.",
    },
  },
  "new-owner": {
    kind: "new_owner",
    data: { owner: "Bruno Reis", owner_email: "bruno@contabil.example" },
    button: "/app",
    reason: {
      en: "You get this mail because you are an owner of Acme Ltda at Selo.",
      "pt-BR": "Você recebe este e-mail porque responde por Acme Ltda no Selo.",
    },
  },
  // Nothing in it has a place to break.
  "password-changed": {
    kind: "password_changed",
    data: { name: "x".repeat(255), email: `${"x".repeat(64)}@${"y".repeat(60)}.example` },
    button: "/app/password",
    reason,
  },
  "factor-added": {
    kind: "factors_changed",
    data: { ...person, change: "factor_added", by: null },
    button: "/app",
    reason,
  },
  "factor-removed": {
    kind: "factors_changed",
    data: { ...person, change: "factor_removed", by: "Bruno Sá" },
    button: "/app",
    reason,
  },
  "passkey-added": {
    kind: "factors_changed",
    data: { ...person, change: "passkey_added", by: null },
    button: "/app",
    reason,
  },
  "passkey-removed": {
    kind: "factors_changed",
    data: { ...person, change: "passkey_removed", by: null },
    button: "/app",
    reason,
  },
  "factor-taken-off": {
    kind: "factors_changed",
    data: { ...person, change: "factor_taken_off", member: "Bruno Sá" },
    button: "/app",
    reason,
  },
  "recovery-codes-made": {
    kind: "factors_changed",
    data: { ...person, change: "recovery_codes_made", by: null },
    button: "/app",
    reason,
  },
  "recovery-code-used": {
    kind: "factors_changed",
    data: { ...person, change: "recovery_code_used", by: null },
    button: "/app",
    reason,
  },
};
