// What each state of a sent envelope refuses, and what each end of it tells: signature-service §3, issue "Signature I" §1, §3, §4.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { CONSENT, complete, decline, sentWith, TYPED } from "./completion-stage.ts";
import { aDocument, aField, ask, type EnvelopeStage, read, withFields } from "./envelope-stage.ts";
import { chain, inbox } from "./sending-stage.ts";
import { act, type Link } from "./signing-stage.ts";

const CONTACT = "contact@example.org";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  const organization = await selo.newOrganization({ email: CONTACT });
  stage = { selo, tenantId: organization.id, token: organization.test, environment: "test" };
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker?.end();
  await selo?.stop();
});

const admin = async (text: string, values: readonly unknown[] = []) =>
  (await selo.database.admin.query(text, [...values])).rows;

describe("a change is 409 conflict and changes nothing", () => {
  const OUT = ["sent", "in_progress", "partially_signed"];
  const ENDED = ["completed", "declined", "cancelled", "expired", "failed"];
  test.each([...OUT, ...ENDED])("of an envelope that is %s", async (status) => {
    const { id, documentId, participantId, place } = await withFields(stage);
    const field = await aField(stage, id, place);
    const document_id = await aDocument(stage);
    await admin(
      `update signature.envelopes set status = $2, sent_at = now(), expires_at = now() + interval '1 day',
         verification_code = platform.new_public_code() where id = $1`,
      [id, status],
    );
    const path = `/envelopes/${id}`;
    const where = { page: 1, x: 0, y: 0, width: 1, height: 1 };
    const changes: [string, string, object?][] = [
      ["PATCH", path, { title: "New" }],
      ["DELETE", path],
      ["POST", `${path}/documents`, { document_id }],
      ["PATCH", `${path}/documents/${documentId}`, { position: 1 }],
      ["DELETE", `${path}/documents/${documentId}`],
      ["POST", `${path}/participants`, { name: "a", email: "a@example.com" }],
      ["PATCH", `${path}/participants/${participantId}`, { role: "aprovador" }],
      ["DELETE", `${path}/participants/${participantId}`],
      ["POST", `${path}/fields`, { ...place, ...where }],
      ["PATCH", `${path}/fields/${field.id}`, { required: false }],
      ["DELETE", `${path}/fields/${field.id}`],
      ["POST", `${path}/send`],
      ["POST", `${path}/calculate-cost`],
      ...(ENDED.includes(status) ? ["cancel", "remind"] : []).map((end): [string, string] => [
        "POST",
        `${path}/${end}`,
      ]),
    ];
    const before = [await read(stage, id), await chain(stage, id)];
    for (const [method, to, body] of changes) {
      const answer = await ask(stage, method, to, body);
      expect({ method, to, status: answer.status, code: answer.body?.detail.code }).toEqual({
        method,
        to,
        status: 409,
        code: "conflict",
      });
    }
    expect([await read(stage, id), await chain(stage, id)]).toEqual(before);
  });
});

/** How an envelope with a signer who acts and one who waits comes to each of its ends. */
const ends: Readonly<Record<string, (id: string, links: readonly [Link, ...Link[]]) => Promise<void>>> = {
  declined: async (_id, [link]) => {
    expect((await decline(stage, link, { reason: "Too dear." })).status).toBe(200);
  },
  cancelled: async (id) => {
    expect((await ask(stage, "POST", `/envelopes/${id}/cancel`, { reason: "A mistake." })).status).toBe(200);
  },
  expired: async (id, [link]) => {
    await admin("update signature.envelopes set expires_at = now() where id = $1", [id]);
    expectError(await act(stage, link, "POST", "/code"), 409, "conflict");
  },
  failed: async (id, links) => {
    for (const link of links) expect((await complete(stage, link)).status).toBe(200);
    for (let time = 0; time < 8; time++) {
      await worker.context.jobs.call(stage, "begin_completion", { id });
      await worker.context.jobs.call(stage, "end_failed_completion", { id, counts: true });
    }
  },
};

