// Seals, platform keys, and since when the audit trail covers what there is.
import { describe, expect, test } from "vitest";
import { Operator } from "../../../../src/postgres/operator/operator.ts";
import { readKeys } from "../../../../src/verifier/keys.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { call } from "../../../support/rest-client.ts";
import { type Edit, tamper } from "../../../support/tamper.ts";
import { verifyAll } from "../../../support/verify-all.ts";
import { said } from "../audit-stage.ts";
import { FOUND_BY } from "./found-by.ts";
import { attackStage, organization, selo, stage } from "./stage.ts";

attackStage();

describe("what a superuser can do, and is found", () => {
  test("a head under no root, which would have a forged proof pass for one that a seal covers", async () => {
    const leaf: Edit = [
      `insert into platform.audit_seal_leaves (tenant_id, environment, subject_id, seal_number, seq, hash)
       select tenant_id, environment, gen_random_uuid(), 2, 1, hash from platform.audit_seal_leaves where tenant_id = $1 limit 1`,
      [organization.id],
    ];
    const all = said(await stage.found(["platform.audit_seal_leaves"], leaf));
    expect(all).toContainEqual(expect.stringMatching(/^the sealed head of .{36} belongs to no root$/));
  });

  test("a number in a seal that nothing can be counted with: the rest is verified all the same", async () => {
    const tables = ["platform.audit_seal_leaves", "platform.tokens"];
    const greatest: Edit = [
      "update platform.audit_seal_leaves set seq = 9223372036854775807 where ctid = (select min(ctid) from platform.audit_seal_leaves where seq < 1000)",
      [],
    ];
    const token: Edit = [
      "update platform.tokens set name = 'x' where ctid = (select ctid from platform.tokens limit 1)",
      [],
    ];
    const all = said(await stage.found(tables, greatest, greatest, token));
    expect(all).toContainEqual("the count of sealed events cannot be made (22003)");
    expect(all).toContainEqual("the token differs from what was recorded");
  });

  test("a root and a head under a seal that there is not", async () => {
    const root: Edit = [
      "insert into platform.audit_seal_roots (tenant_id, seal_number, chains, root) select tenant_id, 0, chains, root from platform.audit_seal_roots where tenant_id = $1 and seal_number = 1",
      [organization.id],
    ];
    expect(said(await stage.found(["platform.audit_seal_roots"], root))).toContainEqual(
      `a root of organization ${organization.id} belongs to no seal`,
    );
  });

  test("a setting that says nothing of the seal up to which the worker verified", async () => {
    const spoilt: Edit = ["insert into platform.settings values ('audit_verified_seal', 'x')", []];
    expect(said(await stage.found(["platform.settings"], spoilt))).toEqual([
      "the setting audit_verified_seal differs from what was recorded",
    ]);
    await tamper(selo.database, spoilt);
    const { rows: seals } = await selo.database.admin.query("select jobs.verified_seal()::integer as seal");
    expect(seals).toEqual([{ seal: 0 }]);
    await tamper(selo.database, ["delete from platform.settings where name = 'audit_verified_seal'", []]);
  });

  test("a platform key moved to the other environment, and a beginning that nobody recorded", async () => {
    const moved: Edit = [
      "update platform.platform_keys set environment = 'test' where ctid = (select ctid from platform.platform_keys where environment = 'live' and status = 'retired' limit 1)",
      [],
    ];
    expect(said(await stage.found(["platform.platform_keys"], moved))).toContainEqual(
      expect.stringMatching(/^the key .* has another environment or algorithm than its event$/),
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
          `the key ${keyId} is not in the copy kept elsewhere: it was made later, or by somebody else`,
        );
        return found;
      }),
    );
    expect(unknown.flat()).toContainEqual(expect.stringMatching(/^the key .* signed \d+ records and is not known$/));
    expect(unknown.flat()).toContainEqual("a key that signed it is not known");
    const [key] = kept.keys;
    const other = {
      ...key,
      publicKey: Buffer.from(key?.publicKey ?? []).map((byte, place) => (place === 0 ? byte ^ 1 : byte)),
    } as (typeof kept.keys)[number];
    expect(
      said((await verifyAll(selo.operator, { kept: { keys: [other, ...kept.keys.slice(1)], seals: null } })).faults),
    ).toContainEqual(`the key ${key?.keyId} differs from the copy kept elsewhere`);
  });

  test("the beginning of the coverage moved, so that everything there is would be recorded as if it had always been so", async () => {
    await tamper(selo.database, ["delete from platform.settings where name = 'audit_coverage_began_at'", []]);
    await tamper(selo.database, [
      "update platform.tokens set scopes = scopes || 'proofs:write'::text where id = (select actor_id from platform.credentials where revoked_at is not null limit 1)",
      [],
    ]);
    await selo.operator.audit.begin();
    const moved = said(await stage.faults());
    expect(moved).toContainEqual(
      "the setting audit_coverage_began_at was recorded again: earlier faults would be hidden",
    );
    expect(moved).toContainEqual("token.recorded after the audit trail began: the record may have been edited before");
  });
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

test("each check that is listed for this file found something above", () => {
  expect([...stage.seen]).toEqual(expect.arrayContaining([...FOUND_BY.seals]));
});
