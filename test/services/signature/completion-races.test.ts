// Acts that meet each other, the job that completes envelopes, and what a taken-over gateway is refused: issue "Signature I" §4, §5.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { StorageError } from "../../../src/adapters/storage/object-store.ts";
import { ConfigError } from "../../../src/config/config.ts";
import { PlatformSigners } from "../../../src/services/platform/keys/platform-signers.ts";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import { continueCompletions } from "../../../workers/signature/continue-completions.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { masterKeys } from "../../support/master-keys.ts";
import {
  aSession,
  CONSENT,
  complete,
  completing,
  completionsOf,
  decline,
  evidenceOf,
  sentWith,
  TYPED,
} from "./completion-stage.ts";
import { ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { chain } from "./sending-stage.ts";
import { type Link, settled } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const keyOf = (id: string) => `signature__complete_envelope:${id}`;
const jobsOf = async (id: string) =>
  (
    await selo.database.admin.query<{ max_attempts: number }>(
      "select max_attempts from graphile_worker.jobs where key = $1",
      [keyOf(id)],
    )
  ).rows;
const counted = (actions: readonly string[], action: string) => actions.filter((one) => one === action).length;

/** How often two acts meet: in another order each time. */
const ROUNDS = byLane({ lane: 2, full: 10 });

describe("at once", () => {
  test("an envelope with a record that failed its second verification is not completed", async () => {
    const { id, links } = await sentWith(stage);
    expect((await complete(stage, links[0])).status).toBe(200);
    const fail = (failure: string | null) =>
      selo.database.admin.query(
        `update signature.unverified_records set failure = $2, failed_at = case when $2::text is null then null else now() end
         where record_id in (select record.id from signature.signature_records as record where record.envelope_id = $1)`,
        [id, failure],
      );
    await fail("the Ed25519 signature does not verify");
    await expect(completing(stage, id, worker)).rejects.toThrow("failed its second verification");
    expect((await read(stage, id)).status).toBe("sent");
    await fail(null);
    await completing(stage, id, worker);
    expect((await read(stage, id)).status).toBe("completed");
  });

  test("the last signature and the cancellation: one of them wins", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, links } = await sentWith(stage);
      const session = await aSession(stage, links[0]);
      const [signed, cancelled] = await Promise.all([
        complete(stage, links[0], { session }),
        ask(stage, "POST", `/envelopes/${id}/cancel`, {}),
      ]);
      const won = signed.status === 200;
      // The end of an envelope ends its sessions.
      expect([
        [200, 409],
        [409, 200],
        [401, 200],
      ]).toContainEqual([signed.status, cancelled.status]);
      expect((await read(stage, id)).status).toBe(won ? "sent" : "cancelled");
      expect((await evidenceOf(stage, id)).records).toHaveLength(won ? 1 : 0);
      expect(await jobsOf(id)).toHaveLength(won ? 1 : 0);
    }
  });

  test("the last signature and the deadline: one of them wins", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, links } = await sentWith(stage);
      const session = await aSession(stage, links[0]);
      const expire = async () => {
        await selo.database.admin.query("update signature.envelopes set expires_at = now() where id = $1", [id]);
        await worker.context.jobs.call(stage, "expire_envelope", { id });
      };
      const [signed] = await Promise.all([complete(stage, links[0], { session }), expire()]);
      const { status, sealing_since } = await read(stage, id);
      if (signed.status === 200) expect([status, sealing_since]).toEqual(["sent", expect.any(String)]);
      else
        expect([signed.status === 409 || signed.status === 401, status, sealing_since]).toEqual([
          true,
          "expired",
          null,
        ]);
      // A completion that began goes on past the deadline.
      await completing(stage, id, worker);
      expect((await read(stage, id)).status).toBe(signed.status === 200 ? "completed" : "expired");
    }
  });

  test("the two last signers: the envelope is completed once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, links } = await sentWith(stage, [{}, {}]);
      const answers = await Promise.all(links.map((link) => complete(stage, link)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await jobsOf(id)).toHaveLength(1);
      await Promise.all([completing(stage, id, worker), completing(stage, id, worker)]);
      const evidence = await evidenceOf(stage, id);
      expect(evidence).toMatchObject({
        envelope: { status: "completed" },
        records: [{}, {}],
        completion: {},
        chain: { faults: [] },
      });
      expect(counted(await chain(stage, id), "envelope.completed")).toBe(1);
    }
  });

  test("a signature and a refusal of another participant: the envelope is declined, with or without the signature", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, links } = await sentWith(stage, [{}, {}]);
      const [signed, declined] = await Promise.all([complete(stage, links[0]), decline(stage, links[1] ?? links[0])]);
      expect(declined.status).toBe(200);
      expect((await read(stage, id)).status).toBe("declined");
      expect((await evidenceOf(stage, id)).records).toHaveLength(signed.status === 200 ? 1 : 0);
    }
  });
});

