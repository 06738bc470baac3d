// The audit trail as SQL keeps it: chains that rivals cannot break, append-only, personal data that can be erased, seals.

import { execFileSync } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { sealAudit } from "../../../src/services/platform/audit/seal-audit.ts";
import { prepareAuditSeal } from "../../../src/services/platform/store.ts";
import { canonicalJson } from "../../../src/verifier/canonical-json.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { verifyAll } from "../../support/verify-all.ts";

let selo: TestGateway;
let organization: TestOrganization;
let owner: pg.Pool;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  owner = ownerPool(selo.database);
});
afterAll(async () => {
  await owner.end();
  await selo.stop();
});

const record = (client: pg.ClientBase, subject: string, action = "thing.changed", personal = {}, details = {}) =>
  client.query("select platform.record_audit_event($1, 'thing', $2, $3, $4)", [action, subject, details, personal]);
const recordAlone = (subject: string, environment: "live" | "test" = "live", personal = {}) =>
  inContext(owner, organization.id, environment, (client) => record(client, subject, "thing.changed", personal));
const chainOf = async (subject: string, environment = "live") =>
  (
    await selo.database.admin.query<Record<string, Buffer> & { seq: number; personal: object | null }>(
      "select seq::integer, prev_hash, hash, personal from platform.audit_events where subject_id = $1 and environment = $2 order by seq",
      [subject, environment],
    )
  ).rows;
async function expectUnbroken(subject: string, length: number): Promise<void> {
  const chain = await chainOf(subject);
  expect(chain.map(({ seq }) => seq)).toEqual(Array.from({ length }, (_, place) => place + 1));
  for (const [place, { prev_hash }] of chain.entries())
    expect(prev_hash).toEqual(chain[place - 1]?.["hash"] ?? Buffer.alloc(32));
}
async function seals(): Promise<{ evidence: string }[]> {
  return (await selo.database.admin.query("select evidence from platform.audit_seals order by number")).rows;
}
const faults = async () => (await verifyAll(selo.operator)).faults;

describe("a chain", () => {
  test("thirty-two at once about one subject make one unbroken chain", async () => {
    const subject = randomUUID();
    await Promise.all(Array.from({ length: 32 }, () => recordAlone(subject)));
    await expectUnbroken(subject, 32);
    expect(await faults()).toEqual([]);
  });

  test("several in one transaction, and what was rolled back leaves no gap", async () => {
    const subject = randomUUID();
    const [first, second] = [await owner.connect(), await owner.connect()];
    try {
      for (const client of [first, second]) {
        await client.query("begin");
        await client.query("select platform.enter_context($1, 'live', null, null, null)", [organization.id]);
      }
      await record(first, subject);
      await record(first, subject);
      // Waits for the first, which then takes its events back.
      const waiting = record(second, subject);
      await expect
        .poll(async () => {
          const { rowCount } = await selo.database.admin.query(
            "select from pg_locks where not granted and pid = any (select pid from pg_stat_activity where datname = current_database())",
          );
          return rowCount;
        })
        .toBeGreaterThan(0);
      await first.query("rollback");
      await waiting;
      await second.query("commit");
    } finally {
      first.release();
      second.release();
    }
    await expectUnbroken(subject, 1);
    expect(await faults()).toEqual([]);
  });

  test("is one for each environment", async () => {
    const subject = randomUUID();
    for (const environment of ["live", "test", "live"] as const) await recordAlone(subject, environment);
    expect((await chainOf(subject)).length).toBe(2);
    expect((await chainOf(subject, "test")).length).toBe(1);
    await selo.seal();
    expect(await faults()).toEqual([]);
  });

  test("holds any text, also in details", async () => {
    const subject = randomUUID();
    const details = { 'é"\\': "😀\n\u2028", z: [1, true, null], a: { b: -7 } };
    await inContext(owner, organization.id, "live", (client) => record(client, subject, "thing.made", {}, details));
    const { rows } = await selo.database.admin.query(
      "select details, platform.audit_event_text(event) as text from platform.audit_events as event where subject_id = $1",
      [subject],
    );
    expect(rows[0].details).toBe(canonicalJson(details));
    expect(canonicalJson(JSON.parse(rows[0].text))).toBe(rows[0].text);
    expect(await faults()).toEqual([]);
  });
});

