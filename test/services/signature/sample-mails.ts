import type { SampleMail } from "../../support/service-facts.ts";

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
const link = `/sign/${participation.participant_id}#${"Ab3dEf_-".repeat(6).slice(0, 43)}`;
/** The secret of the link is prepared, and the button leads there. */
const byLink = { prepared: { link }, button: link };
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
/** Its files are behind the API, so its button leads to the page where anyone verifies. */
const toVerify = { button: `/verify/${participation.verification_code}` };
const stopped = { envelope_id: participation.envelope_id, title: participation.title, reason: null };

/** A mail of each kind and each of its forms, by the name of the form, as SQL hands them to the worker. */
export const sampleMails: Readonly<Record<string, SampleMail>> = {
  "signing-code": {
    kind: "signing_code",
    mockup: "mail-signing-code",
    data: { participant_id: "0197a0c0-0000-7000-8000-000000000001", code_id: "0197a0c0-0000-7000-8000-000000000002" },
    prepared: { code: "049213", title: "Contrato de locação", expires_at: new Date("2026-11-21T22:33:45Z") },
    // Its reader goes on in the page that is open.
    button: null,
  },
  invitation: { kind: "envelope_invitation", mockup: "mail-signing", data: participation, ...byLink },
  // A name that leaves no room, and no message.
  "invitation-observador": {
    kind: "envelope_invitation",
    mockup: "mail-signing",
    data: { ...participation, title: "x".repeat(255), role: "observador", message: null, documents: 3, pages: 12 },
    ...byLink,
    environment: "test",
  },
  "invitation-aprovador": {
    kind: "envelope_invitation",
    mockup: "mail-signing",
    data: { ...participation, role: "aprovador" },
    ...byLink,
  },
  "invitation-testemunha": {
    kind: "envelope_invitation",
    mockup: "mail-signing",
    data: { ...participation, role: "testemunha" },
    ...byLink,
  },
  reminder: {
    kind: "envelope_reminder",
    mockup: "mail-signing",
    data: { ...participation, link_version: 2 },
    ...byLink,
  },
  "envelope-cancelled": {
    kind: "envelope_ended",
    data: { ...participation, status: "cancelled", reason: "O valor mudou." },
    ...byLink,
  },
  "envelope-expired": { kind: "envelope_ended", data: { ...participation, status: "expired" }, ...byLink },
  "envelope-completed": {
    kind: "envelope_completed",
    mockup: "mail-completed-signer",
    data: completed,
    ...byLink,
  },
  "envelope-completed-alone": {
    kind: "envelope_completed",
    mockup: "mail-completed-signer",
    data: { ...completed, is_alone: true, documents: 2 },
    ...byLink,
  },
  "envelope-completion": {
    kind: "envelope_completion",
    mockup: "mail-completed-sender",
    data: completion,
    ...toVerify,
  },
  "envelope-completion-alone": {
    kind: "envelope_completion",
    mockup: "mail-completed-sender",
    data: { ...completion, participants: completion.participants.slice(0, 1) },
    environment: "test",
    ...toVerify,
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
  "certificate-of-another-name": {
    kind: "certificate_name_differs",
    data: {
      envelope_id: participation.envelope_id,
      title: participation.title,
      name: "Marina Costa de Oliveira",
      certificate: "MARINA <b>COSTA</b>",
    },
  },
  "turn-handed-on": {
    kind: "turn_delegated",
    data: {
      envelope_id: participation.envelope_id,
      title: participation.title,
      name: "Rafael <b>Nunes</b> Moreira",
      email: "rafael.nunes@exemplo.com",
      previous_name: "Marina Costa de Oliveira",
      previous_email: "marina@exemplo.com",
    },
  },
  "connector-refused": {
    kind: "connector_disabled",
    data: {
      id: "0197a0c0-0000-7000-8000-000000000005",
      name: "Arquivo <b>de</b> contratos",
      endpoint: "https://s3.sa-east-1.amazonaws.com",
      bucket: "acme-contracts",
      status: 403,
      code: "InvalidAccessKeyId",
    },
  },
  "participant-failed": { kind: "envelope_ended", data: { ...participation, status: "failed" }, ...byLink },
};
