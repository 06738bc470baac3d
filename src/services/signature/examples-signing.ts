import type { ExampleRequest } from "../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../surfaces/openapi/examples/files.ts";

const INVITATION = "listTestInbox.invitation.items.0";
const PARTICIPANT = `/{${INVITATION}.participant_id}`;
const withLink = { caller: "anyone", headers: { "X-Signing-Link": `{${INVITATION}.link#}` } } as const;
const unknown = { caller: "anyone", name: "unknown", summary: "A link that does not exist" } as const;

/** Requests with the link of the invitation that the test inbox shows. The code is a secret of the participant, so nobody here has a session. */
export const signingExamples: readonly ExampleRequest[] = [
  { operation: "getSigning", name: "link", summary: "A link before the code", ...withLink, path: PARTICIPANT },
  { operation: "getSigning", ...unknown, path: `/${UNKNOWN_ID}` },
  { operation: "sendSigningCode", name: "code", summary: "A code is mailed", ...withLink, path: `${PARTICIPANT}/code` },
  {
    operation: "openSigningSession",
    ...unknown,
    path: `/${UNKNOWN_ID}/session`,
    body: { code: "123456" },
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
    operation: "completeSigning",
    name: "unknown",
    summary: "A link that does not exist",
    caller: "anyone",
    path: `/${UNKNOWN_ID}/complete`,
    body: { consent_version: "intl-2026-11", signature: { kind: "typed", text: "Maria Souza" } },
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
