import type { ExampleRequest } from "../../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../../surfaces/openapi/examples/files.ts";
import { CONTRACT } from "../documents/examples.ts";

const INVITATION = "listTestInbox.invitation.items.0";
const PARTICIPANT = `/{${INVITATION}.participant_id}`;
const withLink = { caller: "anyone", headers: { "X-Signing-Link": `{${INVITATION}.link#}` } } as const;
const withSession = {
  caller: "anyone",
  headers: { ...withLink.headers, "X-Signing-Session": "{openSigningSession.code.token}" },
} as const;
const unknown = { caller: "anyone", name: "unknown", summary: "A link that does not exist" } as const;

/** Requests with the link of the invitation that the test inbox shows, and with the code that is mailed to its participant. */
export const signingExamples: readonly ExampleRequest[] = [
  { operation: "getSigning", name: "link", summary: "A link before the code", ...withLink, path: PARTICIPANT },
  { operation: "getSigning", ...unknown, path: `/${UNKNOWN_ID}` },
  {
    operation: "sendSigningCode",
    name: "code",
    summary: "A code was mailed",
    ...withLink,
    path: `${PARTICIPANT}/code`,
  },
  {
    operation: "openSigningSession",
    name: "code",
    summary: "The code of the newest mail",
    ...withLink,
    path: `${PARTICIPANT}/session`,
    body: { code: "{mailed code}" },
  },
  {
    operation: "openSigningSession",
    ...unknown,
    path: `/${UNKNOWN_ID}/session`,
    body: { code: "123456" },
  },
  {
    operation: "readSigningFactor",
    name: "no_factor",
    summary: "A participant whose code is enough",
    ...withSession,
    path: `${PARTICIPANT}/factor`,
  },
  { operation: "readSigningFactor", ...unknown, path: `/${UNKNOWN_ID}/factor` },
  {
    operation: "answerSigningFactor",
    name: "no_factor",
    summary: "A participant whose code is enough",
    ...withSession,
    path: `${PARTICIPANT}/factor`,
    body: { cpf: "529.982.247-25" },
  },
  {
    operation: "answerSigningFactor",
    ...unknown,
    path: `/${UNKNOWN_ID}/factor`,
    body: { cpf: "529.982.247-25" },
  },
  {
    operation: "getSigningDocument",
    name: "document",
    summary: "A document of the envelope",
    ...withSession,
    path: `${PARTICIPANT}/documents/{uploadDocument.test.id}`,
  },
  {
    operation: "getSigningDocument",
    name: "no_session",
    summary: "A link without a session",
    ...withLink,
    path: `${PARTICIPANT}/documents/${UNKNOWN_ID}`,
  },
  {
    operation: "viewSigningDocuments",
    name: "viewed",
    summary: "The participant has opened the documents",
    ...withSession,
    path: `${PARTICIPANT}/view`,
  },
  {
    operation: "viewSigningDocuments",
    name: "no_session",
    summary: "A link without a session",
    ...withLink,
    path: `${PARTICIPANT}/view`,
  },
  {
    operation: "mailSigningLink",
    name: "any",
    summary: "The answer is always the same",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/link`,
  },
  {
    operation: "sendSigningCertificate",
    name: "no_certificate",
    summary: "A participant who does not sign with a certificate",
    ...withSession,
    path: `${PARTICIPANT}/certificate`,
    body: { chain: ["MIID"] },
  },
  {
    operation: "sendSigningCertificate",
    ...unknown,
    path: `/${UNKNOWN_ID}/certificate`,
    body: { chain: ["MIID"] },
  },
  {
    operation: "delegateTurn",
    name: "not_allowed",
    summary: "The sender does not allow it",
    ...withSession,
    path: `${PARTICIPANT}/delegate`,
    body: { name: "Rafael Nunes", email: "rafael@example.com" },
  },
  {
    operation: "delegateTurn",
    ...unknown,
    path: `/${UNKNOWN_ID}/delegate`,
    body: { name: "Rafael Nunes", email: "rafael@example.com" },
  },
  {
    operation: "deliverAttachment",
    name: "file",
    summary: "A PDF",
    ...withSession,
    path: `${PARTICIPANT}/attachments/{addField.file.id}`,
    form: { file: { ...CONTRACT, name: "income.pdf" } },
  },
  {
    operation: "deliverAttachment",
    name: "wrong_kind",
    summary: "Neither PDF nor PNG nor JPEG",
    ...withSession,
    path: `${PARTICIPANT}/attachments/{addField.file.id}`,
    form: { file: { name: "income.txt", text: "A text" } },
  },
  {
    operation: "deliverAttachment",
    name: "no_field",
    summary: "A field that asks for no file",
    ...withSession,
    path: `${PARTICIPANT}/attachments/${UNKNOWN_ID}`,
    form: { file: { name: "photo.png", text: "A photo" } },
  },
  {
    operation: "completeSigning",
    name: "wrong_signature",
    summary: "A signature without text",
    ...withSession,
    path: `${PARTICIPANT}/complete`,
    body: { consent_version: "{getSigning.link.consent.version}", signature: { kind: "typed" } },
  },
  {
    operation: "completeSigning",
    name: "signed",
    summary: "A typed signature",
    ...withSession,
    path: `${PARTICIPANT}/complete`,
    body: { consent_version: "{getSigning.link.consent.version}", signature: { kind: "typed", text: "Ana Prado" } },
  },
  {
    operation: "getSigningReport",
    name: "not_yet",
    summary: "Before the envelope is completed",
    ...withSession,
    path: `${PARTICIPANT}/report`,
  },
  {
    operation: "completeSigning",
    name: "unknown",
    summary: "A link that does not exist",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/complete`,
    body: { consent_version: "intl-2026-12", signature: { kind: "typed", text: "Maria Souza" } },
  },
  {
    operation: "declineSigning",
    name: "unknown",
    summary: "A link that does not exist",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/decline`,
    body: { reason: "The rent is wrong." },
  },
];
