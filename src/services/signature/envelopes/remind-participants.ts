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
                "recently_reminded: already reminded within the last hour, or with `new_link`, already sent a new link within the last hour. not_their_turn: others act first. done: the participant has finished or declined.",
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
      "The mail has the participant's link. The link stays the same and is valid until the participant has acted or the envelope has ended. With `new_link`, or if too many wrong codes have locked the link, a new link replaces it, and the old link, its codes and its sessions end. Each participant is reminded at most once an hour. A participant with a locked link can be reminded at any time. A new link (`new_link`) can also be mailed once an hour, even just after a reminder, and at any time if five codes were sent within an hour. Without `participant_id`, everyone whose turn it is gets the mail. Returns 409 `conflict` if nobody is reminded.",
  },
  graphql: {
    description:
      "Mails the link to participants whose turn it is. Each participant is reminded at most once an hour, or at any time if wrong codes have locked the link.",
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
