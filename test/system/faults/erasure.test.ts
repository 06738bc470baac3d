// An erasure whose program, whose worker or whose storage is killed: nothing is half erased, and what runs again ends it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { decline, sentWith } from "../../services/signature/completion-stage.ts";
import { type EnvelopeStage, read } from "../../services/signature/envelope-stage.ts";
import { selo } from "../../support/selo-process.ts";
import { readyDocument } from "../../support/uploads.ts";
import { type Deployment, deploy, envelopesOf } from "./deployment.ts";

let deployment: Deployment;
let stage: EnvelopeStage;
beforeAll(async () => {
  deployment = await deploy();
  await deployment.startGateway();
  stage = envelopesOf(deployment, await deployment.newOrganization());
}, 120_000);
afterAll(() => deployment?.stop());

const query = async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
  (await deployment.admin.query<Row>(statement, [...values])).rows;

/** `selo envelope erase`, as a program of its own. */
function erasing(id: string) {
  const url = String(deployment.admin.options.connectionString);
  return selo(["envelope", "erase", "--org", stage.tenantId, "--envelope", id, "--json"], {
    DATABASE_URL: url,
    DATABASE_ADMIN_URL: url,
  });
}

async function stored(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of FolderStore.existing(deployment.storageFolder).list()) ids.push(id);
  return ids;
}

test("kill -9 in the middle of an erasure changes nothing; run again, it ends, and a worker that follows a killed one removes the files", async () => {
  const upload = async () => (await readyDocument(deployment, stage.token)).id;
  const { id, links, documentId } = await sentWith(stage, [{}], { title: "Contract" }, { upload });
  expect((await decline(stage, links[0])).status).toBe(200);
  const [{ object_id: object } = { object_id: "" }] = await query<{ object_id: string }>(
    "select object_id from signature.documents where id = $1",
    [documentId],
  );
  const before = await read(stage, id);
  const held = await deployment.admin.connect();
  try {
    await held.query("begin");
    // Rows of the envelope, of the participant and of the mails are written by the time that the first event waits for this.
    await held.query("lock table platform.audit_events in share row exclusive mode");
    const { child, finished } = erasing(id);
    const { rows } = await held.query<{ pid: number }>("select pg_backend_pid() as pid");
    const waiting = () =>
      query<{ pid: number }>("select pid from pg_stat_activity where $1 = any (pg_blocking_pids(pid))", [rows[0]?.pid]);
    await expect.poll(async () => (await waiting()).length, { timeout: 60_000, interval: 50 }).toBe(1);
    const [{ pid } = { pid: 0 }] = await waiting();
    child.kill("SIGKILL");
    await finished;
    // As Postgres ends what nobody waits for.
    await query("select pg_terminate_backend($1, 10000)", [pid]);
  } finally {
    await held.query("rollback");
    held.release();
  }
  expect(await read(stage, id)).toEqual(before);
  expect(await stored()).toContain(object);
  expect((await deployment.verifyAudit()).faults).toEqual([]);

  const again = await erasing(id).finished;
  expect([again.code, again.stderr]).toEqual([0, ""]);
  expect(JSON.parse(again.stdout)).toMatchObject({ envelope_id: id, is_new: true, participants: 1, documents: 1 });
  expect(await read(stage, id)).toMatchObject({
    title: null,
    erased_at: expect.any(String),
    participants: [{ name: null }],
  });
  expect(JSON.parse((await erasing(id).finished).stdout)).toMatchObject({ is_new: false, participants: 0 });

  const worker = await deployment.startWorker();
  worker.child.kill("SIGKILL");
  await worker.finished;
  await deployment.startNextWorker();
  await expect.poll(stored, { timeout: 60_000, interval: 200 }).not.toContain(object);
  expect((await deployment.verifyAudit()).faults).toEqual([]);
}, 240_000);

test("wrong ids, and an envelope that is out, end with 1 and a sentence", async () => {
  const { id } = await sentWith(stage);
  const ends = async (args: readonly string[], code: number, words: string) => {
    const url = String(deployment.admin.options.connectionString);
    const ended = await selo(["envelope", "erase", ...args], { DATABASE_URL: url, DATABASE_ADMIN_URL: url }).finished;
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toContain(words);
  };
  await ends(["--org", stage.tenantId, "--envelope", id], 1, "erase it once it has ended");
  await ends(["--org", "999999", "--envelope", id], 1, "There is no such organization");
  await ends(["--org", stage.tenantId, "--envelope", stage.tenantId], 1, "There is no such envelope");
  await ends(["--org", stage.tenantId, "--envelope", "7"], 1, "must be a UUID");
  expect(await read(stage, id)).toMatchObject({ title: "Contract", erased_at: null });
}, 120_000);
