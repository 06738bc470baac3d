import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { endingOverdue } from "./end-overdue.ts";

/** Changes the given members of a draft, and the reminders until the end. An empty text removes a text, as null does. */
export const updateEnvelope = operation({
  name: "updateEnvelope",
  command: "update_envelope",
  made: ["has_remind_every_days"],
  answers: { schema: "Envelope" },
  errors: ["not_found"],
  rest: {
    method: "PATCH",
    path: "/envelopes/{id}",
    status: 200,
    tag: "Envelopes",
    summary: "Change a draft, or the reminders of an envelope",
    description:
      "Only the given members change. `field_placement` changes only while the envelope has no fields. Once the envelope was sent, `remind_every_days` alone can change, until the envelope has ended, and this needs the scope `envelopes:send` as well.",
  },
  graphql: {
    description: "Changes the given members of a draft. Once the envelope was sent, remindEveryDays alone.",
    payload: {
      name: "UpdateEnvelopePayload",
      description: "The changed envelope.",
      members: z.object({ envelope: rowOf("envelopes").meta({ description: "The envelope." }) }),
    },
  },
  run: (work, input) => {
    const removed = (["message", "language", "external_id"] as const).filter((name) => input[name] === "");
    // Null, no reminders, differs from an absent member.
    const has_remind_every_days = input.remind_every_days !== undefined;
    const given = { ...input, has_remind_every_days, ...Object.fromEntries(removed.map((name) => [name, null])) };
    return endingOverdue(work, { command: "end_overdue_envelope", id: input.id }, () =>
      work.call("update_envelope", given),
    );
  },
});
