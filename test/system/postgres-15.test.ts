import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../src/main/config.ts";
import { type Gateway, startGateway } from "../../src/main/gateway.ts";
import { masterKeysOf } from "../../src/main/master-key.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { urlsOf } from "../../src/postgres/databases.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/postgres/embedded/embedded.ts";
import { createDatabase } from "../../src/postgres/embedded/embedded-url.ts";
import { dumpCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { backUp, backupFolder, restore } from "../support/backup-folder.ts";
import { expectForgotten } from "../support/counted-before.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { newOrganization, type TestOrganization } from "../support/gateway.ts";
import { TEST_MASTER_KEY } from "../support/global-setup.ts";
import { verifyEveryProof } from "../support/verify-every-proof.ts";

/** Debian's package postgresql-15: the oldest Postgres that is supported. */
const BIN_DIR = "/usr/lib/postgresql/15/bin";
const MISSING = fs.existsSync(path.join(BIN_DIR, "postgres"))
  ? null
  : `${BIN_DIR} is missing: apt-get install postgresql-15`;

describe("on Postgres 15", () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let adminUrl: string;
  let admin: pg.Client;
  let operator: Operator;
  let gateway: Gateway;
  let organization: TestOrganization;
  let applied: string[];

  beforeAll(async () => {
    if (MISSING !== null) return;
    folder = fs.mkdtempSync(path.join(fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), "selo-15-"));
    postgres = await startEmbeddedPostgres({
      dataDir: folder,
      env: process.env,
      binDir: BIN_DIR,
      settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "64MB" },
    });
    await createDatabase(postgres, "selo");
    const databases = { ...urlsOf(postgres, postgres.password), description: "Postgres 15", close: async () => {} };
    adminUrl = databases.adminUrl;
    const config = readConfig({
      PORT: "0",
      PUBLIC_URL: "http://selo.test",
      SELO_MASTER_KEY: TEST_MASTER_KEY,
      DATABASE_URL: databases.appUrl,
    });
    applied = await prepareDatabase(config, databases, () => {});
    admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    operator = await Operator.connect(adminUrl);
    organization = await newOrganization(operator, { credits: 3, language: "pt-BR" });
    gateway = await startGateway({
      config,
      databaseUrl: databases.appUrl,
      masterKeys: masterKeysOf(config),
      log: pino({ level: "silent" }),
    });
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    await operator?.close();
    await admin?.end();
    await postgres?.stop();
    if (folder !== undefined) fs.rmSync(folder, { recursive: true, force: true });
  });
  beforeEach((context) => {
    if (MISSING !== null) context.skip(MISSING);
  });

  async function ask(
    where: string,
    init: { readonly method?: string; readonly token?: string; readonly key?: string; readonly body?: object } = {},
  ) {
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/api/v1${where}`, {
      method: init.method ?? "GET",
      headers: {
        authorization: `Bearer ${init.token ?? organization.live}`,
        ...(init.key === undefined ? {} : { "idempotency-key": init.key }),
        ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  }
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");

  test("everything migrates, and once", async () => {
    expect(postgres.version).toMatch(/^15\./);
    expect(applied.at(-1)).toBe("repeatable");
    expect(applied.length).toBeGreaterThan(2);
    expect(await migrate({ adminUrl, serviceUrls: [] })).toEqual([]);
  });

  test("the catalog is the same as on the embedded Postgres, and as schema/database.sql", async () => {
    const dumped = await dumpCatalog(admin);
    const embedded: TestDatabase = await createTestDatabase();
    const client = new pg.Client({ connectionString: embedded.adminUrl });
    await client.connect();
    const there = await dumpCatalog(client);
    await client.end();
    await embedded.drop();
    expect(dumped).toBe(there);
    expect(dumped).toBe(fs.readFileSync(new URL("../../schema/database.sql", import.meta.url), "utf8"));
    expect(dumped).toMatch(/^-- GENERATED /);
    expect(dumped).not.toMatch(/graphile_worker\.|create schema extensions/);
  });

  test("platform.uuidv7() makes what RFC 9562 describes, in order", async () => {
    const before = Date.now();
    const { rows } = await admin.query<{ id: string }>("select platform.uuidv7() as id from generate_series(1, 5000)");
    const after = Date.now();
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(5_000);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const milliseconds = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
      expect(milliseconds).toBeGreaterThanOrEqual(before - 1);
      expect(milliseconds).toBeLessThanOrEqual(after + 1);
    }
    // Milliseconds and the fraction below never run backwards; the random rest decides within a microsecond.
    const times = ids.map((id) => id.slice(0, 18));
    expect(times).toEqual([...times].sort());
    expect(new Set(times).size).toBeGreaterThan(100);
  });

  test("a proof is registered, answered again, replayed, read, listed and found", async () => {
    const sha256 = digest("one");
    const key = randomUUID();
    const body = { sha256, label: "Über 100%_sicher" };
    const first = await ask("/proofs", { method: "POST", key, body });
    expect(first).toMatchObject({ status: 201, body: { sha256, created: true, language: "pt-BR" } });
    const replay = await ask("/proofs", { method: "POST", key, body });
    expect(replay).toMatchObject({ status: 201, body: first.body });
    expect(replay.headers.get("idempotent-replayed")).toBe("true");
    expect(await ask("/proofs", { method: "POST", key, body: { sha256 } })).toMatchObject({ status: 409 });
    expect(await ask("/proofs", { method: "POST", body })).toMatchObject({
      status: 200,
      body: { ...first.body, created: false },
    });
    expect(await ask(`/proofs/${first.body.id}`)).toMatchObject({
      status: 200,
      body: { ...first.body, created: false },
    });
    for (const search of [sha256.slice(0, 9), "über 100%_S", "100%"])
      expect((await ask(`/proofs?search=${encodeURIComponent(search)}`)).body, search).toMatchObject({ total: 1 });
    expect((await ask("/proofs?search=100_s")).body).toMatchObject({ total: 0 });
    expect((await ask("/proofs")).body).toMatchObject({ total: 1, items: [{ id: first.body.id }] });
    expect((await ask("/proofs", { token: organization.test })).body).toMatchObject({ total: 0 });
  });

  test("credits run out exactly, also with thirty calls at once", async () => {
    await operator.grantCredits(organization.id, "signature", 3);
    const balance = "select sum(balance)::integer as balance from platform.credit_balances";
    const { balance: before } = (await admin.query<{ balance: number }>(balance)).rows[0] ?? { balance: 0 };
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, which) =>
        ask("/proofs", { method: "POST", body: { sha256: digest(`credit ${which}`) } }).then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(before);
    expect(statuses.filter((status) => status === 402)).toHaveLength(30 - before);
    expect((await admin.query(balance)).rows).toEqual([{ balance: 0 }]);
    const free = await ask("/proofs", { method: "POST", token: organization.test, body: { sha256: digest("free") } });
    expect(free.status).toBe(201);
  });

  test("GraphQL registers a proof and reads it back, one field of each kind", async () => {
    const graphql = async (query: string) => {
      const answer = await fetch(`http://127.0.0.1:${gateway.port}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${organization.test}`, "content-type": "application/json" },
        body: JSON.stringify({ query }),
      });
      return {
        status: answer.status,
        ...((await answer.json()) as { data?: Record<string, unknown>; errors?: object }),
      };
    };
    const sha256 = digest("graphql");
    const members = "id sha256 label fileSize registeredAt evidence platformSignaturePq";
    const made = await graphql(
      `mutation { registerProof(input: {sha256: "${sha256}", label: "GraphQL 15", fileSize: 5}) { created proof { ${members} } } }`,
    );
    expect(made).toMatchObject({
      status: 200,
      data: { registerProof: { created: true, proof: { sha256, label: "GraphQL 15", fileSize: "5" } } },
    });
    const { proof } = (made.data as { registerProof: { proof: { id: string } } }).registerProof;
    expect(
      await graphql(
        `{ proof(id: "${proof.id}") { ${members} } proofs(first: 1) { nodes { ${members} } } found: proofs(search: "phql 15") { nodes { ${members} } } }`,
      ),
    ).toEqual({ status: 200, data: { proof, proofs: { nodes: [proof] }, found: { nodes: [proof] } } });
  });

  test.each(["superuser", "CREATEROLE"])(
    "an administrator with %s makes and revokes an analyst, who reads",
    async (kind) => {
      let url = adminUrl;
      if (kind === "CREATEROLE") {
        await admin.query(
          "create role keeper login createrole password 'keeper' in role selo_owner, selo_app, selo_analyst",
        );
        const own = new URL(adminUrl);
        [own.username, own.password] = ["keeper", "keeper"];
        url = own.toString();
      }
      const keeper = await Operator.connect(url);
      const made = await keeper.createAnalyst(organization.id, "live", kind.toLowerCase());
      const analyst = new pg.Client({ connectionString: made.url });
      analyst.on("error", () => {}); // its session is ended
      await analyst.connect();
      const ended = new Promise((resolve) => analyst.once("end", resolve));
      for (const setting of ["app.tenant_id = ''", "app.environment = 'test'", "role = selo_analyst"]) {
        await analyst.query(`set ${setting}`);
        const { rows } = await analyst.query(
          "select kind, reason, movements from analytics.credits_per_day order by reason",
        );
        expect(rows.map(({ reason }) => reason)).toContain("granted");
        expect((await analyst.query("select from analytics.proofs_per_day")).rowCount).toBe(1);
      }
      await analyst.query("set default_transaction_read_only = off");
      for (const statement of [
        "select from signature.proofs",
        "select gateway.readiness()",
        "create temporary table mine ()",
        "set role selo_owner",
      ])
        await expect(analyst.query(statement), statement).rejects.toMatchObject({ code: "42501" });
      await keeper.revokeAnalyst(made.login);
      await ended;
      expect(await keeper.listAnalysts()).toEqual([]);
      await keeper.close();
    },
  );

  test("a backup of it is restored on the embedded Postgres, and from there on 15 again", async () => {
    const backups = backupFolder();
    const newer = await createTestDatabase({ empty: true });
    try {
      const first = await backUp({ adminUrl }, backups.file("15"));
      await restore(newer, backups.file("15"));
      const { count, failed } = await verifyEveryProof(newer.admin);
      expect(failed).toEqual([]);
      expect(count).toBe(first.tables.find(({ name }) => name === "signature.proofs")?.rows);
      await backUp(newer, backups.file("18"));
      const again = urlsOf(postgres, postgres.password, "again");
      const { manifest } = await restore(again, backups.file("18"));
      expect(manifest.tables).toEqual(first.tables);
    } finally {
      await newer.drop();
      backups.remove();
    }
  });

  test("0010 and 0021 do away with what the planner knew of ids, and leave everything else as it was", async () => {
    await expectForgotten(adminUrl);
  });

  test("a token without the scope, or of nobody, is refused", async () => {
    const reader = await organization.token("live", ["proofs:read"]);
    expect(await ask("/proofs", { method: "POST", token: reader, body: { sha256: digest("x") } })).toMatchObject({
      status: 403,
      body: { detail: { code: "missing_scope" } },
    });
    expect(await ask("/proofs", { token: "svc_live_nobody" })).toMatchObject({ status: 401 });
  });
});
