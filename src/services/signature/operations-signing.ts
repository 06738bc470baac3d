import type { Operation } from "../../surfaces/operation.ts";
import { completeSigning } from "./operations/complete-signing.ts";
import { getSigningDocument } from "./operations/get-signing-document.ts";
import { mailSigningLink } from "./operations/mail-signing-link.ts";
import { openSigningSession } from "./operations/open-signing-session.ts";
import { sendSigningCode } from "./operations/send-signing-code.ts";
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
  {
    name: "viewSigningDocuments",
    command: "view_documents",
    made: ["session_sha256"],
    answers: { nothing: "Recorded." },
    errors: ["session_expired", "not_your_turn", "conflict"],
    rest: {
      surface,
      method: "POST",
      path: "/{participant_id}/view",
      status: 204,
      tag: "Signing",
      summary: "Record that the participant views the documents",
      description:
        "Needs a session. The first view of a participant is recorded; the first of all moves the envelope to `in_progress`. Repeated, it changes nothing.",
    },
  },
  mailSigningLink,
  completeSigning,
  {
    name: "declineSigning",
    command: "decline_envelope",
    made: ["session_sha256"],
    answers: { schema: "SigningDone" },
    errors: ["session_expired", "not_your_turn", "conflict"],
    rest: {
      surface,
      method: "POST",
      path: "/{participant_id}/decline",
      status: 200,
      tag: "Signing",
      summary: "Decline",
      description:
        "Ends the envelope for all participants. A repeated request has the same answer. 409 `conflict` for an observador, for a participant who has finished, and once the envelope has ended.",
    },
  },
];
