import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation } from "../parts.ts";
import { signingSurface } from "./signing-surface.ts";

/** Records the first view of a participant. SQL does it all. */
export const viewSigningDocuments = operation({
  name: "viewSigningDocuments",
  command: "view_documents",
  made: ["session_sha256"],
  answers: { nothing: "Recorded." },
  errors: ["session_expired", "factor_required", "not_your_turn", "conflict", "clock_behind"],
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/view",
    status: 204,
    tag: "Signing",
    summary: "Record that the participant views the documents",
    description:
      "Needs a session. Records the participant's first view. The first view by any participant moves the envelope to `in_progress`. A repeated request changes nothing.",
  },
  run: (work, input) =>
    endingOverdue(work, { command: "end_overdue_signing", participant_id: input.participant_id }, () =>
      work.call("view_documents", input, 204),
    ),
});
