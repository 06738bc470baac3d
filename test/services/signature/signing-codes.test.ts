// The one-time code and the session of a participant: signature-service §2 ("every signer gets a one-time code"), §4.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { countRows, expectError } from "../../support/rest-client.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import {
  aCode,
  act,
  aReminded,
  aSent,
  aSession,
  codeMail,
  eventsOf,
  inContext,
  type Link,
  otherThan,
} from "./signing-stage.ts";

setUpStage();

const send = (link: Link) => act(stage, link, "POST", "/code");
const open = (link: Link, code: string, key?: string) =>
  act(stage, link, "POST", "/session", { body: { code }, ...(key === undefined ? {} : { key }) });
const codesOf = ({ participantId }: Link) =>
  inContext<{ tries: number; is_erased: boolean; is_used: boolean }>(
    stage,
    "select tries, enciphered_code is null as is_erased, used_at is not null as is_used from signature.signing_codes where participant_id = $1 order by id",
    [participantId],
  );
const isLocked = async ({ participantId }: Link) =>
  (
    await inContext<{ locked: boolean }>(stage, "select locked from signature.participants where id = $1", [
      participantId,
    ])
  )[0]?.locked;
/** It ends so many minutes after the answer came, which was asked for at `began`. */
function expectMinutes(minutes: number, began: number, expiresAt: string): void {
  const answered = Date.parse(expiresAt) - minutes * 60_000;
  expect(answered).toBeGreaterThanOrEqual(began - 1);
  expect(answered).toBeLessThanOrEqual(Date.now() + 1);
}
/** Types a wrong code until the code is used up. */
async function useUp(link: Link): Promise<void> {
  const wrong = otherThan(await aCode(stage, link));
  for (let tried = 0; tried < 5; tried++) expectError(await open(link, wrong), 422, "wrong_code", ["code"]);
}
/** Five codes an hour are not enough for three used-up ones and more. */
const anHourLater = (link: Link) =>
  inContext(
    stage,
    "update signature.signing_codes set created_at = created_at - interval '1 hour' where participant_id = $1",
    [link.participantId],
  );

/** Ids, digests, signatures and instants may have any six digits. */
const withoutRandom = (text: string) => text.replaceAll(/[0-9a-f-]{32,}|[\w+/=-]{40,}|\d{4}-\d\d-\d\d[T ][\d:.]+/g, "");

// A code or a token in a log would let its reader in.
afterEach(async () => {
  const { rows } = await selo.database.admin.query<{ code: string }>(
    "select code from platform.mails where code is not null",
  );
  for (const { code } of rows) expect(selo.logs.join("")).not.toContain(`"${code}"`);
});

