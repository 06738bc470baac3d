// An act that meets a deadline that has passed moves the envelope to expired: issue "Signature I" §3, "by a minute job and inside every act".
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aSession, complete, decline } from "./completion-stage.ts";
import { ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aCode, act, aSent, eventsOf, inContext, type Link, type SentEnvelope } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

/** An envelope past its deadline, which no job has met yet, with a session and a code of its participant. */
async function late(): Promise<SentEnvelope & { readonly session: string; readonly code: string }> {
  const sent = await aSent(stage, [{ email: "maria@example.com" }]);
  const session = await aSession(stage, sent.link);
  const code = await aCode(stage, sent.link);
  await inContext(stage, "update signature.envelopes set expires_at = now() where id = $1", [sent.id]);
  return { ...sent, session, code };
}
type Late = Awaited<ReturnType<typeof late>>;

/** What became of an envelope: its end in the chain, the events of webhooks and the mails about it. */
async function endOf(id: string) {
  const rows = async (statement: string) => (await selo.database.admin.query<{ name: string }>(statement, [id])).rows;
  const ends = (await eventsOf(stage, id)).filter(({ action }) => action === "envelope.expired");
  return {
    status: (await read(stage, id)).status,
    ends: ends.map(({ actor_type, actor_id }) => [actor_type, actor_id]),
    events: (
      await rows(
        "select body::json ->> 'type' as name from webhooks.events where body::json ->> 'resource_id' = $1 and type = 'envelope.expired'",
      )
    ).length,
    mails: (
      await rows("select recipient as name from platform.mails where envelope_id = $1 and kind = 'envelope_ended'")
    ).map(({ name }) => name),
  };
}
const EXPIRED = { status: "expired", ends: [["system", null]], events: 1, mails: ["maria@example.com"] };

const ACTS: Readonly<Record<string, (of: Late) => Promise<RestResponse>>> = {
  "POST /envelopes/{id}/cancel": ({ id }) => ask(stage, "POST", `/envelopes/${id}/cancel`, {}),
  "POST /envelopes/{id}/remind": ({ id }) => ask(stage, "POST", `/envelopes/${id}/remind`, {}),
  "POST /envelopes/{id}/send": ({ id }) => ask(stage, "POST", `/envelopes/${id}/send`),
  "POST …/code": ({ link }) => act(stage, link, "POST", "/code"),
  "POST …/session": ({ link, code }) => act(stage, link, "POST", "/session", { body: { code } }),
  "GET …/documents/{id}": ({ link, session, documentId }) =>
    act(stage, link, "GET", `/documents/${documentId}`, { session }),
  "POST …/view": ({ link, session }) => act(stage, link, "POST", "/view", { session }),
  "POST …/complete": ({ link, session }) => complete(stage, link, { session }),
  "POST …/decline": ({ link, session }) => decline(stage, link, undefined, session),
};

