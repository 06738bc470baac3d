// What a superuser can do to hide a change, and is found by `selo audit verify` all the same.
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditFault } from "../../../src/postgres/audit-reader.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { createTestDatabase } from "../../support/database.ts";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { call } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";
import { AuditStage, said } from "./audit-stage.ts";

let stage: AuditStage;
let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  stage = await AuditStage.open();
  ({ selo, organization } = stage);
}, 120_000);
afterAll(() => stage?.close());

/** What is found for good once the beginning was moved, which a test does. */
let WITH_THE_BEGINNING_MOVED: string[];

describe("what a superuser can do, and is found", () => {
  test("an event at a place that is taken, past an index that was kept from seeing it", async () => {
    const [event] = await stage.rows<{ id: string; subject_id: string }>(
      "select id, subject_id from platform.audit_events where seq = 1 and action = 'proof.registered' limit 1",
    );
    const index =
      "pg_index set indisready = %s where indexrelid = 'platform.audit_events_tenant_id_environment_subject_id_seq_key'::regclass";
    const own = randomUUID();
    const client = await selo.database.admin.connect();
    try {
      await client.query("begin; set local session_replication_role = replica; set local allow_system_table_mods = on");
      await client.query(`update ${index.replace("%s", "false")}`);
      await client.query(
        "commit; begin; set local session_replication_role = replica; set local allow_system_table_mods = on",
      );
      await client.query(
        `insert into platform.audit_events
         select tenant_id, environment, $2, subject_type, subject_id, seq, 'proof.forged', actor_type, actor_id, channel, request_id,
           occurred_at, details, commitments, personal, prev_hash, hash
         from platform.audit_events where id = $1`,
        [event?.id, own],
      );
      await client.query(`update ${index.replace("%s", "true")}`);
      await client.query("commit");
      const named = (all: readonly AuditFault[]) => all.filter(({ event_id }) => event_id === own);
      expect(said(await stage.faults())).toContainEqual(expect.stringMatching(/^inserted: /));
      // Where the walk goes by that index, it does not meet the event: the table itself is counted.
      const [{ events } = { events: 0 }] = await stage.rows<{ events: number }>(
        "select count(*)::integer as events from platform.audit_events",
      );
      const uncounted = await stage.rows<AuditFault>("select * from platform.audit_heap_faults($1, null)", [
        JSON.stringify({ "platform.audit_events": events - 1 }),
      ]);
      for (const { check_name } of uncounted) stage.seen.add(check_name);
      expect(said(uncounted)).toEqual([
        ...["inserted: another event stands at its place", "inserted: another event stands at its place"],
        `platform.audit_events holds ${events} rows, and by its index ${events - 1} are found`,
      ]);
      expect(named(uncounted)).toHaveLength(1);
    } finally {
      await client.query("rollback").catch(() => {});
      await client.query("begin; set local session_replication_role = replica");
      await client.query("delete from platform.audit_events where id = $1", [own]);
      await client.query("commit");
      client.release();
      await selo.database.admin.query("reindex table platform.audit_events");
    }
    expect(await stage.faults()).toEqual([]);
  });

  test("an event at a place that is taken, with the unique index dropped", async () => {
    const name = "audit_events_tenant_id_environment_subject_id_seq_key";
    await selo.database.admin.query(`alter table platform.audit_events drop constraint ${name}`);
    try {
      const again = await stage.found(
        ["platform.audit_events"],
        [
          `insert into platform.audit_events
           select tenant_id, environment, gen_random_uuid(), subject_type, subject_id, seq, action, actor_type, actor_id, channel, request_id,
             occurred_at, details, commitments, personal, prev_hash, hash
           from platform.audit_events where subject_id = $1`,
          [stage.proofs[0]?.id],
        ],
      );
      expect(said(again)).toContainEqual("inserted: another event stands at its place");
    } finally {
      await selo.database.admin.query(
        `alter table platform.audit_events add constraint ${name} unique (tenant_id, environment, subject_id, seq)`,
      );
    }
  });

  test("personal data whose first characters were moved into the salt, or that were added without one", async () => {
    const moved = await stage.found(
      ["platform.audit_events"],
      [
        `update platform.audit_events set personal = jsonb_set(jsonb_set(personal,
           '{address,salt}', to_jsonb((personal #>> '{address,salt}') || encode(convert_to(left(personal #>> '{address,value}', 2), 'UTF8'), 'hex'))),
           '{address,value}', to_jsonb(substr(personal #>> '{address,value}', 3)))
         where subject_id = $1 and personal ? 'address'`,
        [stage.proofs[0]?.id],
      ],
    );
    expect(said(moved)).toEqual(["edited: personal data are not those that were recorded"]);
    const added = await stage.found(
      ["platform.audit_events"],
      [
        `update platform.audit_events set personal = coalesce(personal, '{}') || '{"device": {"value": "a phone"}}' where subject_id = $1`,
        [stage.proofs[0]?.id],
      ],
    );
    expect(said(added)).toEqual(["edited: personal data are not those that were recorded"]);
  });

  test("an event that is dated before the last seal, which it came after", async () => {
    const { id } = await stage.register(organization.live);
    const backdated = await stage.found(
      ["platform.audit_events"],
      ["update platform.audit_events set occurred_at = occurred_at - interval '2 days' where subject_id = $1", [id]],
      ["update platform.audit_events as event set hash = platform.audit_event_hash(event) where subject_id = $1", [id]],
    );
    expect(said(backdated)).toContainEqual("backdated: it is older than seal 2, which does not cover it");
    expect(backdated.filter(({ fault }) => fault.startsWith("backdated"))).toHaveLength(1);
  });

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
    expect(said(gone)).toEqual(["its verification code leads nowhere"]);
    const pointed: [string, unknown[]] = [
      "update platform.public_codes set subject_id = $2 where subject_id = $1",
      [first?.id, second?.id],
    ];
    expect(said(await stage.found(codes, pointed))).toEqual([
      "a verification code leads to what does not bear it",
      "its verification code leads to something else",
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

  test("a movement of credits that no event made, with a balance to match, and one that is gone", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const more = (amount: number): [string, unknown[]] => [
      "update platform.credit_balances set balance = balance + $1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $2 limit 1)",
      [amount, organization.id],
    ];
    const made = (amount: number, reason: string): [string, unknown[]] => [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason) values ($1, 'signature', $2, $3)",
      [organization.id, amount, reason],
    ];
    expect(said(await stage.found(tables, made(7, "granted"), more(7)))).toEqual([
      "0 grants of 7 signature credits (granted) are recorded, and 1 are in the ledger",
    ]);
    expect(said(await stage.found(tables, made(-1, "proof_registered"), more(-1)))).toEqual([
      expect.stringMatching(/^the movement .{36} was spent for what has no event$/),
    ]);
    expect(said(await stage.found(tables, more(7)))).toEqual([
      expect.stringMatching(/^the balance of signature credits is \d+, and the sum of its ledger is \d+$/),
    ]);
    const paid: [string, unknown[]] = [
      "delete from platform.credit_ledger where subject_id = $1",
      [stage.proofs[0]?.id],
    ];
    expect(said(await stage.found(tables, paid, more(1)))).toEqual(["the proof was not paid for"]);
    const twice: [string, unknown[]] = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id) values ($1, 'signature', -1, 'proof_registered', $2)",
      [organization.id, stage.proofs[0]?.id],
    ];
    expect(said(await stage.found(tables, twice, more(-1)))).toContainEqual(
      `credits were spent 2 times for ${stage.proofs[0]?.id}`,
    );
  });

  test("a movement that has no price, stands twice, or has no time", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const change = (amount: number): [string, unknown[]] => [
      "update platform.credit_balances set balance = balance + $1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $2 limit 1)",
      [amount, organization.id],
    ];
    const spent: [string, unknown[]] = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id) values ($1, 'signature', -5, 'organization_created', $1)",
      [organization.id],
    ];
    expect(said(await stage.found(tables, spent, change(-5)))).toEqual([
      expect.stringMatching(/^the movement .{36} has no price$/),
    ]);
    const timeless: [string, unknown[]] = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, created_at) values ($1, 'signature', 50, 'granted', null)",
      [organization.id],
    ];
    expect(said(await stage.found(tables, timeless, change(50)))).toContainEqual(
      "0 grants of 50 signature credits (granted) are recorded, and 1 are in the ledger",
    );
    await selo.database.admin.query("alter table platform.credit_ledger drop constraint credit_ledger_pkey");
    try {
      const twice: [string, unknown[]] = [
        "insert into platform.credit_ledger select * from platform.credit_ledger where amount = 100 and tenant_id = $1",
        [organization.id],
      ];
      expect(said(await stage.found(tables, twice, change(100)))).toContainEqual(
        expect.stringMatching(/^the movement .{36} stands 2 times in the ledger$/),
      );
    } finally {
      await selo.database.admin.query("alter table platform.credit_ledger add primary key (tenant_id, id)");
    }
  });

  test("an edited token with an event of ours to match it, at a time when nothing of ours says so", async () => {
    const tables = ["platform.tokens", "platform.audit_events"];
    const [token] = await stage.rows<{ id: string; environment: "live" | "test" }>(
      "select actor_id as id, environment from platform.credentials where tenant_id = $1 and revoked_at is null limit 1",
      [organization.id],
    );
    const entered: [string, unknown[]] = [
      "select platform.enter_context($1, $2, null, null)",
      [organization.id, token?.environment],
    ];
    const widened: [string, unknown[]] = [
      "update platform.tokens set scopes = scopes || 'proofs:write'::text where id = $1",
      [token?.id],
    ];
    for (const [action, fault] of [
      ["token.recorded", "token.recorded after the beginning: what it says may have been edited before"],
      ["token.created", "token.created is not the first event of its subject"],
      ["token.used", "the token is not what was recorded"],
    ]) {
      const event: [string, unknown[]] = [
        "select platform.record_audit_event($1, 'token', $2, platform.token_state($3, $2))",
        [action, token?.id, organization.id],
      ];
      expect(said(await stage.found(tables, widened, entered, event))).toContainEqual(fault);
    }
  });

  test("a second credential of a token: a back door that no column of tokens shows", async () => {
    const [token] = await stage.rows<{ id: string }>(
      "select id from platform.tokens where tenant_id = $1 and environment = 'live' limit 1",
      [organization.id],
    );
    const door: [string, unknown[]] = [
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from) values (sha256(sha256('mine')), 'token', $1, 'live', $2, 'token')",
      [organization.id, token?.id],
    ];
    expect(said(await stage.found(["platform.credentials"], door))).toEqual([
      "2 credentials open the token",
      "the token is not what was recorded",
    ]);
  });

  test("a token with its credential, without any event", async () => {
    const tables = ["platform.tokens", "platform.credentials"];
    const id = randomUUID();
    const made: [string, unknown[]] = [
      "insert into platform.tokens (tenant_id, id, environment, name, prefix, scopes) values ($1, $2, 'live', 'mine', 'svc_live_abcdef', '{proofs:write}')",
      [organization.id, id],
    ];
    const opened: [string, unknown[]] = [
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from) values (sha256(sha256('mine')), 'token', $1, 'live', $2, 'token')",
      [organization.id, id],
    ];
    expect(said(await stage.found(tables, made, opened))).toEqual(["truncated: the token is there, its chain is not"]);
  });

  test("an analyst's login bound to an organization without an event, and a webhook that was made or deleted so", async () => {
    const bound: [string, unknown[]] = [
      "insert into platform.analysts (login, tenant_id, environment) values ('selo_analyst_mine', $1, 'live')",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.analysts"], bound))).toEqual([
      "truncated: the analyst is there, its chain is not",
    ]);
    const made: [string, unknown[]] = [
      `insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret)
       values ($1, $2, 'live', 'https://example.org', '{*}', '\\x00')`,
      [organization.id, randomUUID()],
    ];
    expect(said(await stage.found(["webhooks.endpoints"], made))).toEqual([
      "truncated: the webhook is there, its chain is not",
    ]);
    const deleted: [string, unknown[]] = ["delete from webhooks.endpoints where description = 'Ours'", []];
    expect(said(await stage.found(["webhooks.endpoints"], deleted))).toEqual(["the webhook that was created is gone"]);
  });

  test("a token that nothing opens, and a credential of none", async () => {
    const [token] = await stage.rows<{ digest: Buffer }>(
      "select digest from platform.credentials where tenant_id = $1 limit 1",
      [organization.id],
    );
    const hashes = ["platform.credentials"];
    const closed: [string, unknown[]] = ["delete from platform.credentials where digest = $1", [token?.digest]];
    expect(said(await stage.found(hashes, closed))).toEqual([
      "no credential opens the token",
      "the token is not what was recorded",
    ]);
    const loose: [string, unknown[]] = [
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from) values (sha256(sha256('mine')), 'token', $1, 'live', gen_random_uuid(), 'token')",
      [organization.id],
    ];
    expect(said(await stage.found(hashes, loose))).toEqual(["the token that a credential opens is not there"]);
    const another: [string, unknown[]] = [
      `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
       values (sha256(sha256('mine')), 'user', $1, 'live', gen_random_uuid(), 'credential', '{proofs:read}')`,
      [organization.id],
    ];
    expect(said(await stage.found(hashes, another))).toEqual(["a credential is of a kind that nothing here makes"]);
  });

  test.each([
    // A user acts in both environments; the link of a participant is of one.
    { kind: "user", elsewhere: [] },
    { kind: "participant", elsewhere: ["a credential opens the participant in another environment"] },
  ])(
    "a credential of a kind that a service keeps records of, $kind: of nobody, or in another environment than its actor",
    async ({ kind, elsewhere }) => {
      const { admin } = selo.database;
      const actor = randomUUID();
      await admin.query(
        `create function platform.audit_records_${kind}(p_tenant_id uuid)
         returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
         language sql stable set search_path = '' as $$ select '${organization.id}'::uuid, 'live', '${actor}'::uuid, '' $$;
       alter function platform.audit_records_${kind}(uuid) owner to selo_owner`,
      );
      const opening = (environment: string, id: string): [string, unknown[]] => [
        `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
       values (sha256(gen_random_uuid()::text::bytea), '${kind}', $1, $2, $3, 'credential', '{proofs:read}')`,
        [organization.id, environment, id],
      ];
      const found = async (...edits: [string, unknown[]][]) =>
        (await stage.found(["platform.credentials"], ...edits)).flatMap(({ check_name, fault }) =>
          check_name === "credentials" ? fault : [],
        );
      try {
        // An actor may have two credentials, or none.
        expect(await found(opening("live", actor), opening("live", actor))).toEqual([]);
        expect(await found(opening("live", randomUUID()))).toEqual([
          `the ${kind} that a credential opens is not there`,
        ]);
        expect(await found(opening("test", actor))).toEqual(elsewhere);
      } finally {
        await admin.query(`drop function platform.audit_records_${kind}(uuid)`);
      }
    },
  );

  test("a credential that reads where its token does not, or holds what its token does not", async () => {
    const credential = "ctid = (select min(ctid) from platform.credentials where environment = 'test')";
    const moved: [string, unknown[]] = [`update platform.credentials set environment = 'live' where ${credential}`, []];
    expect(said(await stage.found(["platform.credentials"], moved))).toEqual([
      "a credential opens the token in another environment",
    ]);
    const widened: [string, unknown[]] = [
      `update platform.credentials set scopes_from = 'credential', scopes = '{proofs:write}' where ${credential}`,
      [],
    ];
    expect(said(await stage.found(["platform.credentials"], widened))).toEqual(["the token is not what was recorded"]);
  });

  test("a webhook that was deleted, and an analyst whose login was revoked, put back as they were", async () => {
    const webhooks = webhookCaller(selo, organization.live);
    const { id } = await webhooks.register();
    await selo.database.admin.query("create table put_back as select * from webhooks.endpoints where id = $1", [id]);
    await webhooks.ask("DELETE", `/webhooks/${id}`);
    const back: [string, unknown[]] = ["insert into webhooks.endpoints table put_back", []];
    expect(said(await stage.found(["webhooks.endpoints"], back))).toEqual([
      "the webhook is there, and was recorded as gone",
    ]);
    const owner = ownerPool(selo.database);
    const login = "selo_analyst_put_back";
    await owner.query("select platform.bind_analyst($1, $2, 'live')", [login, organization.id]);
    await selo.database.admin.query(
      `drop table put_back; create table put_back as select * from platform.analysts where login = '${login}'`,
    );
    await owner.query("select platform.unbind_analyst($1)", [login]);
    await owner.end();
    const bound: [string, unknown[]] = ["insert into platform.analysts table put_back", []];
    expect(said(await stage.found(["platform.analysts"], bound))).toEqual([
      "the analyst is there, and was recorded as gone",
    ]);
    await selo.database.admin.query("drop table put_back");
  });

  test("a grant that is another than the event says, and a movement whose id is of another time", async () => {
    const tables = ["platform.credit_ledger", "platform.credit_balances"];
    const own = "where amount > 0 and tenant_id = $1";
    const more: [string, unknown[]] = [
      "update platform.credit_balances set balance = balance + 7 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $1 limit 1)",
      [organization.id],
    ];
    const raised: [string, unknown[]] = [
      `update platform.credit_ledger set amount = amount + 7 ${own}`,
      [organization.id],
    ];
    expect(said(await stage.found(tables, raised, more))).toEqual([
      expect.stringMatching(/^the movement .{36} is not the grant that was recorded$/),
    ]);
    const moved: [string, unknown[]] = [
      "update platform.credit_ledger set id = uuidv7(interval '-1 day') where amount < 0 and tenant_id = $1 and subject_id = $2",
      [organization.id, stage.proofs[0]?.id],
    ];
    expect(said(await stage.found(tables, moved))).toEqual([
      expect.stringMatching(/^the movement .{36} is not of the time that its id says$/),
    ]);
  });

  test("a proof of the test environment that is paid for", async () => {
    const [proof] = await stage.rows<{ id: string }>(
      "select id from signature.proofs where environment = 'test' limit 1",
    );
    const paid: [string, unknown[]] = [
      "insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id) values ($1, 'signature', -1, 'proof_registered', $2)",
      [organization.id, proof?.id],
    ];
    const less: [string, unknown[]] = [
      "update platform.credit_balances set balance = balance - 1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $1 limit 1)",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.credit_ledger", "platform.credit_balances"], paid, less))).toEqual([
      expect.stringMatching(/^the movement .{36} was spent for what has no event$/),
      "the proof of the test environment was paid for",
    ]);
  });

  test("a verification code that stands twice, past the key that forbids it", async () => {
    await selo.database.admin.query("alter table platform.public_codes drop constraint public_codes_pkey");
    const twice: [string, unknown[]] = [
      "insert into platform.public_codes select * from platform.public_codes where subject_id = $1",
      [stage.proofs[0]?.id],
    ];
    const all = said(await stage.found(["platform.public_codes"], twice));
    await selo.database.admin.query("alter table platform.public_codes add primary key (code)");
    expect(new Set(all)).toEqual(new Set(["its verification code stands more than once among the codes"]));
  });

  test("a platform key moved to the other environment, and a beginning that nobody recorded", async () => {
    const moved: [string, unknown[]] = [
      "update platform.platform_keys set environment = 'test' where ctid = (select ctid from platform.platform_keys where environment = 'live' and status = 'retired' limit 1)",
      [],
    ];
    expect(said(await stage.found(["platform.platform_keys"], moved))).toContainEqual(
      expect.stringMatching(/^the key .* is not of the environment and algorithm that were recorded$/),
    );
    const forgotten = await stage.found(
      ["platform.settings", "platform.audit_events"],
      ["delete from platform.settings where name = 'audit_began_at'", []],
      [
        "delete from platform.audit_events where action = 'setting.changed' and details like '%\"audit_began_at\"%'",
        [],
      ],
    );
    expect(said(forgotten)).toContainEqual("truncated: the setting audit_began_at was never recorded");
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
      const dated: [string, unknown[]] = [
        `insert into platform.credit_ledger (tenant_id, id, kind, amount, reason, subject_id, created_at)
         select $1, uuidv7(at - now()), 'signature', $2, $3, $4, at
         from (select value::timestamptz - interval '1 day' as at from platform.settings where name = 'audit_began_at') as began`,
        [organization.id, amount, reason, subject],
      ];
      const more: [string, unknown[]] = [
        "update platform.credit_balances set balance = balance + $1 where ctid = (select ctid from platform.credit_balances where balance > 0 and tenant_id = $2 limit 1)",
        [amount, organization.id],
      ];
      expect(said(await stage.found(tables, dated, more))).toContainEqual(
        "the movements from before the audit trail are not those that were recorded",
      );
    }
  });

  test("a head under no root, which would have a forged proof pass for one that a seal covers", async () => {
    const leaf: [string, unknown[]] = [
      `insert into platform.audit_seal_leaves (tenant_id, environment, subject_id, seal_number, seq, hash)
       select tenant_id, environment, gen_random_uuid(), 2, 1, hash from platform.audit_seal_leaves where tenant_id = $1 limit 1`,
      [organization.id],
    ];
    const all = said(await stage.found(["platform.audit_seal_leaves"], leaf));
    expect(all).toContainEqual(expect.stringMatching(/^the sealed head of .{36} is under no root$/));
  });

  test("a number in a seal that nothing can be counted with: the rest is verified all the same", async () => {
    const tables = ["platform.audit_seal_leaves", "platform.tokens"];
    const greatest: [string, unknown[]] = [
      "update platform.audit_seal_leaves set seq = 9223372036854775807 where ctid = (select min(ctid) from platform.audit_seal_leaves where seq < 1000)",
      [],
    ];
    const token: [string, unknown[]] = [
      "update platform.tokens set name = 'x' where ctid = (select ctid from platform.tokens limit 1)",
      [],
    ];
    const all = said(await stage.found(tables, greatest, greatest, token));
    expect(all).toContainEqual("the count of sealed events cannot be made (22003)");
    expect(all).toContainEqual("the token is not what was recorded");
  });

  test("a time that reads like another, or like none", async () => {
    const times = await stage.rows<{ table_name: string; column_name: string; nullable: boolean }>(
      `select covered.table_name, covered.column_name, covered.column_name in ('expires_at', 'revoked_at', 'previous_secret_expires_at') as nullable
       from platform.audit_coverage_of_all() as covered
       join pg_attribute on attrelid = covered.table_name::regclass and attname = covered.column_name
       where covered.check_name is not null and atttypid = 'timestamptz'::regtype`,
    );
    expect(times.length).toBeGreaterThan(8);
    const missed: string[] = [];
    for (const { table_name, column_name, nullable } of times) {
      const row = `ctid = (select min(ctid) from ${table_name} where ${column_name} is not null)`;
      const before = `(to_char(${column_name} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || ' BC')::timestamp at time zone 'UTC'`;
      const [there] = await stage.rows(`select from ${table_name} where ${row}`);
      const changes = there === undefined ? [] : [`set ${column_name} = ${before} where ${row}`];
      const [open] = await stage.rows(`select from ${table_name} where ${column_name} is null limit 1`);
      if (nullable && open !== undefined)
        changes.push(
          `set ${column_name} = '-infinity' where ctid = (select min(ctid) from ${table_name} where ${column_name} is null)`,
        );
      for (const change of changes)
        if ((await stage.found([table_name], [`update ${table_name} ${change}`, []])).length === 0) missed.push(change);
    }
    expect(missed).toEqual([]);
  }, 60_000);

  test("records and parts of a balance that no constraint keeps out any more", async () => {
    const nameless: [string, unknown[]] = [
      "insert into platform.analysts (login, tenant_id, environment, id) values ('selo_analyst_eve', $1, 'live', null)",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.analysts"], nameless))).toEqual([
      "truncated: the analyst is there, its chain is not",
    ]);
    const below = (amount: number): [string, unknown[]] => [
      `update platform.credit_balances set balance = balance + $1 where ctid = (
         select ctid from platform.credit_balances where tenant_id = $2 order by balance ${amount > 0 ? "desc" : "asc"} limit 1)`,
      [amount, organization.id],
    ];
    expect(said(await stage.found(["platform.credit_balances"], below(1000), below(-1000)))).toEqual([
      expect.stringMatching(/^a part of the balance of signature credits is -\d+$/),
    ]);
    await selo.database.admin.query(
      "alter table signature.proofs drop constraint proofs_pkey cascade; alter table webhooks.endpoints drop constraint endpoints_pkey cascade, drop constraint endpoints_id",
    );
    const twin = (table: string): [string, unknown[]] => [
      `insert into ${table} select * from ${table} where ctid = (select min(ctid) from ${table} where environment = 'live')`,
      [],
    ];
    expect(said(await stage.found(["webhooks.endpoints"], twin("webhooks.endpoints")))).toContainEqual(
      "the webhook stands 2 times",
    );
  });

  test("a root and a head under a seal that there is not", async () => {
    const root: [string, unknown[]] = [
      "insert into platform.audit_seal_roots (tenant_id, seal_number, chains, root) select tenant_id, 0, chains, root from platform.audit_seal_roots where tenant_id = $1 and seal_number = 1",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.audit_seal_roots"], root))).toContainEqual(
      `a root of organization ${organization.id} is under no seal`,
    );
  });

  test("a setting that says nothing of the seal up to which the worker verified", async () => {
    const spoilt: [string, unknown[]] = ["insert into platform.settings values ('audit_verified_seal', 'x')", []];
    expect(said(await stage.found(["platform.settings"], spoilt))).toEqual([
      "the setting audit_verified_seal is not what was recorded",
    ]);
    await tamper(selo.database, spoilt);
    const { rows: seals } = await selo.database.admin.query("select jobs.verified_seal()::integer as seal");
    expect(seals).toEqual([{ seal: 0 }]);
    await tamper(selo.database, ["delete from platform.settings where name = 'audit_verified_seal'", []]);
  });

  test("a platform key that is not the one that was kept elsewhere", async () => {
    const { text } = await call(selo, "GET", "/public/platform-key");
    const kept = { keys: readKeys(text), seals: null };
    expect((await verifyAll(selo.operator, { kept })).faults).toEqual([]);
    // Without each of them: what it signed cannot be verified, if it signed anything.
    const unknown = await Promise.all(
      kept.keys.map(async ({ keyId }) => {
        const missing = { keys: kept.keys.filter((one) => one.keyId !== keyId), seals: null };
        const found = said((await verifyAll(selo.operator, { kept: missing })).faults);
        expect(found).toContainEqual(
          `the key ${keyId} is not among those that were kept elsewhere: it was made later, or by somebody else`,
        );
        return found;
      }),
    );
    expect(unknown.flat()).toContainEqual(expect.stringMatching(/^the key .* signed \d+ proofs and is not known$/));
    expect(unknown.flat()).toContainEqual("a key that signed it is not known");
    const [key] = kept.keys;
    const other = {
      ...key,
      publicKey: Buffer.from(key?.publicKey ?? []).map((byte, place) => (place === 0 ? byte ^ 1 : byte)),
    } as (typeof kept.keys)[number];
    expect(
      said((await verifyAll(selo.operator, { kept: { keys: [other, ...kept.keys.slice(1)], seals: null } })).faults),
    ).toContainEqual(`the key ${key?.keyId} is not the one that was kept elsewhere`);
  });

  test("the beginning of the coverage moved, so that everything there is would be recorded as if it had always been so", async () => {
    await tamper(selo.database, ["delete from platform.settings where name = 'audit_coverage_began_at'", []]);
    await tamper(selo.database, [
      "update platform.tokens set scopes = scopes || 'proofs:write'::text where id = (select actor_id from platform.credentials where revoked_at is not null limit 1)",
      [],
    ]);
    await selo.operator.audit.begin();
    WITH_THE_BEGINNING_MOVED = said(await stage.faults());
    expect(WITH_THE_BEGINNING_MOVED).toContainEqual(
      "the setting audit_coverage_began_at was recorded again: what came before it would be hidden",
    );
    expect(WITH_THE_BEGINNING_MOVED).toContainEqual(
      "token.recorded after the beginning: what it says may have been edited before",
    );
  });
});

