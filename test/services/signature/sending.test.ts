// POST /envelopes/{id}/send: who is invited when, what it takes, and what keeps an envelope from being sent. signature-service §3, §4.
import { describe, expect, test } from "vitest";
import { graphql } from "../../support/graphql-client.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { expectError } from "../../support/rest-client.ts";
import { whileTampered } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";
import {
  aDocument,
  aField,
  anEnvelope,
  aParticipant,
  aSendable,
  ask,
  type EnvelopeStage,
  openStage,
  read,
  withFields,
} from "./envelope-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { aSent, chain, send } from "./sending-stage.ts";

setUpStage();

const admin = (text: string, values: unknown[] = []) => selo.database.admin.query(text, values);

interface Someone {
  readonly name: string;
  readonly role?: string;
  readonly order_index?: number;
}

/** An envelope with these participants, and how each of them is found by name. */
async function withParticipants(signing_order: string, people: readonly Someone[]) {
  const { id } = await anEnvelope(stage, { signing_order });
  await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: await aDocument(stage) });
  for (const someone of people) await aParticipant(stage, id, someone);
  const names = (status: string, body: { participants: { name: string; status: string }[] }) =>
    body.participants.filter((each) => each.status === status).map(({ name }) => name);
  return { id: id as string, names };
}

/** The participants finish, and those whose turn it is then are invited, as the end of an act does. */
async function finish(id: string, ...people: string[]): Promise<void> {
  const owner = ownerPool(selo.database);
  try {
    await inContext(owner, stage.tenantId, stage.environment, async (client) => {
      await client.query(
        "update signature.participants set status = 'completed' where envelope_id = $1 and name = any ($2)",
        [id, people],
      );
      await client.query("select signature.invite_due(array[$1::uuid])", [id]);
    });
  } finally {
    await owner.end();
  }
}

describe("draft, POST send, scope envelopes:send: out with participants", () => {
  test("answers the sent envelope with its deadline, its code and its invited participant", async () => {
    const { id } = await aSendable(stage, { expires_in_days: 3 });
    const { status, body } = await send(stage, id);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id, status: "sent", participants: [{ status: "invited", locked: false, invitation_failed: false }] },
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.sent_at)).toBe(3 * 86_400_000);
    expect(body.verification_code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(body.verify_url).toBe(`http://selo.test/verify/${body.verification_code}`);
    expect(await read(stage, id)).toEqual(body);
    expect((await chain(stage, id)).slice(-2)).toEqual(["envelope.sent", "envelope.participant_invited"]);
  });

  test("the code of an envelope finds no proof", async () => {
    const { id } = await aSent(stage);
    const { verification_code } = await read(stage, id);
    expectError(await ask(stage, "GET", `/public/proofs/${verification_code}`), 404, "proof_not_found");
  });

  test("GraphQL sends too, and shows the participants as they are then", async () => {
    const { id } = await aSendable(stage);
    const { data } = await graphql(
      selo,
      stage.token,
      `mutation { sendEnvelope(input: {id: "${id}"}) { envelope { id status participants(first: 5) { nodes { status } } } } }`,
    );
    expect(data).toEqual({
      sendEnvelope: { envelope: { id, status: "SENT", participants: { nodes: [{ status: "INVITED" }] } } },
    });
  });

  test("the events have ids and status, and no name, title or address", async () => {
    const { id, participantId } = await aSendable(stage, { title: "A secret title", external_id: "order-7" });
    await send(stage, id);
    const { rows } = await admin("select body from webhooks.events where body::json ->> 'resource_id' = $1", [id]);
    expect(rows.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "envelope.sent", resource_id: id, data: { envelope_id: id, status: "sent", external_id: "order-7" } },
      {
        type: "envelope.participant_invited",
        resource_id: id,
        data: { envelope_id: id, status: "sent", participant_id: participantId, role: "signatario" },
      },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/Maria|secret title|example\.com/);
  });

  test("is 409 conflict the second time, and 404 for another organization, the other environment and an unknown id", async () => {
    const { id } = await aSent(stage);
    expectError(await send(stage, id), 409, "conflict");
    const stranger = await openStage(selo);
    const other = await aSendable(stage);
    const live = { ...stage, token: (await selo.newOrganization()).live };
    for (const asking of [stranger, live]) {
      expectError(await send(asking, other.id), 404, "not_found");
      expectError(await ask(asking, "POST", `/envelopes/${id}/cancel`, {}), 404, "not_found");
      expectError(await ask(asking, "POST", `/envelopes/${id}/remind`, {}), 404, "not_found");
    }
    expectError(await send(stage, stage.tenantId), 404, "not_found");
    expect((await read(stage, other.id)).status).toBe("ready");
  });

  test("nothing of it can be changed afterwards", async () => {
    const { id, participantId, documentId } = await aSent(stage);
    const before = await read(stage, id);
    for (const [method, path, body] of [
      ["PATCH", "", { title: "Another" }],
      ["DELETE", "", undefined],
      ["POST", "/participants", { name: "Ana", email: "ana@example.com" }],
      ["DELETE", `/participants/${participantId}`, undefined],
      ["DELETE", `/documents/${documentId}`, undefined],
    ] as const)
      expectError(await ask(stage, method, `/envelopes/${id}${path}`, body), 409, "conflict");
    expect(await read(stage, id)).toEqual(before);
  });

  test("the same Idempotency-Key sends once and answers the same", async () => {
    const { id } = await aSendable(stage);
    const again = () =>
      fetch(`${selo.baseUrl}/api/v1/envelopes/${id}/send`, {
        method: "POST",
        headers: { authorization: `Bearer ${stage.token}`, "idempotency-key": `send-${id}` },
      });
    const first = await again();
    const second = await again();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.json()).toEqual(await first.json());
  });
});

