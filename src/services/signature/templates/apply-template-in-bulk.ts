import { z } from "zod";
import { AppError, type FieldError } from "../../../errors/app-error.ts";
import { parseShape } from "../../../surfaces/http/shape.ts";
import { hasNumbers, keyOfCaller } from "../envelopes/personal-numbers.ts";
import { operation } from "../parts.ts";
import { inTurns } from "./in-turns.ts";
import { row } from "./template-input.ts";
import { keptRecipients } from "./template-recipients.ts";

/** What apply_template_in_bulk answers. */
interface Made {
  readonly answer: unknown;
  /** Credits, by their kind. */
  readonly spent: Readonly<Record<string, number>>;
  readonly environment: "live" | "test";
}

const MOST_JSON_BYTES = 2_097_152;

const wrongMember = z
  .object({
    field: z.string().meta({ description: "The member of the row." }),
    message: z.string().meta({ description: "What is wrong with it." }),
  })
  .meta({ title: "TemplateRowFault", words: "What is wrong with a member of a row." });

/** What a bulk answers: signature-service §4. */
export const bulk = z
  .object({
    created: z.array(z.uuid()).meta({ description: "Ids of the new envelopes, in the order of their rows." }),
    errors: z
      .array(
        z
          .object({
            index: z.int().min(0).max(99).meta({ description: "The row, from 0." }),
            message: z.string().meta({ description: "The code of the error." }),
            fields: z
              .array(wrongMember)
              .meta({ description: "What is wrong with the row: each member, and why." })
              .optional(),
          })
          .meta({ title: "TemplateRowError", description: "Why a row made no envelope." }),
      )
      .meta({ description: "The rows that made no envelope." }),
  })
  .meta({ description: "What became of the rows." });

/** A row is judged by itself: one in a wrong form does not stop others. */
const anyRow = z.unknown().meta({ ...z.toJSONSchema(row) });

/** Applies a template to many rows, an envelope for each. */
export const applyTemplateInBulk = operation({
  name: "applyTemplateInBulk",
  command: "apply_template_in_bulk",
  mostJsonBytes: MOST_JSON_BYTES,
  input: z.object({
    rows: z
      .array(anyRow)
      .min(1, "must have 1 to 100 entries")
      .max(100, "must have 1 to 100 entries")
      .meta({ description: "One row for each envelope." }),
    document_ids: z
      .array(z.uuid("must be a UUID"))
      .max(10, "must have at most 10 entries")
      .optional()
      .meta({ description: "Ids of uploaded documents that every envelope gets, in this order: at most 10." }),
  }),
  answers: { schema: "TemplateBulk" },
  errors: ["not_found", "plan_feature_required:bulk_send", "clock_behind"],
  rest: {
    method: "POST",
    path: "/templates/{id}/bulk",
    status: 200,
    tag: "Templates",
    summary: "Make many envelopes from a template, and send them",
    description:
      "Each row makes an envelope in report placement. A row that fails is named in `errors`, and does not stop other rows. " +
      "With `send`, each envelope is sent immediately; a row that cannot be sent, or that the credits do not reach, leaves no draft. " +
      "Without `send`, envelopes are drafts. Give an Idempotency-Key, so that a repeated request makes nothing twice.",
  },
  graphql: {
    description:
      "Makes an envelope for each row, and sends it with `send`. A row that fails is named in `errors`, and does not stop other rows.",
    payload: { name: "ApplyTemplateInBulkPayload", description: "What became of the rows.", members: bulk },
  },
  run: async ({ call, parts, requester }, { rows, ...input }) => {
    const read = await inTurns(rows, readRow);
    const isSealing = read.some((each) => "recipients" in each && each.recipients?.some(hasNumbers) === true);
    const key = isSealing ? await keyOfCaller(parts, requester, "apply_template_in_bulk") : null;
    const kept = await inTurns(read, (each) =>
      "wrong" in each ? each : { ...each, recipients: keptRecipients(each.recipients ?? [], key) },
    );
    const answer = await call("apply_template_in_bulk", { ...input, rows: kept });
    const { answer: shown, spent, environment } = JSON.parse(answer.body ?? "null") as Made;
    if (!answer.replayed) {
      const sent = input.send === true ? (shown as z.output<typeof bulk>).created.length : 0;
      for (let count = 0; count < sent; count++) parts.signatureMetrics.sent(environment);
      for (const [kind, credits] of Object.entries(spent)) parts.metrics.creditsSpent(kind, credits);
    }
    return { ...answer, body: JSON.stringify(shown) };
  },
});

/** A row, or what is wrong with its form, which SQL answers in its order among other errors. */
function readRow(given: unknown) {
  try {
    return parseShape(row, given);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request") return { wrong: writable(error.fields ?? []) };
    throw error;
  }
}

/** Names of members as Postgres can hold them: an unknown one is whatever the caller wrote. */
const writable = (wrong: readonly FieldError[]) =>
  wrong.map(({ field, message }) => ({ field: field.toWellFormed().replaceAll("\0", "\uFFFD"), message }));
