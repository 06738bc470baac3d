// The dump of each release, restored and brought to this version: the database of a fresh install, with everything in it working.
import fs from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Restored } from "../../../src/postgres/backup/restore-backup.ts";
import { dumpCatalog } from "../../../src/postgres/migrate/catalog-dump.ts";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { ensurePlatformKeys } from "../../../src/services/platform/keys/ensure-platform-keys.ts";
import { PlatformSigners } from "../../../src/services/platform/keys/platform-signers.ts";
import { restore } from "../../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startGatewayOn } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { verifyEveryProof } from "../../support/verify-every-proof.ts";
import { dumpOf, releases, type Statement } from "./release.ts";
import { Replay } from "./replay.ts";

const MIGRATIONS = readSqlSource().migrations.map(({ name }) => name);

/** The functions that the gateway of each release calls, by its version: each is in the recorded statements. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  "0.2.0": [
    "gateway.authorize",
    "gateway.call",
    "gateway.call_many",
    "gateway.count_actor_requests",
    "gateway.count_requests",
    "gateway.enter",
    "gateway.readiness",
    "gateway.record_actor_use",
    "gateway.signing_keys",
    "gateway.view_comments",
  ],
};

/** Tests of the dumps at these migrations. */
export function testDumps(names: readonly string[]): void {
  const chosen = releases().filter(({ name }) => names.includes(name));
  describe.each(chosen.map((release) => [release.name, release] as const))("the dump at %s", (name, release) => {
    let database: TestDatabase;
    /** A copy for what the gateway of the release asks. */
    let replayed: TestDatabase | undefined;
    let restored: Restored;
    let gateway: { readonly baseUrl: string; stop(): Promise<void> };
    beforeAll(async () => {
      database = await createTestDatabase({ empty: true });
      restored = await restore(database, dumpOf(release));
      if (release.statements !== undefined) replayed = await createTestDatabase({ copyOf: database.name });
      // As `selo migrate` does: releases before had no certificates.
      const operator = await Operator.connect(database.adminUrl);
      await ensurePlatformKeys(operator, masterKeys, "selo.test");
      await operator.close();
      gateway = await startGatewayOn(database.appUrl);
    }, 120_000);
    afterAll(async () => {
      await gateway?.stop();
      await replayed?.drop();
      await database?.drop();
    });

    async function ask(token: string | null, path: string, init: RequestInit = {}) {
      const headers = { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers };
      const answer = await fetch(`${gateway.baseUrl}/api/v1${path}`, { ...init, headers });
      return {
        status: answer.status,
        replayed: answer.headers.get("idempotent-replayed"),
        body: (await answer.json()) as Record<string, unknown>,
      };
    }
    const register = (token: string, body: object, key?: string) =>
      ask(token, "/proofs", {
        method: "POST",
        headers: { "content-type": "application/json", ...(key === undefined ? {} : { "idempotency-key": key }) },
        body: JSON.stringify(body),
      });

    test("gets the migrations that came after it, and is then what a fresh install is", async () => {
      expect(restored.manifest.migrations.at(-1)?.name).toBe(name);
      expect(restored.upgraded).toEqual([...MIGRATIONS.slice(MIGRATIONS.indexOf(name) + 1), "repeatable"]);
      const client = new pg.Client({ connectionString: database.adminUrl });
      await client.connect();
      const catalog = await dumpCatalog(client);
      await client.end();
      expect(catalog).toBe(fs.readFileSync(new URL("../../../schema/database.sql", import.meta.url), "utf8"));
      expect(await migrate({ adminUrl: database.adminUrl, serviceUrls: [] })).toEqual([]);
    });

    test("has the reference data of a fresh install", async () => {
      const fresh = await createTestDatabase();
      try {
        for (const table of [
          "error_codes",
          "scopes",
          "environments",
          "plans",
          "credit_kinds",
          "prices",
          "jurisdictions",
          "plan_features",
        ]) {
          const rows = `select to_jsonb(reference) as row from platform.${table} as reference order by 1`;
          expect((await database.admin.query(rows)).rows, table).toEqual((await fresh.admin.query(rows)).rows);
        }
      } finally {
        await fresh.drop();
      }
    });

    test("every proof verifies, and is answered as it was then", async () => {
      expect(await verifyEveryProof(database.admin)).toEqual({ count: release.proofs.length, failed: [] });
      for (const { environment, ...proof } of release.proofs) {
        const { status, body } = await ask(release.tokens[environment], `/proofs/${proof.id}`);
        expect({ status, body }).toEqual({ status: 200, body: { ...body, ...asShown(proof), created: false } });
        expect((await ask(null, `/public/proofs/${proof.verification_code}`)).status).toBe(200);
      }
    });

    test("old tokens work, the revoked one does not, and each sees its own environment", async () => {
      for (const environment of ["live", "test"] as const) {
        const { status, body } = await ask(release.tokens[environment], "/proofs");
        const own = release.proofs.filter((proof) => proof.environment === environment);
        expect({ status, total: body.total }).toEqual({ status: 200, total: own.length });
      }
      expect((await ask(release.tokens.revoked, "/proofs")).status).toBe(401);
    });

    test("an Idempotency-Key of then is answered again, and refused for another request", async () => {
      const { key, request, status, answer } = release.keyed;
      const again = await register(release.tokens.live, request, key);
      expect(again).toMatchObject({ status, replayed: "true", body: asShown(answer) });
      expect((await register(release.tokens.live, { sha256: "0".repeat(64) }, key)).status).toBe(409);
    });

    test("new proofs are made and paid for, and the same digest is still the proof it was", async () => {
      const made = await register(release.tokens.live, { sha256: "ab".repeat(32), label: "after the upgrade" });
      expect(made).toMatchObject({ status: 201, body: { created: true } });
      const [first] = release.proofs;
      const same = await register(release.tokens.live, { sha256: first?.sha256 });
      expect(same).toMatchObject({ status: 200, body: { id: first?.id, created: false } });
      const { rows } = await database.admin.query(
        "select sum(balance)::integer as balance from platform.credit_balances where tenant_id = $1",
        [release.organization],
      );
      expect(rows).toEqual([{ balance: release.creditsLeft - 1 }]);
      expect((await verifyEveryProof(database.admin)).count).toBe(release.proofs.length + 1);
    });

    if (release.webhook !== undefined)
      test("a webhook is what it was, and goes on", async () => {
        const { id, url } = release.webhook ?? {};
        expect(await ask(release.tokens.live, `/webhooks/${id}`)).toMatchObject({
          status: 200,
          body: { url, status: "ACTIVE" },
        });
        const rotated = await ask(release.tokens.live, `/webhooks/${id}/rotate`, { method: "POST" });
        expect(rotated).toMatchObject({ status: 200, body: { id, secret: expect.stringMatching(/^whsec_/) } });
      });

    test("the audit trail finds nothing amiss in what was written before it existed", async () => {
      const operator = await Operator.connect(database.adminUrl);
      await operator.audit.begin();
      const { faults } = await verifyAll(operator);
      await operator.close();
      expect(faults).toEqual([]);
    });

    const { statements } = release;
    if (statements !== undefined)
      test("what its gateway asked of Postgres is answered by the upgraded database as it was then: columns, rows, statuses", async () => {
        if (replayed === undefined) throw new Error("no copy");
        const asked = new Set(statements.flatMap(({ text }) => /gateway\.\w+/.exec(text) ?? []));
        expect([...asked].sort()).toEqual(ASKED[release.version ?? ""]);
        const app = new pg.Client({ connectionString: replayed.appUrl });
        await app.connect();
        const operator = await Operator.connect(replayed.adminUrl);
        try {
          const replay = new Replay(app, new PlatformSigners(operator, masterKeys));
          for (const statement of statements) {
            const { answer, failures } = await replay.ask(statement);
            expect({ answer: withoutNewTags(statement, answer), failures }).toEqual({
              answer: asRecorded(statement),
              failures: [],
            });
          }
        } finally {
          await operator.close();
          await app.end();
        }
        // The proofs it recorded are whole.
        const { count, failed } = await verifyEveryProof(replayed.admin);
        expect(failed).toEqual([]);
        expect(count).toBeGreaterThan(release.proofs.length + 3);
      });
  });
}

const asRecorded = ({ text, columns, rows, statuses }: Statement) => ({ text, columns, rows, statuses });

/**
 * Only a gateway that starts reads the tags of all views, and a later version may have more views and columns. That a gateway of then starts with them,
 * older-gateway.test.ts shows.
 */
function withoutNewTags<Answer extends { readonly rows: number }>({ text, rows }: Statement, answer: Answer): Answer {
  return / from gateway\.view_comments$/.test(text) && answer.rows > rows ? { ...answer, rows } : answer;
}

/** A proof as it was answered then, with its instant as answers have it since: they ended in +00:00. What was signed is as it was. */
const asShown = <Proof extends object>(proof: Proof): Proof =>
  "registered_at" in proof ? { ...proof, registered_at: String(proof.registered_at).replace("+00:00", "Z") } : proof;
