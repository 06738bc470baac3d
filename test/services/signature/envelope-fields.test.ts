// Fields and documents of envelopes over REST: signature-service §2 (Field), §3, §8.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import {
  aDocument,
  aField,
  anEnvelope,
  aParticipant,
  ask,
  type EnvelopeStage,
  openStage,
  read,
  withFields,
} from "./envelope-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let envelope: Awaited<ReturnType<typeof withFields>>;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  envelope = await withFields(stage);
});
afterAll(() => selo.stop());

const WHOLE = { page: 1, x: 0, y: 0, width: 1, height: 1 };
const add = (body: object, id = envelope.id) =>
  ask(stage, "POST", `/envelopes/${id}/fields`, { ...envelope.place, ...WHOLE, ...body });
const change = (fieldId: string, body: object, id = envelope.id) =>
  ask(stage, "PATCH", `/envelopes/${id}/fields/${fieldId}`, body);
const outcome = async (answer: ReturnType<typeof add>) => {
  const { status, body } = await answer;
  return { status, code: body.detail?.code, fields: body.fields?.map(({ field }: { field: string }) => field) };
};
const wrong = (...fields: string[]) => ({ status: 422, code: "invalid_request", fields });

describe("POST /envelopes/{id}/fields", () => {
  test("type is assinatura and required true by default", async () => {
    const { status, body } = await add({});
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        ...envelope.place,
        ...WHOLE,
        type: "assinatura",
        required: true,
        condition_field_id: null,
        condition_trigger: null,
        label: null,
        formula: null,
        value: null,
      },
    });
  });

  test.each([
    { x: 0, width: 1 },
    { x: 0.7, width: 0.3 },
    { x: 0.9, width: 0.1 },
    { y: 0.41, height: 0.59 },
    { y: 0.1, height: 0.0072 },
    { x: 0.1, width: 0.0101 },
    { x: 1e-7, width: 0.5 },
    { page: 2 },
  ])("%j lies within the page", async (body) => {
    const answer = await add(body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject(body);
  });

  test.each([
    [{ x: -0.01 }, ["x"]],
    [{ x: 1.01 }, ["x"]],
    [{ y: -1e-9 }, ["y"]],
    [{ x: 0.5, width: 0.50001 }, ["width"]],
    [{ y: 0.5, height: 0.6 }, ["height"]],
    [{ x: 1, width: 1 }, ["width"]],
    [{ width: 0 }, ["width"]],
    // 6 points of a page of 595 × 842.
    [{ width: 0.01008 }, ["width"]],
    [{ height: 0.00712 }, ["height"]],
    [{ height: 0 }, ["height"]],
    [{ height: 1.1 }, ["height"]],
    [{ x: "0.1" }, ["x"]],
    [{ page: 0 }, ["page"]],
    [{ page: 3 }, ["page"]],
    [{ page: 1.5 }, ["page"]],
    [{ type: "calculado" }, ["formula"]],
    [{ type: "stamp" }, ["type"]],
    [{ required: null }, ["required"]],
    [{ condition_trigger: "checked" }, ["condition_field_id"]],
  ])("422: %j", async (body, fields) => {
    expect(await outcome(add(body))).toEqual(wrong(...fields));
  });

  test("NaN and Infinity are no JSON", async () => {
    const body = JSON.stringify({ ...envelope.place, ...WHOLE }).replace('"x":0', '"x":1e999');
    const answer = await fetch(`${selo.baseUrl}/api/v1/envelopes/${envelope.id}/fields`, {
      method: "POST",
      headers: { authorization: `Bearer ${stage.token}`, "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(422);
  });

  test("none for observador", async () => {
    const { id } = await aParticipant(stage, envelope.id, { role: "observador" });
    expect(await outcome(add({ participant_id: id }))).toEqual(wrong("participant_id"));
  });

  test("participant, document and checkbox are of this envelope", async () => {
    const other = await withFields(stage);
    const box = await aField(stage, other.id, { ...other.place, type: "checkbox" });
    expect(await outcome(add({ participant_id: other.participantId }))).toEqual(wrong("participant_id"));
    expect(await outcome(add({ document_id: other.documentId }))).toEqual(wrong("document_id"));
    expect(await outcome(add({ condition_field_id: box.id, condition_trigger: "checked" }))).toEqual(
      wrong("condition_field_id"),
    );
  });

  test("a document that is not ready has no pages yet", async () => {
    const document_id = await aDocument(stage, { status: "processing" });
    expect((await ask(stage, "POST", `/envelopes/${envelope.id}/documents`, { document_id })).status).toBe(201);
    expect(await outcome(add({ document_id }))).toEqual(wrong("document_id"));
    await ask(stage, "DELETE", `/envelopes/${envelope.id}/documents/${document_id}`);
  });

  test("condition: only on a checkbox of the same participant, with a trigger", async () => {
    const box = (await add({ type: "checkbox" })).body;
    const text = (await add({ type: "texto" })).body;
    const other = await aParticipant(stage, envelope.id);
    const on = (condition_field_id: string, more: object = {}) =>
      add({ condition_field_id, condition_trigger: "checked", ...more });
    expect(await outcome(on(box.id))).toMatchObject({ status: 201 });
    expect(await outcome(on(text.id))).toEqual(wrong("condition_field_id"));
    expect(await outcome(on(box.id, { participant_id: other.id }))).toEqual(wrong("condition_field_id"));
    expect(await outcome(add({ condition_field_id: box.id }))).toEqual(wrong("condition_trigger"));
    expect(await outcome(on(box.id, { condition_trigger: "always" }))).toEqual(wrong("condition_trigger"));
  });

  test("no cycles: a condition names a field that exists, and is never changed", async () => {
    const first = (await add({ type: "checkbox" })).body;
    const second = (await add({ type: "checkbox", condition_field_id: first.id, condition_trigger: "unchecked" })).body;
    expect(await outcome(change(first.id, { condition_field_id: second.id }))).toEqual(wrong("condition_field_id"));
  });

  test("fields that a checkbox shows go along with the checkbox", async () => {
    const { id, place } = await withFields(stage);
    const box = await aField(stage, id, { ...place, type: "checkbox" });
    const inner = await aField(stage, id, {
      ...place,
      type: "checkbox",
      condition_field_id: box.id,
      condition_trigger: "checked",
    });
    await aField(stage, id, { ...place, type: "texto", condition_field_id: inner.id, condition_trigger: "unchecked" });
    const kept = await aField(stage, id, place);
    expect((await ask(stage, "DELETE", `/envelopes/${id}/fields/${box.id}`)).status).toBe(204);
    expect((await read(stage, id)).fields).toEqual([kept]);
    expect((await ask(stage, "DELETE", `/envelopes/${id}/fields/${box.id}`)).status).toBe(404);
  });

  test("field_placement is report: 409 fields_not_allowed_in_report_placement", async () => {
    const { id } = await anEnvelope(stage);
    expect(await outcome(add({}, id))).toMatchObject({ status: 409, code: "fields_not_allowed_in_report_placement" });
  });

  test("an envelope has at most 500 fields", async () => {
    const { id, participantId, documentId, place } = await withFields(stage);
    await selo.database.admin.query(
      `insert into signature.fields (tenant_id, environment, envelope_id, participant_id, document_id, page, x, y, width, height, type, required)
       select $1, 'test', $2, $3, $4, 1, 0, 0, 1, 1, 'texto', false from generate_series(1, 499)`,
      [stage.tenantId, id, participantId, documentId],
    );
    const answers = await Promise.all(
      [1, 2].map(() => ask(stage, "POST", `/envelopes/${id}/fields`, { ...place, ...WHOLE })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe("PATCH /envelopes/{id}/fields/{field_id}", () => {
  test("changes the given members alone, and the event of the change", async () => {
    const { body: field } = await add({ type: "texto" });
    const changed = { ...field, page: 2, x: 0.25, width: 0.5, type: "numero", required: false };
    expect(await change(field.id, { page: 2, x: 0.25, width: 0.5, type: "numero", required: false })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect((await read(stage, envelope.id)).fields).toContainEqual(changed);
    const { body: trail } = await ask(stage, "GET", `/audit?subject_id=${envelope.id}&limit=1`);
    expect(trail.items[0]).toMatchObject({
      action: "envelope.field_changed",
      details: { field_id: field.id, page: 2, type: "numero" },
    });
  });

  test.each([
    [{ x: 0.6 }, ["width"]],
    [{ width: 0.9 }, ["width"]],
    [{ y: 1, height: 0 }, ["height"]],
    [{ page: 3 }, ["page"]],
    [{ type: "calculado" }, ["formula"]],
    [{ x: null }, ["x"]],
    [{ participant_id: "00000000-0000-4000-8000-000000000000" }, ["participant_id"]],
  ] as const)("%j is wrong, and changes nothing", async (body, fields) => {
    const { body: field } = await add({ x: 0.5, width: 0.5 });
    expect(await outcome(change(field.id, body))).toEqual(wrong(...fields));
    expect((await read(stage, envelope.id)).fields).toContainEqual(field);
  });

  test("a label is given, changed, kept and removed", async () => {
    const { status, body: field } = await add({ label: "Inscrição municipal" });
    expect({ status, body: field }).toMatchObject({ status: 201, body: { label: "Inscrição municipal" } });
    expect((await change(field.id, { label: "Matrícula 🏠" })).body.label).toBe("Matrícula 🏠");
    expect((await change(field.id, { required: false })).body.label).toBe("Matrícula 🏠");
    expect((await change(field.id, { label: null })).body.label).toBeNull();
  });

  test.each(["", "x".repeat(61), " ", "a\nb", "a\u200bb", "a\u202eb", "\ue000"])(
    "the label %j is wrong",
    async (label) => {
      const { body: field } = await add({});
      expect(await outcome(add({ label }))).toEqual(wrong("label"));
      expect(await outcome(change(field.id, { label }))).toEqual(wrong("label"));
    },
  );

  test("a checkbox that shows other fields stays a checkbox", async () => {
    const { body: box } = await add({ type: "checkbox" });
    const { body: shown } = await add({ type: "texto", condition_field_id: box.id, condition_trigger: "checked" });
    expect(await outcome(change(box.id, { type: "texto" }))).toMatchObject({ status: 409, code: "conflict" });
    expect((await change(box.id, { type: "checkbox", required: false })).status).toBe(200);
    await ask(stage, "DELETE", `/envelopes/${envelope.id}/fields/${shown.id}`);
    expect((await change(box.id, { type: "texto" })).status).toBe(200);
  });

  test("404 for a field of another envelope", async () => {
    const other = await withFields(stage);
    const { body: field } = await add({});
    expect(await outcome(change(field.id, { required: false }, other.id))).toMatchObject({ status: 404 });
  });
});

describe("documents of an envelope", () => {
  const positions = async (id: string) =>
    (await read(stage, id)).documents.map(({ document_id, position }: { document_id: string; position: number }) => [
      document_id,
      position,
    ]);
  const attach = (id: string, document_id: string, position?: number) =>
    ask(stage, "POST", `/envelopes/${id}/documents`, { document_id, ...(position === undefined ? {} : { position }) });

  test("position from 1 without gaps; the others move", async () => {
    const { id } = await anEnvelope(stage);
    const [a = "", b = "", c = "", d = ""] = await Promise.all([1, 2, 3, 4].map(() => aDocument(stage)));
    const { status, body } = await attach(id, a);
    expect({ status, body }).toEqual({
      status: 201,
      body: expect.objectContaining({ document_id: a, position: 1, status: "ready", pages: 2 }),
    });
    await attach(id, b);
    await attach(id, c, 1);
    expect((await attach(id, d, 10)).body.position).toBe(4);
    expect(await positions(id)).toEqual([
      [c, 1],
      [a, 2],
      [b, 3],
      [d, 4],
    ]);
    expect((await ask(stage, "DELETE", `/envelopes/${id}/documents/${a}`)).status).toBe(204);
    expect(await positions(id)).toEqual([
      [c, 1],
      [b, 2],
      [d, 3],
    ]);
    expect((await ask(stage, "DELETE", `/envelopes/${id}/documents/${a}`)).status).toBe(404);
  });

  test.each([
    [1, 3, "bca"],
    [3, 1, "cab"],
    [1, 2, "bac"],
    [2, 2, "abc"],
    [2, 10, "acb"],
  ])("PATCH moves the document at %i to %i, and the others between", async (from, to, expected) => {
    const { id } = await anEnvelope(stage);
    const documents = await Promise.all(["a", "b", "c"].map(async (name) => ({ name, id: await aDocument(stage) })));
    for (const document of documents) await attach(id, document.id);
    const { status, body } = await ask(stage, "PATCH", `/envelopes/${id}/documents/${documents[from - 1]?.id}`, {
      position: to,
    });
    expect({ status, position: body.position }).toEqual({ status: 200, position: Math.min(to, 3) });
    const names = new Map(documents.map((document) => [document.id, document.name]));
    const placed = (await read(stage, id)).documents as { document_id: string; position: number }[];
    const inOrder = placed.sort((left, right) => left.position - right.position);
    expect(inOrder.map(({ document_id }) => names.get(document_id)).join("")).toBe(expected);
    expect(inOrder.map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  test("PATCH of a document that the envelope does not have is 404, and of no place 422", async () => {
    const { id, documentId } = await withFields(stage);
    const move = (document: string, body: object) =>
      ask(stage, "PATCH", `/envelopes/${id}/documents/${document}`, body);
    expect((await move(await aDocument(stage), { position: 1 })).status).toBe(404);
    for (const body of [{}, { position: 0 }, { position: 11 }, { position: null }])
      expect((await move(documentId, body)).status).toBe(422);
  });

  test("a document may be in many envelopes, and once in each", async () => {
    const document = await aDocument(stage);
    const { id } = await anEnvelope(stage);
    expect((await attach(id, document)).status).toBe(201);
    expect((await attach(id, document)).body.detail.code).toBe("conflict");
    expect((await attach((await anEnvelope(stage)).id, document)).status).toBe(201);
  });

  test("at most 10, also when two come at once", async () => {
    const { id } = await anEnvelope(stage);
    const documents = await Promise.all(Array.from({ length: 12 }, () => aDocument(stage)));
    const answers = await Promise.all(documents.map((document) => attach(id, document, 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 409, 409]);
    expect((await positions(id)).map(([, position]: [string, number]) => position)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  test("fields on the document go along, with fields elsewhere that a checkbox on it shows", async () => {
    const { id, documentId, place } = await withFields(stage);
    const second = await aDocument(stage);
    await attach(id, second);
    const box = await aField(stage, id, { ...place, type: "checkbox" });
    await aField(stage, id, {
      ...place,
      document_id: second,
      type: "texto",
      condition_field_id: box.id,
      condition_trigger: "checked",
    });
    const kept = await aField(stage, id, { ...place, document_id: second });
    await ask(stage, "DELETE", `/envelopes/${id}/documents/${documentId}`);
    expect((await read(stage, id)).fields).toEqual([kept]);
  });

  test.each(["00000000-0000-4000-8000-000000000000", "no uuid"])("no document: %s", async (document) => {
    const { id } = await anEnvelope(stage);
    expect((await attach(id, document)).status).toBe(document === "no uuid" ? 422 : 404);
  });
});
