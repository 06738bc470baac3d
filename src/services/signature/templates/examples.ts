import type { ExampleRequest } from "../../../surfaces/openapi/examples/example-request.ts";
import { UNKNOWN_ID } from "../../../surfaces/openapi/examples/files.ts";

const live = { caller: "live" } as const;
const TEMPLATE = "/templates/{createTemplate.lease.id}";

/** A template that is made, changed, applied and deleted. They run after those of documents. */
export const templateExamples: readonly ExampleRequest[] = [
  {
    operation: "createTemplate",
    name: "lease",
    summary: "A lease: the landlord is known, the tenant is a placeholder",
    ...live,
    body: {
      name: "Lease",
      title: "Lease contract",
      message: "Please sign by Friday.",
      signing_order: "sequential",
      participants: [
        { role: "signatario", order_index: 1 },
        { role: "signatario", order_index: 2, name: "Maria Souza", email: "maria@example.com" },
      ],
    },
  },
  {
    operation: "createTemplate",
    name: "wrong",
    summary: "An e-mail address without a name",
    ...live,
    body: { name: "Lease", participants: [{ email: "maria@example.com" }] },
  },
  { operation: "getTemplate", name: "lease", summary: "A template", ...live, path: TEMPLATE },
  {
    operation: "getTemplate",
    name: "unknown",
    summary: "An unknown template",
    ...live,
    path: `/templates/${UNKNOWN_ID}`,
  },
  {
    operation: "listTemplates",
    name: "found",
    summary: "Templates with a text in name or title",
    ...live,
    path: "/templates?search=lease&limit=1",
  },
  {
    operation: "updateTemplate",
    name: "deadline",
    summary: "A deadline of 14 days",
    ...live,
    path: TEMPLATE,
    body: { expires_in_days: 14 },
  },
  {
    operation: "applyTemplate",
    name: "draft",
    summary: "A draft for one tenant",
    ...live,
    path: `${TEMPLATE}/apply`,
    body: { recipients: [{ order_index: 1, name: "Ana Prado", email: "ana@example.net" }] },
  },
  {
    operation: "applyTemplate",
    name: "missing",
    summary: "A placeholder without a recipient",
    ...live,
    path: `${TEMPLATE}/apply`,
    body: {},
  },
  {
    operation: "applyTemplateInBulk",
    name: "drafts",
    summary: "Two rows, of which one has no recipient",
    ...live,
    path: `${TEMPLATE}/bulk`,
    body: {
      rows: [
        { title: "Lease of flat 1", recipients: [{ order_index: 1, name: "Ana Prado", email: "ana@example.net" }] },
        { title: "Lease of flat 2" },
      ],
    },
  },
  {
    operation: "createTemplate",
    name: "of_free",
    summary: "A template of an organization on the plan free",
    caller: "without_credits",
    body: { name: "Lease", participants: [{}] },
  },
  {
    operation: "applyTemplateInBulk",
    name: "not_in_plan",
    summary: "The plan does not include bulk_send",
    caller: "without_credits",
    path: "/templates/{createTemplate.of_free.id}/bulk",
    body: { rows: [{}] },
  },
  { operation: "deleteTemplate", name: "lease", summary: "The template is no longer needed", ...live, path: TEMPLATE },
];
