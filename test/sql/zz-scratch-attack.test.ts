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

test("all", async () => {
  const T = oneToken.replace("%ORG%", org.id);
  const widen: [string] = [
    `update platform.tokens set name='forged', expires_at=null, scopes='{proofs:read,proofs:write,webhooks:manage}' where id=${T}`,
  ];
  log("0 untouched", await verify());
  await attack(
    "1 sealed token.created rewritten, occurred_at null",
    ["platform.tokens", "platform.audit_events"],
    [
      widen,
      [
        `update platform.audit_events e set occurred_at=null, details=regexp_replace(e.details,'"record_sha256":"[0-9a-f]{64}"','"record_sha256":"'||${digestToken}||'"') from platform.tokens t where t.id=${T} and e.subject_id=t.id`,
      ],
    ],
  );
  const pk = (
    await selo.database.admin.query(
      "select conname from pg_constraint where conrelid='platform.audit_events'::regclass and contype='p'",
    )
  ).rows[0]?.conname;
  log("pk", pk);
  await attack(
    "3 proof edited with registered_at null (label, evidence, signatures forged)",
    ["signature.proofs"],
    [
      [
        `update signature.proofs set registered_at=null, label='forged', evidence=replace(evidence,'Contract','forged'), platform_signature='\\x00' where id=$1`,
        [proofs[0].id],
      ],
    ],
  );
  await attack(
    "3b forged proof inserted, no event, registered_at null",
    ["signature.proofs", "platform.public_codes"],
    [
      [
        `insert into signature.proofs select (jsonb_populate_record(p, jsonb_build_object('id', $2::text, 'registered_at', null, 'label','never registered','sha256','\\x'||repeat('ab',32),'verification_code','ZZZZZZZZZZ'))).* from signature.proofs p where id=$1`,
        [proofs[0].id, randomUUID()],
      ],
      [
        `insert into platform.public_codes (code,tenant_id,environment,subject_type,subject_id) select verification_code,tenant_id,environment,'proof',id from signature.proofs where verification_code='ZZZZZZZZZZ'`,
      ],
    ],
  );
  const bal: [string, unknown[]] = [
    "update platform.credit_balances set balance=balance+$1 where tenant_id=$2 and kind=$3 and slot=3",
    [50, org.id, "signature"],
  ];
  const minus = (kind: string): [string, unknown[]] => [
    "update platform.credit_balances set balance=balance-5 where tenant_id=$1 and kind=$2 and slot=3",
    [org.id, kind],
  ];
  const CL = ["platform.credit_ledger", "platform.credit_balances"];
  await attack("4 credits from nowhere, created_at null", CL, [
    [
      "insert into platform.credit_ledger (tenant_id,kind,amount,reason,created_at) values ($1,'signature',50,'granted',null)",
      [org.id],
    ],
    bal,
  ]);
  await attack("6 credits taken, reason organization_created", CL, [
    [
      "insert into platform.credit_ledger (tenant_id,kind,amount,reason,subject_id) values ($1,'signature',-5,'organization_created',$1)",
      [org.id],
    ],
    minus("signature"),
  ]);
  await attack("7 other kind spent for a registered proof", CL, [
    [
      "insert into platform.credit_ledger (tenant_id,kind,amount,reason,subject_id) values ($1,'icp_brasil',-5,'proof_registered',$2)",
      [org.id, proofs[0].id],
    ],
    minus("icp_brasil"),
  ]);
  const lpk = (
    await selo.database.admin.query(
      "select conname from pg_constraint where conrelid='platform.credit_ledger'::regclass and contype='p'",
    )
  ).rows[0]?.conname;
  if (lpk) await selo.database.admin.query(`alter table platform.credit_ledger drop constraint ${lpk} cascade`);
  await attack("5 grant doubled (pkey dropped)", CL, [
    [
      "insert into platform.credit_ledger select * from platform.credit_ledger where tenant_id=$1 and kind='icp_brasil' and amount>0",
      [org.id],
    ],
    [
      "update platform.credit_balances set balance=balance+10 where tenant_id=$1 and kind='icp_brasil' and slot=3",
      [org.id],
    ],
  ]);
  await attack(
    "8a deleted webhook back, record_salt null",
    ["webhooks.endpoints"],
    [
      [
        `insert into webhooks.endpoints (tenant_id,id,environment,url,event_types,sealed_secret,record_salt) values ($1,$2,'live','https://evil.example','{*}','\\x00',null)`,
        [org.id, deletedHook],
      ],
    ],
  );
  await attack(
    "9 retired key without its instant",
    ["platform.platform_keys"],
    [["update platform.platform_keys set retired_at=null where status='retired'"]],
  );
  await attack(
    "10 code of another subject_type",
    ["platform.public_codes"],
    [
      [
        "insert into platform.public_codes (code,tenant_id,environment,subject_type,subject_id) values ('QQQQQQQQQQ',$1,'live','other',$2)",
        [org.id, randomUUID()],
      ],
    ],
  );
  await attack(
    "17 evidence null",
    ["signature.proofs"],
    [["update signature.proofs set evidence=null where id=$1", [proofs[0].id]]],
  );
  await attack(
    "19 token widened, event appended by the honest function",
    ["platform.tokens", "platform.audit_events"],
    [
      widen,
      [`select platform.enter_context('${org.id}','live',null,null)`],
      [
        `select platform.record_audit_event('token.recorded','token',t.id, jsonb_build_object('record_sha256', ${digestToken})) from platform.tokens t where t.id=${T}`,
      ],
    ],
  );
  // since
  await register(org.live);
  const p3 = await register(org.live);
  await attack(
    "11 since: unsealed event edited, dated back",
    ["platform.audit_events"],
    [
      [
        "update platform.audit_events set occurred_at='2020-01-01', actor_id=null, action='proof.registered' where subject_id=$1",
        [p3.id],
      ],
    ],
    { since: last },
  );
  await attack(
    "11b since: unsealed proof edited, dated back",
    ["signature.proofs"],
    [
      [
        "update signature.proofs set registered_at='2020-01-01', label='forged', platform_signature='\\x00' where id=$1",
        [p3.id],
      ],
    ],
    { since: last },
  );
  await attack(
    "11c full: same as 11b",
    ["signature.proofs"],
    [
      [
        "update signature.proofs set registered_at='2020-01-01', label='forged', platform_signature='\\x00' where id=$1",
        [p3.id],
      ],
    ],
  );
  // migrations row launders reference data
  await selo.database.admin.query("insert into platform.migrations select * from platform.migrations limit 0");
  await attack(
    "18 reference data edited, migrations row, begin()",
    ["platform.migrations", "platform.credit_kinds", "platform.audit_events"],
    [
      [
        "insert into platform.migrations (name,hash,applied_at) select 'zzzz', hash, applied_at from platform.migrations limit 1",
      ],
      ["update platform.credit_kinds set description='forged' where name='icp_brasil'"],
      ["select platform.begin_audit()"],
    ],
  );
  // hash and id null
  if (pk) await selo.database.admin.query(`alter table platform.audit_events drop constraint ${pk} cascade`);
  await selo.database.admin
    .query(`alter table platform.audit_events alter id drop not null, alter hash drop not null`)
    .catch((e) => log("ddl", String(e)));
  await attack(
    "2 sealed token.created rewritten, id and hash null",
    ["platform.tokens", "platform.audit_events"],
    [
      widen,
      [
        `update platform.audit_events e set id=null, hash=null, details=regexp_replace(e.details,'"record_sha256":"[0-9a-f]{64}"','"record_sha256":"'||${digestToken}||'"') from platform.tokens t where t.id=${T} and e.subject_id=t.id`,
      ],
    ],
  );
}, 300_000);

