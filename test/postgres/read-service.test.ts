// Reads of GraphQL: the answer waits for no commit, and a turn ends when its connection is back.

import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import type { WithPgClient } from "postgraphile/@dataplan/pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "../../src/app-error.ts";
import { Actors } from "../../src/postgres/actors.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { readService } from "../../src/postgres/read-service.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

let pool: pg.Pool;
let admitted: number;
let read: (text: string, token?: string | null) => Promise<unknown[]>;
beforeEach(async () => {
  pool = createPool({ url: selo.database.appUrl, role: null, applicationName: "test", pipeline: true }, 2, () => {});
  admitted = 0;
  const service = readService(pool, new Actors());
  const withPgClient = (await service.adaptor.createWithPgClient(undefined as never)) as WithPgClient;
  read = async (text, token = organization.test) => {
    const reader = {
      credentialHash: token === null ? null : createHash("sha256").update(token).digest(),
      origin: { requestId: randomUUID(), address: "127.0.0.1", channel: "graphql" as const },
      admit: () => void admitted++,
    };
    const { rows } = await withPgClient(service.pgSettings({ reader }), (client) => client.query({ text }));
    return [...rows];
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.end();
});

/** Has every commit wait for another statement before it, sent as part of it. */
function commitAfter(statement: string): void {
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    return Reflect.apply(query, this, args[0] === "commit" ? [`${statement}; commit`] : args);
  } as never);
}

const TENANT = "select platform.tenant_id() as id";

test("a read is its actor's, in a transaction that writes nothing and ends", async () => {
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(await read("show transaction_read_only")).toEqual([{ transaction_read_only: "on" }]);
  await vi.waitFor(() => expect(pool.idleCount).toBe(1));
  const { rows } = await pool.query(`${TENANT}, pg_current_xact_id_if_assigned() is null as wrote_nothing`);
  expect(rows).toEqual([{ id: null, wrote_nothing: true }]);
});

test("the answer leaves before the commit; the connection goes back after it", async () => {
  commitAfter("select pg_sleep(1)");
  const begun = performance.now();
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(performance.now() - begun).toBeLessThan(900);
  expect(admitted).toBe(1);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 0]);
  await vi.waitFor(() => expect(pool.idleCount).toBe(1), { timeout: 5_000 });
  expect(performance.now() - begun).toBeGreaterThan(900);
});

test("an actor's turn lasts until the connection is back: half of the connections stay another's", async () => {
  commitAfter("select pg_sleep(1)");
  const other = await selo.newOrganization();
  const begun = performance.now();
  await read(TENANT);
  const second = read(TENANT);
  // One of the two connections is that actor's; the other one is free.
  expect(await read(TENANT, other.test)).toEqual([{ id: other.id }]);
  expect(performance.now() - begun).toBeLessThan(900);
  await second;
  expect(performance.now() - begun).toBeGreaterThan(900);
});

test("a commit that fails takes nothing back; its connection is given up", async () => {
  commitAfter("select pg_terminate_backend(pg_backend_pid())");
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(admitted).toBe(1);
  await vi.waitFor(() => expect(pool.totalCount).toBe(0));
  vi.restoreAllMocks();
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
});

test("a statement that fails is told, its token admitted, and its connection used again", async () => {
  await expect(read("select 1 / 0")).rejects.toThrow("division by zero");
  expect(admitted).toBe(1);
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(pool.totalCount).toBe(1);
});

test("a token that is not good reads nothing and is not admitted", async () => {
  const refused = await read(TENANT, "selo_test_nobody").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ status: 401 });
  expect(admitted).toBe(0);
});

test("a transient failure is tried again, on a single connection", async () => {
  let failures = 2;
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const isRead = (args[0] as { text?: string }).text === TENANT;
    return Reflect.apply(query, this, isRead && failures-- > 0 ? ["select from api.replaced_just_now"] : args);
  } as never);
  expect(await read(TENANT)).toEqual([{ id: organization.id }]);
  expect(failures).toBe(-1);
  expect(pool.totalCount).toBe(1);
});