describe("who is invited", () => {
  test("parallel: all at once, whatever their order_index", async () => {
    const { id, names } = await withParticipants("parallel", [
      { name: "a", order_index: 2 },
      { name: "b", order_index: 1 },
      { name: "c" },
      { name: "watcher", role: "observador" },
    ]);
    expect(names("invited", (await send(stage, id)).body)).toEqual(["a", "b", "c", "watcher"]);
  });

  test("sequential: only the first participant is invited, the next as each completes", async () => {
    const { id, names } = await withParticipants("sequential", [
      { name: "third", order_index: 30 },
      { name: "first", order_index: 1 },
      { name: "second", order_index: 7 },
    ]);
    expect(names("invited", (await send(stage, id)).body)).toEqual(["first"]);
    await finish(id, "first");
    expect(names("invited", await read(stage, id))).toEqual(["second"]);
    await finish(id, "second");
    expect(names("invited", await read(stage, id))).toEqual(["third"]);
  });

  test("mixed: participants sharing an order_index together; groups in sequence", async () => {
    const { id, names } = await withParticipants("mixed", [
      { name: "b1", order_index: 2 },
      { name: "a1", order_index: 1 },
      { name: "a2", order_index: 1 },
      { name: "b2", order_index: 2 },
    ]);
    expect(names("invited", (await send(stage, id)).body)).toEqual(["a1", "a2"]);
    await finish(id, "a1");
    expect(names("invited", await read(stage, id))).toEqual(["a2"]);
    await finish(id, "a2");
    expect(names("invited", await read(stage, id))).toEqual(["b1", "b2"]);
  });

  test.each(["sequential", "mixed"])("%s: a missing order_index comes last, alone, by creation", async (order) => {
    const { id, names } = await withParticipants(order, [
      { name: "late" },
      { name: "later" },
      { name: "early", order_index: 999 },
    ]);
    expect(names("invited", (await send(stage, id)).body)).toEqual(["early"]);
    await finish(id, "early");
    expect(names("invited", await read(stage, id))).toEqual(["late"]);
    await finish(id, "late");
    expect(names("invited", await read(stage, id))).toEqual(["later"]);
  });

  test("observador: invited with its index, and blocks nobody", async () => {
    const { id, names } = await withParticipants("sequential", [
      { name: "first", order_index: 1 },
      { name: "watches first", order_index: 1, role: "observador" },
      { name: "second", order_index: 2 },
      { name: "watches second", order_index: 2, role: "observador" },
    ]);
    expect(names("invited", (await send(stage, id)).body)).toEqual(["first", "watches first"]);
    await finish(id, "first");
    expect(names("invited", await read(stage, id))).toEqual(["watches first", "second", "watches second"]);
  });
});

