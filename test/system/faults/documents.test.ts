// Uploads and checks whose process is killed, and a storage that is away or full: nothing is half there, and every check comes to its end.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { onePage, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";
import { IMPATIENT, signalChecker } from "../../support/checkers.ts";
import type { TestOrganization } from "../../support/gateway.ts";
import { call, expectError, filePart, multipartBody } from "../../support/rest-client.ts";
import type { SeloProcess } from "../../support/selo-process.ts";
import { ORDINARY, readyDocument, upload } from "../../support/uploads.ts";
import { type Deployment, deploy } from "./deployment.ts";
import { killedPrograms } from "./killed-programs.ts";

let deployment: Deployment;
let organization: TestOrganization;
beforeAll(async () => {
  deployment = await deploy();
  organization = await deployment.newOrganization();
}, 120_000);
afterAll(() => deployment?.stop());

const { started, killed } = killedPrograms();

const documents = async () =>
  (
    await deployment.admin.query<{ id: string; status: string; object_id: string | null }>(
      "select id, status, object_id from signature.documents order by id",
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
/** The checker that was stopped, which its parent no longer ends. */
const endChecker = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended with its pipes.
  }
};
const statusOf = async (id: string) => (await documents()).find((one) => one.id === id)?.status;
const pidOf = ({ child }: SeloProcess) => child.pid ?? 0;

test("kill -9 of the gateway while a file arrives: no document, no object, and the next upload is like any other", async () => {
  const gateway = await deployment.runningGateway();
  const { id } = await readyDocument(deployment, organization.live);
  const before = { documents: await documents(), objects: await objects() };
  const large = pdf(onePage({ objects: { 4: stream("", Buffer.alloc(4_000_000, "x")) } }));
  const { bytes, headers } = multipartBody([filePart(large)]);
  const body = new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(bytes.subarray(0, 3_000_000)));
      await new Promise(() => {}); // the rest never comes
    },
  });
  const broken = call(deployment, "POST", "/documents", { token: organization.live, headers, body }).catch(
    (error: unknown) => error,
  );
  await expect.poll(() => partials().length, { timeout: 30_000, interval: 5 }).toBe(1);
  await killed(gateway);
  expect(await broken).toBeInstanceOf(Error);
  expect({ documents: await documents(), objects: await objects() }).toEqual(before);

  await deployment.runningGateway();
  const { status } = await upload(deployment, organization.live, large);
  expect(status).toBe(201);
  expect(await statusOf(id)).toBe("ready");
}, 90_000);

test("kill -9 of the gateway while it checks, before anything is recorded: a retry with the same key makes one document", async () => {
  const gateway = await deployment.runningGateway();
  const before = await documents();
  const key = randomUUID();
  const stopped = signalChecker("SIGSTOP", pidOf(gateway));
  const broken = upload(deployment, organization.live, ORDINARY, { key }).catch((error: unknown) => error);
  const checker = await stopped;
  await killed(gateway);
  endChecker(checker);
  expect(await broken).toBeInstanceOf(Error);
  expect(await documents()).toEqual(before);
  // Its content is there, and no row names it: that is what is swept up after a day.
  const named = new Set(before.map(({ object_id }) => object_id));
  expect((await objects()).filter((id) => !named.has(id))).toHaveLength(1);

  await deployment.runningGateway();
  const answers = [
    await upload(deployment, organization.live, ORDINARY, { key }),
    await upload(deployment, organization.live, ORDINARY, { key }),
  ];
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await documents()).toHaveLength(before.length + 1);
}, 90_000);

test("kill -9 of the gateway after it answered processing: the worker makes the document ready and writes one event", async () => {
  const { id } = await processingDocument();
  await started(deployment.startWorker());
  await expect.poll(() => statusOf(id), { timeout: 30_000 }).toBe("ready");
  expect(await eventsOf(id)).toEqual(["document.ready"]);
}, 90_000);

