// A migration adds a name to a reference table while a gateway runs that has read the table before.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let organization: TestOrganization;
let id: string;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  ({ id } = await webhookCaller(selo, organization.test).register());
  await selo.database.admin.query(`
    insert into webhooks.disabled_reasons (name, description) values ('asked_for', 'Later.');
    update webhooks.endpoints set status = 'DISABLED', disabled_reason = 'asked_for'`);
});
afterAll(() => selo?.stop());

test("what a row says with it is answered in capitals, like any other name, and nothing fails", async () => {
  const answer = await graphql(
    selo,
    organization.test,
    `{ webhookEndpoints { nodes { id status disabledReason } } webhookEndpoint(id: "${id}") { disabledReason } }`,
  );
  expect(answer.errors).toEqual([]);
  expect(answer.data).toEqual({
    webhookEndpoints: { nodes: [{ id, status: "DISABLED", disabledReason: "ASKED_FOR" }] },
    webhookEndpoint: { disabledReason: "ASKED_FOR" },
  });
});

test("a row of a command, too", async () => {
  const mutation = `mutation { updateWebhook(input: {id: "${id}", description: "x"}) { webhook { disabledReason } } }`;
  expect((await graphql(selo, organization.test, mutation)).data).toEqual({
    updateWebhook: { webhook: { disabledReason: "ASKED_FOR" } },
  });
});

test("the gateway refuses it as input, like any unknown name, until it starts again", async () => {
  const mutation = `mutation ($status: DeliveryStatus) { replayWebhook(input: {id: "${id}", status: $status}) { __typename } }`;
  const answer = await graphql(selo, organization.test, mutation, { status: "LATER" });
  expect(answer.errors.map(({ extensions }) => [extensions.code, extensions.fields?.[0]?.field])).toEqual([
    ["invalid_request", "variables.status"],
  ]);
});
