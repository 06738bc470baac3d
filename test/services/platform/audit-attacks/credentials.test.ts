// Tokens and credentials that a superuser makes, widens or moves; and what is stored of a token.
import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Edit } from "../../../support/tamper.ts";
import { said } from "../audit-stage.ts";
import { FOUND_BY } from "./found-by.ts";
import { attackStage, organization, selo, stage } from "./stage.ts";

attackStage();

describe("what a superuser can do, and is found", () => {
  test("an edited token with an event of ours to match it, at a time when nothing of ours says so", async () => {
    const tables = ["platform.tokens", "platform.audit_events"];
    const [token] = await stage.rows<{ id: string; environment: "live" | "test" }>(
      "select actor_id as id, environment from platform.credentials where tenant_id = $1 and revoked_at is null limit 1",
      [organization.id],
    );
    const entered: Edit = [
      "select platform.enter_context($1, $2, null, null, null)",
      [organization.id, token?.environment],
    ];
    const widened: Edit = [
      "update platform.tokens set scopes = scopes || 'proofs:write'::text where id = $1",
      [token?.id],
    ];
    for (const [action, fault] of [
      ["token.recorded", "token.recorded after the audit trail began: the record may have been edited before"],
      ["token.created", "token.created is not the first event of its subject"],
      ["token.used", "the token differs from what was recorded"],
    ]) {
      const event: Edit = [
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
    const door: Edit = [
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from) values (sha256(sha256('mine')), 'token', $1, 'live', $2, 'token')",
      [organization.id, token?.id],
    ];
    expect(said(await stage.found(["platform.credentials"], door))).toEqual([
      "2 credentials open the token",
      "the token differs from what was recorded",
    ]);
  });

  test("a token with its credential, without any event", async () => {
    const tables = ["platform.tokens", "platform.credentials"];
    const id = randomUUID();
    const made: Edit = [
      "insert into platform.tokens (tenant_id, id, environment, name, prefix, scopes) values ($1, $2, 'live', 'mine', 'svc_live_abcdef', '{proofs:write}')",
      [organization.id, id],
    ];
    const opened: Edit = [
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from) values (sha256(sha256('mine')), 'token', $1, 'live', $2, 'token')",
      [organization.id, id],
    ];
    expect(said(await stage.found(tables, made, opened))).toEqual([
      "truncated: the token exists, and its chain is missing",
    ]);
  });

  test("a token that nothing opens, and a credential of none", async () => {
    const [token] = await stage.rows<{ digest: Buffer }>(
      "select digest from platform.credentials where tenant_id = $1 and kind = 'token' limit 1",
      [organization.id],
    );
    const hashes = ["platform.credentials"];
    const closed: Edit = ["delete from platform.credentials where digest = $1", [token?.digest]];
    expect(said(await stage.found(hashes, closed))).toEqual([
      "no credential opens the token",
      "the token differs from what was recorded",
    ]);
    const loose: Edit = [
      "insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from) values (sha256(sha256('mine')), 'token', $1, 'live', gen_random_uuid(), 'token')",
      [organization.id],
    ];
    expect(said(await stage.found(hashes, loose))).toEqual(["the token that a credential opens does not exist"]);
    const another: Edit = [
      `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
       values (sha256(sha256('mine')), 'operator', $1, 'live', gen_random_uuid(), 'credential', '{proofs:read}')`,
      [organization.id],
    ];
    expect(said(await stage.found(hashes, another))).toEqual(["the credential is of a kind that no service makes"]);
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
      const opening = (environment: string, id: string): Edit => [
        `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
       values (sha256(gen_random_uuid()::text::bytea), '${kind}', $1, $2, $3, 'credential', '{proofs:read}')`,
        [organization.id, environment, id],
      ];
      const found = async (...edits: Edit[]) =>
        (await stage.found(["platform.credentials"], ...edits)).flatMap(({ check_name, fault }) =>
          check_name === "credentials" ? fault : [],
        );
      try {
        // An actor may have two credentials, or none.
        expect(await found(opening("live", actor), opening("live", actor))).toEqual([]);
        expect(await found(opening("live", randomUUID()))).toEqual([
          `the ${kind} that a credential opens does not exist`,
        ]);
        expect(await found(opening("test", actor))).toEqual(elsewhere);
      } finally {
        await admin.query(`drop function platform.audit_records_${kind}(uuid)`);
      }
    },
  );

  test("a credential that reads where its token does not, or holds what its token does not", async () => {
    const credential = "ctid = (select min(ctid) from platform.credentials where environment = 'test')";
    const moved: Edit = [`update platform.credentials set environment = 'live' where ${credential}`, []];
    expect(said(await stage.found(["platform.credentials"], moved))).toEqual([
      "a credential opens the token in another environment",
    ]);
    const widened: Edit = [
      `update platform.credentials set scopes_from = 'credential', scopes = '{proofs:write}' where ${credential}`,
      [],
    ];
    expect(said(await stage.found(["platform.credentials"], widened))).toEqual([
      "the token differs from what was recorded",
    ]);
  });
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

test("each check that is listed for this file found something above", () => {
  expect([...stage.seen]).toEqual(expect.arrayContaining([...FOUND_BY.credentials]));
});
