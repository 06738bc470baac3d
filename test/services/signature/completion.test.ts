// What participants do: signature-service §2 Participant, §3, and issue "Signature I" §4.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { aSession, complete } from "./completion-stage.ts";
import { type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aSent } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
});
afterAll(() => selo.stop());

describe("POST /signing/{participant_id}/complete", () => {
  test("finishes, and answers the same when repeated", async () => {
    const { id, links } = await aSent(stage);
    const [link] = links;
    if (link === undefined) throw new Error("no link");
    const session = await aSession(stage, link);
    const { status, body } = await complete(stage, link, { session });
    expect([status, body]).toEqual([200, { status: "completed", completed_at: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect((await complete(stage, link, { session })).body).toEqual(body);
    expect(await read(stage, id)).toMatchObject({ status: "sent", participants: [{ status: "completed" }] });
    expectError(await complete(stage, link, { session: "x" }), 401, "session_expired");
  });
});
