// What record_proofs refuses of a gateway that somebody else has taken over.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Acme" });
  other = await selo.newOrganization({ name: "Beta" });
});
afterAll(() => selo.stop());

type Evidence = Record<string, JsonValue>;

/**
 * Prepares two proofs and records both, the second with other evidence than was prepared; rolled back after it.
 * @returns their statuses
 */
async function record(
  forge: (evidence: Evidence, client: pg.PoolClient) => Evidence | Promise<Evidence>,
): Promise<number[]> {
  const client = await selo.database.admin.connect();
  const sha256 = () => createHash("sha256").update(randomBytes(32)).digest("hex");
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'live', null, null, '{proofs:read,proofs:write}')", [
      organization.id,
    ]);
    const { rows } = await client.query<{ prepared: { body: { id: string; evidence: Evidence } }[] }>(
      "select gateway.prepare_proofs($1) as prepared",
      [JSON.stringify([{ sha256: sha256() }, { sha256: sha256(), label: "second" }])],
    );
    const [first, second] = rows[0]?.prepared.map(({ body }) => body) ?? [];
    if (first === undefined || second === undefined) throw new Error("nothing was prepared");
    const item = (id: string, own: JsonValue | undefined, evidence: Evidence) => ({
      sha256: own,
      proof_id: id,
      language: "en",
      evidence: canonicalJson(evidence),
      platform_signature: Buffer.alloc(64).toString("base64"),
      platform_signature_pq: Buffer.alloc(4627).toString("base64"),
    });
    const recorded = await client.query<{ recorded: { status: number }[] }>(
      "select gateway.record_proofs($1) as recorded",
      [
        JSON.stringify([
          item(first.id, first.evidence["sha256"], first.evidence),
          item(second.id, second.evidence["sha256"], await forge({ ...second.evidence }, client)),
        ]),
      ],
    );
    return recorded.rows[0]?.recorded.map(({ status }) => status) ?? [];
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** The instant of the database, so many seconds later, as evidence has it. */
const later = async (client: pg.PoolClient, seconds: number) =>
  (
    await client.query<{ instant: string }>(
      "select platform.instant(clock_timestamp() + make_interval(secs => $1)) as instant",
      [seconds],
    )
  ).rows[0]?.instant ?? "";

const dated = (seconds: number) => async (evidence: Evidence, client: pg.PoolClient) => ({
  ...evidence,
  registered_at: await later(client, seconds),
});
const changed = (members: Evidence) => (evidence: Evidence) => ({ ...evidence, ...members });
const without = (member: string) => (evidence: Evidence) =>
  Object.fromEntries(Object.entries(evidence).filter(([name]) => name !== member));

/** Retires the pair that evidence names so many seconds ago, with another in its place. */
const retired = (seconds: number) => async (evidence: Evidence, client: pg.PoolClient) => {
  await client.query(
    "update platform.platform_keys set status = 'retired', retired_at = clock_timestamp() - make_interval(secs => $2) where key_id = any($1)",
    [[evidence["key_id"], evidence["pq_key_id"]], seconds],
  );
  return evidence;
};

test("evidence as it was prepared is recorded, within two minutes by the clock of the database", async () => {
  expect(await record((evidence) => evidence)).toEqual([201, 201]);
  expect(await record(dated(-115))).toEqual([201, 201]);
  expect(await record(retired(115))).toEqual([201, 201]);
});

