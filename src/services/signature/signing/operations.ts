import type { Operation } from "../../../surfaces/operation.ts";
import type { SignatureParts } from "../parts.ts";
import { answerSigningFactor } from "./answer-factor.ts";
import { completeSigning } from "./complete-signing.ts";
import { declineSigning } from "./decline-signing.ts";
import { delegateTurn } from "./delegate-turn.ts";
import { deliverAttachment } from "./deliver-attachment.ts";
import { getSigningDocument } from "./get-signing-document.ts";
import { getSigningReport } from "./get-signing-report.ts";
import { mailSigningLink } from "./mail-signing-link.ts";
import { openSigningSession } from "./open-signing-session.ts";
import { readSigningFactor } from "./read-factor.ts";
import { sendSigningCertificate } from "./send-certificate.ts";
import { sendSigningCode } from "./send-signing-code.ts";
import { signingSurface as surface } from "./signing-surface.ts";
import { viewSigningDocuments } from "./view-signing-documents.ts";

/** What a participant does with a signing link. The signing page asks these paths, so they have no GraphQL. */
export const signingOperations: readonly Operation<SignatureParts>[] = [
  {
    name: "getSigning",
    command: "read_signing",
    made: ["session_sha256"],
    answers: { schema: "Signing" },
    errors: ["not_found"],
    rest: {
      surface,
      method: "GET",
      path: "/{participant_id}",
      status: 200,
      tag: "Signing",
      summary: "Read what a signing link is for",
      description:
        "Changes nothing, however often a link is opened. `documents` and `fields` are null without a session (`X-Signing-Session`), before its second factor, and until it is the participant's turn.",
    },
  },
  sendSigningCode,
  openSigningSession,
  readSigningFactor,
  answerSigningFactor,
  getSigningDocument,
  getSigningReport,
  viewSigningDocuments,
  mailSigningLink,
  deliverAttachment,
  sendSigningCertificate,
  completeSigning,
  declineSigning,
  delegateTurn,
];
