import { z } from "zod";
import { operation } from "../parts.ts";
import { endingOverdue } from "./end-overdue.ts";

/** Who was reminded; also the schema of the answer in REST. */
export const reminders = z
  .object({
    reminded: z.array(z.uuid().meta({ description: "Id of a participant." })).meta({
      description: "The participants who get the mail.",
    }),
    skipped: z
      .array(
        z
          .object({
            participant_id: z.uuid().meta({ description: "Id of the participant." }),
            reason: z.enum(["recently_reminded", "not_their_turn", "done"]).meta({
              description:
                "recently_reminded: within the last hour; with `new_link`, a new link within the last hour. not_their_turn: others act first. done: the participant has finished or declined.",
            }),
          })
          .meta({ title: "SkippedReminder", description: "A participant who was not reminded." }),
      )
      .meta({ description: "The participants who were not reminded." }),
  })
  .meta({ description: "Who was reminded." });

/** Reminds participants. Its answer is an object with lists, which only a definition of an operation can describe for GraphQL. */
export const remindParticipants = operation({
  name: "remindParticipants",
  command: "remind_participants",
  answers: { schema: "EnvelopeReminders" },
  errors: ["not_found"],
  rest: {
    method: "POST",
    path: "/envelopes/{id}/remind",
    status: 202,
    tag: "Envelopes",
    summary: "Remind participants",
    description:
      "Each participant is reminded once an hour at most, and at any time where too many wrong codes have locked the link. A new link (`new_link`) is mailed once an hour as well, also just after a reminder, and at any time where five codes were sent within an hour. The mail has the participant's link, which stays as it is: one link, good until the participant has acted or the envelope has ended. " +
      "With `new_link`, and where too many wrong codes have locked it, the link is replaced: the link before it, its codes and its sessions end. " +
      "Without `participant_id`, everybody whose turn it is gets the mail. 409 `conflict` when nobody is reminded.",
  },
  graphql: {
    description:
      "Reminds participants whose turn it is by a mail with the link: each once an hour, and at any time where wrong codes have locked the link.",
    payload: {
      name: "RemindParticipantsPayload",
      description: "Who was reminded.",
      members: reminders,
    },
  },
  run: (work, input) =>
    endingOverdue(work, { command: "end_overdue_envelope", id: input.id }, () =>
      work.call("remind_participants", input, 202),
    ),
});
