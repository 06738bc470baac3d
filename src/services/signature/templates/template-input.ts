import { z } from "zod";
import type { Parameter } from "../../../postgres/command.ts";
import { commands } from "../../../postgres/generated/commands.ts";
import { shapeOf } from "../../../surfaces/input.ts";
import { isWritable, UNWRITABLE } from "../../../surfaces/wire-text.ts";
import { personalNumbers } from "../envelopes/personal-numbers.ts";

/** Members of participants have the limits of participants of envelopes. */
const { name, email, role, order_index, auth_method, modality } = commands.add_participant.arguments;
// One row of a bulk must not be refused with all others for a text that Postgres cannot hold.
const text = (parameter: Parameter, description: string) =>
  (shapeOf("a participant", parameter, "json") as z.ZodType<string>)
    .refine(isWritable, UNWRITABLE)
    .meta({ description });
const place = (description: string) =>
  (shapeOf("a participant", order_index, "json") as z.ZodType<number>).meta({ description });

const participant = z
  .strictObject({
    role: text(role, role.description).optional(),
    order_index: place(
      "Place, by which a recipient names a placeholder. Default: the highest place so far plus one.",
    ).nullish(),
    auth_method: text(auth_method, auth_method.description).optional(),
    modality: text(modality, modality.description).optional(),
    name: text(name, "Name. For a placeholder, the name of a recipient without one.").nullish(),
    email: text(email, "E-mail address. A participant without one is a placeholder.").nullish(),
  })
  .meta({ title: "TemplateParticipantInput", description: "A participant of a template." });

/** The roster of a template. SQL judges it (signature.refuse_wrong_template). */
export const participants = z
  .array(participant)
  .max(50, "must have at most 50 entries")
  .meta({ description: "The participants: at most 50. A change replaces them as a whole." });

const recipient = z
  .strictObject({
    order_index: place("Place of the placeholder that the recipient fills."),
    name: text(name, "Name. Default: the name of the placeholder.").nullish(),
    email: text(email, "E-mail address.").nullish(),
    ...personalNumbers,
  })
  .meta({ title: "TemplateRecipientInput", description: "Who fills a placeholder." });

/** Who fills the placeholders of a template. */
export const recipients = z.array(recipient).max(50, "must have at most 50 entries").meta({
  description: "Who fills the placeholders, by `order_index`; several of one place in the order of the roster.",
});

const title = text(commands.apply_template.arguments.title, "Title of the envelope.").nullish();

/** A row of a bulk. */
export const row = z
  .strictObject({ title, recipients: recipients.nullish() })
  .meta({ title: "TemplateRowInput", description: "One envelope: its title, and who fills the placeholders." });
export type Recipient = z.output<typeof recipient>;
