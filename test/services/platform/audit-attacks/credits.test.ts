// Movements of credits that a superuser adds, changes or dates otherwise.
import { describe, expect, test } from "vitest";
import type { Edit } from "../../../support/tamper.ts";
import { said } from "../audit-stage.ts";
import { FOUND_BY } from "./found-by.ts";
import { attackStage, organization, selo, stage } from "./stage.ts";

attackStage();

describe("what a superuser can do, and is found", () => {
  test("a movement of credits that no event made, with a balance to match, and one that is gone", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const more = (amount: number): Edit => [
      "update platform.credit_balances set balance = balance + $1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $2 limit 1)",
      [amount, organization.id],
    ];
    const made = (amount: number, reason: string): Edit => [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason) values ($1, 'signature', $2, $3)",
      [organization.id, amount, reason],
    ];
    expect(said(await stage.found(tables, made(7, "granted"), more(7)))).toEqual([
      "0 grants of 7 signature credits (granted) are recorded, and 1 are in the ledger",
    ]);
    expect(said(await stage.found(tables, made(-1, "proof_registered"), more(-1)))).toEqual([
      expect.stringMatching(/^the movement .{36} has no matching event$/),
    ]);
    expect(said(await stage.found(tables, more(7)))).toEqual([
      expect.stringMatching(/^the balance of signature credits is \d+, and the sum of its ledger is \d+$/),
    ]);
    const paid: Edit = ["delete from platform.credit_ledger where subject_id = $1", [stage.proofs[0]?.id]];
    expect(said(await stage.found(tables, paid, more(1)))).toEqual(["the proof was not paid for"]);
    const twice: Edit = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id) values ($1, 'signature', -1, 'proof_registered', $2)",
      [organization.id, stage.proofs[0]?.id],
    ];
    expect(said(await stage.found(tables, twice, more(-1)))).toContainEqual(
      `credits were spent 2 times for ${stage.proofs[0]?.id}`,
    );
  });

  test("a movement that has no price, stands twice, or has no time", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const change = (amount: number): Edit => [
      "update platform.credit_balances set balance = balance + $1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $2 limit 1)",
      [amount, organization.id],
    ];
    const spent: Edit = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id) values ($1, 'signature', -5, 'organization_created', $1)",
      [organization.id],
    ];
    expect(said(await stage.found(tables, spent, change(-5)))).toEqual([
      expect.stringMatching(/^the movement .{36} has no price$/),
    ]);
    const timeless: Edit = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, created_at) values ($1, 'signature', 50, 'granted', null)",
      [organization.id],
    ];
    expect(said(await stage.found(tables, timeless, change(50)))).toContainEqual(
      "0 grants of 50 signature credits (granted) are recorded, and 1 are in the ledger",
    );
    await selo.database.admin.query("alter table platform.credit_ledger drop constraint credit_ledger_pkey");
    try {
      const twice: Edit = [
        "insert into platform.credit_ledger select * from platform.credit_ledger where amount = 100 and tenant_id = $1",
        [organization.id],
      ];
      expect(said(await stage.found(tables, twice, change(100)))).toContainEqual(
        expect.stringMatching(/^the movement .{36} has 2 rows in the ledger$/),
      );
    } finally {
      await selo.database.admin.query("alter table platform.credit_ledger add primary key (tenant_id, id)");
    }
  });

  test("a grant that is another than the event says, and a movement whose id is of another time", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const own = "where amount > 0 and tenant_id = $1";
    const more: Edit = [
      "update platform.credit_balances set balance = balance + 7 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $1 limit 1)",
      [organization.id],
    ];
    const raised: Edit = [`update platform.credit_ledger set amount = amount + 7 ${own}`, [organization.id]];
    expect(said(await stage.found(tables, raised, more))).toEqual([
      expect.stringMatching(/^the movement .{36} differs from the recorded grant$/),
    ]);
    const moved: Edit = [
      "update platform.credit_ledger set id = uuidv7(interval '-1 day') where amount < 0 and tenant_id = $1 and subject_id = $2",
      [organization.id, stage.proofs[0]?.id],
    ];
    expect(said(await stage.found(tables, moved))).toEqual([
      expect.stringMatching(/^the movement .{36} has another time than its id$/),
    ]);
  });

  test("a movement of credits that is dated before the audit trail and names the id of something else", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const [token] = await stage.rows<{ id: string }>(
      "select id from platform.tokens where tenant_id = $1 and environment = 'live' limit 1",
      [organization.id],
    );
    for (const [amount, reason, subject] of [
      [1_000_000, "granted", organization.id],
      [1_000_000, "granted", null],
      [-1, "proof_registered", token?.id],
    ]) {
      const dated: Edit = [
        `insert into platform.credit_ledger (tenant_id, id, kind, amount, reason, subject_id, created_at)
         select $1, uuidv7(at - now()), 'signature', $2, $3, $4, at
         from (select value::timestamptz - interval '1 day' as at from platform.settings where name = 'audit_began_at') as began`,
        [organization.id, amount, reason, subject],
      ];
      const more: Edit = [
        "update platform.credit_balances set balance = balance + $1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $2 limit 1)",
        [amount, organization.id],
      ];
      expect(said(await stage.found(tables, dated, more))).toContainEqual(
        "the movements from before the audit trail differ from the recorded digest",
      );
    }
  });
});

test("each check that is listed for this file found something above", () => {
  expect([...stage.seen]).toEqual(expect.arrayContaining([...FOUND_BY.credits]));
});
