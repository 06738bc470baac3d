import { endingOverdue } from "../envelopes/end-overdue.ts";
import { operation } from "../parts.ts";
import { withoutNews } from "./signing-news.ts";
import { signingSurface as surface } from "./signing-surface.ts";

/** Declines. SQL does it all; what is new is counted here. */
export const declineSigning = operation({
  name: "declineSigning",
  command: "decline_envelope",
  made: ["session_sha256"],
  answers: { schema: "SigningDone" },
  errors: ["session_expired", "factor_required", "not_your_turn", "conflict", "clock_behind"],
  rest: {
    surface,
    method: "POST",
    path: "/{participant_id}/decline",
    status: 200,
    tag: "Signing",
    summary: "Decline",
    description:
      "Ends the envelope for all participants. A repeated request gets the same answer. Returns 409 `conflict` for an observador, for a participant who has finished, and once the envelope has ended.",
  },
  run: async (work, input) => {
    const act = () => work.call("decline_envelope", input);
    const answer = await endingOverdue(
      work,
      { command: "end_overdue_signing", participant_id: input.participant_id },
      act,
    );
    return withoutNews(answer, (environment) => work.parts.signatureMetrics.ended(environment, "declined"));
  },
});
