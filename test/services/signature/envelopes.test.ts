// Envelopes in draft over REST: signature-service §2 (Envelope), §4 (create-envelope parameters), §8.
import { beforeAll, describe, expect, test } from "vitest";
import {
  anEnvelope,
  aParticipant,
  aSendable,
  ask,
  CPF,
  type EnvelopeStage,
  openStage,
  read,
  withFields,
} from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";

setUpStage();

const fieldsOf = (body: { readonly fields?: readonly { readonly field: string }[] }) =>
  body.fields?.map(({ field }) => field);

describe("POST /envelopes answers the envelope in draft", () => {
  test("every member is there, with its default", async () => {
    const { status, body } = await ask(stage, "POST", "/envelopes", { title: "Contract" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: "Contract",
      message: null,
      status: "draft",
      signing_order: "parallel",
      allow_delegation: false,
      language: null,
      jurisdiction: "intl",
      expires_at: null,
      sent_at: null,
      completed_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      field_placement: "report",
      expires_in_days: 30,
      remind_every_days: null,
      external_id: null,
      erased_at: null,
      template_id: null,
      sealing_since: null,
      cancel_reason: null,
      failure_reason: null,
      verification_code: null,
      verify_url: null,
      documents: [],
      participants: [],
      fields: [],
      labels: [],
    });
  });

  test("every parameter is kept", async () => {
    const given = {
      title: "Aluguel",
      signing_order: "mixed",
      allow_delegation: true,
      message: "Linha 1\nLinha 2",
      expires_in_days: 365,
      language: "pt-BR",
      jurisdiction: "br",
      field_placement: "fields",
      external_id: "pedido-7",
    };
    expect(await anEnvelope(stage, given)).toMatchObject(given);
  });

  test("jurisdiction: the default is the tenant's jurisdiction", async () => {
    const other = await openStage(selo);
    await selo.database.admin.query("update platform.organizations set jurisdiction = 'us' where id = $1", [
      other.tenantId,
    ]);
    expect(await anEnvelope(other)).toMatchObject({ jurisdiction: "us" });
  });

  test.each([
    ["title is required", {}, ["title"]],
    ["language is a language tag", { title: "a", language: "português" }, ["language"]],
    ["jurisdiction is br, us or intl", { title: "a", jurisdiction: "de" }, ["jurisdiction"]],
    ["expires_in_days is a whole number", { title: "a", expires_in_days: 1.5 }, ["expires_in_days"]],
    ["a title has no line break", { title: "a\r\nBcc: x@example.com" }, ["title"]],
    ["an external_id has no control character", { title: "a", external_id: "a\u0085b" }, ["external_id"]],
    ["unknown members are refused", { title: "a", status: "sent" }, ["status"]],
  ])("422: %s", async (_, body, fields) => {
    const answer = await ask(stage, "POST", "/envelopes", body);
    expect({ status: answer.status, fields: fieldsOf(answer.body) }).toEqual({ status: 422, fields });
  });

  test.each(["<script>alert(1)</script>", "👩‍👩‍👧 Ünïcödé ' ; -- \"", "العقد"])(
    "a title stays as it was given: %s",
    async (title) => {
      const { id } = await anEnvelope(stage, { title });
      expect((await read(stage, id)).title).toBe(title);
    },
  );

  test("the same Idempotency-Key makes one envelope", async () => {
    const answers = await Promise.all(
      [1, 2].map(() =>
        fetch(`${selo.baseUrl}/api/v1/envelopes`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${stage.token}`,
            "content-type": "application/json",
            "idempotency-key": "one",
          },
          body: JSON.stringify({ title: "once" }),
        }).then(async (answer) => (await answer.json()) as { id: string }),
      ),
    );
    expect(answers[0]?.id).toBe(answers[1]?.id);
  });
});

describe("GET /envelopes/{id}", () => {
  test("returns it with its documents, participants and fields; CPF, SSN and phone are masked", async () => {
    const { id, documentId, participantId, place } = await withFields(stage);
    await ask(stage, "PATCH", `/envelopes/${id}/participants/${participantId}`, {
      cpf: CPF,
      ssn_last4: "6789",
      phone: "+5511987654321",
    });
    const field = (
      await ask(stage, "POST", `/envelopes/${id}/fields`, {
        ...place,
        page: 2,
        x: 0.5,
        y: 0.25,
        width: 0.5,
        height: 0.75,
      })
    ).body;
    const { body, text } = await ask(stage, "GET", `/envelopes/${id}`);
    expect(body.documents).toEqual([
      {
        document_id: documentId,
        filename: "contract.pdf",
        position: 1,
        status: "ready",
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        pages: 2,
        final_sha256: null,
      },
    ]);
    expect(body.participants).toEqual([
      {
        id: participantId,
        name: "Maria",
        email: "maria@example.com",
        role: "signatario",
        order_index: null,
        auth_method: "email",
        modality: "avancada",
        cpf: "***.982.247-**",
        ssn_last4: "***-**-**89",
        phone: "+55*********21",
        status: "pending",
        locked: false,
        invited_at: null,
        viewed_at: null,
        completed_at: null,
        invitation_failed: false,
        decline_reason: null,
        erased_at: null,
      },
    ]);
    expect(body.fields).toEqual([field]);
    // Ids, digests and times are random and may hold these digits.
    const words = text.replaceAll(/[0-9a-f-]{32,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");
    expect(words).not.toMatch(/529|987654|6789/);
  });

  test.each([
    ["unknown", () => "/envelopes/00000000-0000-4000-8000-000000000000", 404],
    ["no UUID", () => "/envelopes/1", 422],
  ])("%s", async (_, path, status) => {
    expect((await ask(stage, "GET", path())).status).toBe(status);
  });

  test("fields of the answer can be chosen, also the lists", async () => {
    const { id } = await aSendable(stage);
    const { body } = await ask(stage, "GET", `/envelopes/${id}?fields=status,participants`);
    expect(body).toEqual({ status: "ready", participants: [expect.objectContaining({ name: "Maria" })] });
  });
});

describe("GET /envelopes: most recent first", () => {
  let own: EnvelopeStage;
  const ids: string[] = [];
  const list = async (query = "") => {
    const { status, body } = await ask(own, "GET", `/envelopes${query}`);
    expect(status).toBe(200);
    return body;
  };
  const found = async (query: string) => (await list(query)).items.map(({ id }: { id: string }) => ids.indexOf(id));
  beforeAll(async () => {
    own = await openStage(selo);
    ids.push((await anEnvelope(own, { title: `Rental 50%_off ${"JOSÉ".normalize("NFD")}`, external_id: "A-1" })).id);
    ids.push((await anEnvelope(own, { title: "Purchase" })).id);
    ids.push((await aSendable(own, { title: "Order" })).id);
    await aParticipant(own, ids[1] ?? "", { name: "João Müller", email: "jm@example.org" });
  });

  test("a page has total, limit and offset, and items without lists", async () => {
    const { items, ...page } = await list();
    expect(page).toEqual({ next_cursor: null, total: 3, limit: 50, offset: 0 });
    expect(items.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual([2, 1, 0]);
    expect(Object.keys(items[0])).not.toContain("participants");
  });

  test.each([
    ["status=ready", [2]],
    ["status=draft", [1, 0]],
    ["status=sent", []],
    ["search=rental", [0]],
    ["search=a-1", [0]],
    ["search=50%25_", [0]],
    ["search=0%25o", []],
    ["search=m%C3%BCller", [1]],
    [`search=${encodeURIComponent("JOÃO".normalize("NFD"))}`, [1]],
    [`search=${encodeURIComponent("josé")}`, [0]],
    ["search=JM@example", [1]],
    ["search=maria", [2]],
    ["search=r&status=draft", [1, 0]],
    ["search=", [2, 1, 0]],
    ["search=nobody", []],
    ["from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z", []],
    ["from=2000-01-01T00:00:00Z", [2, 1, 0]],
    ["offset=1&limit=1", [1]],
  ])("%s", async (query, expected) => {
    expect(await found(`?${query}`)).toEqual(expected);
  });

  test("cursors reach every envelope once", async () => {
    const seen: number[] = [];
    let query = "?limit=2&search=r";
    for (;;) {
      const { items, next_cursor } = await list(query);
      seen.push(...items.map(({ id }: { id: string }) => ids.indexOf(id)));
      if (next_cursor === null) break;
      query = `?limit=2&search=r&cursor=${next_cursor}`;
    }
    expect(seen).toEqual([2, 1, 0]);
  });

  test("a status that does not exist is 422", async () => {
    expect((await ask(own, "GET", "/envelopes?status=open")).status).toBe(422);
  });
});

describe("PATCH /envelopes/{id} changes a draft", () => {
  test("given members change, absent ones stay, null removes", async () => {
    const { id } = await anEnvelope(stage, { message: "m", language: "en", external_id: "x" });
    const path = `/envelopes/${id}`;
    const changed = await ask(stage, "PATCH", path, { title: "New", message: null });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      title: "New",
      message: null,
      language: "en",
      external_id: "x",
      participants: [],
    });
    const removed = await ask(stage, "PATCH", path, { language: null, external_id: "" });
    expect(removed.body).toMatchObject({ title: "New", language: null, external_id: null });
  });

  test("field_placement changes only while there are no fields", async () => {
    const { id, place } = await withFields(stage);
    const path = `/envelopes/${id}`;
    const { body: field } = await ask(stage, "POST", `${path}/fields`, {
      ...place,
      page: 1,
      x: 0,
      y: 0,
      width: 1,
      height: 1,
    });
    const refused = await ask(stage, "PATCH", path, { field_placement: "report" });
    expect({ status: refused.status, code: refused.body.detail.code }).toEqual({ status: 409, code: "conflict" });
    expect((await ask(stage, "PATCH", path, { field_placement: "fields" })).status).toBe(200);
    await ask(stage, "DELETE", `${path}/fields/${field.id}`);
    expect((await ask(stage, "PATCH", path, { field_placement: "report" })).body).toMatchObject({
      field_placement: "report",
      status: "ready",
    });
  });

  test("422 for wrong members, and nothing changes", async () => {
    const { id } = await anEnvelope(stage);
    for (const body of [
      { title: "" },
      { title: null },
      { expires_in_days: 366 },
      { language: "x" },
      { signing_order: null },
    ])
      expect((await ask(stage, "PATCH", `/envelopes/${id}`, body)).status).toBe(422);
    expect(await read(stage, id)).toMatchObject({ title: "Contract", expires_in_days: 30 });
  });
});

describe("DELETE /envelopes/{id}", () => {
  test("a draft is gone, its documents remain", async () => {
    const { id, documentId } = await withFields(stage);
    expect((await ask(stage, "DELETE", `/envelopes/${id}`)).status).toBe(204);
    expect((await ask(stage, "GET", `/envelopes/${id}`)).status).toBe(404);
    expect((await ask(stage, "DELETE", `/envelopes/${id}`)).status).toBe(404);
    const { rows } = await selo.database.admin.query(
      `select (select count(*)::integer from signature.documents where id = $1) as documents,
         (select count(*)::integer from signature.participants where envelope_id = $2) as participants`,
      [documentId, id],
    );
    expect(rows).toEqual([{ documents: 1, participants: 0 }]);
  });
});

test("wrong state: 409 conflict for every change of an envelope that was sent", async () => {
  const { id, documentId, participantId, place } = await withFields(stage);
  const path = `/envelopes/${id}`;
  const field = (await ask(stage, "POST", `${path}/fields`, { ...place, page: 1, x: 0, y: 0, width: 1, height: 1 }))
    .body;
  await selo.database.admin.query(
    `update signature.envelopes set status = 'sent', sent_at = now(), expires_at = now() + interval '30 days', verification_code = 'AAAA-AAAA-AAAA'
     where id = $1`,
    [id],
  );
  const before = await read(stage, id);
  const changes: [string, string, object?][] = [
    ["PATCH", path, { title: "New" }],
    ["DELETE", path],
    ["POST", `${path}/documents`, { document_id: documentId }],
    ["PATCH", `${path}/documents/${documentId}`, { position: 1 }],
    ["DELETE", `${path}/documents/${documentId}`],
    ["POST", `${path}/participants`, { name: "a", email: "a@example.com" }],
    ["PATCH", path, { title: "New", remind_every_days: 3 }],
    ["PATCH", `${path}/participants/${participantId}`, { role: "testemunha" }],
    ["DELETE", `${path}/participants/${participantId}`],
    ["POST", `${path}/fields`, { ...place, page: 1, x: 0, y: 0, width: 1, height: 1 }],
    ["PATCH", `${path}/fields/${field.id}`, { required: false }],
    ["DELETE", `${path}/fields/${field.id}`],
  ];
  for (const [method, where, body] of changes) {
    const { status, body: answer } = await ask(stage, method, where, body);
    expect({ method, where, status, code: answer.detail.code }).toEqual({
      method,
      where,
      status: 409,
      code: "conflict",
    });
  }
  expect(await read(stage, id)).toEqual(before);
});

describe("POST /envelopes/{id}/calculate-cost", () => {
  test("a signature credit per signatario not qualificada, an ICP-Brasil credit per qualificada participant", async () => {
    const live = await openStage(selo, "live");
    const { id } = await aSendable(live);
    await aParticipant(live, id, { modality: "simples" });
    await aParticipant(live, id, { modality: "qualificada" });
    await aParticipant(live, id, { role: "testemunha" });
    await aParticipant(live, id, { role: "aprovador", modality: "qualificada" });
    await aParticipant(live, id, { role: "observador" });
    const cost = () => ask(live, "POST", `/envelopes/${id}/calculate-cost`);
    expect((await cost()).body).toEqual({
      signature_credits: 2,
      icp_brasil_credits: 2,
      balances: { signature: 100, icp_brasil: 0 },
      sufficient: false,
      charged: true,
    });
    for (const { id: participant, modality } of (await read(live, id)).participants)
      if (modality === "qualificada") await ask(live, "DELETE", `/envelopes/${id}/participants/${participant}`);
    expect((await cost()).body).toMatchObject({ signature_credits: 2, icp_brasil_credits: 0, sufficient: true });
  });

  test("test: the same counts, charged false, sufficient true", async () => {
    const { id } = await aSendable(stage);
    await aParticipant(stage, id, { modality: "qualificada" });
    expect((await ask(stage, "POST", `/envelopes/${id}/calculate-cost`)).body).toMatchObject({
      signature_credits: 1,
      icp_brasil_credits: 1,
      sufficient: true,
      charged: false,
    });
  });
});