test("what a row says that nobody can read ends no verification: it is a fault itself", async () => {
  const spoilt = await stage.found(
    ["platform.audit_events"],
    [
      'update platform.audit_events set details = \'{"ledger_id":"x","kind":1\' where action = \'credits.granted\' and tenant_id = $1',
      [organization.id],
    ],
  );
  expect(said(spoilt)).toContainEqual("edited: its hash is that of another event");
  const unreadable = await stage.found(
    ["platform.audit_events"],
    [
      "update platform.audit_events set details = '{\"ledger_id\":\"x\"}' where action = 'credits.granted' and tenant_id = $1",
      [organization.id],
    ],
  );
  expect(said(unreadable)).toContainEqual(
    expect.stringMatching(/^the check platform\.credits cannot be made \(22P02\)$/),
  );
  const nested = await stage.found(
    ["signature.proofs"],
    ["update signature.proofs set evidence = repeat('[', 100000) where id = $1", [stage.proofs[0]?.id]],
  );
  expect(said(nested)).toContainEqual("the evidence has no canonical form");
});

test("several processes that prepare a database at once begin its coverage once", async () => {
  const own = await createTestDatabase();
  try {
    await own.admin.query(
      "alter table platform.settings disable trigger all; delete from platform.settings where name = 'audit_coverage_began_at'",
    );
    const clients = await Promise.all(Array.from({ length: 4 }, () => Operator.connect(own.adminUrl)));
    await Promise.all(clients.map((client) => client.audit.begin()));
    const { rows: events } = await own.admin.query(
      "select from platform.audit_events where action = 'setting.changed' and details like '%audit_coverage_began_at%'",
    );
    // The one of the template, and one of these.
    expect(events).toHaveLength(2);
    await Promise.all(clients.map((client) => client.close()));
  } finally {
    await own.drop();
  }
});

