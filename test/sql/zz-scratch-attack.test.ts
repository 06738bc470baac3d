import { createHash, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { rotatePlatformKeys } from "../../src/operations/platform/rotate-platform-keys.ts";
import { call } from "../rest/rest-client.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { masterKeys } from "../support/master-keys.ts";
import { inContext, ownerPool } from "../support/owner.ts";
import { verifyAll } from "../support/verify-all.ts";
import { webhookCaller } from "../support/webhook-caller.ts";

let selo: TestGateway;
let org: TestOrganization;
let proofs: any[] = [];
let last = 0;
let deletedHook = "";
const OUT = "/tmp/zz-out.txt";
const log = (name: string, value: unknown) => fs.appendFileSync(OUT, `${name}: ${JSON.stringify(value)}\n`);
async function register(token: string) {
  const body = { sha256: randomBytes(32).toString("hex"), label: "Contract", file_name: "a.pdf", file_size: 7 };
  return (await call(selo, "POST", "/proofs", { token, body })).body;
}
beforeAll(async () => {
  fs.writeFileSync(OUT, "");
  selo = await startTestGateway();
  org = await selo.newOrganization({ email: "ana@example.com" });
  proofs = [await register(org.live), await register(org.live)];
  await rotatePlatformKeys(selo.operator, masterKeys, ["live"]);
  const webhooks = webhookCaller(selo, org.live);
  deletedHook = (await webhooks.register()).id;
  await webhooks.ask("DELETE", `/webhooks/${deletedHook}`);
  const owner = ownerPool(selo.database);
  await owner.query("select platform.bind_analyst('selo_analyst_of_zz', $1, 'live')", [org.id]);
  await owner.query("select platform.grant_credits($1, 'icp_brasil', 10)", [org.id]);
  await owner.end();
  last = await selo.seal();
  last = await selo.seal();
  for (const t of [
    "platform.audit_events",
    "platform.tokens",
    "platform.credit_ledger",
    "platform.analysts",
    "webhooks.endpoints",
    "signature.proofs",
    "platform.public_codes",
    "platform.platform_keys",
  ]) {
    for (const { conname } of (
      await selo.database.admin.query(
        "select conname from pg_constraint where conrelid=$1::regclass and contype in ('c')",
        [t],
      )
    ).rows)
      await selo.database.admin.query(`alter table ${t} drop constraint ${conname} cascade`);
    for (const { attname } of (
      await selo.database.admin.query(
        "select attname from pg_attribute where attrelid=$1::regclass and attnum>0 and attnotnull and not attisdropped",
        [t],
      )
    ).rows)
      await selo.database.admin.query(`alter table ${t} alter ${attname} drop not null`).catch(() => {});
  }
}, 120_000);
afterAll(() => selo.stop());
const bare = (t: string) => t.replace(".", "_");
const verify = async (o: any = {}) => {
  try {
    return (await verifyAll(selo.operator, o)).faults.map((f) => f.check_name + ": " + f.fault).slice(0, 8);
  } catch (e) {
    return "THROWS " + e;
  }
};
async function attack(name: string, tables: string[], statements: [string, unknown[]?][], options: any = {}) {
  const a = selo.database.admin;
  for (const t of tables)
    await a.query(`drop table if exists kept_${bare(t)}; create table kept_${bare(t)} as table ${t}`);
  try {
    const c = await a.connect();
    const counts = [];
    try {
      await c.query("begin; set local session_replication_role = replica");
      for (const [s, v] of statements) counts.push((await c.query(s, v ?? [])).rowCount);
      await c.query("commit");
      const at = performance.now();
      log(name, { counts, verify: await verify(options), ms: Math.round(performance.now() - at) });
    } catch (e) {
      await c.query("rollback");
      log(name, "ATTACK FAILED " + e);
    } finally {
      c.release();
    }
  } finally {
    const c = await a.connect();
    for (const t of tables)
      await c
        .query(
          `begin; set local session_replication_role = replica; delete from ${t}; insert into ${t} overriding system value table kept_${bare(t)}; drop table kept_${bare(t)}; commit`,
        )
        .catch(async (e) => {
          log(name + " RESTORE", String(e));
          await c.query("rollback");
        });
    c.release();
  }
}
const digestToken = `platform.record_digest(t.record_salt, platform.token_record(t, array(select encode(k.digest,'hex') from platform.token_hashes k where k.tenant_id=t.tenant_id and k.token_id=t.id order by k.digest)))`;
const oneToken = `(select id from platform.tokens where tenant_id = '%ORG%' and environment='live' order by id limit 1)`;


test("more", async () => {
  const owner = ownerPool(selo.database);
  const CL = ["platform.credit_ledger", "platform.credit_balances"];
  await attack("7 other kind spent for a registered proof", CL, [["insert into platform.credit_ledger (tenant_id,kind,amount,reason,subject_id) values ($1,'icp_brasil',-1,'proof_registered',$2)", [org.id, proofs[0].id]], ["update platform.credit_balances set balance=balance-1 where tenant_id=$1 and kind='icp_brasil' and slot=3", [org.id]]]);
  const aid = (await selo.database.admin.query("select id from platform.analysts where login='selo_analyst_of_zz'")).rows[0].id;
  await attack("8b revoked analyst bound again, record_salt null", ["platform.analysts", "platform.audit_events"], [
    [`select platform.enter_context('${org.id}','live',null,null)`],
    [`select platform.record_audit_event('analyst.revoked','analyst','${aid}')`],
    ["update platform.analysts set record_salt=null where id=$1", [aid]]]);
  await attack("20 ledger amounts swapped between slots null", CL, [["update platform.credit_ledger set created_at=null, reason='x', subject_id=null where tenant_id=$1 and amount<0 and subject_id=$2", [org.id, proofs[0].id]]]);
  const analyst = await selo.operator.createAnalyst(org.id, "live");
  for (const [who, url] of [["worker", selo.database.workerUrl], ["app", selo.database.appUrl], ["analyst", analyst.url]] as const) {
    const w = new pg.Client({ connectionString: url });
    await w.connect();
    await w.query("set default_transaction_read_only = off").catch(() => {});
    for (const schema of ["pg_temp", "graphile_worker"]) {
      try {
        if (schema === "graphile_worker") await w.query("grant usage on schema graphile_worker to public");
        await w.query(`create function ${schema}.audit_check_zz(p uuid) returns table (who text, key text, n text) language plpgsql volatile as $$
          begin
            perform platform.enter_context('${org.id}', 'live', null, null);
            perform platform.grant_credits('${org.id}', 'signature', 777, 'stolen');
            return query select current_user::text, (select encode(c.key,'hex') from secrets.context_key c limit 1), (select count(*)::text from platform.tokens); end $$`);
        await w.query(`grant execute on function ${schema}.audit_check_zz(uuid) to public`);
        log(`21 verify while ${who} has ${schema}.audit_check_zz`, await verify());
        log(`12 escalation ${who} ${schema}`, (await w.query("select jobs.audit_check($1,'zz',null)", [schema])).rows);
      } catch (e) { log(`12 escalation ${who} ${schema}`, String(e)); }
      await w.query(`drop function if exists ${schema}.audit_check_zz(uuid)`).catch(() => {});
    }
    if (who === "worker") {
      try {
        await w.query("create type graphile_worker.zz as (x int)").catch(() => {});
        await w.query(`create function graphile_worker.audit_coverage() returns table (table_name text, column_name text, check_name text, how text) language plpgsql as $$ begin perform platform.enter_context('${org.id}', 'live', null, null); perform platform.grant_credits('${org.id}', 'signature', 778, 'by coverage'); return; end $$`);
        log("12b verify", await verify());
        log("12b worker calls reference_data", (await w.query("select jobs.audit_check('platform','reference_data',null)")).rows);
      } catch (e) { log("12b", String(e)); }
      await w.query("drop function if exists graphile_worker.audit_coverage(); revoke usage on schema graphile_worker from public").catch((e) => log("x", String(e)));
    }
    await w.end();
  }
  log("12 grants", (await selo.database.admin.query("select amount, reason from platform.credit_ledger where reason in ('stolen', 'by coverage')")).rows);
  await selo.operator.revokeAnalyst(analyst.login);
  log("end", await verify());
  await owner.query(`begin; select platform.change_setting('audit_began_at', platform.instant(clock_timestamp() + interval '1 hour')); commit`);
  await owner.query("select platform.grant_credits($1, 'signature', 5)", [org.id]);
  log("22 clock was ahead at the beginning", await verify());
  await owner.end();
}, 100_000);
