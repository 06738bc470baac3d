import { bytesInMemory } from "../../../surfaces/rest/file-source.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import type { PreparedReport } from "../envelopes/prepared-report.ts";
import { operation } from "../parts.ts";
import { signingSurface } from "./signing-surface.ts";

/** The evidence report, for the participant of a session. */
export const getSigningReport = operation({
  name: "getSigningReport",
  command: "prepare_signing_report",
  made: ["session_sha256"],
  answers: { file: "application/pdf", description: "The evidence report." },
  errors: ["not_found", "session_expired", "factor_required", "not_your_turn", "conflict"],
  rest: {
    surface: signingSurface,
    method: "GET",
    path: "/{participant_id}/report",
    status: 200,
    tag: "Signing",
    summary: "Read the evidence report of the envelope",
    description:
      "Needs a session. Available for 90 days after the completion, with the same bytes as the sender's report. Returns 409 `conflict` before and after. " +
      "A `Range` header with one byte range returns 206 with these bytes.",
  },
  run: async (work, { participant_id }) => {
    const { body } = await endingOverdue(work, { command: "end_overdue_signing", participant_id }, () =>
      work.call("prepare_signing_report", { participant_id }),
    );
    const { pdf, fileName } = await work.parts.reports.make(JSON.parse(body ?? "") as PreparedReport);
    return { file: bytesInMemory(pdf), contentType: "application/pdf", fileName };
  },
});
