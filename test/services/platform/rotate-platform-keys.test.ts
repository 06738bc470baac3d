// `selo keys rotate`: beside gateways under load, beside another rotation, and what retired keys sealed.
import { createPublicKey, verify as verifySignature } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { ConfigError } from "../../../src/config/config.ts";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { sealAudit } from "../../../src/services/platform/audit/seal-audit.ts";
import { PlatformSigners } from "../../../src/services/platform/keys/platform-signers.ts";
import { rotatePlatformKeys } from "../../../src/services/platform/keys/rotate-platform-keys.ts";
import { prepareAuditSeal } from "../../../src/services/platform/store.ts";
import { readEvidence } from "../../../src/verifier/evidence.ts";
import { HYBRID_CHECKS } from "../../../src/verifier/hybrid-signature.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { type SignatureChecks, verifyWith } from "../../../src/verifier/verify-with.ts";
import { reverifyProofs } from "../../../workers/signature/reverify.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { expectAllRegistered, register } from "../../support/registrations.ts";
import { call } from "../../support/rest-client.ts";
import { selo as seloCommand } from "../../support/selo-process.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { taskContext } from "../../support/worker.ts";
import { hashed } from "../../verifier/made-proofs.ts";

let selo: TestGateway;
let beside: { readonly baseUrl: string; stop(): Promise<void> };
let organization: TestOrganization;
let masterKeys: MasterKeyring;
beforeAll(async () => {
  selo = await startTestGateway();
  beside = await startGatewayBeside(selo);
  organization = await selo.newOrganization({ credits: 100_000 });
  masterKeys = masterKeysOf(selo.config);
});
afterAll(async () => {
  await beside.stop();
  await selo.stop();
});

/** Both signatures, as Node verifies them. */
const NATIVE: SignatureChecks = {
  ed25519: (key, message, signature) => verifySignature(null, message, publicKey("ed25519", key), signature),
  mlDsa87: (key, message, signature) => verifySignature(null, message, publicKey("ml-dsa-87", key), signature),
};
const publicKey = (asymmetricKeyType: "ed25519" | "ml-dsa-87", key: Uint8Array) =>
  createPublicKey({ key: Buffer.from(key), format: "raw-public", asymmetricKeyType });

const BOTH = ["live", "test"] as const;
/** More in rotate-platform-keys.full.test.ts. */
const ROTATIONS = byLane({ lane: 2, full: 5 });
const active = async () =>
  (await selo.operator.keys.list())
    .filter(({ status }) => status === "active")
    .map((key) => `${key.environment} ${key.algorithm}`)
    .sort();
const ONE_PAIR_EACH = ["live Ed25519", "live ML-DSA-87", "test Ed25519", "test ML-DSA-87"];
const keysNow = async () => readKeys((await call(selo, "GET", "/public/platform-key")).text);

interface Proof {
  readonly id: string;
  readonly verification_code: string;
  readonly platform_key_id: string;
  readonly platform_pq_key_id: string;
}

