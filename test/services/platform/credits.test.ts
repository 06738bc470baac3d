import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { inContext, ownerPool } from "../../support/owner.ts";

let database: TestDatabase;
let owner: pg.Pool;
let operator: Operator;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database);
  operator = await Operator.connect(database.adminUrl);
});
afterAll(async () => {
  await operator.close();
  await owner.end();
  await database.drop();
});

async function newTenant(credits: number): Promise<string> {
  const { id } = await operator.createOrganization({ name: "Credits" });
  if (credits > 0) await operator.grantCredits(id, "signature", credits);
  return id;
}

/** Spends one credit for each of so many subjects. */
function spend(tenantId: string, count: number, environment: "live" | "test" = "live", kind = "signature") {
  return inContext(owner, tenantId, environment, (client) =>
    client.query("select platform.spend_credits($1, 1, 'proof_registered', $2)", [
      kind,
      Array.from({ length: count }, () => randomUUID()),
    ]),
  );
}

async function balances(tenantId: string, kind = "signature") {
  const { rows } = await database.admin.query<{ slots: number[]; balance: number; ledger: number }>(
    `select (select coalesce(array_agg(balance::integer order by slot), '{}') from platform.credit_balances where tenant_id = $1 and kind = $2) as slots,
       (select coalesce(sum(balance), 0)::integer from platform.credit_balances where tenant_id = $1 and kind = $2) as balance,
       (select coalesce(sum(amount), 0)::integer from platform.credit_ledger where tenant_id = $1 and kind = $2) as ledger`,
    [tenantId, kind],
  );
  return rows[0] ?? { slots: [], balance: 0, ledger: 0 };
}

async function setSlots(tenantId: string, slots: readonly number[]): Promise<void> {
  await database.admin.query(
    "update platform.credit_balances set balance = given.balance from unnest($2::integer[]) with ordinality as given (balance, place) where tenant_id = $1 and kind = 'signature' and slot = place - 1",
    [tenantId, slots],
  );
}

const refused = (error: unknown) => (error as pg.DatabaseError).code === "PT402";

test("a grant is spread over sixteen slots, added to what is there, and written to the ledger", async () => {
  const tenant = await newTenant(0);
  expect(await operator.grantCredits(tenant, "signature", 35)).toBe(35);
  expect((await balances(tenant)).slots).toEqual([3, 3, 3, ...Array.from({ length: 13 }, () => 2)]);
  expect(await operator.grantCredits(tenant, "signature", 1)).toBe(36);
  expect(await balances(tenant)).toMatchObject({ balance: 36, ledger: 36 });
  expect(await balances(tenant, "icp_brasil")).toEqual({ slots: [], balance: 0, ledger: 0 });
});

test("a grant of exactly 10^12 is taken whole", async () => {
  const tenant = await newTenant(0);
  expect(await operator.grantCredits(tenant, "signature", 10 ** 12)).toBe(10 ** 12);
  const { rows } = await database.admin.query<{ sum: string; amount: string }>(
    `select (select sum(balance) from platform.credit_balances where tenant_id = $1)::text as sum,
       (select amount from platform.credit_ledger where tenant_id = $1)::text as amount`,
    [tenant],
  );
  expect(rows).toEqual([{ sum: "1000000000000", amount: "1000000000000" }]);
});

test.each([
  ["signature", 0, "amount"],
  ["signature", -5, "amount"],
  ["signature", 10 ** 12 + 1, "amount"],
  ["gold", 1, "kind"],
])("granting %s credits, %d of them, is refused and names %s", async (kind, amount, field) => {
  await expect(operator.grantCredits(await newTenant(0), kind, amount)).rejects.toMatchObject({
    status: 422,
    code: "invalid_request",
    fields: [{ field }],
  });
});

