// A gateway that is killed while a participant delivers a file: the file before stays, and the participant delivers again.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { onePage, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";
import { aSession, complete, deliver, evidenceOf, PIXEL } from "../../services/signature/completion-stage.ts";
import { aField, ask, type EnvelopeStage, withFields } from "../../services/signature/envelope-stage.ts";
import { act, aLink } from "../../services/signature/signing-stage.ts";
import { signalChecker } from "../../support/checkers.ts";
import { filePart, multipartBody } from "../../support/rest-client.ts";
import { ORDINARY, readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf } from "./deployment.ts";
import { killedPrograms } from "./killed-programs.ts";

let deployment: Deployment;
let stage: EnvelopeStage;
beforeAll(async () => {
  deployment = await deploy();
  stage = envelopesOf(deployment, await deployment.newOrganization());
}, 120_000);
afterAll(() => deployment?.stop());

const { killed } = killedPrograms();

const kept = async () =>
  (
    await deployment.admin.query<{ object_id: string; type: string; replacements: number }>(
      "select object_id, type, replacements from signature.attachments",
    )
  ).rows;
async function objects(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of (await FolderStore.prepare(deployment.storageFolder)).list()) ids.push(id);
  return ids.sort();
}
const partials = () =>
  fs
    .readdirSync(deployment.storageFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".partial"));

test("kill -9 while a file arrives, and while it is checked: the file before stays, and is what is signed", async () => {
  let gateway = await deployment.runningGateway();
  const { id, participantId, place } = await withFields(
    stage,
    async () => (await readyDocument(deployment, stage.token)).id,
  );
  const field = await aField(stage, id, { ...place, type: "anexo" });
  await aField(stage, id, place);
  expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  const link = await aLink(stage, id, participantId);
  const session = await aSession(stage, link);
  expect((await deliver(stage, link, field.id, PIXEL, { session })).status).toBe(200);
  const before = { kept: await kept(), objects: await objects() };

  const large = pdf(onePage({ objects: { 4: stream("", Buffer.alloc(4_000_000, "x")) } }));
  const { bytes, headers } = multipartBody([filePart(large)]);
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(bytes.subarray(0, 3_000_000)));
      await new Promise(() => {}); // the rest never comes
    },
  });
  const path = `/attachments/${field.id}`;
  const arriving = act(stage, link, "PUT", path, { session, headers, body }).catch((error: unknown) => error);
  await expect.poll(() => partials().length, { timeout: 20_000, interval: 5 }).toBe(1);
  await killed(gateway);
  expect(await arriving).toBeInstanceOf(Error);
  expect({ kept: await kept(), objects: await objects() }).toEqual(before);

  gateway = await deployment.runningGateway();
  const stopped = signalChecker("SIGSTOP", gateway.child.pid ?? 0);
  const checked = deliver(stage, link, field.id, ORDINARY, { session }).catch((error: unknown) => error);
  const checker = await stopped;
  await killed(gateway);
  try {
    process.kill(checker, "SIGKILL");
  } catch {
    // It ended with its pipes.
  }
  expect(await checked).toBeInstanceOf(Error);
  expect(await kept()).toEqual(before.kept);
  // Its content is there, and no row names it: that is what is swept up after a day.
  expect(await objects()).toHaveLength(before.objects.length + 1);

  await deployment.runningGateway();
  expect((await deliver(stage, link, field.id, ORDINARY, { session })).status).toBe(200);
  expect(await kept()).toEqual([expect.objectContaining({ type: "application/pdf", replacements: 1 })]);
  expect((await complete(stage, link, { session })).status).toBe(200);
  const { records } = await evidenceOf(stage, id);
  expect(records[0].evidence.attachments).toEqual([
    expect.objectContaining({ field_id: field.id, type: "application/pdf", size: ORDINARY.length }),
  ]);
}, 120_000);
