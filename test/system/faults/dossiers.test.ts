// Dossiers whose gateway is killed, or whose storage goes away, while they are sent: an answer is broken off, and never a whole file that is wrong.
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onePage, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";
import { anEnvelope, aParticipant, ask, type EnvelopeStage } from "../../services/signature/envelope-stage.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf } from "./deployment.ts";

/** More than sockets of this machine hold, so that most is not sent when the first bytes arrive. */
const DOCUMENTS = 5;
const BYTES = 5_000_000;

let deployment: Deployment;
let stage: EnvelopeStage;
let id: string;
/** The dossier, as it is when nothing goes wrong. */
let whole: { readonly length: number; readonly sha256: string };
beforeAll(async () => {
  deployment = await deploy();
  await deployment.startGateway();
  stage = envelopesOf(deployment, await deployment.newOrganization());
  ({ id } = await anEnvelope(stage, { title: "Contract" }));
  for (let place = 0; place < DOCUMENTS; place++) {
    const large = pdf({ ...onePage(), 9: stream("", Buffer.alloc(BYTES, String(place))) });
    const { id: document_id } = await readyDocument(deployment, stage.token, "contract.pdf", large);
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
  }
  await aParticipant(stage, id, { name: "Maria Souza", email: "maria@example.com" });
  expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  expect((await ask(stage, "POST", `/envelopes/${id}/cancel`, {})).status).toBe(200);
  const { length, bytes, sha256 } = await (await begun()).end();
  expect(bytes).toBe(length);
  expect(length).toBeGreaterThan(DOCUMENTS * BYTES);
  whole = { length, sha256 };
}, 180_000);
afterAll(() => deployment?.stop());

/** A dossier whose first bytes have come; `end` reads on until it ends or is broken off. */
async function begun() {
  const { hostname, port } = new URL(deployment.baseUrl);
  const headers = { authorization: `Bearer ${stage.token}` };
  const asked = http.get({ hostname, port, path: `/api/v1/envelopes/${id}/dossier`, headers, agent: false });
  const [answer] = (await once(asked, "response")) as [http.IncomingMessage];
  expect(answer.statusCode).toBe(200);
  const hash = createHash("sha256");
  let bytes = 0;
  await once(answer, "readable");
  const end = async () => {
    let brokenOff = false;
    try {
      for await (const chunk of answer) {
        hash.update(chunk as Buffer);
        bytes += (chunk as Buffer).length;
      }
    } catch {
      brokenOff = true;
    }
    return { length: Number(answer.headers["content-length"]), bytes, brokenOff, sha256: hash.digest("hex") };
  };
  return { end };
}

test("a gateway that is killed breaks the answer off, and the next one answers the same bytes", async () => {
  const answer = await begun();
  await deployment.killGateway();
  const { brokenOff, bytes, length } = await answer.end();
  expect([brokenOff, length]).toEqual([true, whole.length]);
  expect(bytes).toBeLessThan(length);
  await deployment.startGateway();
  expect(await (await begun()).end()).toMatchObject({ ...whole, bytes: whole.length, brokenOff: false });
});

test("a storage that goes away breaks the answer off; once it is back, the same bytes come", async () => {
  const away = `${deployment.storageFolder}-away`;
  const answer = await begun();
  fs.renameSync(deployment.storageFolder, away);
  try {
    const { brokenOff, bytes, length } = await answer.end();
    expect([brokenOff, length]).toEqual([true, whole.length]);
    expect(bytes).toBeLessThan(length);
    // Before the first byte it is an error.
    expect((await ask(stage, "GET", `/envelopes/${id}/dossier`)).status).toBe(503);
  } finally {
    fs.renameSync(away, deployment.storageFolder);
  }
  expect(await (await begun()).end()).toMatchObject({ ...whole, bytes: whole.length, brokenOff: false });
});
