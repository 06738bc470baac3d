// Participants over REST: signature-service §2 (Participant), §8.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { DataKeys } from "../../../src/services/signature/documents/data-keys.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import {
  anEnvelope,
  aParticipant,
  ask,
  CPF,
  type EnvelopeStage,
  openStage,
  read,
  withFields,
} from "./envelope-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let envelope: string;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  envelope = (await anEnvelope(stage)).id;
});
afterAll(() => selo.stop());

const MARIA = { name: "Maria", email: "maria@example.com" };
const add = (body: object) => ask(stage, "POST", `/envelopes/${envelope}/participants`, body);
const changed = (id: string, body: object) => ask(stage, "PATCH", `/envelopes/${envelope}/participants/${id}`, body);
const outcome = async (answer: ReturnType<typeof add>) => {
  const { status, body } = await answer;
  return { status, code: body.detail?.code, fields: body.fields?.map(({ field }: { field: string }) => field) };
};
const wrong = (...fields: string[]) => ({ status: 422, code: "invalid_request", fields });

describe("POST /envelopes/{id}/participants", () => {
  test("role is signatario, auth_method email and modality avancada by default", async () => {
    const { status, body } = await add(MARIA);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...MARIA,
      role: "signatario",
      auth_method: "email",
      modality: "avancada",
      order_index: null,
    });
    expect(body).toMatchObject({ status: "pending", cpf: null, ssn_last4: null, phone: null });
  });

  test("the value none is rejected: 422 auth_method_not_allowed", async () => {
    expect(await outcome(add({ ...MARIA, auth_method: "none" }))).toEqual({
      status: 422,
      code: "auth_method_not_allowed",
      fields: ["auth_method"],
    });
  });

  test.each([
    ["name is required", { email: MARIA.email }, ["name"]],
    ["email is required", { name: "Maria" }, ["email"]],
    ["name has 1-255 characters: none", { ...MARIA, name: "" }, ["name"]],
    ["name has 1-255 characters: 256", { ...MARIA, name: "a".repeat(256) }, ["name"]],
    ["name is one line", { ...MARIA, name: "Maria\r\nBcc: x@example.com" }, ["name"]],
    ["order_index is 1-999: 0", { ...MARIA, order_index: 0 }, ["order_index"]],
    ["order_index is 1-999: 1000", { ...MARIA, order_index: 1000 }, ["order_index"]],
    ["cpf is required for cpf auth", { ...MARIA, auth_method: "cpf" }, ["cpf"]],
    ["phone is required for otp_sms", { ...MARIA, auth_method: "otp_sms" }, ["phone"]],
  ])("422: %s", async (_, body, fields) => {
    expect(await outcome(add(body))).toEqual(wrong(...fields));
  });

  test.each([
    "maria",
    "maria@",
    "@example.com",
    "a@b",
    "a b@example.com",
    "a@example.com\r\nBcc: b@example.com",
    "<a@example.com>",
    "a@b@example.com",
    "a,b@example.com",
    ".a@example.com",
    "a.@example.com",
    "a..b@example.com",
    "-a@example.com",
    "a@-b.com",
    "a@b..com",
    "a@.b.com",
    "a@b.com.",
    "a@127.0.0.1",
    "a%b.org@example.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(64)}.com`,
    "mar\u00adia@example.com",
    "maria@exa\u200bmple.com",
  ])("422: email %j is no address", async (email) => {
    expect(await outcome(add({ ...MARIA, email }))).toEqual(wrong("email"));
  });

  test.each([
    "maria+tag@example.com",
    "josé@exámple.com.br",
    "a'b@sub.example.com",
    `${"a".repeat(64)}@example.com`,
    "a@b-c.com",
  ])("email %s is kept", async (email) => {
    expect((await add({ ...MARIA, email })).body.email).toBe(email);
  });

  test.each([CPF, "52998224725", "111.444.777-35"])("cpf %s is validated and masked", async (cpf) => {
    const digits = cpf.replaceAll(/\D/g, "");
    expect((await add({ ...MARIA, cpf })).body.cpf).toBe(`***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`);
  });

  test.each([
    "529.982.247-26",
    "529.982.247-15",
    "111.111.111-11",
    "000.000.000-00",
    "5299822472",
    "529982247250",
    "529-982-247-25",
    "",
    "५२९९८२२४७२५",
  ])("422: cpf %j", async (cpf) => {
    expect(await outcome(add({ ...MARIA, cpf }))).toEqual(wrong("cpf"));
  });

  test("every CPF with one wrong digit is refused", async () => {
    const digits = CPF.replaceAll(/\D/g, "");
    for (const place of digits.split("").keys()) {
      const cpf = digits.slice(0, place) + ((Number(digits[place]) + 1) % 10) + digits.slice(place + 1);
      expect({ cpf, ...(await outcome(add({ ...MARIA, cpf }))) }).toEqual({ cpf, ...wrong("cpf") });
    }
  });

  test.each([
    ["+5511987654321", "+55*********21"],
    ["+14155552671", "+1********71"],
    ["+35312345678", "+353******78"],
  ])("phone %s is E.164 with country code, masked as %s", async (phone, mask) => {
    expect((await add({ ...MARIA, phone, auth_method: "otp_sms" })).body.phone).toBe(mask);
  });

  test.each([
    "11987654321",
    "+55 11 98765-4321",
    "+551198765432",
    "+999123456789",
    "+5511987654321 ",
    "tel:+5511987654321",
    "+5511987654321;ext=1",
    "",
  ])("422: phone %j", async (phone) => {
    expect(await outcome(add({ ...MARIA, phone }))).toEqual(wrong("phone"));
  });

  test("ssn_last4 has 4 digits", async () => {
    expect((await add({ ...MARIA, ssn_last4: "6789" })).body.ssn_last4).toBe("***-**-**89");
    for (const ssn_last4 of ["678", "67890", "678a", "123-45-6789"])
      expect(await outcome(add({ ...MARIA, ssn_last4 }))).toEqual(wrong("ssn_last4"));
  });

  test("an envelope has at most 50 participants", async () => {
    const { id } = await anEnvelope(stage);
    for (let count = 0; count < 50; count++) await aParticipant(stage, id);
    expect(await outcome(ask(stage, "POST", `/envelopes/${id}/participants`, MARIA))).toMatchObject({
      status: 409,
      code: "conflict",
    });
    expect((await read(stage, id)).participants).toHaveLength(50);
  });
});

