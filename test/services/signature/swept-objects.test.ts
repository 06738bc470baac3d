// Content that no row names goes after 24 hours, and nothing that a backup may hold goes while it is made. Issue: Documents.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ObjectStore } from "../../../src/adapters/storage/object-store.ts";
import { lockRunners } from "../../../src/postgres/migrate/migrate.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { loadRemoveObject } from "../../../workers/signature/remove-object.ts";
import { sweepObjects } from "../../../workers/signature/sweep-objects.ts";
import type { WorkerTask } from "../../../workers/task.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { objectsOf, storedDocument } from "../../support/uploads.ts";
import { startTestWorker, taskContext } from "../../support/worker.ts";

const HOUR_MS = 3_600_000;

let selo: TestGateway;
let organization: TestOrganization;
let workers: pg.Pool;
let store: ObjectStore;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  store = objectsOf(selo);
  workers = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    2,
    () => {},
  );
});
afterAll(async () => {
  await workers?.end();
  await selo?.stop();
});

const run = (task: WorkerTask, payload: unknown = {}) => task(payload, taskContext(workers, masterKeys));
/** A sweep at an instant, in hours from now. */
const sweep = (hours = 0) => run(sweepObjects(store, () => new Date(Date.now() + hours * HOUR_MS)));
async function stored(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids.sort();
}
async function unnamed(): Promise<string> {
  const id = randomUUID();
  await store.write(id, Readable.from([Buffer.alloc(100)]));
  return id;
}
async function objectOf(document: { readonly id: string }): Promise<string> {
  const { rows } = await selo.database.admin.query<{ object_id: string }>(
    "select object_id from signature.documents where id = $1",
    [document.id],
  );
  return rows[0]?.object_id ?? "";
}
/** Does work while a backup is made, as far as others can tell. */
async function whileCopied(work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: selo.database.adminUrl });
  await client.connect();
  try {
    await lockRunners(client, "shared");
    await work();
  } finally {
    await client.end();
  }
}

test("a database that names no object loses none: it may be new, beside a storage that was kept", async () => {
  const kept = await unnamed();
  await sweep(25);
  expect(await stored()).toEqual([kept]);
  await store.remove(kept);
});

test("an object that no row names goes after 24 hours, not before; objects of every organization and environment that rows name stay", async () => {
  const other = await selo.newOrganization();
  const documents = [
    await storedDocument(selo, organization.live),
    await storedDocument(selo, organization.test),
    await storedDocument(selo, other.live),
  ];
  const named = (await Promise.all(documents.map(objectOf))).sort();
  const lost = await unnamed();
  await sweep(23.9);
  expect(await stored()).toEqual([...named, lost].sort());
  await sweep(24.1);
  expect(await stored()).toEqual(named);
  const { status } = await call(selo, "GET", `/documents/${documents[2]?.id}/download`, { token: other.live });
  expect(status).toBe(200);
});

test("it is the time of the file that counts, and half-written files go with the rest", async () => {
  const [old, young] = [await unnamed(), await unnamed()];
  const folder = path.join(selo.config.storageFolder, old.slice(-2));
  const partial = path.join(folder, `${old}.0123456789abcdef.partial`);
  fs.writeFileSync(partial, "half");
  const yesterday = new Date(Date.now() - 25 * HOUR_MS);
  for (const file of [path.join(folder, old), partial]) fs.utimesSync(file, yesterday, yesterday);
  await sweep();
  expect(await stored()).not.toContain(old);
  expect(await stored()).toContain(young);
  expect(fs.existsSync(partial)).toBe(false);
  await sweep(25);
});

test("more objects than SQL is asked about at once", async () => {
  const before = await stored();
  await Promise.all(Array.from({ length: 1_100 }, unnamed));
  await sweep(25);
  expect(await stored()).toEqual(before);
});

test("an object that a row names is not removed, whoever asked for that", async () => {
  const other = await objectOf(await storedDocument(selo, organization.test));
  const payload = { tenant_id: organization.id, environment: "live", object_id: other };
  await run(loadRemoveObject({ objects: store }), payload);
  expect(await stored()).toContain(other);
  await selo.database.admin.query("update signature.documents set object_id = gen_random_uuid() where object_id = $1", [
    other,
  ]);
  await run(loadRemoveObject({ objects: store }), payload);
  expect(await stored()).not.toContain(other);
});

test("while a backup is made, nothing is swept, and what is removed waits for its end", async () => {
  const document = await storedDocument(selo, organization.live);
  const [removed, lost] = [await objectOf(document), await unnamed()];
  await call(selo, "DELETE", `/documents/${document.id}`, { token: organization.live });
  const payload = { tenant_id: organization.id, environment: "live", object_id: removed };
  const waiting = async () =>
    (
      await selo.database.admin.query<{ later: boolean }>(
        "select run_at > now() + interval '30 seconds' as later from graphile_worker._private_jobs where payload ->> 'object_id' = $1 order by id",
        [removed],
      )
    ).rows.map(({ later }) => later);
  expect(await waiting()).toEqual([false]);
  await whileCopied(async () => {
    await run(loadRemoveObject({ objects: store }), payload);
    await sweep(25);
    expect(await stored()).toEqual(expect.arrayContaining([removed, lost]));
  });
  expect(await waiting()).toEqual([false, true]);
  await run(loadRemoveObject({ objects: store }), payload);
  expect(await stored()).not.toContain(removed);
  expect(await waiting()).toHaveLength(2);
  await sweep(25);
  expect(await stored()).not.toContain(lost);
});

test("the worker sweeps by itself, each hour", async () => {
  const lost = await unnamed();
  const yesterday = new Date(Date.now() - 25 * HOUR_MS);
  fs.utimesSync(path.join(selo.config.storageFolder, lost.slice(-2), lost), yesterday, yesterday);
  const worker = await startTestWorker(selo);
  try {
    await selo.database.admin.query("select graphile_worker.add_job('signature__sweep_objects')");
    await expect.poll(stored).not.toContain(lost);
  } finally {
    await worker.stop();
  }
  const { tasks } = selo.services.find(({ name }) => name === "signature") ?? {};
  expect(tasks?.["sweep_objects"]?.schedule).toEqual({ at: "47 * * * *", attempts: 3 });
});

test("every column that names objects can be read by the sweep", async () => {
  const { rows } = await selo.database.admin.query<{ column: string; readable: boolean }>(
    `select format('%s.%s', attrelid::regclass, attname) as column, has_table_privilege('selo_system', attrelid, 'select') as readable
     from pg_attribute join pg_class as relation on relation.oid = attrelid
     where relkind in ('r', 'p') and attname ~ '(^|_)object_id$' and relowner = 'selo_owner'::regrole order by 1`,
  );
  expect(rows).toContainEqual({ column: "signature.documents.object_id", readable: true });
  expect(rows.filter(({ readable }) => !readable)).toEqual([]);
});
