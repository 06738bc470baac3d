import type { Operation } from "../../surfaces/operation.ts";
import { completeSigning } from "./operations/complete-signing.ts";
import { declineSigning } from "./operations/decline-signing.ts";
import { getSigningDocument } from "./operations/get-signing-document.ts";
import { getSigningReport } from "./operations/get-signing-report.ts";
import { mailSigningLink } from "./operations/mail-signing-link.ts";
import { openSigningSession } from "./operations/open-signing-session.ts";
import { sendSigningCode } from "./operations/send-signing-code.ts";
import { viewSigningDocuments } from "./operations/view-signing-documents.ts";
import type { SignatureParts } from "./parts.ts";
import { signingSurface as surface } from "./rest/signing-surface.ts";

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
        "Changes nothing, however often a link is opened. `documents` and `fields` are null without a session (`X-Signing-Session`), and while others act first.",
    },
  },
  sendSigningCode,
  openSigningSession,
  getSigningDocument,
  getSigningReport,
  viewSigningDocuments,
  mailSigningLink,
  completeSigning,
  declineSigning,
];
