// Rotation of SELO_MASTER_KEY: gateways with the old key, with both, and with the new one; `selo keys reencrypt`.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { PlatformSigners, seedPurpose } from "../../../src/services/platform/keys/platform-signers.ts";
import { reencrypt } from "../../../src/services/platform/keys/reencrypt.ts";
import { rotatePlatformKeys } from "../../../src/services/platform/keys/rotate-platform-keys.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { expectAllRegistered, register } from "../../support/registrations.ts";
import { sealedColumns } from "../../support/sealed-columns.ts";
import { selo as seloCommand } from "../../support/selo-process.ts";

const NEW_KEY = "22".repeat(32);
const oldKey = Buffer.from(TEST_MASTER_KEY, "hex");
const newKey = Buffer.from(NEW_KEY, "hex");
const onlyOld = new MasterKeyring(oldKey);
const onlyNew = new MasterKeyring(newKey);
const newThenOld = new MasterKeyring(newKey, [oldKey]);
const SEEDS = "platform.platform_keys.sealed_seed";
/** This database has neither documents, nor webhooks, nor signed zones, nor issuers; test/services/dns/dnssec-served.test.ts, test/services/signature/data-keys.test.ts and test/services/webhooks/kept.test.ts encrypt theirs again. */
const CERTIFICATES = "platform.seal_certificates.sealed_key";
const OF_FACTORS = ["accounts.passkeys.sealed_secret", "accounts.totp_factors.sealed_secret"].map((column) => ({
  column,
  count: 0,
}));
const OF_ZONES = { column: "dns.dnssec_keys.sealed_private_key", count: 0 };
const OF_ISSUERS = { column: "invoicing.issuers.sealed_key", count: 0 };
const OF_SERVICES = [
  "signature.connectors.sealed_secret",
  "signature.data_keys.sealed_key",
  "webhooks.endpoints.sealed_secret",
  "webhooks.endpoints.sealed_previous_secret",
].map((column) => ({ column, count: 0 }));
/** Each environment has a certificate. */
const OF_OTHERS = [{ column: CERTIFICATES, count: 2 }, ...OF_SERVICES];
const DONE_BEFORE = [{ column: CERTIFICATES, count: 0 }, ...OF_SERVICES];

let selo: TestGateway;
beforeEach(async () => {
  selo = await startTestGateway();
});
afterEach(() => selo.stop());

/** More secrets: retired keys, whose seeds are sealed as all are. */
async function addRetiredKeys(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const keyId = `ed25519-${randomBytes(8).toString("hex")}`;
    await selo.database.admin.query(
      `insert into platform.platform_keys (key_id, environment, algorithm, public_key, sealed_seed, status, retired_at)
       values ($1, 'test', 'Ed25519', $2, $3, 'retired', '2020-01-01')`,
      [keyId, randomBytes(32), onlyOld.seal(randomBytes(32), seedPurpose(keyId))],
    );
  }
}

interface Event {
  readonly column: string;
  readonly values: number;
  readonly master_key_ids: string;
  readonly former_master_key_ids: string;
}
const events = async () =>
  (
    await selo.database.admin.query<{ details: Event }>(
      "select details::json as details from platform.audit_events where action = 'master_key.rotated' order by seq",
    )
  ).rows.map(({ details }) => details);

const underNewKey = async () =>
  (await selo.operator.sealedValues.count()).map(({ masterKeyId, count }) => [masterKeyId, count]);

