import { light } from "../../../adapters/generated/design-tokens.ts";
import type { ExampleRequest } from "../../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../../surfaces/openapi/examples/files.ts";

const live = { caller: "live" } as const;
const LABEL = "/labels/{createLabel.urgent.id}";
const LABELS = "/envelopes/{createEnvelope.report.id}/labels";

/** Labels. */
export const labelExamples: readonly ExampleRequest[] = [
  {
    operation: "createLabel",
    name: "urgent",
    summary: "A label with a color",
    ...live,
    body: { name: "Urgent", color: light.bad },
  },
  {
    operation: "createLabel",
    name: "rent",
    summary: "A label without a color",
    ...live,
    body: { name: "Rent" },
  },
  {
    operation: "createLabel",
    name: "taken",
    summary: "A name that another label has, in another case",
    ...live,
    body: { name: "URGENT" },
  },
  {
    operation: "updateLabel",
    name: "renamed",
    summary: "Another name",
    ...live,
    path: LABEL,
    body: { name: "Very urgent" },
  },
  { operation: "getLabel", name: "label", summary: "A label", ...live, path: LABEL },
  { operation: "listLabels", name: "page", summary: "All labels", ...live, path: "/labels?limit=200" },
];

/** An envelope that gets labels. */
export const envelopeLabelExamples: readonly ExampleRequest[] = [
  {
    operation: "setEnvelopeLabels",
    name: "two",
    summary: "Two labels",
    ...live,
    path: LABELS,
    body: { label_ids: ["{createLabel.urgent.id}", "{createLabel.rent.id}"] },
  },
  {
    operation: "setEnvelopeLabels",
    name: "unknown_label",
    summary: "An id that no label has",
    ...live,
    path: LABELS,
    body: { label_ids: ["{createLabel.urgent.id}", UNKNOWN_ID] },
  },
];
