// The disk under Postgres is full: a small tmpfs holds its data.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, type TestContext, test } from "vitest";
import { call } from "../../support/rest-client.ts";
import type { SeloProcess } from "../../support/selo-process.ts";
import { type Deployment, deploy } from "./deployment.ts";
import { Registrations } from "./registrations.ts";

/** Room for a cluster, its database and a little WAL. */
const DISK = "224m";
/** Less than a file of WAL, which has 16 MiB. */
const LESS_THAN_WAL = 8 * 1024 ** 2;
/** So that WAL is never the half of it, and nothing makes room in between. */
const settings = { min_wal_size: "32MB", max_wal_size: "48MB", autovacuum: "off" };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-disk-"));
const ballast = path.join(folder, "ballast");
let isMounted = false;
let deployment: Deployment;
let gateway: SeloProcess;
let registrations: Registrations | undefined;
beforeAll(async () => {
  const mount = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK},mode=0755`, "tmpfs", folder]);
  isMounted = mount.status === 0;
  if (!isMounted) return;
  deployment = await deploy({ folder: path.join(folder, "selo"), settings });
  gateway = await deployment.startGateway();
});
afterEach(async () => {
  fs.rmSync(ballast, { force: true });
  await registrations?.stop();
});
afterAll(async () => {
  try {
    await deployment?.stop();
  } finally {
    if (isMounted) spawnSync("umount", [folder]);
    fs.rmdirSync(folder);
  }
});

/** Load while all but so many bytes of the disk are taken, until requests are refused. */
async function fillUnderLoad({ skip }: TestContext, left: number): Promise<Registrations> {
  if (!isMounted) skip("a tmpfs cannot be mounted here: it takes Linux and root");
  registrations = await Registrations.of(deployment);
  const { outcomes } = registrations;
  registrations.start(32, 100);
  await expect.poll(() => outcomes["201"] ?? 0, { timeout: 30_000 }).toBeGreaterThan(100);
  // From here on there is one whole file of WAL, enough for what is refused. Postgres makes the file with the first commit after
  // the switch, so a commit comes before the disk is filled: Postgres ends when it cannot make the file.
  await deployment.admin.query("checkpoint");
  await deployment.admin.query("select pg_switch_wal()");
  await deployment.admin.query("select pg_logical_emit_message(true, 'fault', 'first commit')");
  const { bavail, bsize } = fs.statfsSync(folder);
  try {
    fs.writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error; // proofs took the rest meanwhile
  }
  await expect.poll(() => outcomes["503"] ?? 0, { timeout: 60_000 }).toBeGreaterThan(64);
  return registrations;
}

/** Every answer other than 200 that reads and /readyz get, asked a few times; the process lives in any case. */
async function refusalsOfReads(token: string): Promise<{ status: number; body: unknown }[]> {
  const seen: { status: number; body: unknown }[] = [];
  for (let ask = 0; ask < 10; ask++) {
    const read = await call(deployment, "GET", "/proofs?limit=1", { token });
    if (read.status !== 200) seen.push({ status: read.status, body: read.body });
    const ready = await fetch(`${deployment.baseUrl}/readyz`);
    if (ready.status !== 200) seen.push({ status: ready.status, body: await ready.json() });
    else await ready.body?.cancel();
    expect((await fetch(`${deployment.baseUrl}/healthz`)).status).toBe(200);
  }
  return seen;
}

async function expectAllWellWithRoom(load: Registrations): Promise<void> {
  fs.rmSync(ballast);
  const ready = async () => (await fetch(`${deployment.baseUrl}/readyz`)).status;
  await expect.poll(ready, { timeout: 40_000, interval: 100 }).toBe(200);
  const before = load.outcomes["201"] ?? 0;
  await expect.poll(() => (load.outcomes["201"] ?? 0) - before, { timeout: 30_000 }).toBeGreaterThan(100);
  await load.stop();
  expect(gateway.child.exitCode).toBeNull();
  await load.expectNothingLostOrDoubled();
}

test("tables that cannot grow: registering is refused with 503, reads go on, and all goes on once there is room", async (context) => {
  const load = await fillUnderLoad(context, 0);
  expect(await refusalsOfReads(load.organization.live)).toEqual([]);
  await expectAllWellWithRoom(load);
}, 120_000);

test("a log that cannot grow, which may end Postgres: 503 and nothing wrong, and all goes on once there is room", async (context) => {
  const load = await fillUnderLoad(context, LESS_THAN_WAL);
  // What others write into the same log, until it takes no more.
  const write = () => deployment.admin.query("select pg_logical_emit_message(false, 'fault', repeat('x', 1000000))");
  const log = async () => {
    for (let megabyte = 0; megabyte < 200; megabyte++) await write();
  };
  await expect(log()).rejects.toThrow();
  const before = load.outcomes["503"] ?? 0;
  await expect.poll(() => (load.outcomes["503"] ?? 0) - before, { timeout: 30_000 }).toBeGreaterThan(64);
  // Postgres ends when it is a commit that it cannot write; otherwise it goes on reading.
  const refusals = await refusalsOfReads(load.organization.live);
  expect(refusals.filter(({ status }) => status !== 503)).toEqual([]);
  await expectAllWellWithRoom(load);
}, 120_000);
