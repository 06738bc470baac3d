// Each value that the tables of signature-service §2, §4 and §8 list, over REST: taken and answered, and no other; limits, at them and beyond them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import { sentWith } from "./completion-stage.ts";
import {
  aField,
  anEnvelope,
  aParticipant,
  ask,
  CPF,
  type EnvelopeStage,
  openStage,
  read,
  withFields,
} from "./envelope-stage.ts";
import { aSent } from "./sending-stage.ts";
import { act } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let draft: Awaited<ReturnType<typeof withFields>>;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  draft = await withFields(stage);
});
afterAll(() => selo.stop());

const PHONE = "+5511987654321";
const MARIA = { name: "Maria", email: "maria@example.com", cpf: CPF, phone: PHONE };
/** An address of so many characters. */
const address = (length: number) => `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(length - 193)}`;

const makes = {
  envelope: (body: object) => ask(stage, "POST", "/envelopes", { title: "Contract", ...body }),
  participant: (body: object) => ask(stage, "POST", `/envelopes/${draft.id}/participants`, { ...MARIA, ...body }),
  field: (body: object) =>
    ask(stage, "POST", `/envelopes/${draft.id}/fields`, {
      ...draft.place,
      page: 1,
      x: 0,
      y: 0,
      width: 1,
      height: 1,
      ...body,
    }),
} as const;
type Thing = keyof typeof makes;

interface Row {
  readonly thing: Thing;
  readonly member: string;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
}
const text = (length: number) => "ã".repeat(length);
const rows: readonly Row[] = [
  { thing: "envelope", member: "title", taken: [text(1), text(255)], refused: [null, "", text(256), 1] },
  {
    thing: "envelope",
    member: "signing_order",
    taken: ["parallel", "sequential", "mixed"],
    refused: [null, "", "Parallel", "random"],
  },
  { thing: "envelope", member: "allow_delegation", taken: [true, false], refused: [null, "true", 1] },
  { thing: "envelope", member: "message", taken: [null, text(1), text(4_000)], refused: [text(4_001), 1] },
  { thing: "envelope", member: "expires_in_days", taken: [1, 30, 365], refused: [null, 0, 366, -1, 1.5, "30"] },
  { thing: "envelope", member: "language", taken: [null, "pt-BR", "en"], refused: ["", "x", "pt_BR", 1] },
  { thing: "envelope", member: "jurisdiction", taken: ["br", "us", "intl"], refused: ["", "BR", "eu"] },
  { thing: "envelope", member: "field_placement", taken: ["report", "fields"], refused: [null, "", "Report", "page"] },
  { thing: "envelope", member: "external_id", taken: [null, text(255)], refused: [text(256), 1] },
  { thing: "participant", member: "name", taken: [text(1), text(255)], refused: [null, "", text(256), 1] },
  {
    thing: "participant",
    member: "email",
    taken: [address(254)],
    refused: [null, "", address(255)],
  },
  {
    thing: "participant",
    member: "role",
    taken: ["signatario", "aprovador", "observador", "testemunha"],
    refused: [null, "", "signer", "Signatario"],
  },
  { thing: "participant", member: "order_index", taken: [null, 1, 999], refused: [0, 1_000, -1, 1.5, "1"] },
  {
    thing: "participant",
    member: "auth_method",
    taken: ["email", "otp_email", "otp_sms", "cpf", "kba", "identity_match"],
    refused: [null, "", "password"],
  },
  {
    thing: "participant",
    member: "modality",
    taken: ["simples", "avancada", "qualificada"],
    refused: [null, "", "avançada"],
  },
  { thing: "field", member: "page", taken: [1, 2], refused: [null, 0, 3, 1.5, "1"] },
  {
    thing: "field",
    member: "type",
    taken: ["assinatura", "rubrica", "nome", "cpf", "cargo", "empresa", "data", "texto", "checkbox", "numero", "anexo"],
    refused: [null, "", "signature"],
  },
  { thing: "field", member: "required", taken: [true, false], refused: [null, "true", 1] },
  { thing: "field", member: "formula", taken: [], refused: ["{a} + {b}", "1", ""] },
];

describe.each(rows)("$thing: $member", ({ thing, member, taken, refused }) => {
  if (taken.length > 0)
    test(`is ${taken.map(shown).join(", ")}`, async () => {
      for (const value of taken) {
        const { status, body } = await makes[thing]({ [member]: value });
        expect({ value, status, kept: body[member] }).toEqual({ value, status: 201, kept: value });
      }
    });

  test(`is never ${refused.map(shown).join(", ")}: 422, fields ${member}`, async () => {
    for (const value of refused) {
      const answer = await makes[thing]({ [member]: value });
      expectError(answer, 422, "invalid_request", [member]);
    }
  });
});

function shown(value: unknown): string {
  return typeof value === "string" && value.length > 30 ? `${value.length} characters` : JSON.stringify(value);
}