/** An envelope whose participants have finished. */
async function finished(): Promise<string> {
  const { id, links } = await sentWith(stage);
  expect((await complete(stage, links[0])).status).toBe(200);
  return id;
}

const broken = { sealFinal: () => Promise.reject(new Error("the keys are away")) };
const fail = async (id: string) => {
  await expect(completing(stage, id, worker, { sealer: broken })).rejects.toThrow("away");
};

describe("the completion", () => {
  test.each([
    ["a certificate that has expired", new ConfigError("the certificate expired")],
    ["a storage that is away", new StorageError("away", "the storage is away")],
  ])("%s is no failure of the envelope", async (_what, error) => {
    const id = await finished();
    await expect(completing(stage, id, worker, { signers: { seal: () => Promise.reject(error) } })).rejects.toBe(error);
    const { rows } = await selo.database.admin.query(
      "select completion_attempts, sealing_since is not null as is_sealing from signature.envelopes where id = $1",
      [id],
    );
    expect(rows).toEqual([{ completion_attempts: 0, is_sealing: true }]);
    await completing(stage, id, worker);
    expect(await evidenceOf(stage, id)).toMatchObject({ envelope: { status: "completed" } });
  });

  test("fails the envelope the eighth time, and a retry completes it", async () => {
    const id = await finished();
    expect(await jobsOf(id)).toEqual([{ max_attempts: 8 }]);
    for (let attempt = 1; attempt <= 7; attempt++) await fail(id);
    expect(await read(stage, id)).toMatchObject({ status: "sent", sealing_since: expect.any(String) });
    await fail(id);
    expect(await read(stage, id)).toMatchObject({ status: "failed", sealing_since: null, completed_at: null });
    await fail(id);
    expect(counted(await chain(stage, id), "envelope.failed")).toBe(1);
    await completing(stage, id, worker);
    expect(await read(stage, id)).toMatchObject({ status: "completed", completed_at: expect.any(String) });
  });

  test("counts an attempt before it begins: the worker that dies in the last one leaves an envelope that the next job fails, and a retry completes", async () => {
    const id = await finished();
    const dies = () => worker.context.jobs.call(stage, "begin_completion", { id });
    for (let attempt = 1; attempt <= 8; attempt++) expect(await dies()).toEqual({ failed: false });
    expect((await read(stage, id)).status).toBe("sent");
    await expect(completing(stage, id, worker)).rejects.toThrow("no attempts left");
    expect(await read(stage, id)).toMatchObject({ status: "failed", sealing_since: null });
    expect(counted(await chain(stage, id), "envelope.failed")).toBe(1);
    await completing(stage, id, worker);
    expect((await read(stage, id)).status).toBe("completed");
  });

  test("waits for its turn, one in each worker: others come back, uncounted, so that other jobs go on", async () => {
    const [one, two] = [await sentWith(stage), await sentWith(stage)];
    for (const { links } of [one, two]) expect((await complete(stage, links[0])).status).toBe(200);
    const slots = new FairSlots(1);
    const turn = Promise.withResolvers<void>();
    const others = slots.run("another organization", () => turn.promise);
    const completion = await completionsOf(stage, worker, { slots });
    const asked = vi.spyOn(slots, "run");
    const waiting = completion(one.id);
    // The first that asks for a turn waits for it.
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await completion(two.id);
    const { rows } = await selo.database.admin.query(
      `select completion_attempts, (select run_at > now() from graphile_worker.jobs where key = $2) as comes_back
       from signature.envelopes where id = $1`,
      [two.id, keyOf(two.id)],
    );
    expect(rows).toEqual([{ completion_attempts: 0, comes_back: true }]);
    turn.resolve();
    await Promise.all([others, waiting]);
    expect((await read(stage, one.id)).status).toBe("completed");
    await completion(two.id);
    expect((await read(stage, two.id)).status).toBe("completed");
  });

  test("is prepared anew when an event comes into the chain meanwhile", async () => {
    const id = await finished();
    const signers = new PlatformSigners(worker.context.jobs, masterKeys);
    let sealed = 0;
    const slow = {
      async seal(...given: Parameters<PlatformSigners["seal"]>) {
        sealed++;
        if (sealed === 1) {
          await settled(stage, id);
        }
        return signers.seal(...given);
      },
    };
    await completing(stage, id, worker, { signers: slow });
    expect(sealed).toBe(2);
    expect(await evidenceOf(stage, id)).toMatchObject({ envelope: { status: "completed" } });
  });

  test("that was lost with its worker is added again after a minute, and completes once", async () => {
    const id = await finished();
    const { admin } = selo.database;
    const late = () =>
      admin.query("update signature.envelopes set sealing_since = now() - interval '2 minutes' where id = $1", [id]);
    const asJob = async (change: string) => {
      await admin.query(`update graphile_worker._private_jobs set ${change} where key = $1`, [keyOf(id)]);
      await continueCompletions({}, worker.context);
    };
    await late();
    await asJob("attempts = 3");
    expect((await admin.query("select attempts from graphile_worker.jobs where key = $1", [keyOf(id)])).rows).toEqual([
      { attempts: 3 },
    ]);
    // Its worker was killed.
    await fail(id);
    await asJob("attempts = 1, locked_at = now() - interval '3 minutes', locked_by = 'gone'");
    expect(await jobsOf(id)).toEqual([{ max_attempts: 7 }]);
    await admin.query("delete from graphile_worker._private_jobs where key = $1", [keyOf(id)]);
    await continueCompletions({}, worker.context);
    expect(await jobsOf(id)).toEqual([{ max_attempts: 7 }]);
    await completing(stage, id, worker);
    await continueCompletions({}, worker.context);
    await completing(stage, id, worker);
    expect(counted(await chain(stage, id), "envelope.completed")).toBe(1);
  });
});

