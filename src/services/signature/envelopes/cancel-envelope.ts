import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { endingOverdue } from "./end-overdue.ts";

/** What cancel_envelope answers. */
interface Cancelled {
  readonly envelope: unknown;
  readonly environment: "live" | "test";
}

/** Cancels an envelope that is out. As for sendEnvelope, the lists of the answer are read after the changes. */
export const cancelEnvelope = operation({
  name: "cancelEnvelope",
  command: "cancel_envelope",
  answers: { schema: "Envelope" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/envelopes/{id}/cancel",
    status: 200,
    tag: "Envelopes",
    summary: "Cancel an envelope that was sent",
    description:
      "Nobody can act on the envelope any more. Participants who were invited get an e-mail with the reason. Credits are not refunded.",
  },
  graphql: {
    description: "Cancels an envelope that was sent. Participants who were invited get an e-mail with the reason.",
    payload: {
      name: "CancelEnvelopePayload",
      description: "The cancelled envelope.",
      members: z.object({ envelope: rowOf("envelopes").meta({ description: "The envelope." }) }),
    },
  },
  run: async (work, input) => {
    const act = () => work.call("cancel_envelope", input);
    const cancelled = await endingOverdue(work, { command: "end_overdue_envelope", id: input.id }, act);
    const { envelope, environment } = JSON.parse(cancelled.body ?? "null") as Cancelled;
    if (!cancelled.replayed) work.parts.signatureMetrics.ended(environment, "cancelled");
    return { ...cancelled, body: JSON.stringify(envelope) };
  },
});