describe("422", () => {
  const fields = (body: { fields: { field: string }[] }) => body.fields.map(({ field }) => field);
  const refused = async (id: string, code = "envelope_not_sendable") => {
    const before = await read(stage, id);
    const answer = await send(stage, id);
    expectError(answer, 422, code);
    expect(await read(stage, id)).toEqual(before);
    return fields(answer.body);
  };

  test("envelope_not_sendable: no document, no signatario", async () => {
    const { id } = await anEnvelope(stage);
    expect(await refused(id)).toEqual(["documents", "participants"]);
  });

  test("envelope_not_sendable: a document that is not ready", async () => {
    const { id } = await aSendable(stage);
    const document_id = await aDocument(stage, { status: "processing" });
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id });
    expect(await refused(id)).toEqual([`documents.${document_id}`]);
  });

  test("envelope_not_sendable: a signatario without assinatura in fields placement", async () => {
    const { id, participantId, place } = await withFields(stage);
    expect(await refused(id)).toEqual([`participants.${participantId}.fields`]);
    await aField(stage, id, place);
    expect((await send(stage, id)).status).toBe(200);
  });

  test("envelope_not_sendable: ties in a sequential envelope", async () => {
    const { id } = await withParticipants("sequential", [
      { name: "a", order_index: 1 },
      { name: "b", order_index: 1 },
    ]);
    expect(await refused(id)).toHaveLength(2);
  });

  test("envelope_not_sendable: a number that the auth_method needs, together with what is not available", async () => {
    const { id } = await aSendable(stage);
    const number = { auth_method: "cpf", cpf: "529.982.247-25", modality: "qualificada" };
    const { id: participant } = await aParticipant(stage, id, number);
    await admin(
      "update signature.participants set cpf_mask = null, enciphered_cpf = null, cpf_digest = null where id = $1",
      [participant],
    );
    expect(await refused(id)).toEqual([`participants.${participant}.cpf`, `participants.${participant}.modality`]);
    // What was edited by hand would be a fault of the audit trail.
    await ask(stage, "DELETE", `/envelopes/${id}`);
  });

  const SMS = { auth_method: "otp_sms", phone: "+5511987654321" };
  const CPF = { auth_method: "cpf", cpf: "529.982.247-25" };
  const KBA = { auth_method: "kba", ssn_last4: "6789" };
  const MATCH = { auth_method: "identity_match", cpf: "529.982.247-25" };

  test("auth_method_unavailable: a modality without authorities", async () => {
    const { id } = await aSendable(stage);
    const { id: participant } = await aParticipant(stage, id, { modality: "qualificada" });
    expect(await refused(id, "auth_method_unavailable")).toEqual([`participants.${participant}.modality`]);
  });

  test.each([
    ["sms_url", SMS],
    ["kba_url", KBA],
    ["identity_url", MATCH],
  ])("live: auth_method_unavailable until %s is set: %j", async (name, body) => {
    const live = await openStage(selo, "live");
    const { id } = await aSendable(live);
    const { id: participant } = await aParticipant(live, id, body);
    const { body: answer } = await send(live, id);
    expect([answer.detail.code, answer.fields]).toEqual([
      "auth_method_unavailable",
      [{ field: `participants.${participant}.auth_method`, message: `${body.auth_method} is not available` }],
    ]);
    await selo.operator.changeSetting(name, "https://provider.example");
    await send(live, id)
      .then(({ status }) => expect(status).toBe(200))
      .finally(() => selo.operator.changeSetting(name, ""));
  });

  test.each([SMS, CPF, KBA, MATCH])("test: available without a provider: %j", async (body) => {
    const { id } = await aSendable(stage);
    await aParticipant(stage, id, body);
    expect((await send(stage, id)).status).toBe(200);
  });

  test("live: cpf needs no provider", async () => {
    const live = await openStage(selo, "live");
    const { id } = await aSendable(live);
    await aParticipant(live, id, CPF);
    expect((await send(live, id)).status).toBe(200);
  });

  test.each(["kba", "identity_match"])("envelope_not_sendable: %s without cpf and ssn_last4", async (auth_method) => {
    const { id } = await aSendable(stage);
    const { id: participant } = await aParticipant(stage, id, { auth_method });
    expect(await refused(id)).toEqual([`participants.${participant}.cpf`]);
    const path = `/envelopes/${id}/participants/${participant}`;
    expect((await ask(stage, "PATCH", path, { ssn_last4: "6789" })).status).toBe(200);
    expect((await send(stage, id)).status).toBe(200);
  });

  test("email and otp_email, simples and avancada are sent", async () => {
    const { id } = await aSendable(stage);
    await aParticipant(stage, id, { auth_method: "otp_email", modality: "simples" });
    expect((await send(stage, id)).status).toBe(200);
  });
});

