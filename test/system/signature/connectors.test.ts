// A gateway and a worker as programs, and a storage that verifies signatures itself: packages arrive, also when the worker is killed between two PUTs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complete } from "../../services/signature/completion-stage.ts";
import { anEnvelope, aParticipant, ask, type EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { aLink } from "../../services/signature/signing-stage.ts";
import { call } from "../../support/rest-client.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf } from "../faults/deployment.ts";
import { RECEIVER, S3_ACCOUNT, type S3Receiver, startS3Receiver } from "./s3-receiver.ts";

/** For jobs that a dead worker holds: see sealing.test.ts. */
const MOST_WAIT_MS = 60_000;

let deployment: Deployment;
let stage: EnvelopeStage;
let folder: string;
let receiver: S3Receiver;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bucket-"));
  receiver = await startS3Receiver(folder, "/report.pdf");
  deployment = await deploy();
  const organization = await deployment.newOrganization();
  // An address of this machine is for test tokens.
  stage = { ...envelopesOf(deployment, organization), token: organization.test, environment: "test" };
}, 120_000);
afterAll(async () => {
  await deployment?.stop();
  await receiver?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("the storage itself verifies the examples that AWS publishes", () => {
  execFileSync("python3", [RECEIVER, "--self-test"]);
});

test("kill -9 of the worker between two PUTs: the next one writes the same, and what is kept is what the sender downloads", async () => {
  await deployment.runningGateway();
  const { status, body: connector } = await ask(stage, "POST", "/integrations/connectors", {
    ...{ name: "Bucket", endpoint: receiver.url, bucket: "contracts", prefix: "selo/2026 (a)" },
    ...S3_ACCOUNT,
  });
  expect(status).toBe(201);
  const tested = await ask(stage, "POST", `/integrations/connectors/${connector.id}/test`);
  expect(tested.body).toEqual({ ok: true, error: null });

  const { id } = await anEnvelope(stage, { title: "Contract" });
  const documents = await Promise.all([1, 2].map(() => readyDocument(deployment, stage.token)));
  for (const document of documents)
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: document.id });
  const participant = await aParticipant(stage, id);
  expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  const worker = await deployment.runningWorker();
  expect((await complete(stage, await aLink(stage, id, participant.id))).status).toBe(200);

  const writes = (ending: string) => receiver.puts.filter((put) => put.path.endsWith(ending));
  await expect.poll(() => writes("/report.pdf").length, { timeout: MOST_WAIT_MS }).toBe(1);
  worker.child.kill("SIGKILL");
  await worker.finished;
  fs.writeFileSync(path.join(folder, "go"), "");
  await deployment.startNextWorker();
  const deliveries = async () =>
    (await ask(stage, "GET", `/integrations/connectors/${connector.id}/deliveries`)).body.items;
  await expect
    .poll(deliveries, { timeout: MOST_WAIT_MS })
    .toMatchObject([{ envelope_id: id, status: "delivered", attempts: 2, error: null }]);

  // Twice the same bytes under the same names, and each signature holds.
  expect(receiver.puts.map(({ fault }) => fault)).toEqual(receiver.puts.map(() => null));
  const packaged = receiver.puts.filter((put) => put.path.includes(id)).map((put) => `${put.path} ${put.sha256}`);
  expect(packaged).toHaveLength(6);
  expect(packaged.slice(3)).toEqual(packaged.slice(0, 3));

  const { body: envelope } = await ask(stage, "GET", `/envelopes/${id}`);
  const [year, month] = envelope.completed_at.split("-");
  const kept = path.join(folder, "contracts", "selo/2026 (a)", year, month, id);
  expect(fs.readdirSync(kept).sort()).toEqual(
    [...documents.map((document, place) => `${place + 1}-${document.id}.pdf`), "report.pdf"].sort(),
  );
  for (const [place, document] of documents.entries()) {
    const { body: link } = await ask(stage, "GET", `/envelopes/${id}/documents/${document.id}/download`);
    const answer = await fetch(new URL(new URL(link.url).pathname, deployment.baseUrl));
    const file = fs.readFileSync(path.join(kept, `${place + 1}-${document.id}.pdf`));
    expect(sha256(file)).toBe(sha256(Buffer.from(await answer.arrayBuffer())));
  }
  const { token } = stage;
  const report = await call(deployment, "GET", `/envelopes/${id}/evidence`, {
    token,
    headers: { accept: "application/pdf" },
  });
  expect(sha256(fs.readFileSync(path.join(kept, "report.pdf")))).toBe(sha256(report.bytes));
}, 240_000);
