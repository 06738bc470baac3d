// A gateway of each earlier release (v0.2.0 or later) goes on while this version upgrades its database, and after it. Its code comes out of the
// repository's history; dumps.test.ts holds against the upgraded database what it asks of Postgres, without any history.
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { ensurePlatformKeys } from "../../../src/services/platform/keys/ensure-platform-keys.ts";
import { addPerson, auth, sessionHeaders, trySignIn } from "../../services/accounts/accounts-stage.ts";
import { restore } from "../../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startGatewayOn } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { selo } from "../../support/selo-process.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { verifyEveryProof } from "../../support/verify-every-proof.ts";
import { checkOut, dumpOf, type Release, releasesToRunBeside } from "./release.ts";

const CLIENTS = 6;

describe.each(releasesToRunBeside().map((release) => [release.version, release] as const))(
  "v%s",
  (_version, previous) => {
    const checkout = fs.mkdtempSync(path.join(os.tmpdir(), "selo-older-"));
    let missing: string | null;
    let database: TestDatabase;
    beforeAll(async () => {
      missing = checkOut(previous.commit, checkout);
      if (missing !== null) return;
      database = await createTestDatabase({ empty: true });
      // At the release's own state: its migrations, its views and functions.
      await restore(database, dumpOf(previous), readSqlSource(undefined, path.join(checkout, "sql")));
    });
    afterAll(async () => {
      await database?.drop();
      fs.rmSync(checkout, { recursive: true, force: true });
    });

    const environment = () => ({
      DATABASE_URL: database.appUrl,
      SELO_MASTER_KEY: TEST_MASTER_KEY,
      PUBLIC_URL: "http://selo.test",
      PORT: "0",
      LOG_LEVEL: "error",
      PUBLIC_REQUESTS_PER_MINUTE: "1000000",
    });

    test("a gateway of the release under load goes on through the upgrade: no request fails, and it stays ready", async (context) => {
      if (missing !== null) context.skip(missing);
      const gateway = selo(["gateway", "--json"], environment(), checkout);
      try {
        const { port } = JSON.parse(await gateway.until("\n")) as { port: number };
        const load = startLoad(previous, `http://127.0.0.1:${port}`);
        let applied: string[];
        try {
          await expect.poll(() => load.requests(), { timeout: 60_000 }).toBeGreaterThan(10 * CLIENTS);
          applied = await migrate({ adminUrl: database.adminUrl, serviceUrls: [] });
          await expectUnknownSession(previous, database, `http://127.0.0.1:${port}`);
          const upgraded = load.requests();
          await expect.poll(() => load.requests() - upgraded, { timeout: 60_000 }).toBeGreaterThan(20 * CLIENTS);
        } finally {
          await load.stop();
        }
        // None, and no repeatable step, as long as this version is that release.
        expect(applied.filter((name) => name !== "repeatable")).toEqual(newerMigrations(previous));
        expect(load.failures.slice(0, 5)).toEqual([]);
        await expectWhole(database, previous, load.registered);
      } finally {
        gateway.child.kill("SIGTERM");
        await gateway.finished;
      }
    }, 180_000);

    // CHANGELOG.md says that a gateway of v0.2.0 does not start any more.
    if (previous.version !== "0.2.0")
      test("a gateway of the release that starts after the upgrade answers as one that went on, by REST and GraphQL", async (context) => {
        if (missing !== null) context.skip(missing);
        await migrate({ adminUrl: database.adminUrl, serviceUrls: [] });
        const gateway = selo(["gateway", "--json"], environment(), checkout);
        try {
          const { port } = JSON.parse(await gateway.until("\n")) as { port: number };
          const base = `http://127.0.0.1:${port}`;
          const headers = { authorization: `Bearer ${previous.tokens.live}`, "content-type": "application/json" };
          expect((await fetch(`${base}/readyz`)).status).toBe(200);
          const tested = await fetch(`${base}/api/v1/webhooks/${previous.webhook?.id}/test`, {
            method: "POST",
            headers,
          });
          const { id, event_id: event, ...delivery } = (await tested.json()) as { id: string; event_id: string };
          expect([tested.status, Object.keys(delivery)]).toEqual([202, expect.not.arrayContaining(["event_uuid"])]);
          const query = `{ webhookDelivery(id: "${id}") { id status webhook { url } event { id } }
            webhookEvents(first: 1) { nodes { id } } proofs(first: 1) { totalCount nodes { id evidence } } }`;
          const asked = await fetch(`${base}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
          expect(await asked.json()).toMatchObject({
            data: {
              webhookDelivery: { id, status: "PENDING", webhook: { url: previous.webhook?.url }, event: { id: event } },
              webhookEvents: { nodes: [{ id: event }] },
              proofs: { nodes: [{ id: expect.any(String), evidence: expect.any(Object) }] },
            },
          });
        } finally {
          gateway.child.kill("SIGTERM");
          await gateway.finished;
        }
      });
  },
);

/** A gateway of this version opens a session: the older one beside it does not know sessions, and goes by the token. */
async function expectUnknownSession(
  { organization, tokens }: Release,
  database: TestDatabase,
  baseUrl: string,
): Promise<void> {
  const older = { baseUrl };
  const operator = await Operator.connect(database.adminUrl);
  // As `selo migrate` does: releases before had no certificates.
  await ensurePlatformKeys(operator, masterKeys, "selo.test");
  const newer = await startGatewayOn(database.appUrl);
  try {
    const { email } = await addPerson({ operator }, { id: organization }, "owner");
    const headers = sessionHeaders(await trySignIn(newer, email));
    const query = "{ proofs(first: 1) { nodes { id } } }";
    expect((await auth(newer, "GET", "/session", { headers })).status).toBe(200);
    expect((await graphql(newer, headers, query)).errors).toEqual([]);
    const refused = await call(older, "GET", "/proofs", { headers });
    expect([refused.status, refused.body.detail.code]).toEqual([401, "unauthenticated"]);
    const { status, errors } = await graphql(older, headers, query);
    expect([status, errors[0]?.extensions.code]).toEqual([401, "unauthenticated"]);
    expect((await trySignIn(older, email)).status).toBe(404);
    expect((await call(older, "GET", "/proofs", { headers, token: tokens.live })).status).toBe(200);
  } finally {
    await operator.close();
    await newer.stop();
  }
}

function newerMigrations(previous: Release): string[] {
  const names = readSqlSource().migrations.map(({ name }) => name);
  return names.slice(names.indexOf(previous.name) + 1);
}

function startLoad(previous: Release, base: string) {
  const failures: string[] = [];
  const registered = { live: 0, test: 0 };
  let requests = 0;
  let running = true;
  const ask = async (where: string, init: RequestInit = {}) => {
    requests++;
    const answer = await fetch(`${base}${where}`, init);
    const body = await answer.text();
    if (!answer.ok) failures.push(`${init.method ?? "GET"} ${where}: ${answer.status} ${body}`);
    return { ok: answer.ok, body };
  };
  const client = async (which: number) => {
    for (let round = 0; running; round++) {
      const environment = round % 3 === 0 ? "test" : "live";
      const headers = { authorization: `Bearer ${previous.tokens[environment]}`, "content-type": "application/json" };
      const sha256 = createHash("sha256").update(`${which} ${round}`).digest("hex");
      const posted = await ask("/api/v1/proofs", {
        method: "POST",
        headers: round % 2 === 0 ? { ...headers, "idempotency-key": randomUUID() } : headers,
        body: JSON.stringify({ sha256, label: `client ${which}` }),
      });
      if (!posted.ok) continue;
      registered[environment]++;
      const { id, verification_code } = JSON.parse(posted.body) as { id: string; verification_code: string };
      await ask(`/api/v1/proofs/${id}`, { headers });
      if (round % 4 === 0) await ask(`/api/v1/proofs?search=${sha256.slice(0, 12)}`, { headers });
      if (round % 4 === 1) await ask(`/api/v1/public/proofs/${verification_code}`);
      if (round % 4 === 2) await ask("/readyz");
      const query = JSON.stringify({ query: "{ proofs(first: 3) { nodes { id label } } }" });
      if (round % 4 === 3) await ask("/graphql", { method: "POST", headers, body: query });
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, which) => client(which));
  return {
    failures,
    registered,
    requests: () => requests,
    stop: async () => {
      running = false;
      await Promise.all(clients);
    },
  };
}

/** Every proof is there once, verifies, and live ones are paid for. */
async function expectWhole(
  database: TestDatabase,
  previous: Release,
  registered: { readonly live: number; readonly test: number },
): Promise<void> {
  const { count, failed } = await verifyEveryProof(database.admin);
  expect(failed).toEqual([]);
  expect(count).toBe(previous.proofs.length + registered.live + registered.test);
  const { rows } = await database.admin.query(
    "select sum(balance)::integer as balance from platform.credit_balances where tenant_id = $1",
    [previous.organization],
  );
  // Whichever functions let a request in, and whichever recorded it.
  const { rows: actors } = await database.admin.query(
    `select distinct event.actor_type, event.channel, event.actor_id = credential.actor_id as known
     from platform.audit_events as event left join platform.credentials as credential
       on credential.tenant_id = event.tenant_id and credential.environment = event.environment and credential.actor_id = event.actor_id
     where event.tenant_id = $1 and event.action = 'proof.registered'`,
    [previous.organization],
  );
  expect(actors).toEqual([{ actor_type: "token", channel: "rest", known: true }]);
  const operator = await Operator.connect(database.adminUrl);
  await operator.audit.begin();
  const { faults } = await verifyAll(operator);
  await operator.close();
  expect(faults).toEqual([]);
  expect(rows).toEqual([{ balance: previous.creditsLeft - registered.live }]);
}
