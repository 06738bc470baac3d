// Second factors of participants: signature-service §2 ("cpf, kba and identity_match add a second factor").
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { storedDocument } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { complete, decline, evidenceOf } from "./completion-stage.ts";
import { ask, read } from "./envelope-stage.ts";
import { aHalfSession, answer, CPF, digestOf, factorsOf, isLocked, OTHER_CPF, withCpf } from "./factor-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { aCode, act, aReminded, aSent, aSession, eventsOf, inContext, type Link } from "./signing-stage.ts";

setUpStage();

// What is typed stands nowhere.
afterEach(() => {
  for (const cpf of [CPF, OTHER_CPF, "52998224725", "11144477735"]) expect(selo.logs.join("")).not.toContain(cpf);
});

const wrong = async (link: Link, session: string) => {
  const refused = await answer(stage, link, session, { cpf: OTHER_CPF });
  expectError(refused, 422, "wrong_answer", ["cpf"]);
  return refused.body.detail.message as string;
};
const useUp = async (link: Link, session: string) => {
  for (let tried = 0; tried < 5; tried++) await wrong(link, session);
};

describe("cpf", () => {
  test("from send to the record: the code, then the CPF", async () => {
    const { id, link } = await aSent(stage, [withCpf]);
    expect((await act(stage, link, "GET")).body.steps).toEqual(["code", "cpf"]);
    const opened = await act(stage, link, "POST", "/session", { body: { code: await aCode(stage, link) } });
    expect(opened.body).toMatchObject({ next: "cpf" });
    const session: string = opened.body.token;
    expect((await act(stage, link, "GET", "", { session })).body).toMatchObject({ documents: null, fields: null });
    // With or without punctuation.
    expect((await answer(stage, link, session, { cpf: "52998224725" })).body).toEqual({ next: null });
    expect((await act(stage, link, "GET", "", { session })).body.documents).toHaveLength(1);
    expect((await complete(stage, link, { session })).status).toBe(200);
    const { records } = await evidenceOf(stage, id);
    const [factor] = await inContext<{ id: string }>(stage, "select id from signature.factors where envelope_id = $1", [
      id,
    ]);
    expect(records[0].evidence.authentication).toEqual([
      { method: "otp_email", at: expect.any(String), reference: expect.any(String) },
      { method: "cpf", at: expect.any(String), reference: factor?.id },
    ]);
    const passed = (await eventsOf(stage, id)).find(({ action }) => action === "envelope.factor_passed");
    expect(JSON.parse(passed?.details ?? "")).toMatchObject({
      participant_id: link.participantId,
      factor_id: factor?.id,
      method: "cpf",
    });
    await verifyAll(selo.operator);
  });

  // A public report of another product: with two documents, the act was refused although the code was right.
  test("of an envelope of two documents as well", async () => {
    const { id, link } = await aSent(stage, [withCpf], {}, async (envelope) => {
      const second = await storedDocument(selo, stage.token);
      await ask(stage, "POST", `/envelopes/${envelope}/documents`, { document_id: second.id });
    });
    const session = await aSession(stage, link);
    expect((await answer(stage, link, session, { cpf: CPF })).status).toBe(200);
    const { documents } = (await act(stage, link, "GET", "", { session })).body;
    expect(documents).toHaveLength(2);
    for (const document of documents)
      expect((await act(stage, link, "GET", `/documents/${document.id}`, { session })).status).toBe(200);
    expect((await complete(stage, link, { session })).status).toBe(200);
    expect((await read(stage, id)).participants[0].status).toBe("completed");
  });

  test("403 factor_required, not 401: nothing opens before", async () => {
    const { link, documentId } = await aSent(stage, [withCpf]);
    const session = await aHalfSession(stage, link);
    const asked = [
      await act(stage, link, "GET", `/documents/${documentId}`, { session }),
      await act(stage, link, "GET", "/report", { session }),
      await act(stage, link, "POST", "/view", { session }),
      await complete(stage, link, { session }),
      await decline(stage, link, { reason: "No." }, session),
    ];
    for (const refused of asked) expectError(refused, 403, "factor_required");
    expectError(await complete(stage, link, { session: "a".repeat(43) }), 401, "session_expired");
    expectError(await answer(stage, link, "a".repeat(43), { cpf: CPF }), 401, "session_expired");
  });

  test("five tries; then the link is locked until a reminder, which brings five again", async () => {
    const { link, id } = await aSent(stage, [withCpf]);
    const session = await aSession(stage, link);
    const left: number[] = [];
    for (let tried = 0; tried < 5; tried++) {
      const { detail } = (await answer(stage, link, session, { cpf: OTHER_CPF })).body;
      expect(detail).toMatchObject({ code: "wrong_answer", message: expect.stringMatching(/; \d tr|no tries/) });
      left.push(detail.tries_left);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect(await isLocked(stage, link)).toBe(true);
    expectError(await answer(stage, link, session, { cpf: CPF }), 403, "link_locked");
    expectError(await act(stage, link, "POST", "/code"), 403, "link_locked");
    const actions = (await eventsOf(stage, id)).map(({ action }) => action);
    expect(actions.filter((action) => action === "envelope.factor_refused")).toHaveLength(5);
    expect(actions.filter((action) => action === "envelope.link_locked")).toHaveLength(1);
    const again = await aReminded(stage, link);
    const next = await aSession(stage, again);
    await useUp(again, await aHalfSession(stage, again)).catch(() => {});
    expectError(await answer(stage, again, next, { cpf: CPF }), 403, "link_locked");
    await verifyAll(selo.operator);
  });

  test("tries are those of the link: a new session has no more of them, and a right answer costs none", async () => {
    const { link } = await aSent(stage, [withCpf]);
    for (let tried = 0; tried < 4; tried++) await wrong(link, await aHalfSession(stage, link));
    for (let session = 0; session < 3; session++)
      expect((await answer(stage, link, await aHalfSession(stage, link), { cpf: CPF })).status).toBe(200);
    expect(await wrong(link, await aHalfSession(stage, link))).toContain("no tries are left");
  });

  test("each session passes by itself, and once", async () => {
    const { link } = await aSent(stage, [withCpf]);
    const [one, other] = [await aHalfSession(stage, link), await aHalfSession(stage, link)];
    expect((await answer(stage, link, one, { cpf: CPF })).status).toBe(200);
    expectError(await act(stage, link, "POST", "/view", { session: other }), 403, "factor_required");
    expect((await act(stage, link, "POST", "/view", { session: one })).status).toBe(204);
    // Whatever is answered now: nothing is compared any more.
    expect((await answer(stage, link, one, {})).body).toEqual({ next: null });
    expect(await factorsOf(stage, link)).toHaveLength(1);
  });

  test.each([[{}], [{ cpf: "529.982.247-26" }], [{ cpf: "x" }], [{ cpf: null }]])(
    "422 without a try: what is no CPF: %j",
    async (body) => {
      const { link } = await aSent(stage, [withCpf]);
      expectError(await answer(stage, link, await aHalfSession(stage, link), body), 422, "invalid_request", ["cpf"]);
      expect(await factorsOf(stage, link)).toEqual([]);
    },
  );

  test("409 for a participant whose code, or certificate, is enough", async () => {
    const { link } = await aSent(stage);
    expectError(await answer(stage, link, await aHalfSession(stage, link), { cpf: CPF }), 409, "conflict");
    const { link: observer } = await aSent(stage, [{}, { ...withCpf, role: "observador" }]).then(({ links }) => ({
      link: links[1] as Link,
    }));
    expect((await act(stage, observer, "GET")).body.steps).toEqual(["code", "cpf"]);
  });

  test("50 answers at once: five are compared", async () => {
    const { link, id } = await aSent(stage, [withCpf]);
    const session = await aHalfSession(stage, link);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => answer(stage, link, session, { cpf: OTHER_CPF })),
    );
    const codes = answers.map(({ body }) => body.detail.code as string);
    expect(codes.filter((code) => code === "wrong_answer")).toHaveLength(5);
    expect(codes.filter((code) => !["wrong_answer", "link_locked", "conflict"].includes(code))).toEqual([]);
    expect(await isLocked(stage, link)).toBe(true);
    const events = await eventsOf(stage, id);
    expect(events.filter(({ action }) => action === "envelope.factor_refused")).toHaveLength(5);
  });

  test("50 right answers at once pass once and cost no try", async () => {
    const { link } = await aSent(stage, [withCpf]);
    const session = await aHalfSession(stage, link);
    const answers = await Promise.all(Array.from({ length: 50 }, () => answer(stage, link, session, { cpf: CPF })));
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect((await factorsOf(stage, link)).filter(({ passed }) => passed)).toHaveLength(1);
    expect(await isLocked(stage, link)).toBe(false);
    expect((await act(stage, link, "POST", "/view", { session })).status).toBe(204);
    expect(await wrong(link, await aHalfSession(stage, link))).toContain("4 tries are left");
  });

  test("a try whose process died counts, and locks the link as the last one", async () => {
    const { link } = await aSent(stage, [withCpf]);
    const session = await aHalfSession(stage, link);
    for (let tried = 0; tried < 4; tried++) await wrong(link, session);
    await inContext(
      stage,
      `insert into signature.factors (tenant_id, environment, envelope_id, participant_id, link_version, session_id, method, tried_at)
       select tenant_id, environment, envelope_id, id, link_version, gen_random_uuid(), 'cpf', now() from signature.participants where id = $1`,
      [link.participantId],
    );
    // It may be under way.
    expectError(await answer(stage, link, session, { cpf: CPF }), 409, "conflict");
    await inContext(
      stage,
      "update signature.factors set tried_at = tried_at - interval '1 minute' where participant_id = $1 and answered_at is null",
      [link.participantId],
    );
    expectError(await answer(stage, link, session, { cpf: CPF }), 403, "link_locked");
    expect((await aReminded(stage, link)).secret).not.toBe(link.secret);
  });

  test("a draft from before has no digest: the CPF is given anew", async () => {
    const { id } = (await ask(stage, "POST", "/envelopes", { title: "Contract" })).body;
    const { body: participant } = await ask(stage, "POST", `/envelopes/${id}/participants`, {
      name: "Maria",
      email: "maria@example.com",
      ...withCpf,
    });
    await inContext(stage, "update signature.participants set cpf_digest = null where id = $1", [participant.id]);
    await inContext(
      stage,
      "select platform.record_audit_event('envelope.changed', 'envelope', $1, signature.envelope_state($1))",
      [id],
    );
    const field = `participants.${participant.id}.cpf`;
    const fields = async () =>
      (await ask(stage, "POST", `/envelopes/${id}/send`)).body.fields.map((each: { field: string }) => each.field);
    expect(await fields()).toContain(field);
    await ask(stage, "PATCH", `/envelopes/${id}/participants/${participant.id}`, { cpf: CPF });
    expect(await fields()).not.toContain(field);
    // Null removes the digest as well.
    await ask(stage, "PATCH", `/envelopes/${id}/participants/${participant.id}`, { auth_method: "email", cpf: null });
    const [row] = await inContext<{ cpf_digest: Buffer | null }>(
      stage,
      "select cpf_digest from signature.participants where id = $1",
      [participant.id],
    );
    expect(row?.cpf_digest).toBeNull();
  });

  test("a CPF that was changed in the draft passes, and the one before does not", async () => {
    const { link } = await aSent(stage, [{ ...withCpf, cpf: OTHER_CPF }], {}, async (id, [participant]) => {
      await ask(stage, "PATCH", `/envelopes/${id}/participants/${participant}`, { cpf: CPF });
    });
    const session = await aHalfSession(stage, link);
    await wrong(link, session);
    expect((await answer(stage, link, session, { cpf: CPF })).body).toEqual({ next: null });
  });

  test("no row, no key of a repetition and no mail keeps what was typed", async () => {
    const { link } = await aSent(stage, [withCpf]);
    const session = await aHalfSession(stage, link);
    const key = randomUUID();
    await act(stage, link, "POST", "/factor", { session, body: { cpf: OTHER_CPF }, key });
    const { rows } = await selo.database.admin.query(
      "select count(*)::int as kept from platform.idempotency_keys where key = $1",
      [key],
    );
    expect(rows[0].kept).toBe(0);
    const { rows: columns } = await selo.database.admin.query<{ schema: string; name: string }>(
      "select table_schema as schema, table_name as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('signature', 'platform', 'webhooks')",
    );
    for (const { schema, name } of columns) {
      const found = await selo.database.admin.query(
        `select count(*)::int as found from ${schema}.${name} as kept where kept::text ~ '11144477735|111\\.444\\.777'`,
      );
      expect([name, found.rows[0].found]).toEqual([name, 0]);
    }
  });
});