describe("two gateways under load", () => {
  test("rotations: no request fails, every proof verifies, and what is registered after one names its keys", async () => {
    const load = register([selo.baseUrl, beside.baseUrl], [organization.live, organization.test], 1);
    const generations: Set<string>[] = [new Set((await selo.operator.keys.list()).map(({ key_id }) => key_id))];
    const used = () => new Set(load.answered.flatMap(({ body }) => /"platform_key_id":"[^"]+"/.exec(body) ?? [])).size;
    /** Until every generation has sealed in both environments. */
    const untilUsed = () => expect.poll(used).toBe(2 * generations.length);
    try {
      await untilUsed();
      for (let rotation = 0; rotation < ROTATIONS; rotation++) {
        const pairs = await rotatePlatformKeys(selo.operator, masterKeys, BOTH, "selo.test");
        load.announce();
        generations.push(new Set(pairs.flatMap(({ ed25519, mlDsa87 }) => [ed25519.keyId, mlDsa87.keyId])));
        await untilUsed();
      }
    } finally {
      await load.stop();
    }

    expectAllRegistered(load);
    expect(await active()).toEqual(ONE_PAIR_EACH);
    const trusted = await keysNow();
    expect(trusted).toHaveLength(4 * generations.length);
    const verified = new Set<string>();
    for (const { file, body, after } of load.answered) {
      const { platform_key_id, platform_pq_key_id } = JSON.parse(body) as Proof;
      const generation = generations.findIndex((keys) => keys.has(platform_key_id));
      expect(generations[generation]).toContain(platform_pq_key_id);
      expect(generation).toBeGreaterThanOrEqual(after);
      // The verifier's own implementation takes a hundred times as long: it looks at one of each key.
      const checks = verified.has(platform_key_id) ? NATIVE : HYBRID_CHECKS;
      const verification = verifyWith(checks, readEvidence(body), hashed(file), trusted);
      expect(verification.checks.every(({ result }) => result === "passed")).toBe(true);
      verified.add(platform_key_id);
    }
    expect((await fetch(`${selo.baseUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${beside.baseUrl}/readyz`)).status).toBe(200);
  });

  test("rotations at once come one after the other: one active pair in the end, and each retired pair is listed", async () => {
    const before = (await selo.operator.keys.list()).length;
    const operators = await Promise.all(Array.from({ length: 4 }, () => Operator.connect(selo.database.adminUrl)));
    const load = register([selo.baseUrl, beside.baseUrl], [organization.live]);
    try {
      await load.more(10);
      await Promise.all(operators.map((operator) => rotatePlatformKeys(operator, masterKeys, BOTH, "selo.test")));
      await load.more(10);
    } finally {
      await load.stop();
      await Promise.all(operators.map((operator) => operator.close()));
    }
    expectAllRegistered(load);
    expect(await active()).toEqual(ONE_PAIR_EACH);
    const keys = await selo.operator.keys.list();
    expect(keys).toHaveLength(before + 16);
    for (const { status, created_at, retired_at } of keys) {
      expect(retired_at === null).toBe(status === "active");
      expect((retired_at?.getTime() ?? Number.POSITIVE_INFINITY) >= created_at.getTime()).toBe(true);
    }
  });
});

test("what a retired key sealed verifies everywhere: by code, by digest, by its receipt, offline, and in the worker", async () => {
  const file = Buffer.from("sealed before the rotation");
  const { sha256 } = hashed(file);
  const proof = (await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256 } })).body as Proof;
  await rotatePlatformKeys(selo.operator, masterKeys, ["live"], "selo.test");
  const listed = (await call(selo, "GET", "/public/platform-key")).body.platform_keys as { key_id: string }[];
  for (const key_id of [proof.platform_key_id, proof.platform_pq_key_id])
    expect(listed).toContainEqual(
      expect.objectContaining({ key_id, status: "retired", retired_at: expect.stringMatching(/^\d{4}-/) }),
    );
  expect((await call(selo, "GET", `/public/proofs/${proof.verification_code}`)).body).toMatchObject({
    verification: { valid: true },
  });
  expect((await call(selo, "POST", "/public/proofs/verify", { body: { sha256 } })).body).toMatchObject({
    verification: { valid: true },
  });

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-rotated-"));
  const pool = createPool({ url: selo.database.workerUrl, role: "selo_worker", applicationName: "test" }, 2, () => {});
  try {
    const write = (name: string, bytes: Uint8Array | string) => {
      fs.writeFileSync(path.join(folder, name), bytes);
      return path.join(folder, name);
    };
    const receipt = (await call(selo, "GET", `/proofs/${proof.id}/receipt`, { token: organization.live })).bytes;
    const { code } = await seloCommand(
      [
        ...["proof", "verify", write("file.txt", file), "--receipt", write("receipt.pdf", receipt)],
        ...["--keys", write("keys.json", (await call(selo, "GET", "/public/platform-key")).text)],
      ],
      {},
    ).finished;
    expect(code).toBe(0);

    // A slow machine registered thousands above: one of each key is left, and this one.
    await selo.database.admin.query(
      `delete from signature.unverified_proofs as waiting
       using (select id, row_number() over (partition by platform_key_id order by id) as place from signature.proofs) as proof
       where proof.id = waiting.proof_id and proof.place > 1 and proof.id <> $1`,
      [proof.id],
    );
    await reverifyProofs({}, taskContext(pool, masterKeys));
    const { rows } = await selo.database.admin.query(
      "select count(*)::integer as left from signature.unverified_proofs",
    );
    expect(rows).toEqual([{ left: 0 }]);
  } finally {
    await pool.end();
    fs.rmSync(folder, { recursive: true });
  }
});

