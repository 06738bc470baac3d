// Reminders that go out by themselves: every remind_every_days, and once two days before the deadline. Issue "Signature in depth" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dueReminders } from "../../../src/services/signature/store.ts";
import { remindParticipants } from "../../../workers/signature/remind-participants.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aSession, complete, sentWith } from "./completion-stage.ts";
import { anEnvelope, ask, openStage, read } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { inbox } from "./sending-stage.ts";
import { aCode, act, aSent, eventsOf, inContext, type Link, settled } from "./signing-stage.ts";

setUpStage();

let worker: Worker;
beforeAll(() => {
  worker = workerOf(stage);
});
afterAll(() => worker.end());

const remind = () => remindParticipants({}, worker.context);

/** As if the mails of an envelope, and its deadline, were some hours earlier. */
async function hoursLater(id: string, hours: number, of = stage): Promise<void> {
  await inContext(
    of,
    `update signature.participants set mailed_at = mailed_at - make_interval(hours => $2),
       invited_at = invited_at - make_interval(hours => $2), reminded_at = reminded_at - make_interval(hours => $2) where envelope_id = $1`,
    [id, hours],
  );
  await inContext(
    of,
    "update signature.signing_codes set created_at = created_at - make_interval(hours => $2) where envelope_id = $1",
    [id, hours],
  );
  await inContext(
    of,
    "update signature.envelopes set expires_at = expires_at - make_interval(hours => $2) where id = $1",
    [id, hours],
  );
  await settled(of, id);
}

/** Who was reminded, in the order of time. */
const reminded = async (id: string, of = stage): Promise<string[]> =>
  (await eventsOf(of, id))
    .filter(({ action }) => action === "envelope.participant_reminded")
    .map(({ details }) => JSON.parse(details).participant_id);