describe("POST /signing/{participant_id}/code", () => {
  test("mails six digits to the participant: first in the subject, and nowhere in the database before", async () => {
    const { link, id } = await aSent(stage, [{ email: "maria@example.com" }]);
    const began = Date.now();
    const { status, body } = await send(link);
    expect(status).toBe(202);
    expect(body).toEqual({
      sent_to: "m•••@e•••.com",
      expires_at: expect.stringMatching(/Z$/),
      tries_left: 5,
      sends_left: 4,
    });
    expectMinutes(10, began, body.expires_at);
    const mail = await codeMail(stage, link);
    expect(mail?.code).toMatch(/^\d{6}$/);
    expect(mail?.subject).toBe(`${mail?.code} is your code for Contract [test]`);
    expect(mail?.text).toContain(mail?.code);
    const { rows } = await selo.database.admin.query(
      "select data::text, recipient from platform.mails where participant_id = $1 and kind = 'signing_code'",
      [link.participantId],
    );
    expect(rows[0].recipient).toBe("maria@example.com");
    expect(withoutRandom(rows[0].data)).not.toContain(mail?.code);
    expect((await eventsOf(stage, id)).at(-1)).toMatchObject({
      action: "envelope.code_sent",
      actor_type: "participant",
      actor_id: link.participantId,
      channel: "page",
    });
  });

  test("in Portuguese for an envelope in Portuguese, whatever HTML or line breaks its title has", async () => {
    const { link, id } = await aSent(stage, [{}], { language: "pt-PT" });
    // A title from before such characters were refused.
    const title = "<b>Contrato</b> \u202egnp";
    await inContext(stage, "update signature.envelopes set title = $2 where id = $1", [id, title]);
    await send(link);
    const mail = await codeMail(stage, link);
    expect(mail?.subject).toBe(`${mail?.code} é o seu código para <b>Contrato</b> gnp [teste]`);
  });

  test("5 codes an hour, the next one 429 with Retry-After; an hour later again", async () => {
    const { link } = await aSent(stage);
    const began = Date.now();
    const left: number[] = [];
    for (let sent = 0; sent < 5; sent++) left.push((await send(link)).body.sends_left);
    expect(left).toEqual([4, 3, 2, 1, 0]);
    const before = await countRows(selo);
    const refused = await send(link);
    expectError(refused, 429, "rate_limited");
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThanOrEqual(Math.floor(3_600 - (Date.now() - began) / 1_000));
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(await countRows(selo)).toEqual(before);
    await anHourLater(link);
    expect((await send(link)).status).toBe(202);
  });

  test("a new link has five codes again, at once; a reminder of the same link has not", async () => {
    const { link } = await aSent(stage);
    for (let sent = 0; sent < 5; sent++) await send(link);
    expectError(await send(await aReminded(stage, link)), 429, "rate_limited");
    await inContext(stage, "update signature.participants set reminded_at = null where id = $1", [link.participantId]);
    expect((await send(await aReminded(stage, link, { new_link: true }))).body).toMatchObject({ sends_left: 4 });
  });

  test("a new code replaces the code before it, which is erased and not mailed any more", async () => {
    const { link } = await aSent(stage);
    const first = await aCode(stage, link);
    await send(link);
    expect((await codesOf(link)).map(({ is_erased }) => is_erased)).toEqual([true, false]);
    expectError(await open(link, first), 422, "wrong_code", ["code"]);
    // Composed again, as after a crash of the worker, the first mail has no code any more.
    const { rows } = await selo.database.admin.query<{ id: string }>(
      "update platform.mails set composed_at = null, subject = null, text = null, html = null, code = null where participant_id = $1 and kind = 'signing_code' and composed_at is not null returning id",
      [link.participantId],
    );
    expect(rows.length).toBe(1);
    await selo.database.admin.query(
      "delete from platform.mails where participant_id = $1 and kind = 'signing_code' and id > $2",
      [link.participantId, rows[0]?.id],
    );
    expect(await codeMail(stage, link)).toBeNull();
  });

  test("a late code is not mailed", async () => {
    const { link } = await aSent(stage);
    await send(link);
    await inContext(stage, "update signature.signing_codes set expires_at = now() where participant_id = $1", [
      link.participantId,
    ]);
    expect(await codeMail(stage, link)).toBeNull();
  });

  test("before their turn participants are told to wait: 409 not_your_turn", async () => {
    const { links } = await aSent(stage, [{ order_index: 1 }, { order_index: 2 }], { signing_order: "sequential" });
    const [first, second] = links as [Link, Link];
    const before = await countRows(selo);
    expectError(await send(second), 409, "not_your_turn");
    expectError(await open(second, "123456"), 409, "not_your_turn");
    expect(await countRows(selo)).toEqual(before);
    expect((await send(first)).status).toBe(202);
  });

  test.each(["completed", "declined"])("a participant who has %s gets no code: 409 conflict", async (status) => {
    const { link } = await aSent(stage, [{}, {}]);
    await inContext(stage, "update signature.participants set status = $2 where id = $1", [link.participantId, status]);
    expectError(await send(link), 409, "conflict");
    expectError(await open(link, "123456"), 409, "conflict");
  });

  test("once the envelope has ended, or its deadline has passed: 409 conflict", async () => {
    const ended = await aSent(stage);
    await inContext(stage, "select signature.end_envelope($1, 'cancel')", [ended.id]);
    expectError(await send(ended.link), 409, "conflict");
    const late = await aSent(stage);
    await inContext(stage, "update signature.envelopes set expires_at = now() where id = $1", [late.id]);
    expectError(await send(late.link), 409, "conflict");
    expect((await act(stage, late.link, "GET")).body.turn).toBe("over");
  });

  test("repeated with its Idempotency-Key it mails no second code", async () => {
    const { link } = await aSent(stage);
    const first = await act(stage, link, "POST", "/code", { key: "code-1" });
    const again = await act(stage, link, "POST", "/code", { key: "code-1" });
    expect(again.body).toEqual(first.body);
    expect((await codesOf(link)).length).toBe(1);
  });
});