describe("append-only", () => {
  const change = (statement: string) => inContext(owner, organization.id, "live", (client) => client.query(statement));

  test.each([
    "update platform.audit_events set action = 'a.b'",
    "update platform.audit_events set personal = null, action = 'a.b'",
    `update platform.audit_events set personal = '{"address": {"salt": "00", "value": "x"}}'`,
    "delete from platform.audit_events",
    "truncate platform.audit_events",
    "truncate platform.audit_seals",
    "truncate platform.audit_seal_leaves",
    "truncate platform.audit_seal_roots",
    "update platform.audit_seals set chains = 0",
    "delete from platform.audit_seals",
    "update platform.audit_seal_leaves set seq = 1",
    "delete from platform.audit_seal_leaves",
    "update platform.audit_seal_roots set chains = 1",
    "delete from platform.audit_seal_roots",
  ])("the owner may not: %s", async (statement) => {
    await selo.seal();
    await expect(change(statement)).rejects.toMatchObject({ code: "23001" });
  });
});

describe("personal data", () => {
  const address = "203.0.113.99";

  test("once erased is nowhere in the table, cannot be guessed from its commitment, and the chain still holds", async () => {
    const subject = randomUUID();
    await inContext(owner, organization.id, "live", async (client) => {
      await client.query("select platform.enter_origin($1)", [{ address, channel: "rest", request_id: randomUUID() }]);
      await record(client, subject, "thing.made", { name: "Ana Lima" });
    });
    const { rows } = await selo.database.admin.query(
      "select id, personal, commitments::json as commitments from platform.audit_events where subject_id = $1",
      [subject],
    );
    const [{ id, personal, commitments }] = rows;
    expect(Object.keys(commitments).sort()).toEqual(["address", "name"]);
    for (const [name, value] of Object.entries({ address, name: "Ana Lima" })) {
      expect(personal[name].value).toBe(value);
      expect(personal[name].salt).toMatch(/^[0-9a-f]{32}$/);
      const salted = Buffer.concat([Buffer.from(personal[name].salt, "hex"), Buffer.from(value)]);
      expect(createHash("sha256").update(salted).digest("hex")).toBe(commitments[name]);
      // Without the salt, whoever knows the value cannot find it.
      expect(createHash("sha256").update(value).digest("hex")).not.toBe(commitments[name]);
    }
    const head = await chainOf(subject);
    expect(await selo.operator.audit.erasePersonalData(organization.id, null, id)).toBe(1);
    const after = await selo.database.admin.query(
      "select event::text as row from platform.audit_events as event where subject_id = $1",
      [subject],
    );
    for (const gone of [address, "Ana Lima", personal.address.salt, personal.name.salt])
      expect(after.rows[0].row).not.toContain(gone);
    expect((await chainOf(subject))[0]?.["hash"]).toEqual(head[0]?.["hash"]);
    expect(await faults()).toEqual([]);
    const response = await fetch(`${selo.baseUrl}/api/v1/audit?subject_id=${subject}`, {
      headers: { authorization: `Bearer ${organization.live}` },
    });
    expect(await response.json()).toMatchObject({ items: [{ address: null, commitments }], chain: { faults: [] } });
  });

  test("is erased before an instant, of one organization, and that is itself an event", async () => {
    const [mine, other] = [await selo.newOrganization(), await selo.newOrganization()];
    const withAddress = async (id: string) =>
      (
        await selo.database.admin.query(
          "select from platform.audit_events where tenant_id = $1 and personal is not null",
          [id],
        )
      ).rowCount ?? 0;
    const before = new Date();
    const [had, others] = [await withAddress(mine.id), await withAddress(other.id)];
    expect(had).toBeGreaterThan(3);
    await selo.operator.grantCredits(mine.id, "signature", 1);
    expect(await selo.operator.audit.erasePersonalData(mine.id, before, null)).toBe(had);
    // The grant after the instant, and the erasure's own event.
    expect(await withAddress(mine.id)).toBe(2);
    expect(await withAddress(other.id)).toBe(others);
    expect(await selo.operator.audit.erasePersonalData(mine.id, before, null)).toBe(0);
    const { rows } = await selo.database.admin.query(
      "select action, actor_type, channel, details::json as details from platform.audit_events where tenant_id = $1 order by seq desc, id desc limit 1",
      [mine.id],
    );
    expect(rows).toEqual([
      { action: "personal_data.erased", actor_type: "operator", channel: "cli", details: { events: had } },
    ]);
    expect(await faults()).toEqual([]);
  });
});