describe("remind_every_days", () => {
  test("is null unless given, 1 to 30, and changes until the end", async () => {
    expect(await anEnvelope(stage)).toMatchObject({ remind_every_days: null });
    expect(await anEnvelope(stage, { remind_every_days: 30 })).toMatchObject({ remind_every_days: 30 });
    for (const remind_every_days of [0, 31, 1.5, "3"])
      expectError(
        await ask(stage, "POST", "/envelopes", { title: "Contract", remind_every_days }),
        422,
        "invalid_request",
      );
    const { id, link } = await aSent(stage);
    const set = (body: object) => ask(stage, "PATCH", `/envelopes/${id}`, body);
    expect((await set({ remind_every_days: 3 })).body).toMatchObject({ status: "sent", remind_every_days: 3 });
    expect((await set({ remind_every_days: null })).body).toMatchObject({ remind_every_days: null });
    expectError(await set({ remind_every_days: 3, title: "New" }), 409, "conflict");
    expectError(await set({}), 409, "conflict");
    expect((await read(stage, id)).remind_every_days).toBeNull();
    expect((await complete(stage, link)).status).toBe(200);
    expectError(await set({ remind_every_days: 3 }), 409, "conflict");
  });

  test("reminds whose turn it is, once in each period, by the same link", async () => {
    const { id, links } = await aSent(stage, [{}, {}], { remind_every_days: 3 });
    const [first, second] = links as [Link, Link];
    const session = await aSession(stage, first);
    await hoursLater(id, 71);
    await remind();
    expect(await reminded(id)).toEqual([]);
    await hoursLater(id, 2);
    await remind();
    await remind();
    expect((await reminded(id)).sort()).toEqual([first.participantId, second.participantId].sort());
    // The link and the session stay.
    expect((await act(stage, first, "GET", "", { session })).body.documents).not.toBeNull();
    await composeAll(stage, worker);
    const mails = (await inbox(stage, id)).filter(({ kind }) => kind === "envelope_reminder");
    expect(mails.map(({ participant_id, link }) => [participant_id, link !== null])).toEqual(
      expect.arrayContaining([first, second].map(({ participantId }) => [participantId, true])),
    );
    expect(mails).toHaveLength(2);
    expect((await complete(stage, first, { session })).status).toBe(200);
    await hoursLater(id, 73);
    await remind();
    expect((await reminded(id)).slice(2)).toEqual([second.participantId]);
  });

  test("without it, and for participants whose turn comes later, nobody is reminded", async () => {
    const silent = await aSent(stage);
    const { id, links } = await aSent(stage, [{ order_index: 1 }, { order_index: 2 }], {
      remind_every_days: 1,
      signing_order: "sequential",
    });
    for (const each of [silent.id, id]) await hoursLater(each, 100);
    await remind();
    expect(await reminded(silent.id)).toEqual([]);
    expect(await reminded(id)).toEqual([links[0]?.participantId]);
  });

  test("an observador has no turn, and is not reminded", async () => {
    const { id, links } = await aSent(stage, [{}, { role: "observador" }], { remind_every_days: 1 });
    await hoursLater(id, 100);
    await remind();
    expect(await reminded(id)).toEqual([links[0]?.participantId]);
  });

  test("a participant whose link is locked is left to the sender", async () => {
    const { id } = await aSent(stage, [{}], { remind_every_days: 1 });
    await inContext(stage, "update signature.participants set locked = true where envelope_id = $1", [id]);
    await hoursLater(id, 100);
    await remind();
    expect(await reminded(id)).toEqual([]);
  });

  test("nor is a participant whose tries are used up, although a process died before it locked the link: it is locked then", async () => {
    const { id, link } = await aSent(stage, [{}], { remind_every_days: 1 });
    await inContext(
      stage,
      `insert into signature.signing_codes (tenant_id, id, environment, envelope_id, participant_id, link_version, tries, expires_at, created_at)
       select tenant_id, platform.uuidv7(), environment, envelope_id, id, link_version, 5, now(), now() from signature.participants, generate_series(1, 3)
       where id = $1`,
      [link.participantId],
    );
    await hoursLater(id, 100);
    await remind();
    expect(await reminded(id)).toEqual([]);
    expect((await eventsOf(stage, id)).at(-1)?.action).toBe("envelope.link_locked");
    expectError(await act(stage, link, "POST", "/code"), 403, "link_locked");
    await ask(stage, "POST", `/envelopes/${id}/remind`, {});
    await hoursLater(id, 25);
    await remind();
    expect(await reminded(id)).toHaveLength(2);
  });

  test("none within 24 hours of another mail: a reminder of the sender, the link mailed again, a code", async () => {
    const mailed = {
      reminder: ({ envelopeId }: Link) => ask(stage, "POST", `/envelopes/${envelopeId}/remind`, {}),
      link: (link: Link) => act(stage, link, "POST", "/link"),
      code: async (link: Link) => void (await aCode(stage, link)),
    };
    for (const mail of Object.values(mailed)) {
      const { id, link } = await aSent(stage, [{}], { remind_every_days: 1 });
      await hoursLater(id, 100);
      await mail(link);
      const before = (await reminded(id)).length;
      await hoursLater(id, 23);
      await remind();
      expect(await reminded(id)).toHaveLength(before);
      await hoursLater(id, 2);
      await remind();
      expect(await reminded(id)).toHaveLength(before + 1);
    }
  });
});

describe("the notice two days before the deadline", () => {
  test("goes out once, without remind_every_days as well", async () => {
    const { id, link } = await aSent(stage, [{}], { expires_in_days: 10 });
    await hoursLater(id, 8 * 24 - 1);
    await remind();
    expect(await reminded(id)).toEqual([]);
    await hoursLater(id, 2);
    await remind();
    await hoursLater(id, 25);
    await remind();
    expect(await reminded(id)).toEqual([link.participantId]);
  });

  test("the reminder of these days is the notice, and nobody gets both", async () => {
    const { id } = await aSent(stage, [{}], { expires_in_days: 10, remind_every_days: 9 });
    await hoursLater(id, 9 * 24 + 1);
    await remind();
    await remind();
    expect(await reminded(id)).toHaveLength(1);
  });

  test("not once the deadline has passed, and to the person who came last", async () => {
    const { id } = await aSent(stage, [{}], { expires_in_days: 10 });
    await hoursLater(id, 10 * 24 + 1);
    await remind();
    expect(await reminded(id)).toEqual([]);
    const { id: other, link } = await aSent(stage, [{}], { expires_in_days: 10 });
    await hoursLater(other, 8 * 24 + 1);
    await remind();
    const person = { name: "Marina", email: "marina@example.com" };
    await ask(stage, "PATCH", `/envelopes/${other}/participants/${link.participantId}`, person);
    await hoursLater(other, 25);
    await remind();
    expect(await reminded(other)).toHaveLength(2);
    await composeAll(stage, worker);
    expect((await inbox(stage, other)).at(-1)).toMatchObject({ kind: "envelope_reminder", recipient: person.email });
  });
});

