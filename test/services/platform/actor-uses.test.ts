// The last use of actors, as migration 0019 finds it: a row for each actor, which gets the environment of its credentials.
import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyNumbered, migrate } from "../../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const BEFORE = "0018-platform-file-ranges";
const ORGANIZATION = "0197a0c0-0000-7000-8000-000000000001";
const USED = new Date("2026-01-02T03:04:05.678Z");
const actor = (number: number) => `0197a0c0-0000-7000-8000-00000000010${number}`;
/** What each actor can act with. */
const ACTORS = {
  [actor(1)]: { kind: "token", environments: ["live"] },
  [actor(2)]: { kind: "token", environments: ["test"] },
  [actor(3)]: { kind: "user", environments: ["live", "test", "test"] },
  [actor(4)]: { kind: "user", environments: [] },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  const source = readSqlSource();
  const migrations = source.migrations.filter(({ name }) => name <= BEFORE);
  const runner = new pg.Client({ connectionString: database.adminUrl });
  await runner.connect();
  // No repeatable step: functions of today may take rows of tables that later migrations make.
  await applyNumbered(runner, { adminUrl: database.adminUrl, serviceUrls: [], source: { ...source, migrations } });
  await runner.end();
  await database.admin.query("insert into platform.organizations (id, name) values ($1, 'Acme')", [ORGANIZATION]);
  for (const [id, { kind, environments }] of Object.entries(ACTORS)) {
    for (const [place, environment] of environments.entries())
      await database.admin.query(
        `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          createHash("sha256").update(`${id} ${place}`).digest(),
          kind,
          ORGANIZATION,
          environment,
          id,
          kind === "token" ? "token" : "credential",
          kind === "token" ? null : ["proofs:read"],
        ],
      );
    await database.admin.query("insert into platform.actor_uses values ($1, $2, $3, $4)", [
      ORGANIZATION,
      kind,
      id,
      USED,
    ]);
  }
}, 120_000);
afterAll(() => database?.drop());

test("uses get their actors' environments, of each that the actor has a credential in; those of nobody go", async () => {
  await migrate({ adminUrl: database.adminUrl, serviceUrls: [] });
  const { rows } = await database.admin.query(
    "select kind, actor_id, environment, last_used_at from platform.actor_uses order by actor_id, environment",
  );
  const of = (id: string, kind: string, environment: string) => ({
    kind,
    actor_id: id,
    environment,
    last_used_at: USED,
  });
  expect(rows).toEqual([
    of(actor(1), "token", "live"),
    of(actor(2), "token", "test"),
    of(actor(3), "user", "live"),
    of(actor(3), "user", "test"),
  ]);
});
