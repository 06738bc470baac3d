// Instants as callers write them, by REST and GraphQL.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo?.stop());

const REPLAY = "mutation ($input: ReplayWebhookInput!) { replayWebhook(input: $input) { replayed } }";

test("an offset of 16 hours and more, which Postgres does not know, is 422; one below is taken", async () => {
  const { test: token } = await selo.newOrganization();
  const webhooks = webhookCaller(selo, token);
  const { id } = await webhooks.register();
  // GraphQL refuses it before anything runs, with the code of REST.
  for (const [offset, listed, replayed, mutated] of [
    ["+15:59", 200, 202, 200],
    ["-15:59", 200, 202, 200],
    ["+16:00", 422, 422, 400],
    ["-23:59", 422, 422, 400],
  ] as const) {
    const since = `2026-01-01T00:00:00${offset}`;
    const list = await webhooks.ask("GET", `/events?from=${encodeURIComponent(since)}`);
    const replay = await webhooks.ask("POST", `/webhooks/${id}/replay`, { since });
    const mutation = await graphql(selo, token, REPLAY, { input: { id, since } });
    expect([offset, list.status, replay.status, mutation.status]).toEqual([offset, listed, replayed, mutated]);
  }
});

test("what is no instant is refused in the same words by REST and GraphQL", async () => {
  const { test: token } = await selo.newOrganization();
  const webhooks = webhookCaller(selo, token);
  const { id } = await webhooks.register();
  const message = "must be an RFC 3339 instant, such as 2026-11-20T12:34:56.123456Z";
  const since = "yesterday";
  const replay = await webhooks.ask("POST", `/webhooks/${id}/replay`, { since });
  expect(replay.body.fields).toEqual([{ field: "since", message }]);
  const mutation = await graphql(selo, token, REPLAY, { input: { id, since } });
  expect(JSON.stringify(mutation)).toContain(message);
});
