// The clock goes back an hour while an envelope is out: issue "Signature I" §4, and instants that never run backwards.
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordTomorrow } from "../../support/clock.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { countRows, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aSession, complete, completing, decline, evidenceOf, sentWith } from "./completion-stage.ts";
import { aSendable, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { send } from "./sending-stage.ts";
import { act } from "./signing-stage.ts";

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

const AN_HOUR = 3_600;

/** Does something while the clock is an hour behind the newest event, and expects that nothing changes. */
async function anHourBehind(id: string, work: () => Promise<void>): Promise<void> {
  const setRight = await recordTomorrow(selo.database, AN_HOUR);
  const before = [await read(stage, id), await countRows(selo)];
  await work();
  expect([await read(stage, id), await countRows(selo)]).toEqual(before);
  await setRight();
}

test("503 clock_behind for a view, an act, a refusal and a sending; later they work, and no instant is before another", async () => {
  const { id, links } = await sentWith(stage);
  const [link] = links;
  const session = await aSession(stage, link);
  const draft = await aSendable(stage);
  const view = () => act(stage, link, "POST", "/view", { session });
  await anHourBehind(id, async () => {
    expectError(await view(), 503, "clock_behind");
    expectError(await complete(stage, link, { session }), 503, "clock_behind");
    expectError(await decline(stage, link, undefined, session), 503, "clock_behind");
    expectError(await send(stage, draft.id), 503, "clock_behind");
    // What is read is read.
    expect((await act(stage, link, "GET", "", { session })).body.turn).toBe("yes");
  });
  expect((await view()).status).toBe(204);
  await anHourBehind(id, async () => {
    // A repeated view records nothing.
    expect((await view()).status).toBe(204);
    expectError(await complete(stage, link, { session }), 503, "clock_behind");
  });
  const done = await complete(stage, link, { session });
  expect(done.status).toBe(200);
  await anHourBehind(id, async () => {
    expect((await complete(stage, link, { session })).body).toEqual(done.body);
  });

  const setRight = await recordTomorrow(selo.database, AN_HOUR);
  await expect(completing(stage, id, worker)).rejects.toThrow(/clock/);
  expect((await read(stage, id)).status).toBe("in_progress");
  await setRight();
  await completing(stage, id, worker);

  const { envelope, participants, records, completion, events } = await evidenceOf(stage, id);
  expect(envelope.status).toBe("completed");
  const rising = (instants: readonly string[]) => {
    const times = instants.map((instant) => instant.replace("+00:00", "Z"));
    expect(times).toEqual(times.toSorted());
  };
  rising(events.map(({ occurred_at }: { occurred_at: string }) => occurred_at));
  rising([envelope.sent_at, participants[0].viewed_at, records[0].evidence.signed_at, events.at(-1).occurred_at]);
  expect(completion.evidence.completed_at).toBe(records[0].evidence.signed_at);
  expect((await ask(stage, "GET", `/envelopes/${id}`)).status).toBe(200);
  const { faults } = await verifyAll(selo.operator);
  // Documents of this test have no events.
  expect(faults.filter(({ subject_type }) => subject_type === "envelope")).toEqual([]);
});
