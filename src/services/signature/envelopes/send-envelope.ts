import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { endingOverdue } from "./end-overdue.ts";

/** What send_envelope answers. */
interface Sent {
  readonly envelope: unknown;
  /** Credits, by their kind. */
  readonly spent: Readonly<Record<string, number>>;
  readonly environment: "live" | "test";
}

/** Sends a draft. SQL does it all; the lists of the answered envelope are read after its changes, so it is no function of schema api. */
export const sendEnvelope = operation({
  name: "sendEnvelope",
  command: "send_envelope",
  answers: { schema: "Envelope" },
  errors: [
    "not_found",
    "envelope_not_sendable",
    "auth_method_unavailable",
    "insufficient_credits",
    "insufficient_icp_credits",
    "clock_behind",
  ],
  rest: {
    method: "POST",
    path: "/envelopes/{id}/send",
    status: 200,
    tag: "Envelopes",
    summary: "Send an envelope to its participants",
    description:
      "The deadline is `expires_in_days` days after sending. A parallel envelope invites all participants at once. A sequential envelope invites one participant after the other. A mixed envelope invites group after group. In the live environment, sending costs the credits that `calculate-cost` reports. It takes all of them or none. In the test environment, sending costs nothing, and `GET /test-inbox` lists the mails.",
  },
  graphql: {
    description:
      "Sends a draft to its participants. In the live environment, this costs the credits that envelopeCost reports.",
    payload: {
      name: "SendEnvelopePayload",
      description: "The sent envelope.",
      members: z.object({ envelope: rowOf("envelopes").meta({ description: "The envelope." }) }),
    },
  },
  run: async (work, input) => {
    const act = () => work.call("send_envelope", input);
    const answer = await endingOverdue(work, { command: "end_overdue_envelope", id: input.id }, act);
    const { envelope, spent, environment } = JSON.parse(answer.body ?? "null") as Sent;
    if (!answer.replayed) {
      work.parts.signatureMetrics.sent(environment);
      for (const [kind, credits] of Object.entries(spent)) work.parts.metrics.creditsSpent(kind, credits);
    }
    return { ...answer, body: JSON.stringify(envelope) };
  },
});