describe("credits", () => {
  const balance = async (tenantId: string, kind = "signature") => {
    const { rows } = await admin(
      "select coalesce(sum(balance), 0)::int as sum from platform.credit_balances where tenant_id = $1 and kind = $2",
      [tenantId, kind],
    );
    return rows[0]?.["sum"];
  };
  /** The modality is available where the deployment trusts authorities. */
  const withQualificada = async (work: () => Promise<void>) => {
    await selo.operator.changeSetting("icp_brasil_roots_live", "roots");
    await work().finally(() => selo.operator.changeSetting("icp_brasil_roots_live", ""));
  };

  test("live: a credit for each signatario, as calculate-cost says; test: none", async () => {
    const live = await openStage(selo, "live");
    const { id } = await aSendable(live);
    await aParticipant(live, id);
    await aParticipant(live, id, { role: "testemunha" });
    const { body: cost } = await ask(live, "POST", `/envelopes/${id}/calculate-cost`);
    expect((await send(live, id)).status).toBe(200);
    expect([cost.signature_credits, await balance(live.tenantId)]).toEqual([2, 98]);
    const { rows } = await admin(
      "select amount, reason, subject_id from platform.credit_ledger where tenant_id = $1 and amount < 0",
      [live.tenantId],
    );
    expect(rows).toEqual([{ amount: "-2", reason: "envelope_signer", subject_id: id }]);
    const before = await balance(stage.tenantId);
    await aSent(stage);
    expect(await balance(stage.tenantId)).toBe(before);
  });

  test("a sent envelope has no cost to calculate: 409 conflict, in GraphQL too, whatever became of it", async () => {
    const { id } = await aSent(stage);
    for (const status of ["sent", "cancelled"]) {
      expectError(await ask(stage, "POST", `/envelopes/${id}/calculate-cost`), 409, "conflict");
      const { errors } = await graphql(selo, stage.token, `{ envelopeCost(id: "${id}") { signatureCredits } }`);
      expect([status, errors?.[0]?.extensions?.code]).toEqual([status, "conflict"]);
      await ask(stage, "POST", `/envelopes/${id}/cancel`);
    }
  });

  test("402 insufficient_credits: nothing was sent", async () => {
    const poor = await selo.newOrganization({ credits: 1 });
    const live: EnvelopeStage = { selo, tenantId: poor.id, token: poor.live, environment: "live" };
    const { id } = await aSendable(live);
    await aParticipant(live, id);
    const before = await read(live, id);
    expectError(await send(live, id), 402, "insufficient_credits");
    expect(await read(live, id)).toEqual(before);
    const { rows } = await admin(
      "select (select count(*)::int from platform.mails where tenant_id = $1) as mails, (select count(*)::int from platform.public_codes where tenant_id = $1) as codes",
      [poor.id],
    );
    expect(rows).toEqual([{ mails: 0, codes: 0 }]);
  });

  test("402 insufficient_icp_credits for a qualified participant; with ICP-Brasil credits both kinds are taken", async () => {
    await withQualificada(async () => {
      const live = await openStage(selo, "live");
      const { id } = await aSendable(live);
      await aParticipant(live, id, { modality: "qualificada" });
      expectError(await send(live, id), 402, "insufficient_icp_credits");
      expect([(await read(live, id)).status, await balance(live.tenantId)]).toEqual(["ready", 100]);
      await selo.operator.grantCredits(live.tenantId, "icp_brasil", 3);
      expect((await send(live, id)).status).toBe(200);
      expect([await balance(live.tenantId), await balance(live.tenantId, "icp_brasil")]).toEqual([99, 2]);
    });
  });

  test("selo audit verify finds an envelope that was paid for with too little, too much, or not at all", async () => {
    const live = await openStage(selo, "live");
    const { id } = await aSendable(live);
    await aParticipant(live, id);
    await send(live, id);
    const faults = async () =>
      (await verifyAll(selo.operator)).faults
        .filter(({ tenant_id, subject_type }) => tenant_id === live.tenantId && subject_type !== "document")
        .map(({ fault }) => fault);
    expect(await faults()).toEqual([]);
    const payment = "platform.credit_ledger where tenant_id = $1 and amount < 0";
    for (const edit of [
      `update ${payment.replace(" where", " set amount = -1 where")}`,
      `update ${payment.replace(" where", " set amount = -3 where")}`,
      `delete from ${payment}`,
    ]) {
      const found = await whileTampered(selo.database, ["platform.credit_ledger"], [[edit, [live.tenantId]]], faults);
      expect(found).toContain("the envelope was not paid for as its event says");
    }
  });

  test("selo audit verify finds a verification code that leads elsewhere, or is gone", async () => {
    const { id } = await aSent(stage);
    const faults = async () =>
      (await verifyAll(selo.operator)).faults.filter(({ check_name }) => check_name === "codes");
    expect(await faults()).toEqual([]);
    for (const edit of [
      "delete from platform.public_codes where subject_id = $1",
      "update platform.public_codes set subject_type = 'proof' where subject_id = $1",
      "update platform.public_codes set subject_id = tenant_id where subject_id = $1",
    ]) {
      const found = await whileTampered(selo.database, ["platform.public_codes"], [[edit, [id]]], faults);
      expect(found).toContainEqual(
        expect.objectContaining({
          subject_id: id,
          fault: "the verification code of the envelope does not lead to the envelope",
        }),
      );
    }
  });
});

