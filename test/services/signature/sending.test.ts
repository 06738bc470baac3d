// POST /envelopes/{id}/send: who is invited when, what it takes, and what keeps an envelope from being sent. signature-service §3, §4.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aParticipant, aSendable, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aSent, chain, composeAll, inbox, send, type Worker, workerOf } from "./sending-stage.ts";

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

describe("draft, POST send: out with participants", () => {
  test("answers the sent envelope with its deadline and code, and the mail has the link", async () => {
    const { id, participantId } = await aSendable(stage, { title: "Rental contract", expires_in_days: 3 });
    const { status, body } = await send(stage, id);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id, status: "sent", participants: [{ status: "invited", locked: false, invitation_failed: false }] },
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.sent_at)).toBe(3 * 86_400_000);
    expect(body.verification_code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(body.verify_url).toBe(`http://selo.test/verify/${body.verification_code}`);
    expect(await read(stage, id)).toEqual(body);
    await composeAll(stage, worker);
    const [mail] = await inbox(stage, id);
    expect(mail).toMatchObject({
      kind: "envelope_invitation",
      recipient: "maria@example.com",
      participant_id: participantId,
    });
    expect(mail?.link).toMatch(new RegExp(`^http://selo\\.test/sign/${participantId}#[A-Za-z0-9_-]{43}$`));
    expect((await chain(stage, id)).slice(-2)).toEqual(["envelope.sent", "envelope.participant_invited"]);
    expect(await chain(stage, participantId)).toEqual(["participant.link_made"]);
    expectError(await ask(stage, "GET", `/public/proofs/${body.verification_code}`), 404, "proof_not_found");
  });
});

test("selo audit verify finds nothing", async () => {
  const { faults } = await verifyAll(selo.operator);
  // The documents of this file were not uploaded.
  expect(faults.filter(({ subject_type }) => subject_type !== "document")).toEqual([]);
});