test("worker", async () => {
  const w = new pg.Client({ connectionString: selo.database.workerUrl });
  await w.connect();
  try {
    log(
      "13 read_signatures by worker",
      (
        await w.query(
          `select left(evidence,400) as evidence from jobs.read_signatures('{"after":{"tenant_id":"00000000-0000-0000-0000-000000000000","id":"00000000-0000-0000-0000-000000000000"},"until":{"tenant_id":"ffffffff-ffff-ffff-ffff-ffffffffffff","id":"ffffffff-ffff-ffff-ffff-ffffffffffff"}}','-infinity',1000)`,
        )
      ).rows.length,
    );
    log(
      "13 evidence",
      (
        await w.query(
          `select evidence from jobs.read_signatures('{"after":{"tenant_id":"00000000-0000-0000-0000-000000000000","id":"00000000-0000-0000-0000-000000000000"},"until":{"tenant_id":"ffffffff-ffff-ffff-ffff-ffffffffffff","id":"ffffffff-ffff-ffff-ffff-ffffffffffff"}}','-infinity',1)`,
        )
      ).rows,
    );
    for (const schema of ["graphile_worker", "pg_temp"]) {
      try {
        await w.query(`create function ${schema}.audit_check_zz(p uuid) returns setof json language plpgsql volatile as $$
          begin
            perform platform.enter_context('${org.id}', 'live', null, null);
            perform platform.grant_credits('${org.id}', 'signature', 777, 'stolen');
            return query select json_build_object('who', current_user, 'key', (select encode(key,'hex') from secrets.context_key limit 1)); end $$`);
        log("12 escalation " + schema, (await w.query("select jobs.audit_check($1,'zz',null)", [schema])).rows);
      } catch (e) {
        log("12 escalation " + schema, String(e));
      }
    }
    log(
      "12 grants",
      (await selo.database.admin.query("select amount, reason from platform.credit_ledger where reason='stolen'")).rows,
    );
    await w.query("drop function if exists graphile_worker.audit_check_zz(uuid)").catch(() => {});
    try {
      await w.query(
        `create function graphile_worker.audit_coverage() returns table (table_name text, column_name text, check_name text, how text) language plpgsql as $$ begin raise notice 'x'; return query select 'platform.plans'::text, current_user::text, 'zz'::text, 'x'::text; end $$`,
      );
      log("12b coverage by worker", await verify());
      await w.query("drop function graphile_worker.audit_coverage()");
    } catch (e) {
      log("12b", String(e));
    }
  } finally {
    await w.end();
  }
}, 60_000);