describe("POST /signing/{participant_id}/session", () => {
  test("opens a session of 60 minutes for the right code, once", async () => {
    const { link, id, documentId } = await aSent(stage, [{ auth_method: "otp_email" }]);
    const code = await aCode(stage, link);
    const began = Date.now();
    const { status, body } = await open(link, code);
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
      next: null,
    });
    expectMinutes(60, began, body.expires_at);
    const read = await act(stage, link, "GET", "", { session: body.token });
    expect(read.body.documents).toEqual([
      {
        id: documentId,
        filename: "contract.pdf",
        pages: 1,
        page_sizes: [{ width: 612, height: 792 }],
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        final_sha256: null,
      },
    ]);
    expect(read.body.fields).toEqual([]);
    expect(await codesOf(link)).toEqual([{ tries: 1, is_erased: true, is_used: true }]);
    expect((await eventsOf(stage, id)).at(-1)).toMatchObject({
      action: "envelope.participant_authenticated",
      channel: "page",
      personal: { agent: { value: "node" }, address: { value: expect.stringMatching(/127/) } },
    });
    expectError(await open(link, code), 422, "wrong_code", ["code"]);
    expect(selo.logs.join("")).not.toContain(body.token);
  });

  test("the database has the digest of its token alone", async () => {
    const { link } = await aSent(stage);
    const token = await aSession(stage, link);
    const { rows } = await selo.database.admin.query(
      "select session.digest = sha256(convert_to($2, 'UTF8')) as is_digest from signature.signing_sessions as session where participant_id = $1",
      [link.participantId, token],
    );
    expect(rows).toEqual([{ is_digest: true }]);
  });

  test("repeated with its Idempotency-Key, the answer has the same token, which no row keeps", async () => {
    const { link, documentId } = await aSent(stage);
    const code = await aCode(stage, link);
    const first = await open(link, code, "session-1");
    const again = await open(link, code, "session-1");
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const path = `/documents/${documentId}`;
    expect((await act(stage, link, "GET", path, { session: again.body.token })).status).toBe(200);
    const { rows } = await selo.database.admin.query<{ row: string }>(
      "select to_json(kept)::text as row from platform.idempotency_keys as kept union all select to_json(session)::text from signature.signing_sessions as session",
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) expect(row).not.toContain(first.body.token);
    // Another code is another request.
    expectError(await open(link, otherThan(code), "session-1"), 409, "conflict");
    // The token of a session that is over opens nothing.
    await inContext(stage, "delete from signature.signing_sessions where participant_id = $1", [link.participantId]);
    expect((await open(link, code, "session-1")).body).toEqual(first.body);
    expectError(await act(stage, link, "GET", path, { session: first.body.token }), 401, "session_expired");
  });

  test("ten times at once with one Idempotency-Key, it opens one session, and all answers are the same", async () => {
    const { link, id } = await aSent(stage);
    const code = await aCode(stage, link);
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(link, code, "session-2")));
    // Only five of them are compared. A request beyond these is refused, or has the answer of the session.
    const opened = answers.filter(({ status }) => status === 200);
    expect(opened.length).toBeGreaterThan(0);
    expect(new Set(opened.map(({ body }) => body.token)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectError(answer, 422, "wrong_code", ["code"]);
    const events = await eventsOf(stage, id);
    expect(events.filter(({ action }) => action === "envelope.participant_authenticated").length).toBe(1);
    expect(events.filter(({ action }) => action === "envelope.code_refused")).toEqual([]);
    expect((await open(link, code, "session-2")).body.token).toBe(opened[0]?.body.token);
  });

  test("two codes have two tokens", async () => {
    const { link } = await aSent(stage);
    expect(await aSession(stage, link)).not.toBe(await aSession(stage, link));
  });

  test("a wrong code says how many tries are left; five use the code up, the right one then included", async () => {
    const { link, id } = await aSent(stage);
    const code = await aCode(stage, link);
    const messages: string[] = [];
    const left: number[] = [];
    for (let tried = 0; tried < 5; tried++) {
      const refused = await open(link, otherThan(code));
      expectError(refused, 422, "wrong_code", ["code"]);
      messages.push(refused.body.detail.message);
      left.push(refused.body.detail.tries_left);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect(messages.map((message) => /(\d) tr|no tries/.exec(message)?.[1] ?? "0")).toEqual(["4", "3", "2", "1", "0"]);
    expectError(await open(link, code), 422, "wrong_code", ["code"]);
    expect(await codesOf(link)).toEqual([{ tries: 5, is_erased: true, is_used: false }]);
    const refusals = (await eventsOf(stage, id)).filter(({ action }) => action === "envelope.code_refused");
    expect(refusals.map(({ details }) => JSON.parse(details).tries_left)).toEqual([4, 3, 2, 1, 0]);
    expect(withoutRandom(JSON.stringify(refusals))).not.toContain(otherThan(code));
  });

  test("the fifth try may be the right one", async () => {
    const { link } = await aSent(stage);
    const code = await aCode(stage, link);
    for (let tried = 0; tried < 4; tried++) await open(link, otherThan(code));
    expect((await open(link, code)).status).toBe(200);
  });

  test("a late code opens nothing", async () => {
    const { link } = await aSent(stage);
    const code = await aCode(stage, link);
    await inContext(stage, "update signature.signing_codes set expires_at = now() where participant_id = $1", [
      link.participantId,
    ]);
    expectError(await open(link, code), 422, "wrong_code", ["code"]);
  });

  test.each(["", "12345", "1234567", "12345a", "１２３４５６", " 12345"])(
    "%j is no code, and counts as no try",
    async (code) => {
      const { link } = await aSent(stage);
      await send(link);
      expectError(await open(link, code), 422, "invalid_request", ["code"]);
      expect((await codesOf(link))[0]?.tries).toBe(0);
    },
  );

  test("the code of another participant opens nothing", async () => {
    const { links } = await aSent(stage, [{}, {}]);
    const [one, other] = links as [Link, Link];
    const code = await aCode(stage, one);
    await aCode(stage, other);
    const refused = await open(other, code);
    // One in a million: both have the same code.
    if (refused.status !== 200) expectError(refused, 422, "wrong_code", ["code"]);
    expectError(
      await act(stage, { ...one, secret: other.secret }, "POST", "/session", { body: { code } }),
      404,
      "not_found",
    );
  });

  // Ten thousand are in test/system/faults/wrong-codes.test.ts.
  test("of 60 wrong codes at once, five are compared", async () => {
    const { link, id } = await aSent(stage);
    const code = await aCode(stage, link);
    const wrong = Array.from({ length: 60 }, (_, place) =>
      String((Number(code) + 1 + place) % 1_000_000).padStart(6, "0"),
    );
    const answers = await Promise.all(wrong.map((each) => open(link, each)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect(await codesOf(link)).toEqual([{ tries: 5, is_erased: true, is_used: false }]);
    expect((await eventsOf(stage, id)).filter(({ action }) => action === "envelope.code_refused").length).toBe(5);
    expectError(await open(link, code), 422, "wrong_code", ["code"]);
  });

  test("of 20 right codes at once, one opens a session", async () => {
    const { link } = await aSent(stage);
    const code = await aCode(stage, link);
    const answers = await Promise.all(Array.from({ length: 20 }, () => open(link, code)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectError(answer, 422, "wrong_code", ["code"]);
  });
});

describe("three used-up codes", () => {
  test("lock the link until a reminder; the sender sees it", async () => {
    const { link, id } = await aSent(stage);
    await useUp(link);
    await useUp(link);
    expect(await isLocked(link)).toBe(false);
    await useUp(link);
    expect(await isLocked(link)).toBe(true);
    expect((await eventsOf(stage, id)).at(-1)?.action).toBe("envelope.link_locked");
    expectError(await send(link), 403, "link_locked");
    expectError(await open(link, "123456"), 403, "link_locked");
    await anHourLater(link);
    expectError(await send(link), 403, "link_locked");
    // What the link is for can still be read.
    expect((await act(stage, link, "GET")).status).toBe(200);
    // However soon after another reminder.
    const reminded = "update signature.participants set reminded_at = now() where id = $1";
    await inContext(stage, reminded, [link.participantId]);
    const again = await aReminded(stage, link);
    await aSession(stage, again);
    await expect(aReminded(stage, again)).rejects.toThrow("answered 409");
  });

  test("four wrong tries of each code lock the link as well, at the fifteenth", async () => {
    const { link } = await aSent(stage);
    for (const tries of [4, 4, 4, 2]) {
      const wrong = otherThan(await aCode(stage, link));
      for (let tried = 0; tried < tries; tried++) expectError(await open(link, wrong), 422, "wrong_code", ["code"]);
    }
    expect(await isLocked(link)).toBe(false);
    expectError(await open(link, otherThan(await aCode(stage, link))), 422, "wrong_code", ["code"]);
    expect(await isLocked(link)).toBe(true);
    expectError(await send(link), 403, "link_locked");
  });

  test("the right code at the fifteenth try opens a session", async () => {
    const { link } = await aSent(stage);
    for (const tries of [4, 4, 4, 2]) {
      const code = await aCode(stage, link);
      for (let tried = 0; tried < tries; tried++) await open(link, otherThan(code));
      if (tries === 2) expect((await open(link, code)).status).toBe(200);
    }
    expect(await isLocked(link)).toBe(false);
  });

  test("of earlier links do not count", async () => {
    const { link } = await aSent(stage);
    await useUp(link);
    await useUp(link);
    const again = await aReminded(stage, link, { new_link: true });
    await anHourLater(again);
    await useUp(again);
    expect(await isLocked(again)).toBe(false);
  });
});

describe("after a reminder", () => {
  test("the link, the code and the session go on", async () => {
    const { link, documentId } = await aSent(stage);
    const session = await aSession(stage, link);
    const code = await aCode(stage, link);
    const again = await aReminded(stage, link);
    expect(again.secret).toBe(link.secret);
    expect((await act(stage, link, "GET", `/documents/${documentId}`, { session })).status).toBe(200);
    expect((await open(link, code)).status).toBe(200);
  });

  test("with a new link, the link, the code and the session before it are dead", async () => {
    const { link, documentId } = await aSent(stage);
    const session = await aSession(stage, link);
    const code = await aCode(stage, link);
    const again = await aReminded(stage, link, { new_link: true });
    expectError(await act(stage, link, "GET"), 404, "not_found");
    expectError(await open(again, code), 422, "wrong_code", ["code"]);
    expect((await act(stage, again, "GET", "", { session })).body.documents).toBeNull();
    expectError(await act(stage, again, "GET", `/documents/${documentId}`, { session }), 401, "session_expired");
    expectError(await act(stage, again, "POST", "/view", { session }), 401, "session_expired");
  });
});

describe("the login of the gateway alone", () => {
  /** What somebody with the login gets for a command, with the link of a participant. */
  async function stolen(link: Link, command: string, given: object): Promise<{ code?: string; body?: unknown }> {
    const thief = new pg.Client({ connectionString: selo.database.appUrl });
    thief.on("error", () => {});
    await thief.connect();
    try {
      const credential = createHash("sha256").update(link.secret).digest();
      const { rows } = await thief.query("select body::json as body from gateway.call($1, $2, $3)", [
        credential,
        command,
        JSON.stringify({ participant_id: link.participantId, ...given }),
      ]);
      return { body: rows[0].body };
    } catch (error) {
      return { code: (error as pg.DatabaseError).code ?? "none" };
    } finally {
      await thief.end();
    }
  }
  const codeIdOf = async ({ participantId }: Link) =>
    (
      await inContext<{ id: string }>(
        stage,
        "select id from signature.signing_codes where participant_id = $1 order by id desc limit 1",
        [participantId],
      )
    )[0]?.id;
  const token_sha256 = "ab".repeat(32);

  test("cannot read codes or their digests", async () => {
    const { rows } = await selo.database.admin.query(
      "select login, has_any_column_privilege(login, 'signature.signing_codes', 'select') as reads from unnest(array['selo_app', 'selo_worker', 'selo_analyst']) as login",
    );
    expect(rows).toEqual(["selo_app", "selo_worker", "selo_analyst"].map((login) => ({ login, reads: false })));
  });

  test("opens no session without the right code: SQL compares a digest that only the data key makes", async () => {
    const { link } = await aSent(stage);
    const code = await aCode(stage, link);
    const code_id = await codeIdOf(link);
    const counted = await stolen(link, "count_code_try", {});
    expect(counted.body).toEqual({ code_id, tries_left: 4 });
    for (const code_digest of ["00".repeat(32), createHash("sha256").update(`${code_id}:${code}`).digest("hex"), null])
      expect(await stolen(link, "open_signing_session", { code_id, code_digest, token_sha256 })).toEqual({
        code: "PT422",
      });
    // Nothing of that used the code.
    expect((await open(link, code)).status).toBe(200);
  });

  test("cannot make its own code either: no job finds six digits in it, and nothing tries it", async () => {
    const { link } = await aSent(stage);
    const code_id = randomUUID();
    const enciphered_code = randomBytes(35).toString("base64");
    const code_digest = "cd".repeat(32);
    const sent = await stolen(link, "send_signing_code", { code_id, enciphered_code, code_digest });
    expect(sent.body).toMatchObject({ tries_left: 5 });
    await expect(codeMail(stage, link)).rejects.toThrow("is not what was sealed there");
    expect((await stolen(link, "count_code_try", {})).body).toBeNull();
    expect(await stolen(link, "open_signing_session", { code_id, code_digest, token_sha256 })).toEqual({
      code: "PT422",
    });
    expect((await stolen(link, "bind_signing_code", { code_id, digest: code_digest })).code).toBeDefined();
  });

  test("a code cannot be tried before its mail was composed, or without a digest, as a code from before had none", async () => {
    const { link } = await aSent(stage);
    await send(link);
    expectError(await open(link, "123456"), 422, "wrong_code", ["code"]);
    const code = (await codeMail(stage, link))?.code ?? "";
    await inContext(stage, "update signature.signing_codes set code_digest = null where participant_id = $1", [
      link.participantId,
    ]);
    expectError(await open(link, code), 422, "wrong_code", ["code"]);
    expect(await codesOf(link)).toEqual([{ tries: 0, is_erased: false, is_used: false }]);
  });
});