describe("at once", () => {
  test("send × send: one is sent, the other is 409, and the credits are taken once", async () => {
    const live = await openStage(selo, "live");
    for (let round = 0; round < 3; round++) {
      const { id } = await aSendable(live);
      const answers = await Promise.all([1, 2, 3].map(() => send(live, id)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      expect((await chain(live, id)).filter((action) => action === "envelope.participant_invited")).toHaveLength(1);
    }
    const { rows } = await admin(
      "select sum(amount)::int as sum from platform.credit_ledger where tenant_id = $1 and amount < 0",
      [live.tenantId],
    );
    expect(rows).toEqual([{ sum: -3 }]);
  });

  test("send × edit: what was sent is what the edit left, or the edit is 409", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, participantId } = await aSendable(stage);
      const [sent, removed] = await Promise.all([
        send(stage, id),
        ask(stage, "DELETE", `/envelopes/${id}/participants/${participantId}`),
      ]);
      expect([sent.status, removed.status]).toEqual(sent.status === 200 ? [200, 409] : [422, 204]);
      expect((await read(stage, id)).status).toBe(sent.status === 200 ? "sent" : "draft");
    }
  });
});

test("selo audit verify finds nothing else", async () => {
  const { faults } = await verifyAll(selo.operator);
  // The documents of this file were not uploaded.
  expect(faults.filter(({ subject_type }) => subject_type !== "document")).toEqual([]);
});