test("gateways with the old key, with both and with the new one serve under load through it, and the old key can go", async () => {
  const OLD = TEST_MASTER_KEY;
  const addsNew = await startGatewayBeside(selo, { SELO_MASTER_KEY: OLD, SELO_MASTER_KEY_OTHERS: NEW_KEY });
  const sealsNew = await startGatewayBeside(selo, { SELO_MASTER_KEY: NEW_KEY, SELO_MASTER_KEY_OTHERS: OLD });
  const { live, test: testToken } = await selo.newOrganization({ credits: 100_000 });
  const all = register([selo.baseUrl, addsNew.baseUrl, sealsNew.baseUrl], [live, testToken], 1);
  await all.more(30);
  const report = await reencrypt(selo.operator, newThenOld, sealedColumns);
  await all.more(30);
  await all.stop();
  expectAllRegistered(all);
  expect(report).toEqual({
    master_key_id: onlyNew.sealingId,
    reencrypted: [...OF_FACTORS, OF_ZONES, OF_ISSUERS, { column: SEEDS, count: 4 }, ...OF_OTHERS],
    left: [],
  });
  expect(await underNewKey()).toEqual([
    [onlyNew.sealingId, 4],
    [onlyNew.sealingId, 2],
  ]);
  const keys = { master_key_ids: onlyNew.sealingId, former_master_key_ids: onlyOld.sealingId };
  expect(await events()).toEqual([
    { column: SEEDS, values: 4, ...keys },
    { column: CERTIFICATES, values: 2, ...keys },
  ]);

  // Everybody who has the new key opens what is sealed from now on.
  const both = register([addsNew.baseUrl, sealsNew.baseUrl], [live], 1);
  await rotatePlatformKeys(selo.operator, newThenOld, ["live", "test"], "selo.test");
  await both.more(20);
  await both.stop();
  expectAllRegistered(both);
  await addsNew.stop();
  await sealsNew.stop();

  const last = await startGatewayBeside(selo, { SELO_MASTER_KEY: NEW_KEY });
  const only = register([last.baseUrl], [live, testToken], 1);
  await only.more(10);
  await only.stop();
  expectAllRegistered(only);
  await last.stop();
  await expect(startGatewayBeside(selo, { SELO_MASTER_KEY: OLD })).rejects.toThrow(
    new RegExp(`^SELO_MASTER_KEY: .*${onlyNew.sealingId}`),
  );
});

test("a second run finds nothing to do and says nothing in the audit trail; two at once share the work", async () => {
  await addRetiredKeys(60);
  const operators = await Promise.all([1, 2].map(() => Operator.connect(selo.database.adminUrl)));
  try {
    const reports = await Promise.all(operators.map((operator) => reencrypt(operator, newThenOld, sealedColumns, 7)));
    const counts = reports.map(({ reencrypted }) => reencrypted.find(({ column }) => column === SEEDS)?.count ?? 0);
    expect(counts.reduce((sum, count) => sum + count)).toBe(64);
    expect(reports.map(({ left }) => left)).toEqual([[], []]);
  } finally {
    await Promise.all(operators.map((operator) => operator.close()));
  }
  const before = await events();
  expect(before.reduce((sum, { values }) => sum + values, 0)).toBe(64 + 2);
  const again = await reencrypt(selo.operator, newThenOld, sealedColumns);
  expect(again.reencrypted).toEqual([...OF_FACTORS, OF_ZONES, OF_ISSUERS, { column: SEEDS, count: 0 }, ...DONE_BEFORE]);
  expect(await events()).toEqual(before);
  await new PlatformSigners(selo.operator, onlyNew).check();
});

