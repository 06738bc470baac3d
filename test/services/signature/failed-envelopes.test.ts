// Envelopes that everybody signed and that cannot be completed: when they fail, who is told, and which credits come back. Issue "Documents from the field", §1.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SealingFailed, Unsealable } from "../../../src/adapters/pdf-seal/sealing-failed.ts";
import { ConfigError } from "../../../src/config/config.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import { continueCompletions } from "../../../workers/signature/continue-completions.ts";
import { ONE_PAGE, pdf } from "../../adapters/pdf-check/pdf-file.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { complete, completing, sentWith } from "./completion-stage.ts";
import { ask, type EnvelopeStage, read } from "./envelope-stage.ts";
import { chain, inbox } from "./sending-stage.ts";

const CONTACT = "contact@example.org";
const PEOPLE = ["p0@example.com", "p1@example.com"];

let selo: TestGateway;
let worker: Worker;
let live: EnvelopeStage;
let tried: EnvelopeStage;
beforeAll(async () => {
  selo = await startTestGateway();
  const { id: tenantId, ...tokens } = await selo.newOrganization({ email: CONTACT });
  live = { selo, tenantId, token: tokens.live, environment: "live" };
  tried = { selo, tenantId, token: tokens.test, environment: "test" };
  worker = workerOf(live);
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await selo.database.admin.query(text, [...values])).rows;

/** An envelope of two signers who have finished. */
async function finished(stage: EnvelopeStage): Promise<string> {
  const { id, links } = await sentWith(stage, [{}, {}]);
  for (const link of links) expect((await complete(stage, link)).status).toBe(200);
  return id;
}

/** The sealer, given a PDF that its library cannot read in place of the document. */
const refusing = {
  sealFinal: (input: Parameters<PdfSealer["sealFinal"]>[0], asksForTime: boolean, signal?: AbortSignal) =>
    new PdfSealer(worker.context.jobs, masterKeys).sealFinal(
      { ...input, pdf: pdf({ ...ONE_PAGE, 2: "<< /Type /Pages /Kids 4 0 R /Count 1 >>", 4: "[3 0 R]" }), stamps: [] },
      asksForTime,
      signal,
    ),
};
const failing = { sealFinal: () => Promise.reject(new SealingFailed("the process was killed")) };
const failOnce = (stage: EnvelopeStage, id: string) =>
  expect(completing(stage, id, worker, { sealer: failing })).rejects.toThrow("was killed");
const fails = (stage: EnvelopeStage, id: string, most: number) =>
  Array.from({ length: most }).reduce<Promise<void>>(
    (before) => before.then(() => failOnce(stage, id)),
    Promise.resolve(),
  );
const balance = async () => {
  const { credit_balances: kinds } = (await ask(live, "GET", "/billing/balance")).body;
  return kinds.find(({ kind }: { kind: string }) => kind === "signature").balance as number;
};
const movements = (id: string) =>
  admin("select kind, amount::integer, reason from platform.credit_ledger where subject_id = $1 order by id", [id]);
const events = async (id: string) =>
  (
    await admin("select body::json as body from webhooks.events where body::json ->> 'resource_id' = $1 order by id", [
      id,
    ])
  ).map(({ body }) => [body.type, body.data.failure_reason]);
const aged = (id: string, interval: string) =>
  admin("update signature.envelopes set sealing_since = now() - $2::interval where id = $1", [id, interval]);

describe("a PDF that the sealer refuses", () => {
  test("fails the envelope at the first attempt, gives its credits back, and tells contact and participants", async () => {
    const before = await balance();
    const id = await finished(live);
    expect(await balance()).toBe(before - 2);
    await expect(completing(live, id, worker, { sealer: refusing })).rejects.toThrow(Unsealable);

    const failed = { status: "failed", failure_reason: "unsealable", sealing_since: null, completed_at: null };
    expect(await read(live, id)).toMatchObject(failed);
    const { data } = await graphql(selo, live.token, `{ envelope(id: "${id}") { status failureReason } }`);
    expect(data?.["envelope"]).toEqual({ status: "FAILED", failureReason: "unsealable" });
    expect((await events(id)).at(-1)).toEqual(["envelope.failed", "unsealable"]);
    expect((await chain(live, id)).at(-1)).toBe("envelope.failed");
    expect(await balance()).toBe(before);
    expect(await movements(id)).toEqual([
      { kind: "signature", amount: -2, reason: "envelope_signer" },
      { kind: "signature", amount: 2, reason: "envelope_failed" },
    ]);
    const mails = await admin(
      `select kind, recipient, data ->> 'failure_reason' as reason from platform.mails
       where data ->> 'envelope_id' = $1 and kind in ('envelope_stopped', 'envelope_ended') order by recipient`,
      [id],
    );
    expect(mails).toEqual([
      { kind: "envelope_stopped", recipient: CONTACT, reason: "unsealable" },
      ...PEOPLE.map((recipient) => ({ kind: "envelope_ended", recipient, reason: null })),
    ]);
  });

  test("is completed by a retry once it can be sealed, and takes no credits for that", async () => {
    const id = await finished(live);
    await expect(completing(live, id, worker, { sealer: refusing })).rejects.toThrow(Unsealable);
    const before = await balance();
    // A retry that is refused again fails nothing twice.
    await expect(completing(live, id, worker, { sealer: refusing })).rejects.toThrow(Unsealable);
    expect(await balance()).toBe(before);
    expect((await events(id)).filter(([type]) => type === "envelope.failed")).toHaveLength(1);
    await completing(live, id, worker);
    expect(await read(live, id)).toMatchObject({ status: "completed", failure_reason: null });
    expect(await balance()).toBe(before);
    expect((await events(id)).at(-1)).toEqual(["envelope.completed", undefined]);
  });

  test("of the test environment: nothing was paid, and the participants read what to do", async () => {
    const id = await finished(tried);
    await expect(completing(tried, id, worker, { sealer: refusing })).rejects.toThrow(Unsealable);
    expect(await movements(id)).toEqual([]);
    await composeAll(tried, worker);
    const mails = (await inbox(tried, id)).filter(({ kind }) => kind === "envelope_ended");
    expect(mails.map(({ recipient }) => recipient).sort()).toEqual(PEOPLE);
    expect(mails[0]?.subject).toBe("[test] Not completed: Contract");
    expect(mails[0]?.text).toContain("will tell you if you have to sign again");
  });
});

describe("any other fault", () => {
  test("fails the envelope at the eighth attempt, and gives another reason", async () => {
    const id = await finished(live);
    const before = await balance();
    await fails(live, id, 7);
    expect(await read(live, id)).toMatchObject({ status: "partially_signed", failure_reason: null });
    await failOnce(live, id);
    expect(await read(live, id)).toMatchObject({ status: "failed", failure_reason: "completion_failed" });
    expect((await events(id)).at(-1)).toEqual(["envelope.failed", "completion_failed"]);
    expect(await balance()).toBe(before + 2);
  });

  test("fails it at any attempt an hour after its participants had finished, which the minute job asks for", async () => {
    const id = await finished(tried);
    await failOnce(tried, id);
    const waiting = () =>
      admin(
        "select run_at <= now() as is_due from graphile_worker.jobs where key = 'signature__complete_envelope:' || $1",
        [id],
      );
    await admin(
      "update graphile_worker._private_jobs set run_at = now() + interval '2 hours' where key = 'signature__complete_envelope:' || $1",
      [id],
    );
    await aged(id, "59 minutes");
    await continueCompletions({}, worker.context);
    expect(await waiting()).toEqual([{ is_due: false }]);
    await aged(id, "61 minutes");
    await continueCompletions({}, worker.context);
    expect(await waiting()).toEqual([{ is_due: true }]);
    await failOnce(tried, id);
    expect(await read(tried, id)).toMatchObject({ status: "failed", failure_reason: "completion_failed" });
  });

  test("of the installation never fails it", async () => {
    const id = await finished(tried);
    await aged(id, "2 hours");
    const expired = { sealFinal: () => Promise.reject(new ConfigError("the certificate has expired")) };
    await expect(completing(tried, id, worker, { sealer: expired })).rejects.toThrow("has expired");
    expect(await read(tried, id)).toMatchObject({ status: "partially_signed", failure_reason: null });
    await completing(tried, id, worker);
    expect((await read(tried, id)).status).toBe("completed");
  });
});

describe("from before the upgrade", () => {
  test("an envelope with nine failed attempts fails at the next", async () => {
    const id = await finished(live);
    await admin("update signature.envelopes set completion_attempts = 9 where id = $1", [id]);
    await expect(completing(live, id, worker)).rejects.toThrow("no attempts left");
    expect(await read(live, id)).toMatchObject({ status: "failed", failure_reason: "completion_failed" });
  });

  test("a failed envelope without a reason is completion_failed", async () => {
    const id = await finished(tried);
    await admin("update signature.envelopes set completion_attempts = 7 where id = $1", [id]);
    await failOnce(tried, id);
    await admin("update signature.envelopes set failure_reason = null where id = $1", [id]);
    expect(await read(tried, id)).toMatchObject({ status: "failed", failure_reason: "completion_failed" });
  });
});

test("the trail has all of it: credits that come back without having been spent are found", async () => {
  const faults = async () =>
    (await admin("select fault from platform.audit_check_credits($1) as fault_of", [live.tenantId])).map(
      ({ fault }) => fault,
    );
  expect(await faults()).toEqual([]);
  const id = await finished(live);
  await expect(completing(live, id, worker, { sealer: refusing })).rejects.toThrow(Unsealable);
  expect(await faults()).toEqual([]);
  await admin(
    `with context as materialized (select platform.enter_context($1, 'live', null, null, null))
     select platform.add_credits('signature', 5, 'envelope_failed', $2) from context`,
    [live.tenantId, id],
  );
  expect(await faults()).toEqual([`more signature credits were given back for ${id} than were spent`]);
});
