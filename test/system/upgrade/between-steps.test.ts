// Between the numbered migrations and the repeatable step, functions of an earlier release run on the tables of this version: for
// a moment in every upgrade, and for longer where `selo migrate` is stopped there.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applyNumbered, lockRunners, migrate } from "../../../src/postgres/migrate/migrate.ts";
import { readSqlSource, type SqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { restore } from "../../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { checkOut, dumpOf, releasesToRunBeside } from "./release.ts";

const GOOD = [200, 200];
const hashOf = (token: string) => createHash("sha256").update(token).digest();
/** Whether this version has the migrations, views and functions of a release. */
function isUnchanged(old: SqlSource): boolean {
  const filesOf = ({ schemas, migrations, repeatable }: SqlSource) => JSON.stringify([schemas, migrations, repeatable]);
  return filesOf(old) === filesOf(readSqlSource());
}

describe.each(releasesToRunBeside().map((release) => [release.version, release] as const))(
  "v%s",
  (_version, previous) => {
    const checkout = fs.mkdtempSync(path.join(os.tmpdir(), "selo-between-"));
    let missing: string | null;
    let database: TestDatabase;
    let operator: Operator;
    let app: pg.Client;
    let old: SqlSource;
    beforeAll(async () => {
      missing = checkOut(previous.commit, checkout);
      if (missing !== null) return;
      database = await createTestDatabase({ empty: true });
      old = readSqlSource(undefined, path.join(checkout, "sql"));
      await restore(database, dumpOf(previous), old);
      const now = readSqlSource();
      const client = new pg.Client({ connectionString: database.adminUrl });
      await client.connect();
      await lockRunners(client);
      const applied = await applyNumbered(client, { adminUrl: database.adminUrl, serviceUrls: [], source: now });
      await client.end();
      expect(applied).toEqual(now.migrations.slice(old.migrations.length).map(({ name }) => name));
      operator = await Operator.connect(database.adminUrl);
      app = new pg.Client({ connectionString: database.appUrl });
      await app.connect();
    });
    afterAll(async () => {
      await app?.end();
      await operator?.close();
      await database?.drop();
      fs.rmSync(checkout, { recursive: true, force: true });
    });

    /** What a gateway is told of a list of proofs that a token asks for, by a command and by a view. */
    async function answers(token: string): Promise<unknown[]> {
      const codes: unknown[] = [];
      const outcome = (statement: Promise<unknown>) =>
        statement.then(
          () => 200,
          (error: pg.DatabaseError) => error.code,
        );
      codes.push(await outcome(app.query("select gateway.call($1, 'list_proofs')", [hashOf(token)])));
      await app.query("begin read only");
      await outcome(app.query("select from gateway.enter($1, null)", [hashOf(token)]));
      codes.push(await outcome(app.query("select from api.proofs")));
      await app.query("rollback");
      return codes;
    }
    const refused = async (token: string) => expect((await answers(token))[0]).toBe("PT401");

    test("tokens are found, made, revoked and listed all the while, and what became of them stays after it", async (context) => {
      if (missing !== null) context.skip(missing);
      const { organization, tokens } = previous;
      const make = (name: string, expires: Date | null = null) =>
        operator.createToken(organization, "live", name, ["proofs:read"], expires);
      const listed = async () =>
        (await operator.listTokens(organization)).filter(({ name }) => name.startsWith("between"));
      for (const environment of ["live", "test"] as const) expect(await answers(tokens[environment])).toEqual(GOOD);
      await refused(tokens.revoked);

      const kept = await make("between: kept");
      const expiring = await make("between: expiring", new Date(Date.now() + 3_600_000));
      const revoked = await make("between: revoked");
      for (const { token } of [kept, expiring, revoked]) expect(await answers(token)).toEqual(GOOD);
      const revokedAt = await operator.revokeToken(revoked.id);
      await refused(revoked.token);
      await app.query("select gateway.record_actor_use($1)", [[hashOf(kept.token)]]);
      const { rows: counted } = await app.query("select count from gateway.count_actor_requests($1, 3, 60)", [
        hashOf(kept.token),
      ]);
      expect(counted).toEqual([{ count: 3 }]);
      const before = await listed();
      expect(before).toMatchObject([
        { id: kept.id, expires_at: null, revoked_at: null },
        { id: expiring.id, expires_at: expiring.expires_at, revoked_at: null },
        { id: revoked.id, expires_at: null, revoked_at: revokedAt },
      ]);
      // Of the release before; made in between, and revoked with the functions of this one.
      const survivor = await make("survivor");

      // Nothing is left to do as long as this version has the functions of that release.
      expect(await migrate({ adminUrl: database.adminUrl, serviceUrls: [] })).toEqual(
        isUnchanged(old) ? [] : ["repeatable"],
      );
      for (const token of [tokens.live, tokens.test, kept.token, expiring.token, survivor.token])
        expect(await answers(token)).toEqual(GOOD);
      for (const token of [tokens.revoked, revoked.token]) await refused(token);
      // When it was last used is written in batches, and a minute of it may be lost.
      const withoutUse = (all: Awaited<ReturnType<typeof listed>>) => all.map(({ last_used_at: _, ...token }) => token);
      expect(withoutUse(await listed())).toEqual(withoutUse(before));
      await operator.revokeToken(survivor.id);
      await refused(survivor.token);
      // The window of requests goes on.
      const { rows: recounted } = await app.query("select actor, count from gateway.count_actor_requests($1, 1, 60)", [
        hashOf(kept.token),
      ]);
      expect(recounted).toEqual([{ actor: `${organization} live token ${kept.id}`, count: 4 }]);

      await operator.audit.begin();
      expect((await verifyAll(operator)).faults).toEqual([]);
    }, 120_000);
  },
);
