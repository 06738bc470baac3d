// What participants do: signature-service §2 Participant and Field, §3, and issue "Signature I" §4.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { graphql } from "../../support/graphql-client.ts";
import { expectError } from "../../support/rest-client.ts";
import {
  aSession,
  CONSENT,
  complete,
  DRAWN,
  decline,
  evidenceOf,
  type Member,
  sentWith,
  TYPED,
} from "./completion-stage.ts";
import { CPF, type EnvelopeStage, read } from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { chain } from "./sending-stage.ts";
import { act } from "./signing-stage.ts";

setUpStage();

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** The openings that the database keeps of a participant's record. */
async function openingsOf(participantId: string): Promise<Readonly<Record<string, { salt: string; value: string }>>> {
  const { rows } = await selo.database.admin.query(
    "select openings from signature.signature_records where participant_id = $1",
    [participantId],
  );
  return rows[0].openings;
}

describe("POST /signing/{participant_id}/complete", () => {
  test("finishes, and answers the same when repeated", async () => {
    const { id, links } = await sentWith(stage, [{}, {}], { signing_order: "sequential" });
    const [link] = links;
    const session = await aSession(stage, link);
    const { status, body } = await complete(stage, link, { session });
    expect([status, body]).toEqual([
      200,
      { status: "completed", completed_at: expect.stringMatching(/^\d{4}-.*Z$/), consent_version: CONSENT },
    ]);
    // As in a second tab, which was opened after the text had changed.
    const again = { session, signature: DRAWN, consent_version: "intl-2099-01" };
    expect((await complete(stage, link, again)).body).toEqual(body);
    expect(await read(stage, id)).toMatchObject({
      status: "partially_signed",
      sealing_since: null,
      participants: [{ status: "completed", completed_at: body.completed_at }, { status: "invited" }],
    });
    expect(await chain(stage, id)).toEqual(
      expect.arrayContaining(["envelope.participant_signed", "envelope.participant_invited"]),
    );
    expect((await chain(stage, id)).filter((action) => action === "envelope.participant_signed")).toHaveLength(1);
    expectError(await decline(stage, link, undefined, session), 409, "conflict");
  });

  test("twice at once records once", async () => {
    const { id, links } = await sentWith(stage);
    const session = await aSession(stage, links[0]);
    const answers = await Promise.all([1, 2, 3].map(() => complete(stage, links[0], { session })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect((await evidenceOf(stage, id)).records).toHaveLength(1);
  });

  test("needs a session of the participant", async () => {
    const { links } = await sentWith(stage, [{}, {}]);
    const other = await aSession(stage, links[1] ?? links[0]);
    for (const session of ["x", other, "A".repeat(43)])
      expectError(await complete(stage, links[0], { session }), 401, "session_expired");
    const body = { consent_version: CONSENT, signature: TYPED };
    expectError(await act(stage, links[0], "POST", "/complete", { body }), 401, "session_expired");
  });

  test("out of turn is 409 not_your_turn", async () => {
    const { links } = await sentWith(stage, [{}, {}], { signing_order: "sequential" });
    await stage.selo.database.admin.query("update signature.participants set link_version = 1 where id = $1", [
      links[1]?.participantId,
    ]);
    expectError(await complete(stage, links[1] ?? links[0]), 409, "not_your_turn");
  });

  test("past the deadline is 409 conflict", async () => {
    const { id, links } = await sentWith(stage);
    await selo.database.admin.query("update signature.envelopes set expires_at = now() where id = $1", [id]);
    expectError(await complete(stage, links[0]), 409, "conflict");
    expectError(await decline(stage, links[0]), 409, "conflict");
  });

  test.each([
    ["signatario", "signed", TYPED],
    ["aprovador", "approved", undefined],
    ["testemunha", "witnessed", undefined],
  ])("a %s has %s", async (role, action, signature) => {
    const members = [{ body: { role } }, { body: { role: "signatario" } }];
    const { id, links } = await sentWith(stage, members);
    const [link] = links;
    const wrong = signature === undefined ? TYPED : null;
    expectError(await complete(stage, link, { signature: wrong }), 422, "invalid_request", ["signature"]);
    expect((await complete(stage, link, { signature: signature ?? null })).status).toBe(200);
    const [record] = (await evidenceOf(stage, id)).records;
    expect(record.evidence).toMatchObject({ kind: "signature_record", role, action });
    expect(record.evidence.signature_sha256).toEqual(signature === undefined ? null : expect.any(String));
  });

  test("an observador has nothing to complete or to decline: 409 conflict", async () => {
    const { links } = await sentWith(stage, [{ body: { role: "observador" } }, {}]);
    expectError(await complete(stage, links[0], { signature: null }), 409, "conflict");
    expectError(await decline(stage, links[0]), 409, "conflict");
  });

  test("consent_version must be the text that is shown now", async () => {
    const { links } = await sentWith(stage, [{}], { jurisdiction: "us" });
    for (const consent_version of ["intl-2026-12", "us-2026-11"])
      expectError(await complete(stage, links[0], { consent_version }), 422, "invalid_request", ["consent_version"]);
    expect((await complete(stage, links[0], { consent_version: "us-2026-12" })).status).toBe(200);
  });

  const line = (points: number) => Array.from({ length: points }, () => [0.123456, 0.654321]);
  test.each<[string, unknown, number]>([
    ["a typed name of 255 characters", { kind: "typed", text: "ã".repeat(255) }, 200],
    ["a typed name of 256 characters", { kind: "typed", text: "ã".repeat(256) }, 422],
    ["an empty name", { kind: "typed", text: "" }, 422],
    ["a blank name", { kind: "typed", text: "  " }, 422],
    [
      "paths nested 2,000 levels deep",
      { kind: "drawn", ratio: 0.5, paths: JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`) },
      422,
    ],
    ["a name that nobody sees", { kind: "typed", text: "\u00a0\u200b\u202e\u3164" }, 422],
    ["a name in another script", { kind: "typed", text: "李明" }, 200],
    ["a name with a line break", { kind: "typed", text: "Maria\nSouza" }, 422],
    ["a name that is no text", { kind: "typed", text: 1 }, 422],
    ["a typed name with a drawing", { ...DRAWN, kind: "typed", text: "Maria" }, 422],
    ["another kind", { kind: "stamped", text: "Maria" }, 422],
    ["no kind", { text: "Maria" }, 422],
    ["a text", "Maria", 422],
    ["a drawing", DRAWN, 200],
    ["a drawing of 1 by 1", { ...DRAWN, ratio: 1 }, 200],
    ["a ratio of 0", { ...DRAWN, ratio: 0 }, 422],
    ["a ratio over 1", { ...DRAWN, ratio: 1.01 }, 422],
    ["no ratio", { kind: "drawn", paths: DRAWN.paths }, 422],
    ["no paths", { kind: "drawn", ratio: 0.5 }, 422],
    ["an empty drawing", { ...DRAWN, paths: [] }, 422],
    ["points alone", { ...DRAWN, paths: [[[0, 0]], [[1, 1]]] }, 422],
    ["an empty path", { ...DRAWN, paths: [...DRAWN.paths, []] }, 422],
    ["a point outside", { ...DRAWN, paths: [line(2), [[0, 1.0001]]] }, 422],
    ["a point below 0", { ...DRAWN, paths: [line(2), [[-0.1, 0]]] }, 422],
    ["a point of three numbers", { ...DRAWN, paths: [line(2), [[0, 0, 0]]] }, 422],
    ["a point of texts", { ...DRAWN, paths: [line(2), [["0", "0"]]] }, 422],
    ["a path that is no list", { ...DRAWN, paths: [line(2), { x: 1 }] }, 422],
    ["a point that is no list", { ...DRAWN, paths: [line(2), [1, 2]] }, 422],
    ["64 KiB", { kind: "drawn", ratio: 0.5, paths: [line(3_274)] }, 200],
    ["over 64 KiB", { kind: "drawn", ratio: 0.5, paths: [line(3_275)] }, 422],
  ])("a signature of %s", async (_, signature, status) => {
    const { links } = await sentWith(stage);
    const answer = await complete(stage, links[0], { signature });
    if (status === 200) expect(answer.status).toBe(200);
    else expectError(answer, 422, "invalid_request", ["signature"]);
  });

  test("a drawing is committed to in millionths, as another program would write it", async () => {
    const { id, links } = await sentWith(stage);
    await complete(stage, links[0], { signature: DRAWN });
    const { signature } = await openingsOf(links[0].participantId);
    expect(signature?.value).toBe(
      '{"kind":"drawn","paths":[[[100000,250000],[333333,1000000]],[[0,0]]],"ratio":400000,"unit":"millionth"}',
    );
    const [record] = (await evidenceOf(stage, id)).records;
    expect(record.evidence.signature_sha256).toBe(
      sha256(Buffer.from(signature?.salt ?? "", "hex"), signature?.value ?? ""),
    );
  });
});

/** Completes with a value of one field; the answer, and what the field then has. */
async function filled(field: Member["fields"], values: object, more: object = {}) {
  const { id, links, fields } = await sentWith(stage, [{ ...more, ...(field === undefined ? {} : { fields: field }) }]);
  const ids = fields[0] ?? [];
  const named = Object.fromEntries(
    Object.entries(values).map(([place, value]) => [ids[Number(place)] ?? place, value]),
  );
  const answer = await complete(stage, links[0], { values: named });
  const kept = (await read(stage, id)) as { fields: { id: string; value?: unknown }[] };
  return {
    answer,
    ids,
    id,
    link: links[0],
    valueAt: (place: number) => kept.fields.find((one) => one.id === ids[place])?.value,
  };
}

describe("values", () => {
  const values: [string, object, unknown, unknown][] = [
    ["texto", { type: "texto" }, "Rua A, 1", "Rua A, 1"],
    ["cargo", { type: "cargo" }, "Diretora", "Diretora"],
    ["empresa", { type: "empresa" }, "Açaí & Filhos", "Açaí & Filhos"],
    ["texto of 1,000 characters", { type: "texto", width: 0.8, height: 0.5 }, "😀".repeat(1_000), "😀".repeat(1_000)],
    ["texto that is not required", { type: "texto", required: false }, undefined, null],
    ["empty texto that is not required", { type: "texto", required: false }, "", null],
    ["numero", { type: "numero" }, "-1234.50", "-1234.50"],
    ["checkbox", { type: "checkbox" }, true, true],
    ["checkbox that is not ticked, nor required", { type: "checkbox", required: false }, false, false],
    ["checkbox that is not required", { type: "checkbox", required: false }, undefined, false],
  ];
  test.each(values)("a %s is kept", async (_, field, value, kept) => {
    const { answer, valueAt } = await filled([field as never], value === undefined ? {} : { 0: value });
    expect(answer.text).toContain('"completed"');
    expect(valueAt(0)).toEqual(kept);
  });

  test.each<[string, object, unknown]>([
    ["texto that is missing", { type: "texto" }, undefined],
    ["texto that is null", { type: "texto" }, null],
    ["texto that is blank", { type: "texto" }, " "],
    ["texto of 1,001 characters", { type: "texto" }, "x".repeat(1_001)],
    ["cargo of 1,001 characters", { type: "cargo" }, "x".repeat(1_001)],
    ["empresa with a line break", { type: "empresa" }, "a\r\nb"],
    ["texto that is a boolean", { type: "texto" }, true],
    ["numero with a comma", { type: "numero" }, "1,5"],
    ["numero with an exponent", { type: "numero" }, "1e5"],
    ["numero that is a number", { type: "numero" }, 5],
    ["checkbox that is missing", { type: "checkbox" }, undefined],
    ["checkbox that is not ticked", { type: "checkbox" }, false],
    ["checkbox that is a text", { type: "checkbox" }, "true"],
    ["nome, which the server fills in", { type: "nome" }, "Somebody"],
    ["data, which the server fills in", { type: "data" }, "2020-01-01"],
    ["assinatura, which takes the signature", { type: "assinatura" }, "x"],
  ])("a %s is 422", async (_, field, value) => {
    const { answer, ids } = await filled([field as never], value === undefined ? {} : { 0: value });
    expectError(answer, 422, "invalid_request", [`values.${ids[0]}`]);
  });

  test("of an unknown field or of another participant's are 422", async () => {
    const texto = [{ type: "texto", required: false }];
    const { links, fields } = await sentWith(stage, [{ fields: texto }, { fields: texto }]);
    const unknown = "0197a0c0-0000-7000-8000-000000000000";
    for (const field of [fields[1]?.[0] ?? "", unknown, "x"])
      expectError(await complete(stage, links[0], { values: { [field]: "a" } }), 422, "invalid_request", [
        `values.${field}`,
      ]);
  });

  test("of a field named __proto__ are 422", async () => {
    const { links } = await sentWith(stage, [{ fields: [{ type: "texto", required: false }] }]);
    const values = JSON.parse('{"__proto__": "a"}');
    expectError(await complete(stage, links[0], { values }), 422, "invalid_request", ["values.__proto__"]);
  });

  test("of a texto take what can be read in the field: 422 says how much that is", async () => {
    const low = { type: "texto", width: 0.2, height: 0.01 };
    const { links, fields } = await sentWith(stage, [{ fields: [low, { ...low, type: "cargo" }] }]);
    const [texto = "", cargo = ""] = fields[0] ?? [];
    const text = "Rua das Flores, 12, apto. 3, Curitiba, Paraná";
    const complete422 = await complete(stage, links[0], { values: { [texto]: text, [cargo]: text } });
    expectError(complete422, 422, "invalid_request", [`values.${texto}`]);
    const [, most] =
      /^must have at most (\d+) characters: no more of this text can be read in the field$/.exec(
        complete422.body.fields[0].message,
      ) ?? [];
    expect(Number(most)).toBeGreaterThan(20);
    const values = { [texto]: text.slice(0, Number(most)), [cargo]: text };
    expect((await complete(stage, links[0], { values })).status).toBe(200);
  });

  test("of hidden fields are dropped, and hidden fields need none", async () => {
    const tree = [
      { type: "checkbox" },
      { type: "texto", condition_field_id: 0, condition_trigger: "checked" },
      { type: "checkbox", condition_field_id: 0, condition_trigger: "checked" },
      { type: "texto", condition_field_id: 2, condition_trigger: "unchecked" },
      { type: "texto", condition_field_id: 0, condition_trigger: "unchecked" },
    ];
    const off = await filled(tree, { 0: false, 1: "dropped", 3: "dropped", 4: "shown" });
    expect(off.answer.status).toBe(200);
    expect([0, 1, 2, 3, 4].map(off.valueAt)).toEqual([false, null, null, null, "shown"]);
    const on = await filled(tree, { 0: true, 1: "shown", 2: false, 3: "shown", 4: "dropped" });
    expect([0, 1, 2, 3, 4].map(on.valueAt)).toEqual([true, "shown", false, "shown", null]);
    const missing = await filled(tree, { 0: true, 2: false });
    expectError(missing.answer, 422, "invalid_request", [`values.${missing.ids[1]}`, `values.${missing.ids[3]}`]);
    expect(
      Object.keys(await openingsOf(off.link.participantId))
        .filter((name) => name.startsWith("values."))
        .sort(),
    ).toEqual(expect.arrayContaining([`values.${off.ids[0]}`, `values.${off.ids[4]}`]));
    expect(JSON.stringify(await openingsOf(off.link.participantId))).not.toContain("dropped");
  });

  test("nome, data, assinatura and rubrica are filled in by the server", async () => {
    const own = await selo.newOrganization({ timeZone: "Pacific/Kiritimati" });
    const far: EnvelopeStage = { selo, tenantId: own.id, token: own.test, environment: "test" };
    const { id, links, fields } = await sentWith(far, [
      { fields: [{ type: "nome" }, { type: "data" }, { type: "assinatura" }, { type: "rubrica" }] },
    ]);
    const { body } = await complete(far, links[0]);
    const kept = (await read(far, id)).fields as { id: string; value: unknown }[];
    const day = new Date(Date.parse(body.completed_at) + 14 * 3_600_000).toISOString().slice(0, 10);
    expect(fields[0]?.map((one) => kept.find((field) => field.id === one)?.value)).toEqual([
      "Maria Souza",
      day,
      TYPED.text,
      TYPED.text,
    ]);
  });

  test("a cpf is that of the participant, masked", async () => {
    const { answer, valueAt } = await filled([{ type: "cpf" }], {}, { body: { cpf: CPF } });
    expect(answer.status).toBe(200);
    expect(valueAt(0)).toBe("***.982.247-**");
  });

  test("a cpf that is not known is asked for, checked and encrypted", async () => {
    const { id, links, fields } = await sentWith(stage, [{ fields: [{ type: "cpf" }] }]);
    expectError(await complete(stage, links[0]), 422, "invalid_request", ["cpf"]);
    expectError(await complete(stage, links[0], { cpf: "529.982.247-26" }), 422, "invalid_request", ["cpf"]);
    expect((await complete(stage, links[0], { cpf: CPF })).status).toBe(200);
    const envelope = await read(stage, id);
    expect(envelope.participants[0].cpf).toBe("***.982.247-**");
    expect(envelope.fields.find((field: { id: string }) => field.id === fields[0]?.[0]).value).toBe("***.982.247-**");
    const { rows } = await selo.database.admin.query(
      "select enciphered_cpf from signature.participants where id = $1",
      [links[0].participantId],
    );
    expect(rows[0].enciphered_cpf).toBeInstanceOf(Buffer);
    // Salts and ids are random, and may have any digits.
    const openings = JSON.stringify(await openingsOf(links[0].participantId)).replaceAll(/[0-9a-f-]{32,}/g, "");
    expect(openings).toContain("Maria");
    expect(openings).not.toMatch(/529\.?982/);
  });

  test("a cpf that nobody asks for, or that is known, is 422", async () => {
    const without = await sentWith(stage);
    expectError(await complete(stage, without.links[0], { cpf: CPF }), 422, "invalid_request", ["cpf"]);
    const known = await sentWith(stage, [{ body: { cpf: CPF }, fields: [{ type: "cpf" }] }]);
    expectError(await complete(stage, known.links[0], { cpf: CPF }), 422, "invalid_request", ["cpf"]);
  });

  test("evidence and chain have names, addresses, browsers and values as salted commitments only", async () => {
    const { id, links, fields } = await sentWith(stage, [{ fields: [{ type: "texto" }] }]);
    const field = fields[0]?.[0] ?? "";
    const session = await aSession(stage, links[0]);
    await act(stage, links[0], "POST", "/complete", {
      session,
      headers: { "user-agent": "Browser of Maria" },
      body: { consent_version: CONSENT, signature: TYPED, values: { [field]: "a typed value" } },
    });
    const [record] = (await evidenceOf(stage, id)).records;
    const openings = await openingsOf(links[0].participantId);
    expect(Object.fromEntries(Object.entries(openings).map(([name, { value }]) => [name, value]))).toMatchObject({
      name: "Maria Souza",
      email: "p0@example.com",
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      agent: "Browser of Maria",
      signature: '{"kind":"typed","text":"Maria Souza"}',
      [`values.${field}`]: "a typed value",
    });
    for (const [name, { salt, value }] of Object.entries(openings)) {
      const commitment = name === "signature" ? record.evidence.signature_sha256 : record.evidence.commitments[name];
      expect(commitment, name).toBe(sha256(Buffer.from(salt, "hex"), value));
    }
    expect(Object.keys(record.evidence.commitments)).toHaveLength(Object.keys(openings).length - 1);
    const { rows } = await selo.database.admin.query<{ text: string }>(
      `select string_agg(details || commitments, '') as text from platform.audit_events where subject_id = $1`,
      [id],
    );
    for (const secret of ["Maria", "p0@example.com", "a typed value", "Browser of"]) {
      expect(JSON.stringify(record)).not.toContain(secret);
      expect(rows[0]?.text).not.toContain(secret);
    }
  });
});

describe("POST /signing/{participant_id}/decline", () => {
  test("ends the envelope, keeps the reason, and answers the same when repeated", async () => {
    const { id, links } = await sentWith(stage, [{ body: { role: "aprovador" } }, {}]);
    const session = await aSession(stage, links[0]);
    const reason = "The rent is wrong.\nPlease call.";
    const { status, body } = await decline(stage, links[0], { reason }, session);
    expect([status, body]).toEqual([200, { status: "declined", completed_at: null, consent_version: null }]);
    expect((await decline(stage, links[0], { reason: "Another" }, session)).body).toEqual(body);
    expect(await read(stage, id)).toMatchObject({
      status: "declined",
      participants: [{ status: "declined", decline_reason: reason }, { decline_reason: null }],
    });
    expect((await chain(stage, id)).slice(-2)).toEqual(["envelope.participant_declined", "envelope.declined"]);
    const { rows } = await selo.database.admin.query(
      "select decline_reason from signature.participants where id = $1",
      [links[0].participantId],
    );
    expect(rows).toEqual([{ decline_reason: reason }]);
    const { data } = await graphql(
      selo,
      stage.token,
      `{ envelope(id: "${id}") { templateId participants { nodes { declineReason } } } }`,
    );
    expect(data).toEqual({
      envelope: { templateId: null, participants: { nodes: [{ declineReason: reason }, { declineReason: null }] } },
    });
    expectError(await complete(stage, links[1] ?? links[0]), 409, "conflict");
    expectError(await complete(stage, links[0], { signature: null }), 409, "conflict");
  });

  test("by a testemunha and by a signatario ends the envelope, too", async () => {
    for (const role of ["testemunha", "signatario"]) {
      const { id, links } = await sentWith(stage, [{ body: { role } }, {}]);
      expect((await decline(stage, links[0])).status).toBe(200);
      expect((await read(stage, id)).status).toBe("declined");
    }
  });

  test.each([
    ["1 character", "a", 200],
    ["1,000 characters", "ã".repeat(1_000), 200],
    ["no character", "", 422],
    ["1,001 characters", "ã".repeat(1_001), 422],
    ["blanks", " \n", 422],
    ["a control character", "a\u0007", 422],
  ])("a reason of %s", async (_, reason, status) => {
    const { links } = await sentWith(stage);
    const answer = await decline(stage, links[0], { reason });
    if (status === 200) expect(answer.status).toBe(200);
    else expectError(answer, 422, "invalid_request", ["reason"]);
  });
});
