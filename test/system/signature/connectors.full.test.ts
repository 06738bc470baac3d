// What connectors.test.ts asks of a storage of our own, asked of Debian's Swift: a package arrives, and a wrong setting is named.
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
import { SWIFT_ACCOUNT, type SwiftStorage, startSwift } from "./swift-storage.ts";

const MOST_WAIT_MS = 60_000;

let deployment: Deployment;
let stage: EnvelopeStage;
let folder: string;
let swift: SwiftStorage;
let connectorId: string;
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-swift-"));
  swift = await startSwift(folder);
  await swift.make("contracts.2026");
  deployment = await deploy();
  const organization = await deployment.newOrganization();
  // An address of this machine is for test tokens.
  stage = { ...envelopesOf(deployment, organization), token: organization.test, environment: "test" };
  await deployment.runningGateway();
  const { status, body } = await ask(stage, "POST", "/integrations/connectors", {
    ...{ name: "Swift", endpoint: `${swift.url}/`, bucket: "contracts.2026", prefix: "selo/a b+ção (1)&=" },
    ...SWIFT_ACCOUNT,
  });
  expect(status).toBe(201);
  connectorId = body.id;
}, 240_000);
afterAll(async () => {
  await deployment?.stop();
  await swift?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const FOLDER = "/contracts.2026/selo/a%20b%2B%C3%A7%C3%A3o%20%281%29%26%3D";

test.each([
  ["access key", { access_key_id: "archive:nobody" }, 403, "SignatureDoesNotMatch"],
  ["secret", { secret: "another" }, 403, "SignatureDoesNotMatch"],
  ["region", { region: "us-east-1" }, 400, "AuthorizationHeaderMalformed"],
  ["bucket", { bucket: "no-such-bucket" }, 404, "NoSuchBucket"],
])("a test names a wrong %s", async (_name, wrong, status, code) => {
  const { body: connector } = await ask(stage, "POST", "/integrations/connectors", {
    ...{ name: "Wrong", endpoint: swift.url, bucket: "contracts.2026" },
    ...{ ...SWIFT_ACCOUNT, ...wrong },
  });
  const { body } = await ask(stage, "POST", `/integrations/connectors/${connector.id}/test`);
  expect(body).toEqual({ ok: false, error: { status, code } });
  await ask(stage, "DELETE", `/integrations/connectors/${connector.id}`);
});

test("a package arrives: what is kept is what the sender downloads", async () => {
  const tested = await ask(stage, "POST", `/integrations/connectors/${connectorId}/test`);
  expect(tested.body).toEqual({ ok: true, error: null });
  expect(String(await swift.read(`${FOLDER}/selo-test.txt`))).toBe("Selo can write to this bucket.\n");

  const { id } = await anEnvelope(stage, { title: "Contract" });
  const document = await readyDocument(deployment, stage.token);
  await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: document.id });
  const participant = await aParticipant(stage, id);
  expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  await deployment.runningWorker();
  expect((await complete(stage, await aLink(stage, id, participant.id))).status).toBe(200);
  const deliveries = async () =>
    (await ask(stage, "GET", `/integrations/connectors/${connectorId}/deliveries`)).body.items;
  await expect
    .poll(deliveries, { timeout: MOST_WAIT_MS })
    .toMatchObject([{ envelope_id: id, status: "delivered", attempts: 1, error: null }]);

  const { body: envelope } = await ask(stage, "GET", `/envelopes/${id}`);
  const [year, month] = envelope.completed_at.split("-");
  const kept = `${FOLDER}/${year}/${month}/${id}`;
  const { body: link } = await ask(stage, "GET", `/envelopes/${id}/documents/${document.id}/download`);
  const sealed = await fetch(new URL(new URL(link.url).pathname, deployment.baseUrl));
  expect(sha256(await swift.read(`${kept}/1-${document.id}.pdf`))).toBe(
    sha256(Buffer.from(await sealed.arrayBuffer())),
  );
  const report = await call(deployment, "GET", `/envelopes/${id}/evidence`, {
    token: stage.token,
    headers: { accept: "application/pdf" },
  });
  expect(sha256(await swift.read(`${kept}/report.pdf`))).toBe(sha256(report.bytes));
}, 240_000);