type Evidence = Record<string, JsonValue>;
type Forge = (evidence: Evidence, given: Record<string, unknown>) => Evidence | string;

/** Records a completion with other evidence, salts or input than was prepared, rolled back after it, so that all can try the same. */
async function forged(
  { link, token }: { readonly link: Link; readonly token: string },
  forge: Forge,
): Promise<unknown> {
  const client = await selo.database.admin.connect();
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'test', 'participant', $2, '{signing:act}')", [
      stage.tenantId,
      link.participantId,
    ]);
    const given = { participant_id: link.participantId, session: token, consent: CONSENT, signature: TYPED as unknown };
    const { rows } = await client.query(
      `select gateway.prepare_completion($1, encode(sha256($2::text::bytea), 'hex'), $3, $4) as prepared`,
      [given.participant_id, given.session, given.consent, JSON.stringify(given.signature)],
    );
    const { evidence, salts } = rows[0].prepared;
    const put: Record<string, unknown> = { ...given, salts };
    const other = forge(JSON.parse(evidence), put);
    const recorded = await client.query(
      `select gateway.record_completion($1, encode(sha256($2::text::bytea), 'hex'), $3, $4, p_evidence => $5, p_salts => $6,
         p_platform_signature => $7, p_platform_signature_pq => $8) as recorded`,
      [
        put["participant_id"],
        put["session"],
        put["consent"],
        JSON.stringify(put["signature"]),
        typeof other === "string" ? other : canonicalJson(other),
        JSON.stringify(put["salts"]),
        Buffer.alloc(64).toString("base64"),
        Buffer.alloc(4627).toString("base64"),
      ],
    );
    return recorded.rows[0].recorded.status;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