test("CPF, SSN digits and phone lie under the data key, for their row alone; no log has them", async () => {
  const { id } = (await add({ ...MARIA, cpf: CPF, ssn_last4: "6789", phone: "+5511987654321" })).body;
  const { rows } = await selo.database.admin.query(
    `select participant.enciphered_cpf, participant.enciphered_ssn_last4, participant.enciphered_phone, key.sealed_key
     from signature.participants as participant join signature.data_keys as key using (tenant_id, environment) where participant.id = $1`,
    [id],
  );
  const [kept] = rows;
  const key = new DataKeys(masterKeysOf(selo.config)).open(
    { tenantId: stage.tenantId, environment: "test" },
    kept.sealed_key,
  );
  const open = (column: string, of = id) =>
    key.openText(kept[column], { table: "signature.participants", column, id: of });
  expect(["enciphered_cpf", "enciphered_ssn_last4", "enciphered_phone"].map((column) => open(column))).toEqual([
    "52998224725",
    "6789",
    "+5511987654321",
  ]);
  expect(() => open("enciphered_cpf", stage.tenantId)).toThrow();
  expect(selo.logs.join("")).not.toMatch(/52998224725|529\.982|5511987654321/);
  const { rows: trail } = await selo.database.admin.query(
    `select string_agg(details, ' ') as details from platform.audit_events where subject_id = $1`,
    [envelope],
  );
  expect(trail[0].details).not.toMatch(/Maria|maria@|52998224725|5511987654321/);
});

describe("PATCH /envelopes/{id}/participants/{participant_id}", () => {
  test("given members change, absent ones stay, null removes", async () => {
    const { id } = (await add({ ...MARIA, cpf: CPF, phone: "+5511987654321", order_index: 3 })).body;
    expect((await changed(id, { name: "Ana", cpf: "111.444.777-35" })).body).toMatchObject({
      name: "Ana",
      email: MARIA.email,
      order_index: 3,
      cpf: "***.444.777-**",
      phone: "+55*********21",
    });
    expect((await changed(id, { phone: null, order_index: null })).body).toMatchObject({
      phone: null,
      order_index: null,
      cpf: "***.444.777-**",
    });
  });

  test("auth_method needs its data, given now or before", async () => {
    const { id } = (await add({ ...MARIA })).body;
    expect(await outcome(changed(id, { auth_method: "cpf" }))).toEqual(wrong("cpf"));
    expect((await changed(id, { auth_method: "cpf", cpf: CPF })).status).toBe(200);
    expect(await outcome(changed(id, { cpf: null }))).toEqual(wrong("cpf"));
    expect(await outcome(changed(id, { auth_method: "none" }))).toMatchObject({ code: "auth_method_not_allowed" });
  });

  test("a participant with fields does not become an observador", async () => {
    const { id, participantId, place } = await withFields(stage);
    await ask(stage, "POST", `/envelopes/${id}/fields`, { ...place, page: 1, x: 0, y: 0, width: 1, height: 1 });
    const path = `/envelopes/${id}/participants/${participantId}`;
    expect(await outcome(ask(stage, "PATCH", path, { role: "observador" }))).toMatchObject({
      status: 409,
      code: "conflict",
    });
    expect((await ask(stage, "PATCH", path, { role: "aprovador" })).status).toBe(200);
  });
});

describe("DELETE /envelopes/{id}/participants/{participant_id}", () => {
  test("fields go along", async () => {
    const { id, participantId, place } = await withFields(stage);
    await ask(stage, "POST", `/envelopes/${id}/fields`, { ...place, page: 1, x: 0, y: 0, width: 1, height: 1 });
    const path = `/envelopes/${id}/participants/${participantId}`;
    expect((await ask(stage, "DELETE", path)).status).toBe(204);
    expect(await read(stage, id)).toMatchObject({ participants: [], fields: [], status: "draft" });
    expect((await ask(stage, "DELETE", path)).status).toBe(404);
  });

  test("a participant of another envelope of the organization is 404", async () => {
    const { participantId } = await withFields(stage);
    for (const [method, body] of [["DELETE"], ["PATCH", { name: "x" }]] as const)
      expect((await ask(stage, method, `/envelopes/${envelope}/participants/${participantId}`, body)).status).toBe(404);
  });
});
