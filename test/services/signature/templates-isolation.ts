// Requests for the templates of an organization, for the matrix of isolation.ts.
import { graphql } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { aDocument, ask, type EnvelopeStage } from "./envelope-stage.ts";

const TEMPLATE = "id name title participants { name email }";

const stageOf = ({ selo, owner }: Stage): EnvelopeStage => ({
  selo,
  tenantId: owner.id,
  token: owner.live,
  environment: "live",
});

/** A template of the owner's in live, with a placeholder at place 1. */
async function aTemplate(stage: Stage): Promise<string> {
  const { body } = await ask(stageOf(stage), "POST", "/templates", { name: stage.marker, participants: [{}] });
  return body.id;
}

/** The one of this question of GraphQL, and a document for its envelopes. */
let template: string;
let documentId: string;

const recipient = ({ marker }: Stage) => ({ order_index: 1, name: marker, email: "a@example.net" });
const onOne =
  (make: (id: string, stage: Stage) => Asked | Promise<Asked>) =>
  async (stage: Stage): Promise<Asked> =>
    make(await aTemplate(stage), stage);
const ofOne = { isOfOne: true } as const;
const marked = ({ marker }: Stage) => [marker];
const field = (
  document: (stage: Stage) => string,
  shows: RootField["shows"],
  more: Partial<RootField> = {},
): RootField => ({
  scope: "templates:write",
  ask: (stage, token) => graphql(stage.selo, token, document(stage)),
  shows,
  ...more,
});
const recipients = ({ marker }: Stage) => `recipients: [{orderIndex: 1, name: "${marker}", email: "a@example.net"}]`;

export const templatesIsolation: Required<Pick<ServiceIsolation, "rest" | "graphql" | "renew" | "secretsNow">> = {
  rest: {
    "POST /templates": () => ({ path: "/templates", body: { name: "another" }, shows: ["another"] }),
    "GET /templates": onOne((id, { marker }) => ({ path: `/templates?search=${marker}`, shows: [id, marker] })),
    "GET /templates/{id}": onOne((id, { marker }) => ({ path: `/templates/${id}`, shows: [marker] })),
    "PATCH /templates/{id}": onOne((id, { marker }) => ({
      path: `/templates/${id}`,
      body: { title: "t" },
      shows: [marker],
    })),
    "DELETE /templates/{id}": onOne((id) => ({ path: `/templates/${id}`, shows: [] })),
    "POST /templates/{id}/apply": onOne((id, stage) => ({
      path: `/templates/${id}/apply`,
      body: { recipients: [recipient(stage)] },
      shows: [stage.marker],
    })),
    "POST /templates/{id}/bulk": onOne(async (id, stage) => ({
      path: `/templates/${id}/bulk`,
      body: { rows: [{ recipients: [recipient(stage)] }], document_ids: [await aDocument(stageOf(stage))] },
      shows: ['"created":["'],
    })),
  },
  async renew(stage) {
    template = await aTemplate(stage);
    documentId = await aDocument(stageOf(stage));
  },
  secretsNow: () => [template, documentId],
  graphql: {
    template: field(() => `{ template(id: "${template}") { ${TEMPLATE} } }`, marked, {
      scope: "templates:read",
    }),
    templates: field(() => `{ templates(first: 20) { nodes { ${TEMPLATE} } edges { cursor } } }`, marked, {
      scope: "templates:read",
    }),
    createTemplate: field(
      () => `mutation { createTemplate(input: {name: "another"}) { template { ${TEMPLATE} } } }`,
      () => ["another"],
    ),
    updateTemplate: field(
      () => `mutation { updateTemplate(input: {id: "${template}", title: "t"}) { template { ${TEMPLATE} } } }`,
      marked,
      ofOne,
    ),
    deleteTemplate: field(
      () => `mutation { deleteTemplate(input: {id: "${template}"}) { done } }`,
      () => ['"done":true'],
      ofOne,
    ),
    applyTemplate: field(
      (stage) =>
        `mutation { applyTemplate(input: {id: "${template}", ${recipients(stage)}}) { envelope { id title } } }`,
      marked,
      ofOne,
    ),
    applyTemplateInBulk: field(
      (stage) =>
        `mutation { applyTemplateInBulk(input: {id: "${template}", rows: [{${recipients(stage)}}], documentIds: ["${documentId}"]}) { created } }`,
      () => ['"created":["'],
      ofOne,
    ),
  },
};