const changed = (members: Evidence) => (evidence: Evidence) => ({ ...evidence, ...members });

describe("a taken-over gateway", () => {
  let signer: { link: Link; token: string };
  beforeAll(async () => {
    const { links } = await sentWith(stage);
    signer = { link: links[0], token: await aSession(stage, links[0]) };
  });

  test("records evidence as it was prepared", async () => {
    expect(await forged(signer, (evidence) => evidence)).toBe("completed");
  });

  test.each<[string, Forge]>([
    ["is of another kind", changed({ kind: "existence_proof" })],
    ["has another schema version", changed({ schema_version: 2 })],
    ["is of another organization", changed({ organization: "Beta" })],
    ["is of another tenant", changed({ tenant_id: randomUUID() })],
    ["is of the other environment", changed({ environment: "live" })],
    ["is of another envelope", changed({ envelope_id: randomUUID() })],
    ["has another code", changed({ verification_code: "0000-0000-0000" })],
    ["is of another participant", changed({ participant_id: randomUUID() })],
    ["has another role", changed({ role: "aprovador" })],
    ["has another modality", changed({ modality: "qualificada" })],
    ["has another action", changed({ action: "witnessed" })],
    ["is of other documents", changed({ documents: [] })],
    ["has another consent", changed({ consent: { version: "x", sha256: "0".repeat(64), language: "en" } })],
    ["has another authentication", changed({ authentication: [] })],
    ["has other commitments", changed({ commitments: {} })],
    ["has another signature", changed({ signature_sha256: "0".repeat(64) })],
    ["has a certificate", changed({ certificate_sha256: "0".repeat(64) })],
    ["is dated back", changed({ signed_at: "2020-01-01T00:00:00.000000+00:00" })],
    ["says 'now'", changed({ signed_at: "now" })],
    ["names another source of time", changed({ time_source: "rfc3161" })],
    ["names another hash", changed({ hash_algorithm: "SHA-1" })],
    ["names another policy", changed({ hybrid_policy: "OR" })],
    ["names another key", changed({ key_id: "ed25519-0000000000000000" })],
    [
      "names its keys the other way round",
      ({ key_id, pq_key_id, ...rest }) => ({ ...rest, key_id: pq_key_id ?? "", pq_key_id: key_id ?? "" }),
    ],
    ["has a further member", changed({ note: "x" })],
    ["is not canonical", (evidence) => JSON.stringify(evidence, null, 1)],
    [
      "has other salts",
      (evidence, put) => {
        put["salts"] = Object.fromEntries(Object.keys(put["salts"] as object).map((name) => [name, "0".repeat(32)]));
        return evidence;
      },
    ],
    [
      "lacks its salts",
      (evidence, put) => {
        put["salts"] = {};
        return evidence;
      },
    ],
    [
      "has short salts",
      (evidence, put) => {
        put["salts"] = Object.fromEntries(Object.keys(put["salts"] as object).map((name) => [name, "00"]));
        return evidence;
      },
    ],
    [
      "is of another signature than is kept",
      (evidence, put) => {
        put["signature"] = { kind: "typed", text: "Somebody" };
        return evidence;
      },
    ],
  ])("is refused when the evidence %s", async (_, forge) => {
    await expect(forged(signer, forge)).rejects.toMatchObject({
      code: expect.stringMatching(/^(23514|22007)$/),
      message: expect.stringMatching(/differs from what was prepared|invalid input syntax/),
    });
  });
});
