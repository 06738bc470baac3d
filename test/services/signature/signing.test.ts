// The link of a participant: who gets in, and what is read there (signature-service §2 Participant, §4).
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";
import { type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { act, aSent, inContext } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
});
afterAll(() => selo.stop());

describe("GET /signing/{participant_id}", () => {
  test("tells what the link is for, without documents before the code", async () => {
    const { links } = await aSent(stage, [{ name: "Maria", email: "maria@example.com" }], { message: "Please sign." });
    const [link] = links;
    if (link === undefined) throw new Error("no link");
    const { status, body } = await act(stage, link, "GET");
    expect(status).toBe(200);
    expect(body).toEqual({
      organization: "Test Organization",
      environment: "test",
      title: "Contract",
      message: "Please sign.",
      status: "sent",
      language: "en",
      turn: "yes",
      participant: { name: "Maria", role: "signatario", modality: "avancada", status: "invited" },
      sent_to: "m•••@e•••.com",
      steps: ["code"],
      consent: {
        version: "intl-2026-11",
        text: expect.stringMatching(/^I have read the documents/),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      documents: null,
      fields: null,
    });
  });

  test("changes nothing: scanners open links", async () => {
    const { links } = await aSent(stage);
    const [link] = links;
    if (link === undefined) throw new Error("no link");
    const before = await countRows(selo);
    for (let opened = 0; opened < 3; opened++) expect((await act(stage, link, "GET")).status).toBe(200);
    expect(await countRows(selo)).toEqual(before);
  });

  test("a link that is unknown, revoked, forged, malformed or of another participant is one and the same 404", async () => {
    const { links } = await aSent(stage, [{}, { name: "João", email: "joao@example.com" }]);
    const [one, other] = links;
    if (one === undefined || other === undefined) throw new Error("no links");
    const revoked = (await aSent(stage)).links[0];
    if (revoked === undefined) throw new Error("no link");
    await inContext(stage, "update platform.credentials set revoked_at = now() where actor_id = $1", [
      revoked.participantId,
    ]);
    const forged = { participantId: one.participantId, secret: randomBytes(32).toString("base64url") };
    const answers = [
      await act(stage, forged, "GET"),
      await act(stage, revoked, "GET"),
      await act(stage, { ...one, secret: "short" }, "GET"),
      await act(stage, { ...one, secret: other.secret }, "GET"),
      await act(stage, { ...one, participantId: "0197a0c0-0000-7000-8000-000000000000" }, "GET"),
      await call(selo, "GET", `/signing/${one.participantId}`),
      await call(selo, "GET", `/signing/${one.participantId}`, { token: stage.token }),
    ];
    for (const answer of answers) expectError(answer, 404, "not_found");
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.detail))).size).toBe(1);
  });
});