test("kill -9 of the worker while it checks: another worker takes the check over, and the document is ready", async () => {
  const { id } = await processingDocument();
  // The worker waits for the row, so that its check does not end before this test looks for it.
  const holder = await deployment.admin.connect();
  await holder.query("begin");
  await holder.query("select from signature.documents where id = $1 for update", [id]);
  const worker = await started(deployment.startWorker());
  const stopped = signalChecker("SIGSTOP", pidOf(worker));
  await holder.query("rollback");
  holder.release();
  const checker = await stopped;
  await killed(worker);
  endChecker(checker);
  expect(await statusOf(id)).toBe("processing");
  // As if the minute of its check were over.
  await deployment.admin.query("update signature.documents set checking_until = clock_timestamp() where id = $1", [id]);
  await started(deployment.startNextWorker());
  await expect.poll(() => statusOf(id), { timeout: 150_000, interval: 100 }).toBe("ready");
  expect(await eventsOf(id)).toEqual(["document.ready"]);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 240_000);

test("the content of what is removed is gone from the storage, and that of others stays", async () => {
  await deployment.runningGateway();
  await started(deployment.startWorker());
  const [removed, kept] = [
    await readyDocument(deployment, organization.live),
    await readyDocument(deployment, organization.live),
  ];
  const objectOf = async (id: string) => (await documents()).find((one) => one.id === id)?.object_id ?? "";
  const [gone, there] = [await objectOf(removed.id), await objectOf(kept.id)];
  await call(deployment, "DELETE", `/documents/${removed.id}`, { token: organization.live });
  await expect.poll(async () => (await objects()).includes(gone), { timeout: 30_000 }).toBe(false);
  expect(await objects()).toContain(there);
}, 90_000);

test("a storage that is away: 503 unavailable, nothing is recorded, and it works again when the storage is back", async () => {
  await deployment.runningGateway();
  await readyDocument(deployment, organization.live);
  const before = await documents();
  const elsewhere = `${deployment.storageFolder}-elsewhere`;
  fs.renameSync(deployment.storageFolder, elsewhere);
  try {
    expectError(await upload(deployment, organization.live, ORDINARY), 503, "unavailable");
    expect(fs.existsSync(deployment.storageFolder)).toBe(false);
  } finally {
    fs.renameSync(elsewhere, deployment.storageFolder);
  }
  expect(await documents()).toEqual(before);
  await readyDocument(deployment, organization.live);
}, 90_000);

/** The gateway is ready in any case, because documents can be read. */
async function expectStorage(state: "full" | "ok"): Promise<void> {
  const ready = async () => {
    const response = await fetch(`${deployment.baseUrl}/readyz`);
    return { code: response.status, ...((await response.json()) as object) };
  };
  await expect.poll(ready).toMatchObject({ code: 200, status: "ready", checks: { storage: state } });
  expect(partials()).toEqual([]);
}

test("a storage that is full: 503 unavailable, neither a document nor a part of it is kept, and /readyz says so", async ({
  skip,
}) => {
  const full = `${deployment.storageFolder}-full`;
  fs.mkdirSync(full);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m,mode=0700", "tmpfs", full]).status !== 0)
    skip("a tmpfs cannot be mounted here: it takes Linux and root");
  const aside = `${deployment.storageFolder}-aside`;
  try {
    await deployment.runningGateway();
    await readyDocument(deployment, organization.live);
    const before = await documents();
    await FolderStore.prepare(full);
    fs.renameSync(deployment.storageFolder, aside);
    fs.symlinkSync(full, deployment.storageFolder);
    const large = pdf(onePage({ objects: { 4: stream("", Buffer.alloc(5_000_000, "x")) } }));
    expectError(await upload(deployment, organization.live, large), 503, "unavailable");
    expect(await documents()).toEqual(before);
    expect([await objects(), partials()]).toEqual([[], []]);
    await expectStorage("full");
    await readyDocument(deployment, organization.live);
    expect(spawnSync("mount", ["-o", "remount,size=16m", full]).status).toBe(0);
    await expectStorage("ok");
  } finally {
    if (fs.existsSync(aside)) {
      fs.unlinkSync(deployment.storageFolder);
      fs.renameSync(aside, deployment.storageFolder);
    }
    await pause(100);
    spawnSync("umount", ["-l", full]);
  }
}, 90_000);

/** A document whose check the gateway gave up: its checker was stopped. Then the gateway is killed. */
async function processingDocument(): Promise<{ readonly id: string }> {
  await deployment.killGateway();
  const gateway = await deployment.startGateway(IMPATIENT);
  const stopped = signalChecker("SIGSTOP", pidOf(gateway));
  const { status, body } = await upload(deployment, organization.live, ORDINARY);
  await stopped;
  expect({ status, document: body.status }).toEqual({ status: 201, document: "processing" });
  await killed(gateway);
  return body;
}

async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await deployment.admin.query<{ type: string }>(
    "select type from webhooks.events where body::json ->> 'resource_id' = $1",
    [id],
  );
  return rows.map(({ type }) => type);
}