test("killed in the middle (kill -9), the next run does the rest, and every secret is written once", async () => {
  await addRetiredKeys(496);
  const { rows } = await selo.database.admin.query<{ sealed_seed: Buffer }>(
    "select sealed_seed from platform.platform_keys order by sealed_seed desc limit 1",
  );
  // Holds up the batch of the last secret.
  const holder = await selo.database.admin.connect();
  await holder.query("begin");
  await holder.query("select from platform.platform_keys where sealed_seed = $1 for update", [rows[0]?.sealed_seed]);
  const running = seloCommand(["keys", "reencrypt", "--json"], {
    DATABASE_URL: selo.database.appUrl,
    DATABASE_ADMIN_URL: selo.database.adminUrl,
    SELO_MASTER_KEY: NEW_KEY,
    SELO_MASTER_KEY_OTHERS: TEST_MASTER_KEY,
  });
  const waiting = `select pid from pg_stat_activity where datname = current_database()
    and application_name = 'selo operator' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await selo.database.admin.query(waiting)).rowCount, { interval: 50 }).toBe(1);
  running.child.kill("SIGKILL");
  expect((await running.finished).signal).toBe("SIGKILL");
  await selo.database.admin.query(`select pg_terminate_backend(pid) from (${waiting}) as left_behind`);
  await holder.query("rollback");
  holder.release();
  expect((await underNewKey()).sort()).toEqual(
    [
      [onlyOld.sealingId, 100],
      [onlyNew.sealingId, 400],
      [onlyOld.sealingId, 2],
    ].sort(),
  );

  const report = await reencrypt(selo.operator, newThenOld, sealedColumns);
  expect(report).toMatchObject({
    reencrypted: [...OF_FACTORS, OF_ZONES, OF_ISSUERS, { count: 100 }, ...OF_OTHERS],
    left: [],
  });
  expect(await underNewKey()).toEqual([
    [onlyNew.sealingId, 500],
    [onlyNew.sealingId, 2],
  ]);
  expect((await events()).map(({ values }) => values)).toEqual([200, 200, 100, 2]);
});

test("it locks rows in the order of their keys, as others do who lock several, and who holds one may still write", async () => {
  await addRetiredKeys(20);
  const { admin } = selo.database;
  const first = "(select min(key_id) from platform.platform_keys)";
  // The first row by its key becomes the last in the table.
  await admin.query(`update platform.platform_keys set created_at = now() where key_id = ${first}`);
  const holder = await admin.connect();
  try {
    await holder.query("begin");
    await holder.query(`select from platform.platform_keys where key_id = ${first} for no key update`);
    const running = reencrypt(selo.operator, newThenOld, sealedColumns);
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'selo operator' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await admin.query(waiting)).rowCount, { interval: 20 }).toBe(1);
    await holder.query("select from platform.platform_keys order by key_id for no key update nowait");
    // A wait for the lock of the table would be a deadlock.
    await holder.query(`update platform.platform_keys set created_at = now() where key_id = ${first}`);
    await holder.query("commit");
    expect((await running).reencrypted).toContainEqual({ column: SEEDS, count: 24 });
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});

test("what no key at hand opens is left as it is and reported, and the others are sealed again all the same", async () => {
  await addRetiredKeys(10);
  // Two seeds in each other's rows do not open, nor does one under a third key.
  await selo.database.admin.query(
    `update platform.platform_keys as key set sealed_seed = other.sealed_seed from platform.platform_keys as other
     where key.status = 'active' and other.status = 'active' and key.algorithm = 'Ed25519' and other.algorithm = 'Ed25519'
       and key.environment <> other.environment`,
  );
  const third = new MasterKeyring(Buffer.alloc(32, 0x33));
  await selo.database.admin.query(
    "update platform.platform_keys set sealed_seed = $1 where key_id = (select key_id from platform.platform_keys where status = 'retired' limit 1)",
    [third.seal(randomBytes(32), "platform-key:lost")],
  );
  const report = await reencrypt(selo.operator, newThenOld, sealedColumns, 3);
  expect(report.reencrypted).toEqual([...OF_FACTORS, OF_ZONES, OF_ISSUERS, { column: SEEDS, count: 11 }, ...OF_OTHERS]);
  expect(report.left).toHaveLength(2);
  expect(report.left).toContainEqual({ column: SEEDS, master_key_id: onlyOld.sealingId, count: 2 });
  expect(report.left).toContainEqual({ column: SEEDS, master_key_id: third.sealingId, count: 1 });
});

test("without the old key nothing is written", async () => {
  const report = await reencrypt(selo.operator, onlyNew, sealedColumns);
  expect(report).toMatchObject({
    reencrypted: [...OF_FACTORS, OF_ZONES, OF_ISSUERS, { count: 0 }, ...DONE_BEFORE],
    left: [
      { column: SEEDS, master_key_id: onlyOld.sealingId, count: 4 },
      { column: CERTIFICATES, master_key_id: onlyOld.sealingId, count: 2 },
    ],
  });
  expect(await events()).toEqual([]);
});

test("the owner's functions touch sealed columns only", async () => {
  for (const [table, column] of [
    ["platform.platform_keys", "public_key"],
    ["platform.credentials", "digest"],
    ["platform.nothing", "sealed_seed"],
  ] as const) {
    await expect(
      selo.operator.sealedValues.list({ table, column }, onlyNew.sealingId, Buffer.alloc(0), 1),
    ).rejects.toThrow(/sealed column/);
    await expect(
      selo.operator.sealedValues.replace({ table, column }, [{ old: Buffer.of(1), new: Buffer.of(2) }]),
    ).rejects.toThrow(/sealed column|does not exist/);
  }
});
