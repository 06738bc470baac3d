import { pageOf } from "../../../surfaces/openapi/resources.ts";
import type { Schema } from "../../../surfaces/openapi/schema.ts";

/** Heading of the paths of labels. */
export const labelTags: Readonly<Record<string, string>> = {
  Labels:
    "Labels are marks of your organization, by which you find your envelopes again. An envelope has at most 20 labels. `GET /envelopes?label_id=` lists the envelopes of a label.",
};

/** Schemas of answers. @param label the row of a label */
export const labelSchemas = (label: Schema): Readonly<Record<string, Schema>> => ({
  Label: label,
  LabelPage: pageOf("Label", "A page of labels."),
});