describe.each(Object.entries(ends))("an envelope that is %s", (status, end) => {
  let id: string;
  let links: readonly [Link, ...Link[]];
  beforeAll(async () => {
    ({ id, links } = await sentWith(stage, [{ body: { name: "Maria", order_index: 7 } }, {}], {
      title: "A secret title",
      external_id: "order-7",
    }));
    await end(id, links);
  });

  test(`event envelope.${status}: ids, status, external_id; role and order_index of its participant; nothing else`, async () => {
    expect((await read(stage, id)).status).toBe(status);
    const events = await admin(
      `select type, body::json -> 'data' as data from webhooks.events where body::json ->> 'resource_id' = $1 order by id`,
      [id],
    );
    const envelope = { envelope_id: id, external_id: "order-7" };
    const participant = ([link]: readonly Link[], order_index: number) => ({
      participant_id: link?.participantId,
      role: "signatario",
      order_index,
    });
    const first = participant(links, 7);
    const acts: Readonly<Record<string, readonly object[]>> = {
      declined: [{ type: "envelope.participant_declined", data: { ...envelope, status: "sent", ...first } }],
      failed: [
        {
          type: "envelope.participant_signed",
          data: { ...envelope, status: "partially_signed", ...first },
        },
        {
          type: "envelope.participant_signed",
          data: { ...envelope, status: "partially_signed", ...participant(links.slice(1), 2) },
        },
      ],
    };
    expect(events).toEqual([
      { type: "envelope.sent", data: { ...envelope, status: "sent" } },
      ...links.map((link, place) => ({
        type: "envelope.participant_invited",
        data: { ...envelope, status: "sent", ...participant([link], place === 0 ? 7 : 2) },
      })),
      ...(acts[status] ?? []),
      {
        type: `envelope.${status}`,
        data: { ...envelope, status, ...(status === "failed" ? { failure_reason: "completion_failed" } : {}) },
      },
    ]);
  });

  test("the contact is told with the reason, unless the sender cancelled", async () => {
    const told = await admin(
      "select kind, data ->> 'status' as status, data ->> 'reason' as reason from platform.mails where envelope_id = $1 and recipient = $2",
      [id, CONTACT],
    );
    const reason = status === "declined" ? "Too dear." : null;
    expect(told).toEqual(status === "cancelled" ? [] : [{ kind: "envelope_stopped", status, reason }]);
  });

  test("invited participants are told, but not the one who declined", async () => {
    await composeAll(stage, worker);
    const mails = (await inbox(stage, id)).filter(({ kind }) => kind === "envelope_ended");
    const told = links.map(({ participantId }) => mails.some((mail) => mail.participant_id === participantId));
    expect(told).toEqual(status === "declined" ? [false, true] : [true, true]);
  });

  test("later the link tells the state, and nothing can be done with it", async () => {
    for (const [place, link] of links.entries()) {
      const { body } = await act(stage, link, "GET");
      const own = { declined: "declined", failed: "completed" }[status] ?? "invited";
      const isDone = place === 0 || status === "failed" ? own !== "invited" : false;
      expect({ status: body.status, turn: body.turn }).toEqual({ status, turn: isDone ? "done" : "over" });
      expectError(await act(stage, link, "POST", "/code"), 409, "conflict");
      expectError(await act(stage, link, "POST", "/session", { body: { code: "000000" } }), 409, "conflict");
      // A session that is not there any more.
      const session = "A".repeat(43);
      const done = { session, body: { consent_version: CONSENT, signature: TYPED } };
      if (!isDone) expectError(await act(stage, link, "POST", "/complete", done), 409, "conflict");
      if (!isDone) expectError(await act(stage, link, "POST", "/view", { session }), 409, "conflict");
    }
  });
});

test("remind: 202 for one, and skipped with recently_reminded for another", async () => {
  const { id, links } = await sentWith(stage, [{}, {}]);
  const [first, second] = links.map(({ participantId }) => participantId);
  const remind = (body: object) => ask(stage, "POST", `/envelopes/${id}/remind`, body);
  expect((await remind({ participant_id: second })).body).toEqual({ reminded: [second], skipped: [] });
  const { status, body } = await remind({});
  expect({ status, body }).toEqual({
    status: 202,
    body: { reminded: [first], skipped: [{ participant_id: second, reason: "recently_reminded" }] },
  });
});