test("a gateway that never saw a pair seals what names it, until two minutes after it was retired", async () => {
  const [pair] = await rotatePlatformKeys(selo.operator, masterKeys, ["test"], "selo.test");
  const ids = [pair?.ed25519.keyId ?? "", pair?.mlDsa87.keyId ?? ""] as const;
  await rotatePlatformKeys(selo.operator, masterKeys, ["test"], "selo.test");
  const seal = () => new PlatformSigners(selo.operator, masterKeys).seal(...ids, Buffer.from("prepared before"));
  await expect(seal()).resolves.toBeDefined();
  await selo.database.admin.query(
    "update platform.platform_keys set retired_at = clock_timestamp() - interval '121 seconds' where key_id = any($1)",
    [ids],
  );
  await expect(seal()).rejects.toThrow(`${ids[0]} + ${ids[1]} seal no more`);
});

describe("a rotation writes nothing", () => {
  const state = async () =>
    (await selo.database.admin.query("select key_id, status, sealed_seed from platform.platform_keys order by 1")).rows;

  test("with a master key that does not open the present seeds", async () => {
    const before = await state();
    const other = new MasterKeyring(Buffer.alloc(32, 0x22));
    await expect(rotatePlatformKeys(selo.operator, other, BOTH, "selo.test")).rejects.toThrow(ConfigError);
    await expect(rotatePlatformKeys(selo.operator, other, BOTH, "selo.test")).rejects.toThrow(/^SELO_MASTER_KEY: /);
    expect(await state()).toEqual(before);
  });

  test("with a new master key before the seeds are sealed under it: gateways may not have it yet", async () => {
    const before = await state();
    const next = new MasterKeyring(Buffer.alloc(32, 0x22), [Buffer.from(selo.config.masterKey ?? [])]);
    await expect(rotatePlatformKeys(selo.operator, next, BOTH, "selo.test")).rejects.toMatchObject({
      status: 409,
      code: "conflict",
      message: expect.stringContaining("selo keys reencrypt"),
    });
    expect(await state()).toEqual(before);
  });

  test("when a pair is not one", async () => {
    const before = await state();
    const half = selo.database.admin.query("select platform.rotate_platform_keys($1)", [
      JSON.stringify([
        {
          key_id: "ed25519-0000000000000000",
          environment: "live",
          algorithm: "Ed25519",
          public_key: `\\x${"00".repeat(32)}`,
          sealed_seed: `\\x01${masterKeys.sealingId}00`,
        },
      ]),
    ]);
    await expect(half).rejects.toThrow("a pair must have one key of each algorithm");
    expect(await state()).toEqual(before);
  });
});

test("the audit trail says which pair came and which went; seals of retired keys verify, also one prepared before", async () => {
  await sealAudit(selo.operator, masterKeys);
  const payload = await prepareAuditSeal(selo.operator);
  const [pair] = await rotatePlatformKeys(selo.operator, masterKeys, ["live"], "selo.test");
  expect(payload["key_id"]).not.toBe(pair?.ed25519.keyId);
  await sealAudit(selo.operator, masterKeys);
  const { rows } = await selo.database.admin.query(
    "select details::json as details, actor_type from platform.audit_events where action = 'platform_keys.rotated' order by seq desc limit 1",
  );
  expect(rows).toEqual([
    {
      actor_type: "operator",
      details: {
        environment: "live",
        key_id: pair?.ed25519.keyId,
        pq_key_id: pair?.mlDsa87.keyId,
        retired_key_id: payload["key_id"],
        retired_pq_key_id: payload["pq_key_id"],
      },
    },
  ]);
  expect((await verifyAll(selo.operator, { kept: { keys: await keysNow(), seals: null } })).faults).toEqual([]);
});