test("what is stored of a token opens nothing: a stolen backup and the gateway's login together are nobody", async () => {
  const stored = createHash("sha256").update(createHash("sha256").update(organization.live).digest()).digest();
  const [known] = await stage.rows<{ digest: Buffer }>("select digest from platform.credentials where digest = $1", [
    stored,
  ]);
  expect(known?.digest).toEqual(stored);
  await expect(selo.database.admin.query("select gateway.call($1, 'list_proofs')", [stored])).rejects.toMatchObject({
    code: "PT401",
  });
});

describe("by ranges", () => {
  const subject = randomUUID();
  const EVENTS = 25_000;
  beforeAll(async () => {
    const owner = ownerPool(selo.database);
    await inContext(owner, organization.id, "test", (client) =>
      client.query(
        "select count(platform.record_audit_event('thing.changed', 'thing', $1, jsonb_build_object('event', n))) from generate_series(1, $2::integer) as n",
        [subject, EVENTS],
      ),
    );
    await owner.end();
    await stage.grown();
  }, 120_000);

  test("a chain that is longer than a range is followed from one to the next", async () => {
    const ranges = await stage.rows<{ until: { subject_id: string; seq: number } }>(
      "select range -> 'until' as until from jobs.audit_ranges(null) where name = 'events'",
    );
    expect(ranges.filter(({ until }) => until.subject_id === subject).length).toBeGreaterThanOrEqual(2);
    const { events } = await verifyAll(selo.operator);
    expect(events).toBeGreaterThan(EVENTS);
    for (const { until } of ranges.filter((range) => range.until.subject_id === subject))
      for (const seq of [until.seq, until.seq + 1]) {
        const removed = await stage.found(
          ["platform.audit_events"],
          ["delete from platform.audit_events where subject_id = $1 and seq = $2", [subject, seq]],
        );
        expect(said(removed)).toContainEqual(`removed: an event is missing between ${seq - 1} and ${seq + 1}`);
        expect(removed.filter(({ subject_id }) => subject_id === subject)).toHaveLength(1);
      }
  }, 120_000);

  test("since a seal: everything but the signatures that it covers", async () => {
    const last = await selo.seal();
    const since = async (seal = last) => said((await verifyAll(selo.operator, { since: seal })).faults);
    expect(await since()).toEqual(WITH_THE_BEGINNING_MOVED);
    const edit = (seq: number): [string, unknown[]] => [
      "update platform.audit_events set action = 'thing.made', occurred_at = occurred_at - interval '9 days' where subject_id = $1 and seq = $2",
      [subject, seq],
    ];
    await tamper(selo.database, edit(3));
    expect(await since()).toContainEqual("edited: its hash is that of another event");
    await tamper(selo.database, ["delete from platform.audit_events where subject_id = $1 and seq = 5", [subject]]);
    expect(await since()).toContainEqual("removed: an event is missing between 4 and 6");
    const owner = ownerPool(selo.database);
    await inContext(owner, organization.id, "test", (client) =>
      client.query("select platform.record_audit_event('thing.changed', 'thing', $1)", [subject]),
    );
    await owner.end();
    await tamper(selo.database, edit(EVENTS + 1));
    expect((await since()).filter((fault) => fault.startsWith("edited:"))).toHaveLength(2);
    // Proofs: what the seal covers is not verified anew, and what came since is.
    const { proofs: verified } = await verifyAll(selo.operator, { since: last });
    expect(verified).toBe(0);
    await stage.register(organization.live);
    expect((await verifyAll(selo.operator, { since: last })).proofs).toBe(1);
    // One that was removed hides nothing: everything is looked at.
    const gone = await since(last + 1);
    expect(gone).toContainEqual("it is not there, so everything is verified");
    expect(gone.filter((fault) => fault.startsWith("edited:"))).toHaveLength(2);
  }, 120_000);
});

test("each check found something above, or by an edit of a column in audit-coverage.test.ts", async () => {
  const checks = await stage.rows<{ name: string }>("select name from jobs.audit_checks()");
  const sources = fs
    .globSync("sql/*/{functions,jobs}/audit_*.sql", { cwd: new URL("../../..", import.meta.url) })
    .map((file) => fs.readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8"));
  // What a fault calls its check, where SQL makes one.
  const named = sources.flatMap((text) => [
    ...text.matchAll(
      /^ *(?:return next row\(|select )'([a-z_]+)'(?: as check_name)?, (?:coalesce|\w+\.tenant_id|p_tenant_id|'0)/gm,
    ),
  ]);
  const names = new Set([...named.map((match) => match[1] ?? ""), "seals", "signatures"]);
  for (const { name } of checks) expect(names).toContain(name);
  const edited = new Set(stage.coverage.map(({ check_name }) => check_name));
  expect([...names].sort().filter((name) => !stage.seen.has(name) && !edited.has(name))).toEqual([]);
});
