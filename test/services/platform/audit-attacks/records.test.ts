// Proofs, verification codes, webhooks and logins of analysts that a superuser adds, removes or points elsewhere.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ownerPool } from "../../../support/owner.ts";
import { call } from "../../../support/rest-client.ts";
import { type Edit, tamper } from "../../../support/tamper.ts";
import { webhookCaller } from "../../../support/webhook-caller.ts";
import { said } from "../audit-stage.ts";
import { FOUND_BY } from "./found-by.ts";
import { attackStage, organization, selo, stage } from "./stage.ts";

attackStage();

describe("what a superuser can do, and is found", () => {
  test("a proof that is removed, and its code with it", async () => {
    const [first] = stage.proofs;
    const removed = await stage.found(
      ["signature.proofs", "platform.public_codes"],
      ["delete from signature.proofs where id = $1", [first?.id]],
      ["delete from platform.public_codes where subject_id = $1", [first?.id]],
    );
    expect(removed.map(({ check_name, subject_id }) => [check_name, subject_id])).toContainEqual([
      "registrations",
      first?.id,
    ]);
  });

  test("a verification code that is removed, or pointed at another proof, which then answers nobody", async () => {
    const [first, second] = stage.proofs;
    const codes = ["platform.public_codes"];
    const gone = await stage.found(codes, ["delete from platform.public_codes where subject_id = $1", [first?.id]]);
    expect(said(gone)).toEqual(["the verification code of the proof leads nowhere"]);
    const pointed: Edit = [
      "update platform.public_codes set subject_id = $2 where subject_id = $1",
      [first?.id, second?.id],
    ];
    expect(said(await stage.found(codes, pointed))).toEqual([
      "a verification code leads to no proof with this code",
      "the verification code of the proof leads to another subject",
    ]);
    await tamper(selo.database, pointed);
    const path = `/public/proofs/${first?.verification_code}`;
    expect(await call(selo, "GET", path)).toMatchObject({ status: 404, body: { detail: { code: "proof_not_found" } } });
    await tamper(selo.database, [
      "update platform.public_codes set subject_id = $1 where code = $2",
      [first?.id, first?.verification_code],
    ]);
    expect(await call(selo, "GET", path)).toMatchObject({ status: 200, body: { id: first?.id } });
  });

  test("a proof of the test environment that is paid for", async () => {
    const [proof] = await stage.rows<{ id: string }>(
      "select id from signature.proofs where environment = 'test' limit 1",
    );
    const paid: Edit = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id) values ($1, 'signature', -1, 'proof_registered', $2)",
      [organization.id, proof?.id],
    ];
    const less: Edit = [
      "update platform.credit_balances set balance = balance - 1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $1 limit 1)",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.credit_ledger", "platform.credit_balances"], paid, less))).toEqual([
      expect.stringMatching(/^the movement .{36} has no matching event$/),
      "the proof of the test environment was paid for",
    ]);
  });

  test("a verification code that stands twice, past the key that forbids it", async () => {
    await selo.database.admin.query("alter table platform.public_codes drop constraint public_codes_pkey");
    const twice: Edit = [
      "insert into platform.public_codes select * from platform.public_codes where subject_id = $1",
      [stage.proofs[0]?.id],
    ];
    const all = said(await stage.found(["platform.public_codes"], twice));
    await selo.database.admin.query("alter table platform.public_codes add primary key (code)");
    expect(new Set(all)).toEqual(new Set(["the verification code of the proof is registered more than once"]));
  });

  test("an analyst's login bound to an organization without an event, and a webhook that was made or deleted so", async () => {
    const bound: Edit = [
      "insert into platform.analysts (login, tenant_id, environment) values ('selo_analyst_mine', $1, 'live')",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.analysts"], bound))).toEqual([
      "truncated: the analyst exists, and its chain is missing",
    ]);
    const made: Edit = [
      `insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret)
       values ($1, $2, 'live', 'https://example.org', '{*}', '\\x00')`,
      [organization.id, randomUUID()],
    ];
    expect(said(await stage.found(["webhooks.endpoints"], made))).toEqual([
      "truncated: the webhook exists, and its chain is missing",
    ]);
    const deleted: Edit = ["delete from webhooks.endpoints where description = 'Ours'", []];
    expect(said(await stage.found(["webhooks.endpoints"], deleted))).toEqual(["the webhook that was created is gone"]);
  });

  test("a webhook that was deleted, and an analyst whose login was revoked, put back as they were", async () => {
    const webhooks = webhookCaller(selo, organization.live);
    const { id } = await webhooks.register();
    await selo.database.admin.query("create table put_back as select * from webhooks.endpoints where id = $1", [id]);
    await webhooks.ask("DELETE", `/webhooks/${id}`);
    const back: Edit = ["insert into webhooks.endpoints table put_back", []];
    expect(said(await stage.found(["webhooks.endpoints"], back))).toEqual([
      "the webhook exists, and was recorded as removed",
    ]);
    const owner = ownerPool(selo.database);
    const login = "selo_analyst_put_back";
    await owner.query("select platform.bind_analyst($1, $2, 'live')", [login, organization.id]);
    await selo.database.admin.query(
      `drop table put_back; create table put_back as select * from platform.analysts where login = '${login}'`,
    );
    await owner.query("select platform.unbind_analyst($1)", [login]);
    await owner.end();
    const bound: Edit = ["insert into platform.analysts table put_back", []];
    expect(said(await stage.found(["platform.analysts"], bound))).toEqual([
      "the analyst exists, and was recorded as removed",
    ]);
    await selo.database.admin.query("drop table put_back");
  });

  test("records and parts of a balance that no constraint keeps out any more", async () => {
    const nameless: Edit = [
      "insert into platform.analysts (login, tenant_id, environment, id) values ('selo_analyst_eve', $1, 'live', null)",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.analysts"], nameless))).toEqual([
      "truncated: the analyst exists, and its chain is missing",
    ]);
    const below = (amount: number): Edit => [
      `update platform.credit_balances set balance = balance + $1 where ctid = (
         select ctid from platform.credit_balances where tenant_id = $2 order by balance ${amount > 0 ? "desc" : "asc"} limit 1)`,
      [amount, organization.id],
    ];
    expect(said(await stage.found(["platform.credit_balances"], below(1000), below(-1000)))).toEqual([
      expect.stringMatching(/^a slot of the balance of signature credits is -\d+$/),
    ]);
    await selo.database.admin.query(
      "alter table signature.proofs drop constraint proofs_pkey cascade; alter table webhooks.endpoints drop constraint endpoints_pkey cascade, drop constraint endpoints_id",
    );
    const twin = (table: string): Edit => [
      `insert into ${table} select * from ${table} where ctid = (select min(ctid) from ${table} where environment = 'live')`,
      [],
    ];
    expect(said(await stage.found(["webhooks.endpoints"], twin("webhooks.endpoints")))).toContainEqual(
      "the webhook has 2 rows",
    );
  });
});

test("each check that is listed for this file found something above", () => {
  expect([...stage.seen]).toEqual(expect.arrayContaining([...FOUND_BY.records]));
});