describe("a stolen database login of the gateway", () => {
  async function stolen(link: Link, command: string, given: object) {
    const thief = new pg.Client({ connectionString: selo.database.appUrl });
    await thief.connect();
    try {
      const { rows } = await thief.query(
        "select body::json from gateway.call(sha256(convert_to($1, 'UTF8')), $2, $3)",
        [link.secret, command, JSON.stringify({ participant_id: link.participantId, ...given })],
      );
      return { body: rows[0].body };
    } catch (error) {
      return { code: (error as pg.DatabaseError).code ?? "none" };
    } finally {
      await thief.end();
    }
  }

  test("passes no second factor: SQL compares a digest that only the data key makes", async () => {
    const { link } = await aSent(stage, [withCpf]);
    const session = await aHalfSession(stage, link);
    const session_sha256 = digestOf(session);
    const counted = await stolen(link, "count_factor_try", { session_sha256 });
    expect(counted.body).toMatchObject({ tries_left: 4 });
    const { factor_id } = counted.body;
    for (const digest of ["00".repeat(32), digestOf("52998224725"), null])
      expect(await stolen(link, "pass_factor", { session_sha256, factor_id, digest })).toEqual({ code: "PT422" });
    // Nor is a try of the CPF given back: nobody but a provider can fail.
    expect((await stolen(link, "refuse_factor", { factor_id, gives_back: true })).body).toBeNull();
    expectError(await act(stage, link, "POST", "/view", { session }), 403, "factor_required");
  });
});