describe("past the deadline", () => {
  test.each(Object.keys(ACTS))("%s answers 409 conflict and moves the envelope to expired, once", async (name) => {
    const envelope = await late();
    const perform = () => (ACTS[name] as (of: Late) => Promise<RestResponse>)(envelope);
    const answer = await perform();
    expectError(answer, 409, "conflict");
    expect(await endOf(envelope.id)).toEqual(EXPIRED);
    expectError(await perform(), 409, "conflict");
    expect(await worker.context.jobs.call(stage, "expire_envelope", { id: envelope.id })).toBeNull();
    expect(await endOf(envelope.id)).toEqual(EXPIRED);
  });

  test("POST …/link answers 202, mails no link, and moves the envelope to expired", async () => {
    const { id, link } = await late();
    const invited = await mailsOf(link);
    expect((await call(selo, "POST", `/signing/${link.participantId}/link`)).status).toBe(202);
    expect(await endOf(id)).toEqual(EXPIRED);
    expect(await mailsOf(link)).toBe(invited);
  });

  test("cancelEnvelope and remindParticipants of GraphQL do the same", async () => {
    for (const document of [
      (id: string) => `mutation { cancelEnvelope(input: {id: "${id}"}) { envelope { id } } }`,
      (id: string) => `mutation { remindParticipants(input: {id: "${id}"}) { reminded } }`,
    ]) {
      const { id } = await late();
      const { errors } = await graphql(selo, stage.token, document(id));
      expect(errors?.[0]?.extensions?.code).toBe("conflict");
      expect(await endOf(id)).toEqual(EXPIRED);
    }
  });

  test("GET /signing/{participant_id} shows expired before anything has moved the envelope, and moves nothing", async () => {
    const { id, link, session } = await late();
    const { body } = await act(stage, link, "GET", "", { session });
    expect(body).toMatchObject({ status: "expired", turn: "over", documents: null });
    expect((await endOf(id)).status).toBe("sent");
  });

  test("an act with an Idempotency-Key moves it too, and the key stays free", async () => {
    const { id, link } = await late();
    const key = randomUUID();
    for (let tried = 0; tried < 2; tried++)
      expectError(await act(stage, link, "POST", "/code", { key }), 409, "conflict");
    expect(await endOf(id)).toEqual(EXPIRED);
  });

  test("an envelope that is being completed stays as it is, and is not shown as expired", async () => {
    const { id, link } = await late();
    await inContext(stage, "update signature.envelopes set sealing_since = now() where id = $1", [id]);
    for (const path of ["cancel", "remind"])
      expectError(await ask(stage, "POST", `/envelopes/${id}/${path}`, {}), 409, "conflict");
    expect((await act(stage, link, "GET")).body.status).toBe("sent");
    expect(await endOf(id)).toMatchObject({ status: "sent", ends: [] });
  });

  test("other conflicts move nothing: an envelope with time stays out", async () => {
    const { id, link } = await aSent(stage);
    await inContext(stage, "update signature.participants set status = 'completed' where id = $1", [
      link.participantId,
    ]);
    expectError(await act(stage, link, "POST", "/code"), 409, "conflict");
    expectError(await ask(stage, "POST", `/envelopes/${id}/send`), 409, "conflict");
    expect(await endOf(id)).toMatchObject({ status: "sent", ends: [] });
  });

  test("of acts and the job at once, one moves the envelope", async () => {
    for (let round = 0; round < 3; round++) {
      const envelope = await late();
      const [job, ...answers] = await Promise.all([
        worker.context.jobs.call(stage, "expire_envelope", { id: envelope.id }),
        ...Object.values(ACTS).map((perform) => perform(envelope)),
      ]);
      expect([null, {}]).toContainEqual(job);
      // The end of an envelope ends its sessions, so an act in a session may be told of either.
      for (const { status } of answers) expect([409, 401]).toContain(status);
      expect(await endOf(envelope.id)).toEqual(EXPIRED);
    }
  });

  test("a link moves no envelope but its own, and a token none of another organization or environment", async () => {
    const { id } = await late();
    const { link: other } = await late();
    const strange = { participantId: other.participantId, secret: "A".repeat(43) };
    expectError(await act(stage, strange, "POST", "/code"), 404, "not_found");
    const stranger = await openStage(selo);
    expectError(await ask(stranger, "POST", `/envelopes/${id}/cancel`, {}), 404, "not_found");
    expect((await endOf(id)).status).toBe("sent");
    // The command alone, as somebody with the login of the gateway would call it.
    await expectNothingMoved(stranger, id);
  });
});

async function mailsOf({ participantId }: Link): Promise<number> {
  const { rows } = await selo.database.admin.query(
    "select from platform.mails where participant_id = $1 and kind = 'envelope_invitation'",
    [participantId],
  );
  return rows.length;
}

async function expectNothingMoved(stranger: EnvelopeStage, id: string): Promise<void> {
  await inContext(stranger, "select signature.end_overdue($1)", [id]);
  expect((await endOf(id)).status).toBe("sent");
}

test("selo audit verify finds no fault in what was moved", async () => {
  const own = await openStage(selo);
  const { id } = await aSent(own);
  await inContext(own, "update signature.envelopes set expires_at = now() where id = $1", [id]);
  // The deadline was edited here; the event of the move describes the envelope as it is now.
  expectError(await ask(own, "POST", `/envelopes/${id}/cancel`, {}), 409, "conflict");
  const faults = (await verifyAll(selo.operator)).faults.filter(({ subject_id }) => subject_id === id);
  expect(faults).toEqual([]);
});