test("stream", async () => {
  const owner = ownerPool(selo.database);
  const id = randomUUID();
  await inContext(owner, org.id, "test", async (c) => {
    await c.query(
      `insert into webhooks.endpoints (tenant_id,id,environment,url,event_types,sealed_secret,stream_expires_at) values ($1,$2,'test',null,'{*}','\\x00',now()+interval '60 seconds')`,
      [org.id, id],
    );
    await c.query(
      `select platform.record_audit_event('webhook.stream_opened','webhook',$1, webhooks.endpoint_state($1))`,
      [id],
    );
  });
  log("15 stream open", await verify());
  await owner.query("begin; select webhooks.record_existing(); commit").catch((e) => log("15 x", String(e)));
  await selo.database.admin.query("delete from webhooks.endpoints where id=$1", [id]);
  log("15 stream recorded at upgrade, then closed", await verify());
  // quadratic
  for (const n of [500, 1000, 2000]) {
    const s = randomUUID();
    await inContext(owner, org.id, "test", (c) =>
      c.query(
        "select count(platform.record_audit_event('thing.changed','thing',$1, jsonb_build_object('event', n))) from generate_series(1,$2::integer) n",
        [s, n],
      ),
    );
    await attack(
      `14 ${n} events of a chain edited`,
      ["platform.audit_events"],
      [["update platform.audit_events set details='{}' where subject_id=$1", [s]]],
    );
  }
  await owner.end();
}, 300_000);