const withKba = { auth_method: "kba", cpf: CPF } as const;
const withMatch = { auth_method: "identity_match", ssn_last4: "6789" } as const;
const questionsOf = (link: Link, session: string) => act(stage, link, "GET", "/factor", { session });
const answersTo = (questions: readonly { id: string; choices: string[] }[], at: number) =>
  Object.fromEntries(questions.map(({ id, choices }) => [id, choices.at(at)]));

describe("kba", () => {
  test("from send to the record: questions of the provider, whose reference the evidence names", async () => {
    const { id, link } = await aSent(stage, [withKba]);
    const opened = await act(stage, link, "POST", "/session", { body: { code: await aCode(stage, link) } });
    expect(opened.body.next).toBe("kba");
    const session: string = opened.body.token;
    // Answers come after questions.
    expectError(await answer(stage, link, session, { answers: { street: "Rua D" } }), 409, "conflict");
    const asked = await questionsOf(link, session);
    expect(asked.body).toMatchObject({ next: "kba", tries_left: 2 });
    // The same try, however often they are read.
    expect((await questionsOf(link, session)).body).toEqual(asked.body);
    expect(await factorsOf(stage, link)).toHaveLength(1);
    expectError(await answer(stage, link, session, {}), 422, "invalid_request", ["answers"]);
    const answers = answersTo(asked.body.questions, -1);
    expect((await answer(stage, link, session, { answers })).body).toEqual({ next: null });
    expect((await questionsOf(link, session)).body).toMatchObject({ next: null, questions: null });
    expect((await complete(stage, link, { session })).status).toBe(200);
    const [factor] = await factorsOf(stage, link);
    const { records } = await evidenceOf(stage, id);
    expect(records[0].evidence.authentication[1]).toEqual({
      method: "kba",
      at: expect.any(String),
      reference: factor?.reference,
    });
    expect(factor?.reference).toMatch(/^selo-test-provider:/);
    await verifyAll(selo.operator);
  });

  test("two rounds, then the link is locked until a reminder", async () => {
    const { link } = await aSent(stage, [withKba]);
    const session = await aHalfSession(stage, link);
    for (const left of [1, 0]) {
      const { body } = await questionsOf(link, session);
      expect(body.tries_left).toBe(left + 1);
      const refused = await answer(stage, link, session, { answers: answersTo(body.questions, 0) });
      expectError(refused, 422, "wrong_answer", ["answers"]);
    }
    expect(await isLocked(stage, link)).toBe(true);
    expectError(await questionsOf(link, session), 403, "link_locked");
    const again = await aReminded(stage, link);
    expect((await questionsOf(again, await aHalfSession(stage, again))).body.tries_left).toBe(2);
  });

  test("50 answers to a round at once: one is judged", async () => {
    const { link } = await aSent(stage, [withKba]);
    const session = await aHalfSession(stage, link);
    const { body } = await questionsOf(link, session);
    const answers = answersTo(body.questions, 0);
    const all = await Promise.all(Array.from({ length: 50 }, () => answer(stage, link, session, { answers })));
    const codes = all.map(({ body: { detail } }) => detail.code as string);
    expect(codes.filter((code) => code === "wrong_answer")).toHaveLength(1);
    expect(codes.filter((code) => !["wrong_answer", "conflict"].includes(code))).toEqual([]);
    expect(await isLocked(stage, link)).toBe(false);
  });
});