test("whatever the slots hold, spending takes exactly what is asked, or nothing when all together have too little", async () => {
  const tenant = await newTenant(16);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 16, maxLength: 16 }),
      fc.integer({ min: 1, max: 40 }),
      async (slots, count) => {
        await setSlots(tenant, slots);
        const before = await balances(tenant);
        const total = slots.reduce((sum, slot) => sum + slot, 0);
        const spent = await spend(tenant, count).then(
          () => true,
          (error) => {
            if (!refused(error)) throw error;
            return false;
          },
        );
        const after = await balances(tenant);
        expect(spent).toBe(total >= count);
        expect(after.balance).toBe(spent ? total - count : total);
        expect(Math.min(...after.slots)).toBeGreaterThanOrEqual(0);
        expect(after.ledger).toBe(before.ledger - (spent ? count : 0));
        if (!spent) expect(after.slots).toEqual(slots);
      },
    ),
    { numRuns: 60 },
  );
});

test("sixty at once on twenty credits: twenty succeed, forty are refused, the ledger's sum is the balance, nobody deadlocks", async () => {
  for (let round = 0; round < 12; round++) {
    const tenant = await newTenant(20);
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => spend(tenant, 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "PT402" });
    expect(await balances(tenant)).toMatchObject({ balance: 0, ledger: 0 });
  }
});

test("batches of several at once never overdraw, and leave less than the smallest batch that was refused", async () => {
  const tenant = await newTenant(100);
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, which) => spend(tenant, 1 + (which % 5))));
  const spent = outcomes.reduce((sum, { status }, which) => sum + (status === "fulfilled" ? 1 + (which % 5) : 0), 0);
  const after = await balances(tenant);
  expect(after.balance).toBe(100 - spent);
  expect(after.ledger).toBe(after.balance);
  for (const [which, outcome] of outcomes.entries())
    if (outcome.status === "rejected") {
      expect(refused(outcome.reason)).toBe(true);
      expect(1 + (which % 5)).toBeGreaterThan(after.balance);
    }
});

test("credit in slots that another transaction holds is waited for, not refused; and given back when that one fails", async () => {
  const tenant = await newTenant(16);
  await setSlots(tenant, [1, ...Array.from({ length: 15 }, () => 0)]);
  const holder = await owner.connect();
  await holder.query("begin");
  await holder.query("select platform.enter_context($1, 'live', null, null, null)", [tenant]);
  await holder.query("select platform.spend_credits('signature', 1, 'proof_registered', $1)", [[randomUUID()]]);
  const waiting = spend(tenant, 1);
  const waits =
    "select count(*)::integer as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await database.admin.query<{ waiting: number }>(waits)).rows[0]?.waiting).toBe(1);
  await holder.query("rollback");
  holder.release();
  await waiting;
  expect((await balances(tenant)).balance).toBe(0);
});

test("the test environment is free, without credits and without a trace", async () => {
  const tenant = await newTenant(0);
  await spend(tenant, 5, "test");
  expect(await balances(tenant)).toEqual({ slots: [], balance: 0, ledger: 0 });
  await expect(spend(tenant, 1)).rejects.toSatisfy(refused);
  const enough = await inContext(owner, tenant, "test", (client) =>
    client.query("select platform.has_credits('signature', 1) as enough"),
  );
  expect(enough.rows).toEqual([{ enough: true }]);
});

test("the two balances are apart, and so are those of two tenants", async () => {
  const [tenant, other] = [await newTenant(1), await newTenant(1)];
  await expect(spend(tenant, 1, "live", "icp_brasil")).rejects.toSatisfy(refused);
  await spend(tenant, 1);
  await expect(spend(tenant, 1)).rejects.toSatisfy(refused);
  expect(await balances(other)).toMatchObject({ balance: 1, ledger: 1 });
});

test("a balance below zero is refused by the table itself", async () => {
  const tenant = await newTenant(1);
  await expect(
    database.admin.query("update platform.credit_balances set balance = balance - 2 where tenant_id = $1", [tenant]),
  ).rejects.toMatchObject({ code: "23514" });
});

test("the ledger is append-only, even for a superuser", async () => {
  await newTenant(1);
  for (const statement of [
    "update platform.credit_ledger set amount = 1000000",
    "delete from platform.credit_ledger",
    "truncate platform.credit_ledger",
  ])
    await expect(database.admin.query(statement), statement).rejects.toMatchObject({
      code: "23001",
      message: "platform.credit_ledger is append-only",
    });
});
