// The section Webhooks of README.md, line by line as it stands there.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { startTestWorker } from "../../support/worker.ts";

const README = fs.readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
const [, section = ""] = /\n## Webhooks\n([\s\S]*?)\n## /.exec(README) ?? [];
/** Of all blocks, one a line; those that go on in the next line in one. */
const commands = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
  block.replaceAll("\\\n", "").trimEnd().split("\n"),
);

let selo: TestGateway;
let worker: { stop(): Promise<void> };
let receiver: WebhookReceiver;
let token: string;
const variables: Record<string, string> = {};
beforeAll(async () => {
  selo = await startTestGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" });
  worker = await startTestWorker(selo);
  receiver = await startWebhookReceiver();
  token = (await selo.newOrganization()).test;
});
afterAll(async () => {
  await worker?.stop();
  await receiver?.close();
  await selo?.stop();
});

/** Runs the one command that has this in it. */
// biome-ignore lint/suspicious/noExplicitAny: what it answers is what the test looks at
async function run(part: string): Promise<any> {
  const found = commands.filter((command) => command.includes(part));
  expect(found, part).toHaveLength(1);
  const command = found[0]
    ?.replace("http://localhost:4000", selo.baseUrl)
    .replace("http://localhost:3000", receiver.url)
    .replace(/^curl /, "curl --silent --show-error ");
  const environment = { PATH: process.env["PATH"], TOKEN: token, ...variables };
  const { stdout } = await promisify(execFile)("sh", ["-euc", command ?? ""], { env: environment });
  return JSON.parse(stdout);
}

test("registers, tests, lists, replays, retries and rotates", async () => {
  expect(commands).toHaveLength(7);
  const webhook = await run("event_types");
  expect(webhook).toMatchObject({ status: "ACTIVE", secret: expect.stringMatching(/^whsec_/) });
  variables["WEBHOOK_ID"] = webhook.id;

  expect(await run("/test")).toMatchObject({ event_type: "webhook.test", status: "PENDING" });
  await expect
    .poll(async () => (await run("/deliveries?limit=10")).items)
    .toMatchObject([
      { event_type: "webhook.test", status: "SUCCEEDED", url: `${receiver.url}/hook`, response_status: 200 },
    ]);

  receiver.answer(500);
  const proof = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ sha256: randomBytes(32).toString("hex") }),
  });
  expect(proof.status).toBe(201);
  await expect
    .poll(async () => (await run("/deliveries?limit=10")).items[0])
    .toMatchObject({ status: "FAILED", response_status: 500 });
  receiver.answer(200);
  expect(await run("/replay")).toEqual({ replayed: 1, has_more: false });
  await expect
    .poll(async () => (await run("/deliveries?limit=10")).items[0])
    .toMatchObject({ status: "SUCCEEDED", attempt: 2, trigger: "manual" });

  const [{ delivery_id }] = (await run("/deliveries?limit=10")).items;
  variables["DELIVERY_ID"] = delivery_id;
  expect(await run("/retry")).toMatchObject({ delivery_id, status: "PENDING" });
  await expect
    .poll(async () => (await run("/deliveries?limit=10")).items[0])
    .toMatchObject({ status: "SUCCEEDED", attempt: 3 });

  const rotated = await run("/rotate");
  expect(rotated.secret).not.toBe(webhook.secret);
  expect(rotated.previous_secret_expires_at).toEqual(expect.any(String));
  await run("/test");
  await expect.poll(() => receiver.received.at(-1)?.headers["x-webhook-signature-previous"]).toBeDefined();
  const last = receiver.received.at(-1);
  for (const secret of [webhook.secret, rotated.secret])
    expect(await receiver.verify(last as NonNullable<typeof last>, secret)).toEqual({ valid: true });
}, 40_000);

test("selo listen is called with options it has", () => {
  const [command = ""] = commands.filter((one) => one.includes("listen"));
  expect(command).toBe("npm run -s selo -- listen --forward http://localhost:3000/hook");
});
