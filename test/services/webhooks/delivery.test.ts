// From a fact to a receiver: what is registered is told to whoever asked for it, signed.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { startTestWorker } from "../../support/worker.ts";

let selo: TestGateway;
let worker: { stop(): Promise<void> };
let receiver: WebhookReceiver;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" });
  worker = await startTestWorker(selo);
  receiver = await startWebhookReceiver();
  organization = await selo.newOrganization();
});
afterAll(async () => {
  await worker?.stop();
  await receiver?.close();
  await selo?.stop();
});

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${selo.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${organization.test}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}

test("a proof that is registered arrives at the endpoint, signed, byte for byte as the event log has it", async () => {
  const { status, body: webhook } = await ask("POST", "/webhooks", {
    url: `${receiver.url}/hook`,
    event_types: ["proof.registered"],
  });
  expect(status).toBe(201);
  const proof = await ask("POST", "/proofs", { sha256: randomBytes(32).toString("hex"), label: "Açaí" });
  expect(proof.status).toBe(201);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [delivery] = receiver.received;
  if (delivery === undefined) throw new Error("nothing was received");
  expect(await receiver.verify(delivery, webhook.secret)).toEqual({ valid: true });
  await expect
    .poll(async () => (await ask("GET", `/webhooks/${webhook.id}/deliveries`)).body.items)
    .toMatchObject([{ status: "SUCCEEDED", attempt: 1, response_status: 200 }]);
  const { body } = await ask("GET", `/events/${delivery.headers["x-webhook-id"]}`);
  expect(JSON.parse(delivery.body)).toEqual(body);
});