describe("the job", () => {
  test("reminds in all organizations, and leaves a trail that verifies", async () => {
    const other = await openStage(selo, "live");
    const both = [
      { of: stage, ...(await aSent(stage, [{}], { remind_every_days: 1 })) },
      { of: other, ...(await sentWith(other)) },
    ];
    for (const { of, id } of both) await hoursLater(id, 30, of);
    await inContext(other, "update signature.envelopes set remind_every_days = 1 where tenant_id = $1", [
      other.tenantId,
    ]);
    await settled(other, both[1]?.id ?? "");
    await remind();
    const { faults } = await verifyAll(selo.operator);
    for (const { of, id } of both) {
      expect(await reminded(id, of)).toHaveLength(1);
      expect(faults.filter(({ subject_id }) => subject_id === id)).toEqual([]);
    }
  });

  test("takes those who wait longest, in turns of each organization: one with many keeps no other waiting", async () => {
    const other = await openStage(selo, "live");
    const many = await aSent(stage, [{}], { remind_every_days: 1 });
    const one = await aSent(other, [{}], { remind_every_days: 1 });
    await hoursLater(many.id, 100);
    await hoursLater(one.id, 30, other);
    await inContext(
      stage,
      `insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, auth_method, modality, status, link_version, mailed_at, invited_at)
       select tenant_id, platform.uuidv7(), environment, envelope_id, name, email, role, auth_method, modality, status, link_version, mailed_at, invited_at
       from signature.participants, generate_series(1, 1001) where envelope_id = $1`,
      [many.id],
    );
    const due = await dueReminders(worker.context.jobs);
    expect(due.map(({ tenantId, environment }) => [tenantId, environment])).toEqual(
      expect.arrayContaining([
        [stage.tenantId, stage.environment],
        [other.tenantId, "live"],
      ]),
    );
    await inContext(stage, "delete from signature.participants where envelope_id = $1 and id <> $2", [
      many.id,
      many.link.participantId,
    ]);
  });

  test("an envelope whose reminder fails keeps no other one from it", async () => {
    const [bad, good] = [
      await aSent(stage, [{}], { remind_every_days: 1 }),
      await aSent(stage, [{}], { remind_every_days: 1 }),
    ];
    for (const { id } of [bad, good]) await hoursLater(id, 30);
    const { admin } = selo.database;
    await admin.query(
      `create function signature.fail_in_test() returns trigger language plpgsql as $$ begin raise exception 'as if'; end $$`,
    );
    await admin.query(
      `create trigger fails before update of reminded_at on signature.participants for each row when (old.envelope_id = '${bad.id}') execute function signature.fail_in_test()`,
    );
    try {
      await remind();
      expect(await reminded(good.id)).toHaveLength(1);
      expect(await reminded(bad.id)).toEqual([]);
    } finally {
      await admin.query("drop trigger fails on signature.participants; drop function signature.fail_in_test()");
    }
    await remind();
    expect(await reminded(bad.id)).toHaveLength(1);
  });

  test("at the same time as an act: nobody is reminded who has acted", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, link } = await aSent(stage, [{}, {}], { remind_every_days: 1 });
      const session = await aSession(stage, link);
      await hoursLater(id, 30);
      const [completed] = await Promise.all([complete(stage, link, { session }), remind()]);
      expect(completed.status).toBe(200);
      const actions = (await eventsOf(stage, id)).map(({ action, details }) => [
        action,
        JSON.parse(details).participant_id,
      ]);
      const signed = actions.findIndex(([action]) => action === "envelope.participant_signed");
      const after = actions.slice(signed).filter(([action]) => action === "envelope.participant_reminded");
      expect(after.map(([, participantId]) => participantId)).not.toContain(link.participantId);
    }
  });
});