test.each<[string, Parameters<typeof record>[0]]>([
  ["is dated 125 seconds back", dated(-125)],
  ["is dated 5 seconds ahead", dated(5)],
  ["is dated years back", changed({ registered_at: "2020-01-01T00:00:00.000000+00:00" })],
  [
    "has an instant that others read as another time",
    async (evidence, client) => ({
      ...evidence,
      registered_at: (await later(client, 3_600)).replace("+00:00", "+01:00"),
    }),
  ],
  ["says 'now' for an instant", changed({ registered_at: "now" })],
  ["has no instant", without("registered_at")],
  ["has null for an instant", changed({ registered_at: null })],
  ["is of another kind", changed({ kind: "audit_seal" })],
  ["has another schema version", changed({ schema_version: 2 })],
  ["has another schema version, as text", changed({ schema_version: "1" })],
  ["names another hash algorithm", changed({ hash_algorithm: "SHA-1" })],
  ["names another source of time", changed({ time_source: "rfc3161" })],
  ["names another policy of signatures", changed({ hybrid_policy: "OR" })],
  ["lacks its kind", without("kind")],
  ["names another organization", changed({ organization: "Beta" })],
  ["is of another organization", (evidence) => ({ ...evidence, tenant_id: other.id })],
  ["is of no organization", without("tenant_id")],
  ["is of another digest than was asked", changed({ sha256: "0".repeat(64) })],
  ["is of another proof than was answered", (evidence) => ({ ...evidence, proof_id: randomUUID() })],
  ["names a key that does not exist", changed({ key_id: "ed25519-0000000000000000" })],
  ["names no key", without("pq_key_id")],
  [
    "names its keys the other way round",
    ({ key_id, pq_key_id, ...rest }) => ({
      ...rest,
      key_id: pq_key_id ?? null,
      pq_key_id: key_id ?? null,
    }),
  ],
  [
    "names keys of the other environment",
    async (evidence, client) => {
      const { rows } = await client.query<{ key_id: string }>(
        "select key_id from platform.platform_keys where environment = 'test' order by algorithm",
      );
      return { ...evidence, key_id: rows[0]?.key_id ?? "", pq_key_id: rows[1]?.key_id ?? "" };
    },
  ],
  ["names keys retired 125 seconds ago", retired(125)],
])("a batch is refused whole when the evidence of one %s", async (_, forge) => {
  await expect(record(forge)).rejects.toMatchObject({
    code: expect.stringMatching(/^(23514|22007)$/),
    message: expect.stringMatching(/differs from what prepare_proofs made|invalid input syntax/),
  });
});

test("a call without a token acts for nobody, whatever the session of the gateway's login says", async () => {
  const client = new pg.Client({ connectionString: selo.database.appUrl });
  await client.connect();
  await client.query(
    `select set_config('app.tenant_id', $1, false), set_config('app.environment', 'live', false),
       set_config('app.scopes', 'proofs:write audit:read', false)`,
    [organization.id],
  );
  const proofs = JSON.stringify({ proofs: [{ sha256: "b".repeat(64) }] });
  for (const [command, given] of [
    ["prepare_proofs", proofs],
    ["record_proofs", proofs],
    ["list_audit_events", "{}"],
  ]) {
    await expect(client.query("select gateway.call(null, $1, $2)", [command, given])).rejects.toMatchObject({
      code: "PT401",
    });
    const { rows } = await client.query("select failure ->> 'code' as code from gateway.call_many($1)", [
      JSON.stringify([{ command, arguments: JSON.parse(given ?? ""), status: 200 }]),
    ]);
    expect(rows).toEqual([{ code: "PT401" }]);
  }
  await client.end();
});

test("the caller gets 500 and nothing is written: no proof, no credit, no event, no Idempotency-Key", async () => {
  const { admin } = selo.database;
  const counts = async () =>
    (
      await admin.query(
        `select (select count(*) from signature.proofs) as proofs, (select count(*) from platform.public_codes) as codes,
           (select sum(balance) from platform.credit_balances) as credits, (select count(*) from platform.audit_events) as events,
           (select count(*) from platform.idempotency_keys) as keys`,
      )
    ).rows[0];
  const definition = (
    await admin.query<{ text: string }>(
      "select pg_get_functiondef('gateway.prepare_proofs(jsonb)'::regprocedure) as text",
    )
  ).rows[0]?.text;
  const backdating = definition?.replace(
    "clock_timestamp() as registered_at",
    "clock_timestamp() - interval '1 hour' as registered_at",
  );
  expect(backdating).not.toBe(definition);
  const request = { token: organization.live, key: randomUUID(), body: { sha256: "a".repeat(64) } };
  const before = await counts();
  await admin.query(backdating ?? "");
  const refused = await call(selo, "POST", "/proofs", request);
  expect(refused.status).toBe(500);
  expect(refused.body.detail.code).toBe("internal_error");
  expect(refused.text).not.toContain("evidence");
  expect(await counts()).toEqual(before);
  await admin.query(definition ?? "");
  expect((await call(selo, "POST", "/proofs", request)).status).toBe(201);
});
