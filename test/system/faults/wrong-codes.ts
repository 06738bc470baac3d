import { afterAll, beforeAll, expect, test } from "vitest";
import { type EnvelopeStage, openStage } from "../../services/signature/envelope-stage.ts";
import { aCode, act, aReminded, aSent, aSession, eventsOf, inContext } from "../../services/signature/signing-stage.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";

const CONNECTIONS = 100;
const CODES = 3;

/** A test of so many wrong codes over many connections: fifteen of them are ever compared. */
export function testWrongCodes(attempts: number): void {
  let selo: TestGateway;
  let stage: EnvelopeStage;
  beforeAll(async () => {
    selo = await startTestGateway();
    stage = await openStage(selo);
  });
  afterAll(() => selo?.stop());

  test(`${attempts} wrong codes: five tries of each code and fifteen of the link are compared, no session opens, and a reminder has a new link`, async () => {
    const { id, link } = await aSent(stage);
    const one = [link.participantId];
    const compared = async () =>
      (await eventsOf(stage, id)).filter(({ action }) => action === "envelope.code_refused").length;
    const answers = new Map<string, number>();
    let sent = 0;
    for (let round = 1; round <= CODES; round++) {
      const code = Number(await aCode(stage, link));
      const last = Math.ceil((attempts * round) / CODES);
      const attack = async () => {
        while (sent < last) {
          const wrong = String((code + 1 + sent++) % 1_000_000).padStart(6, "0");
          const { body } = await act(stage, link, "POST", "/session", { body: { code: wrong } });
          const said = String(body.detail?.code ?? "a session");
          answers.set(said, (answers.get(said) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, attack));
      // A gateway that is too busy to ask its database may record less; never more.
      if (answers.has("unavailable")) expect(await compared()).toBeLessThanOrEqual(5 * round);
      else expect(await compared()).toBe(5 * round);
      // The right code comes too late.
      const right = String(code).padStart(6, "0");
      const late = await act(stage, link, "POST", "/session", { body: { code: right } });
      if (round < CODES) expectError(late, 422, "wrong_code", ["code"]);
      else expectError(late, 403, "link_locked");
    }
    expect(sent).toBe(attempts);
    answers.delete("unavailable");
    expect([...answers.keys()].sort()).toEqual(["link_locked", "wrong_code"]);
    const codes = await inContext<{ tries: number; is_erased: boolean }>(
      stage,
      "select tries, enciphered_code is null as is_erased from signature.signing_codes where participant_id = $1",
      one,
    );
    expect(codes).toEqual(Array(CODES).fill({ tries: 5, is_erased: true }));
    expect(await inContext(stage, "select id from signature.participants where id = $1 and locked", one)).toHaveLength(
      1,
    );
    const sessions = "select participant_id from signature.signing_sessions where participant_id = $1";
    expect(await inContext(stage, sessions, one)).toEqual([]);
    expectError(await act(stage, link, "POST", "/code"), 403, "link_locked");

    const again = await aReminded(stage, link);
    expectError(await act(stage, link, "GET"), 404, "not_found");
    await aSession(stage, again);
    expect(await inContext(stage, sessions, one)).toHaveLength(1);
  }, 600_000);
}