describe("identity_match", () => {
  test("from send to the record: one comparison", async () => {
    const { id, link } = await aSent(stage, [withMatch]);
    const session = await aHalfSession(stage, link);
    expect((await questionsOf(link, session)).body).toEqual({ next: "identity_match", tries_left: 1, questions: null });
    expect((await answer(stage, link, session, {})).body).toEqual({ next: null });
    expect((await complete(stage, link, { session })).status).toBe(200);
    const { records } = await evidenceOf(stage, id);
    expect(records[0].evidence.authentication[1]).toMatchObject({
      method: "identity_match",
      reference: expect.stringMatching(/^selo-test-provider:/),
    });
  });

  test("no match locks the link at once", async () => {
    const { link } = await aSent(stage, [{ ...withMatch, name: "Maria Mismatch" }]);
    const session = await aHalfSession(stage, link);
    const refused = await answer(stage, link, session, {});
    expectError(refused, 422, "wrong_answer");
    expect(refused.body.detail.message).toContain("no tries are left");
    expect(await isLocked(stage, link)).toBe(true);
    expectError(await answer(stage, link, session, {}), 403, "link_locked");
    const again = await aReminded(stage, link);
    expectError(await answer(stage, again, await aHalfSession(stage, again), {}), 422, "wrong_answer");
  });

  test("a stolen database login passes none: a provider's word needs the data key", async () => {
    const { link } = await aSent(stage, [withMatch]);
    const session_sha256 = digestOf(await aHalfSession(stage, link));
    const thief = new pg.Client({ connectionString: selo.database.appUrl });
    await thief.connect();
    const call = async (command: string, given: object) =>
      thief
        .query("select body::json as body from gateway.call(sha256(convert_to($1, 'UTF8')), $2, $3)", [
          link.secret,
          command,
          JSON.stringify({ participant_id: link.participantId, ...given }),
        ])
        .then(({ rows }) => rows[0].body);
    try {
      const { factor_id } = await call("count_factor_try", { session_sha256 });
      const given = { session_sha256, factor_id, digest: digestOf("6789"), reference: "r" };
      await expect(call("pass_factor", given)).rejects.toMatchObject({ code: "PT422" });
    } finally {
      await thief.end();
    }
  });
});
