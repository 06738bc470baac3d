// The data keys of organizations: made once, sealed under the master key, and what is derived from them.
import { createHash, hkdfSync, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { reencrypt } from "../../../src/services/platform/keys/reencrypt.ts";
import { DataKey, SealedTextError } from "../../../src/services/signature/documents/data-key.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { sealedColumns } from "../../support/sealed-columns.ts";
import { taskContext } from "../../support/worker.ts";

let selo: TestGateway;
let organization: TestOrganization;
let pool: ReturnType<typeof createPool>;
let database: Database;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  pool = createPool(
    { url: selo.database.appUrl, role: "selo_app", applicationName: "test", statementTimeoutMs: 10_000 },
    8,
    () => {},
  );
  database = new Database(pool);
});
afterAll(async () => {
  await pool?.end();
  await selo?.stop();
});

const origin = { requestId: "test", address: "127.0.0.1", channel: "rest" } as const;
const caller = (token: string) => ({ credentialHash: createHash("sha256").update(token).digest(), origin });
const ID = "018f3c5e-7d2a-7b41-9c3d-2f6a8e1b4d90";
const fingerprint = (key: DataKey) => key.derive("test", ID).toString("hex");
const place = { table: "signature.participants", column: "enciphered_cpf", id: ID };

test("two gateways that need the first key of an organization at once get one key", async () => {
  const { live } = await selo.newOrganization();
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => new DataKeys(masterKeys).ofCaller(database, caller(live))),
  );
  expect(new Set(keys.map(fingerprint)).size).toBe(1);
});

test("each organization has its own key in each environment, the same for all of its tokens", async () => {
  const other = await selo.newOrganization();
  const another = await organization.token("live", ["documents:read"]);
  const keys = new DataKeys(masterKeys);
  const [live, again, inTest, foreign] = await Promise.all(
    [organization.live, another, organization.test, other.live].map(async (token) =>
      fingerprint(await keys.ofCaller(database, caller(token))),
    ),
  );
  expect(again).toBe(live);
  expect(new Set([live, inTest, foreign]).size).toBe(3);
});

test("a job reads the same key, and null where none was made", async () => {
  const workers = createPool(
    { url: selo.database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    1,
    () => {},
  );
  try {
    const keys = new DataKeys(masterKeys);
    const { jobs } = taskContext(workers, masterKeys);
    const own = await keys.ofCaller(database, caller(organization.live));
    const read = await keys.ofEnvironment(jobs, { tenantId: organization.id, environment: "live" });
    expect(read && fingerprint(read)).toBe(fingerprint(own));
    expect(
      await keys.ofEnvironment(jobs, { tenantId: (await selo.newOrganization()).id, environment: "live" }),
    ).toBeNull();
  } finally {
    await workers.end();
  }
});

test("an unknown token gets 401, and no key", async () => {
  await expect(new DataKeys(masterKeys).ofCaller(database, caller("svc_live_nobody"))).rejects.toMatchObject({
    status: 401,
  });
});

test("a rotation of the master key encrypts the same key anew, and a key in another row does not open", async () => {
  const { live } = await selo.newOrganization();
  const other = await selo.newOrganization();
  const before = fingerprint(await new DataKeys(masterKeys).ofCaller(database, caller(live)));
  await new DataKeys(masterKeys).ofCaller(database, caller(other.live));
  const newKey = Buffer.alloc(32, 7);
  const both = new MasterKeyring(newKey, [Buffer.from(TEST_MASTER_KEY, "hex")]);
  const { reencrypted } = await reencrypt(selo.operator, both, sealedColumns);
  expect(reencrypted.find(({ column }) => column === "signature.data_keys.sealed_key")?.count).toBeGreaterThan(1);
  const onlyNew = new MasterKeyring(newKey);
  expect(fingerprint(await new DataKeys(onlyNew).ofCaller(database, caller(live)))).toBe(before);
  await expect(new DataKeys(masterKeys).ofCaller(database, caller(live))).rejects.toMatchObject({
    reason: "other_master_key",
  });
  await selo.database.admin.query(
    `update signature.data_keys as kept set sealed_key = foreign_key.sealed_key from signature.data_keys as foreign_key
     where kept.tenant_id = $1 and foreign_key.tenant_id = $2`,
    [
      (
        await selo.database.admin.query("select tenant_id from signature.data_keys where tenant_id <> $1 limit 1", [
          other.id,
        ])
      ).rows[0].tenant_id,
      other.id,
    ],
  );
  const { rows } = await selo.database.admin.query<{ tenantId: string; environment: "live"; sealed: Buffer }>(
    `select kept.tenant_id as "tenantId", kept.environment, kept.sealed_key as sealed from signature.data_keys as kept
     join signature.data_keys as twin on twin.sealed_key = kept.sealed_key and twin.tenant_id = $1 and kept.tenant_id <> $1`,
    [other.id],
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { sealed, ...moved } of rows)
    expect(() => new DataKeys(onlyNew).open(moved, sealed)).toThrow(
      expect.objectContaining({ reason: "not_authentic" }),
    );
});

const key = new DataKey(Buffer.alloc(32, 1));

test("a derived key is HKDF-SHA-256 of use and id, and no two uses or ids share one", () => {
  const expected = hkdfSync("sha256", Buffer.alloc(32, 1), Buffer.alloc(0), `selo key 1 signing-link ${ID}`, 32);
  expect(key.derive("signing-link", ID)).toEqual(Buffer.from(expected));
  const all = [
    ["a", "b"],
    ["a", "c"],
    ["c", "b"],
    ["ab", "b"],
    ["a", "bb"],
  ].map(([use = "", id = ""]) => key.derive(use, id).toString("hex"));
  expect(new Set(all).size).toBe(all.length);
  for (const use of ["", "A", "a b", "a".repeat(65)]) expect(() => key.derive(use, ID)).toThrow(TypeError);
  for (const id of ["", "a b", "é"]) expect(() => key.derive("a", id)).toThrow(TypeError);
});

test("any text comes back, and its ciphertext differs each time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const [one, two] = [key.sealText(text, place), key.sealText(text, place)];
      expect(key.openText(one, place)).toBe(text);
      expect(one.equals(two)).toBe(false);
    }),
  );
});

test("a sealed text opens at its own table, column, row and key alone, and each flipped bit is seen", () => {
  const sealed = key.sealText("52998224725", place);
  const elsewhere = [
    { ...place, table: "signature.others" },
    { ...place, column: "enciphered_phone" },
    { ...place, id: randomUUID() },
  ];
  for (const other of elsewhere) expect(() => key.openText(sealed, other)).toThrow(SealedTextError);
  expect(() => new DataKey(Buffer.alloc(32, 2)).openText(sealed, place)).toThrow(SealedTextError);
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed);
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => key.openText(altered, place)).toThrow(SealedTextError);
  }
  for (let length = 0; length < sealed.length; length++)
    expect(() => key.openText(sealed.subarray(0, length), place)).toThrow(SealedTextError);
});

test("a key prints none of its bytes", () => {
  const secret = new DataKey(Buffer.from("0123456789abcdef0123456789abcdef"));
  expect(JSON.parse(JSON.stringify(secret))).toEqual({ tenantId: "" });
  expect(`${secret}`).not.toContain("0123");
});