describe("a seal", () => {
  const lastSeal = async () =>
    (await selo.database.admin.query("select max(number)::integer as number from platform.audit_seals")).rows[0].number;

  test("that was prepared and never signed counts for nothing, and the next is right", async () => {
    const subject = randomUUID();
    await recordAlone(subject);
    const before = await lastSeal();
    await prepareAuditSeal(selo.operator);
    expect(await lastSeal()).toBe(before);
    const asOwner = () =>
      inContext(
        owner,
        organization.id,
        "live",
        async (client) =>
          (await client.query("select sealed_by::integer from api.audit_events where subject_id = $1", [subject])).rows,
      );
    expect(await asOwner()).toEqual([{ sealed_by: null }]);
    await recordAlone(subject);
    const number = await selo.seal();
    expect(number).toBe((before ?? 0) + 1);
    expect(await asOwner()).toEqual([{ sealed_by: number }, { sealed_by: number }]);
    expect(await faults()).toEqual([]);
  });

  test("two at once, also of events that come between, are one after the other", async () => {
    const operators = await Promise.all(Array.from({ length: 4 }, () => Operator.connect(selo.database.adminUrl)));
    try {
      const before = (await lastSeal()) ?? 0;
      const numbers = await Promise.all(
        operators.map(async (operator) => {
          await recordAlone(randomUUID());
          return sealAudit(operator, masterKeys);
        }),
      );
      expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4].map((place) => before + place));
    } finally {
      for (const operator of operators) await operator.close();
    }
    expect(await faults()).toEqual([]);
  });

  test("names the one before it; what comes after it is counted as not sealed", async () => {
    await selo.seal();
    expect(await verifyAll(selo.operator)).toMatchObject({ unsealed_events: 0 });
    await recordAlone(randomUUID());
    const report = await verifyAll(selo.operator);
    expect(report).toMatchObject({ unsealed_events: 1, faults: [] });
    expect(report.events).toBeGreaterThan(30);
    const [previous, last] = (await seals()).slice(-2);
    await selo.seal();
    expect(JSON.parse(last?.evidence ?? "").previous).toBe(
      createHash("sha256")
        .update(previous?.evidence ?? "")
        .digest("hex"),
    );
    const first = (await seals())[0];
    expect(JSON.parse(first?.evidence ?? "")).toMatchObject({ number: 1, previous: null });
  });
});

test("merkle_root is the Merkle Tree Hash of RFC 9162, as another program computes it", async () => {
  const program = `
import hashlib, json, sys
def root(leaves):
    n = len(leaves)
    if n == 0: return hashlib.sha256(b"").digest()
    if n == 1: return hashlib.sha256(b"\\0" + leaves[0]).digest()
    k = 1
    while k * 2 < n: k *= 2
    return hashlib.sha256(b"\\1" + root(leaves[:k]) + root(leaves[k:])).digest()
for leaves in json.load(sys.stdin): print(root([bytes.fromhex(leaf) for leaf in leaves]).hex())`;
  const sizes = [...Array.from({ length: 21 }, (_, size) => size), 64, 1_000, 4_097];
  const trees = sizes.map((size) => Array.from({ length: size }, () => randomBytes(56)));
  const expected = execFileSync("python3", ["-c", program], {
    input: JSON.stringify(trees.map((leaves) => leaves.map((leaf) => leaf.toString("hex")))),
    encoding: "utf8",
  });
  const roots: string[] = [];
  for (const leaves of trees) {
    const { rows } = await selo.database.admin.query(
      "select encode(platform.merkle_root($1::bytea[]), 'hex') as root",
      [leaves],
    );
    roots.push(rows[0].root);
  }
  expect(roots).toEqual(expected.trim().split("\n"));
});