test.each(["checked", "unchecked"])("field: condition_trigger is %s", async (condition_trigger) => {
  const box = await aField(stage, draft.id, { ...draft.place, type: "checkbox" });
  const { status, body } = await makes.field({ condition_field_id: box.id, condition_trigger });
  expect({ status, body }).toMatchObject({ status: 201, body: { condition_field_id: box.id, condition_trigger } });
});

test.each([1, 365])("expires_in_days %i: the deadline, counted from sending", async (days) => {
  const { id } = await aSent(stage, { expires_in_days: days });
  const { sent_at, expires_at } = await read(stage, id);
  expect(Date.parse(expires_at) - Date.parse(sent_at)).toBe(days * 86_400_000);
});

test.each(["en", "pt-BR"])("jurisdiction br reads word for word as intl, in %s; us does not", async (language) => {
  const consents = [];
  for (const jurisdiction of ["br", "intl", "us"]) {
    const { links } = await sentWith(stage, [{}], { jurisdiction, language });
    consents.push((await act(stage, links[0], "GET")).body.consent);
  }
  expect({ ...consents[0], version: null }).toEqual({ ...consents[1], version: null });
  expect(consents.map(({ version }) => version)).toEqual(["br-2026-12", "intl-2026-12", "us-2026-12"]);
  expect(consents[2].text).not.toBe(consents[1].text);
});

test("a second factor and a certificate are taken in a draft, which then lacks them", async () => {
  for (const body of [{ auth_method: "cpf" }, { auth_method: "kba" }, { modality: "qualificada" }]) {
    const { id } = await withFields(stage);
    await aParticipant(stage, id, { ...MARIA, ...body });
    expect((await read(stage, id)).status).toBe("draft");
  }
});

describe("GET /envelopes/{id}", () => {
  test("participants and fields stand by creation, also after a change; documents by their position", async () => {
    const { id, documentId, participantId, place } = await withFields(stage);
    const second = await aParticipant(stage, id, { order_index: 1 });
    const fields = [];
    for (const x of [0.5, 0.2, 0.1]) fields.push((await aField(stage, id, { ...place, x, page: 2 })).id);
    await ask(stage, "PATCH", `/envelopes/${id}/participants/${participantId}`, { order_index: 9, name: "Zé" });
    await ask(stage, "PATCH", `/envelopes/${id}/fields/${fields[0]}`, { page: 1 });
    const body = await read(stage, id);
    const ids = (items: readonly { readonly id: string }[]) => items.map((item) => item.id);
    expect(ids(body.participants)).toEqual([participantId, second.id]);
    expect(ids(body.fields)).toEqual(fields);
    expect(body.documents.map(({ document_id }: { document_id: string }) => document_id)).toEqual([documentId]);
  });
});

describe("GET /envelopes?status= lists the envelopes of that state alone", () => {
  const states = [
    "draft",
    "ready",
    "sent",
    "in_progress",
    "partially_signed",
    "completed",
    "declined",
    "cancelled",
    "expired",
    "failed",
  ];
  let own: EnvelopeStage;
  beforeAll(async () => {
    own = await openStage(selo);
    for (const status of states) {
      const { id } = await anEnvelope(own, { title: status });
      await selo.database.admin.query(
        `update signature.envelopes set status = $2,
           sent_at = case when $3 then now() end, expires_at = case when $3 then now() + interval '1 day' end,
           verification_code = case when $3 then platform.new_public_code() end where id = $1`,
        [id, status, !["draft", "ready"].includes(status)],
      );
    }
  });
  test.each(states)("%s", async (state) => {
    const { body } = await ask(own, "GET", `/envelopes?status=${state}`);
    expect(body.total).toBe(1);
    expect(body.items).toMatchObject([{ title: state, status: state }]);
  });

  test.each([
    ["draft,expired", ["expired", "draft"]],
    ["sent&status=draft,ready", ["sent", "ready", "draft"]],
    ["sent,draft&search=dra", ["draft"]],
    [states.join(","), states.toReversed()],
  ])("or of several states: %s", async (query, expected) => {
    const { body } = await ask(own, "GET", `/envelopes?status=${query}`);
    expect([body.total, body.items.map(({ title }: { title: string }) => title)]).toEqual([expected.length, expected]);
    const first = await ask(own, "GET", `/envelopes?status=${query}&limit=1&offset=${expected.length - 1}`);
    expect(first.body.items).toMatchObject([{ title: expected.at(-1) }]);
  });

  test("an unknown state beside a known one is 422, which names the states", async () => {
    const { status, body } = await ask(own, "GET", "/envelopes?status=draft,open");
    const message = `must be one of ${states.toSorted().join(", ")}, or several of them`;
    expect([status, body.fields]).toEqual([422, [{ field: "status", message }]]);
  });
});
