// Another person's turn: addresses that are mended after sending, and turns that participants pass on. Issue "Signature in depth" §3.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readEnvelopeEvidence } from "../../../src/verifier/envelope-evidence.ts";
import { HYBRID_CHECKS } from "../../../src/verifier/hybrid-signature.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { verifyEnvelope } from "../../../src/verifier/verify-envelope.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { graphql } from "../../support/graphql-client.ts";
import { expectError } from "../../support/rest-client.ts";
import { ORDINARY, storedDocument } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { complete, completing, decline } from "./completion-stage.ts";
import { anEnvelope, aParticipant, ask, CPF, read } from "./envelope-stage.ts";
import { passFactor } from "./factor-stage.ts";
import { selo, setUpStage, stage } from "./own-stage.ts";
import { attachedOf, byPython, proseOf, readReport, reportOf } from "./report-stage.ts";
import { chain, inbox, send } from "./sending-stage.ts";
import { aCode, act, aSent, aSession, eventsOf, inContext, type Link, openedLink, settled } from "./signing-stage.ts";

setUpStage();

let worker: Worker;
beforeAll(() => {
  worker = workerOf(stage);
});
afterAll(() => worker.end());

const RAFAEL = { name: "Rafael Nunes", email: "rafael@example.com" };
const DELEGABLE = { allow_delegation: true };

const mend = ({ envelopeId, participantId }: Link, body: object) =>
  ask(stage, "PATCH", `/envelopes/${envelopeId}/participants/${participantId}`, body);

const delegate = async (link: Link, body: object = RAFAEL, session?: string) =>
  act(stage, link, "POST", "/delegate", { session: session ?? (await aSession(stage, link)), body });

/** The link of the present person. */
async function linkNow({ envelopeId, participantId }: Link): Promise<Link> {
  const link = await openedLink(stage, envelopeId, participantId);
  if (link === null) throw new Error("the participant has no link");
  return link;
}

const rowOf = async ({ participantId }: Link) =>
  (await selo.database.admin.query("select * from signature.participants where id = $1", [participantId])).rows[0];

describe("PATCH /envelopes/{id}/participants/{participant_id} once the envelope was sent", () => {
  test("puts another person into the place: a new link, an invitation, and an event with both names", async () => {
    const { id, link } = await aSent(stage);
    const session = await aSession(stage, link);
    expect((await act(stage, link, "POST", "/view", { session })).status).toBe(204);
    const { status, body } = await mend(link, { name: "Marina", email: "marina@example.com" });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: link.participantId, name: "Marina", email: "marina@example.com", status: "invited", viewed_at: null },
    });
    expectError(await act(stage, link, "GET"), 404, "not_found");
    expectError(await act(stage, link, "POST", "/complete", { session, body: {} }), 404, "not_found");
    await composeAll(stage, worker);
    const { kind, recipient, text } = (await inbox(stage, id)).at(-1) ?? {};
    expect({ kind, recipient }).toEqual({ kind: "envelope_invitation", recipient: "marina@example.com" });
    expect(text).toContain("Marina");
    expect((await eventsOf(stage, id)).at(-1)).toMatchObject({
      action: "envelope.participant_replaced",
      personal: {
        name: { value: "Marina" },
        email: { value: "marina@example.com" },
        previous_name: { value: "Maria" },
        previous_email: { value: "maria@example.com" },
      },
    });
    expect((await complete(stage, await linkNow(link))).status).toBe(200);
    expect((await verifyAll(selo.operator)).faults).toEqual([]);
  });

  test("a code that was mailed to the person before opens nothing", async () => {
    const { link } = await aSent(stage);
    const code = await aCode(stage, link);
    expect((await mend(link, { email: "marina@example.com" })).status).toBe(200);
    const now = await linkNow(link);
    expectError(await act(stage, now, "POST", "/session", { body: { code } }), 422, "wrong_code");
  });

  test("without a change, the link stays", async () => {
    const { id, link } = await aSent(stage, [{ cpf: CPF }]);
    const before = await chain(stage, id);
    expect((await mend(link, { name: "Maria", email: "maria@example.com" })).status).toBe(200);
    expect((await mend(link, {})).status).toBe(200);
    expect((await mend(link, { cpf: CPF })).status).toBe(200);
    expect((await act(stage, link, "GET")).status).toBe(200);
    expect(await chain(stage, id)).toEqual(before);
  });

  test("the same telephone number ends no link, another one does", async () => {
    const { id, link } = await aSent(stage, [{ auth_method: "otp_sms", phone: "+5511987654321" }]);
    const before = await chain(stage, id);
    expect((await mend(link, { phone: "+5511987654321" })).status).toBe(200);
    expect((await act(stage, link, "GET")).status).toBe(200);
    expect(await chain(stage, id)).toEqual(before);
    expect((await mend(link, { phone: "+5511987654322" })).body).toMatchObject({ phone: "+55*********22" });
    expectError(await act(stage, link, "GET"), 404, "not_found");
  });

  test("another person has no digits of an SSN: another CPF, or another name with another address", async () => {
    const withBoth = { auth_method: "kba", cpf: CPF, ssn_last4: "6789" };
    const cases: readonly [object, object, boolean][] = [
      [{ cpf: "111.444.777-35" }, withBoth, false],
      [{ name: "Marina", email: "marina@example.com" }, withBoth, false],
      // Mended, and the same person.
      [{ cpf: CPF, name: "Maria Souza" }, withBoth, true],
      [{ email: "maria.souza@example.com" }, withBoth, true],
      [{ cpf: CPF }, { auth_method: "kba", ssn_last4: "6789" }, true],
    ];
    for (const [change, participant, isKept] of cases) {
      const { link } = await aSent(stage, [participant]);
      expect((await mend(link, change)).status).toBe(200);
      const { ssn_last4_mask, enciphered_ssn_last4, ssn_last4_digest } = await rowOf(link);
      const kept = [ssn_last4_mask, enciphered_ssn_last4, ssn_last4_digest].map((each) => each !== null);
      expect([change, kept]).toEqual([change, [isKept, isKept, isKept]]);
    }
    // Without them the method needs the CPF.
    const { link } = await aSent(stage, [{ auth_method: "kba", ssn_last4: "6789" }]);
    expectError(await mend(link, { name: "Marina", email: "marina@example.com" }), 422, "invalid_request", ["cpf"]);
    expect((await mend(link, { name: "Marina", email: "marina@example.com", cpf: CPF })).status).toBe(200);
  });

  test("mails ten new persons a day at most: 409 conflict", async () => {
    const { id, link } = await aSent(stage);
    for (let time = 1; time <= 10; time += 1)
      expect((await mend(link, { email: `maria${time}@example.com` })).status).toBe(200);
    const before = await chain(stage, id);
    expectError(await mend(link, { email: "maria11@example.com" }), 409, "conflict");
    expect(await chain(stage, id)).toEqual(before);
    // What changes nothing mails nobody.
    expect((await mend(link, { email: "maria10@example.com" })).status).toBe(200);
  });

  test("needs the scope that sends: a token for drafts alone takes nobody's place, and mails nobody", async () => {
    const { id, link } = await aSent(stage);
    const { token } = await selo.operator.createToken(stage.tenantId, "test", "drafts", ["envelopes:write"]);
    const drafts = { ...stage, token };
    const path = `/envelopes/${id}/participants/${link.participantId}`;
    expectError(await ask(drafts, "PATCH", path, { email: "mallory@example.com" }), 403, "missing_scope");
    expectError(await ask(drafts, "PATCH", `/envelopes/${id}`, { remind_every_days: 1 }), 403, "missing_scope");
    expect((await act(stage, link, "GET")).status).toBe(200);
    const draft = await anEnvelope(drafts);
    const { body } = await ask(drafts, "POST", `/envelopes/${draft.id}/participants`, RAFAEL);
    const mended = await ask(drafts, "PATCH", `/envelopes/${draft.id}/participants/${body.id}`, { name: "Rafael" });
    expect(mended.status).toBe(200);
  });

  test("a participant whose turn comes later is invited with the turn, and not before", async () => {
    const { id } = await anEnvelope(stage, { signing_order: "sequential" });
    await ask(stage, "POST", `/envelopes/${id}/documents`, {
      document_id: (await storedDocument(selo, stage.token)).id,
    });
    await aParticipant(stage, id, { name: "Ana", order_index: 1 });
    const { id: participantId } = await aParticipant(stage, id, { name: "Bia", order_index: 2 });
    expect((await send(stage, id)).status).toBe(200);
    const later = { envelopeId: id, participantId, secret: "" };
    const { body } = await mend(later, { email: "beatriz@example.com" });
    expect(body).toMatchObject({ email: "beatriz@example.com", status: "pending", invited_at: null });
    await composeAll(stage, worker);
    expect((await inbox(stage, id)).filter(({ recipient }) => recipient === "beatriz@example.com")).toEqual([]);
  });

  test("masks and encrypts new numbers, and clears a lock and a failed invitation", async () => {
    const { id, link } = await aSent(stage);
    await inContext(stage, "update signature.participants set locked = true, invitation_failed = true where id = $1", [
      link.participantId,
    ]);
    await settled(stage, id);
    const { body } = await mend(link, { cpf: CPF, phone: "+5511987654321" });
    expect(body).toMatchObject({
      cpf: "***.982.247-**",
      phone: "+55*********21",
      locked: false,
      invitation_failed: false,
    });
    expect(JSON.stringify(await rowOf(link))).not.toContain("52998224725");
  });

  test.each([
    { role: "testemunha" },
    { order_index: 3 },
    { order_index: null },
    { auth_method: "cpf" },
    { modality: "simples" },
    { ssn_last4: "1234" },
    { ssn_last4: null },
    { name: "Marina", role: "testemunha" },
  ])("409 conflict for %o", async (body) => {
    const { id, link } = await aSent(stage, [{ cpf: CPF }]);
    const before = await read(stage, id);
    expectError(await mend(link, body), 409, "conflict");
    expect(await read(stage, id)).toEqual(before);
  });

  test("409 conflict after the act, and once the envelope has ended", async () => {
    const { links } = await aSent(stage, [{}, {}]);
    const [first, second] = links as [Link, Link];
    expect((await complete(stage, first)).status).toBe(200);
    expectError(await mend(first, { name: "Marina" }), 409, "conflict");
    expect((await decline(stage, second)).status).toBe(200);
    expectError(await mend(second, { name: "Marina" }), 409, "conflict");
  });

  test("after the deadline, 409 conflict ends the envelope", async () => {
    const { id, link } = await aSent(stage);
    await inContext(stage, "update signature.envelopes set expires_at = now() - interval '1 second' where id = $1", [
      id,
    ]);
    await settled(stage, id);
    expectError(await mend(link, { name: "Marina" }), 409, "conflict");
    expect((await read(stage, id)).status).toBe("expired");
  });

  test.each([
    [{ email: "no address" }, "email"],
    [{ name: "‮x" }, "name"],
    [{ cpf: null }, "cpf"],
  ])("422 for %o", async (body, field) => {
    const { link } = await aSent(stage, [{ auth_method: "cpf", cpf: CPF }]);
    expect(await mend(link, body)).toMatchObject({
      status: 422,
      body: { detail: { code: "invalid_request" }, fields: [{ field }] },
    });
    expect((await act(stage, link, "GET")).status).toBe(200);
  });

  test("GraphQL mends as well", async () => {
    const { id, link } = await aSent(stage);
    const { data } = await graphql(
      selo,
      stage.token,
      `mutation { updateParticipant(input: {id: "${id}", participantId: "${link.participantId}", email: "marina@example.com"}) { participant { email status } } }`,
    );
    expect(data).toEqual({ updateParticipant: { participant: { email: "marina@example.com", status: "INVITED" } } });
  });
});

describe("POST /signing/{participant_id}/delegate", () => {
  test("repeated with its Idempotency-Key, it has the first answer, although the link is over", async () => {
    const { id, link } = await aSent(stage, [{ auth_method: "cpf", cpf: CPF }], DELEGABLE);
    const session = await aSession(stage, link);
    await passFactor(stage, link, session);
    const person = { ...RAFAEL, cpf: "111.444.777-35" };
    const repeat = (key?: string, body: object = person, of = link) =>
      act(stage, of, "POST", "/delegate", { session, body, ...(key === undefined ? {} : { key }) });
    const first = await repeat("hand-on");
    expect(first).toMatchObject({ status: 200, body: { status: "invited", completed_at: null } });
    for (let time = 0; time < 2; time++) expect((await repeat("hand-on")).body).toEqual(first.body);
    expect((await chain(stage, id)).filter((action) => action === "envelope.participant_delegated")).toHaveLength(1);
    // No other request, key or link has it.
    for (const refused of [
      await repeat("hand-on", { ...person, name: "Rafaela" }),
      await repeat(),
      await repeat("another"),
      await repeat("hand-on", person, { ...link, secret: randomBytes(32).toString("base64url") }),
      await act(stage, link, "POST", "/decline", { session, body: { reason: "No." }, key: "hand-on" }),
    ])
      expectError(refused, 404, "not_found");
  });

  test("passes the turn on: the other person signs in the own name, and costs nothing", async () => {
    const { id, link } = await aSent(stage, [{}], DELEGABLE);
    const session = await aSession(stage, link);
    expect((await act(stage, link, "GET", "", { session })).body.delegation).toEqual({ needs: [] });
    const { status, body } = await delegate(link, RAFAEL, session);
    expect({ status, body }).toEqual({ status: 200, body: { status: "invited", completed_at: null } });
    expectError(await act(stage, link, "GET", "", { session }), 404, "not_found");
    await composeAll(stage, worker);
    expect((await inbox(stage, id)).at(-1)).toMatchObject({ kind: "envelope_invitation", recipient: RAFAEL.email });
    const now = await linkNow(link);
    expect((await act(stage, now, "GET")).body).toMatchObject({ turn: "yes", participant: { name: "Rafael Nunes" } });
    const { actor_type, actor_id, ...event } = (await eventsOf(stage, id)).find(
      ({ action }) => action === "envelope.participant_delegated",
    ) as Awaited<ReturnType<typeof eventsOf>>[number];
    expect({ actor_type, actor_id }).toEqual({ actor_type: "participant", actor_id: link.participantId });
    expect(event.details).not.toMatch(/Rafael|Maria/);
    expect(event.personal).toMatchObject({ name: { value: "Rafael Nunes" }, previous_name: { value: "Maria" } });
    expect((await complete(stage, now)).status).toBe(200);
    expect(await read(stage, id)).toMatchObject({ participants: [{ id: link.participantId, name: "Rafael Nunes" }] });
    expect((await verifyAll(selo.operator)).faults).toEqual([]);
  });

  test("tells the sender by webhook and by mail", async () => {
    const contact = "contact@example.com";
    await selo.database.admin.query("update platform.organizations set contact_email = $2 where id = $1", [
      stage.tenantId,
      contact,
    ]);
    try {
      const { id, link } = await aSent(stage, [{}], DELEGABLE);
      expect((await delegate(link)).status).toBe(200);
      const { rows } = await selo.database.admin.query(
        "select body from webhooks.events where body::json ->> 'resource_id' = $1 and body::json ->> 'type' = 'envelope.participant_delegated'",
        [id],
      );
      expect(rows.map((row) => JSON.parse(row.body).data)).toEqual([
        {
          envelope_id: id,
          status: "sent",
          external_id: null,
          participant_id: link.participantId,
          role: "signatario",
          order_index: null,
        },
      ]);
      const { rows: mails } = await selo.database.admin.query(
        "select recipient, data from platform.mails where kind = 'turn_delegated' and envelope_id = $1",
        [id],
      );
      expect(mails).toMatchObject([
        { recipient: contact, data: expect.objectContaining({ ...RAFAEL, previous_name: "Maria", title: "Contract" }) },
      ]);
    } finally {
      await selo.database.admin.query("update platform.organizations set contact_email = null where id = $1", [
        stage.tenantId,
      ]);
    }
  });

  test("409 conflict and no delegation to offer where the sender does not allow it", async () => {
    const { link } = await aSent(stage);
    expect((await act(stage, link, "GET")).body.delegation).toBeNull();
    expectError(await delegate(link), 409, "conflict");
    expect((await act(stage, link, "GET")).status).toBe(200);
  });

  test("409 conflict for an observador, and for who signs with a certificate", async () => {
    const { id, links } = await aSent(stage, [{}, { role: "observador" }], DELEGABLE);
    const [signer, observer] = links as [Link, Link];
    expectError(await delegate(observer), 409, "conflict");
    const session = await aSession(stage, signer);
    await inContext(stage, "update signature.participants set modality = 'qualificada' where id = $1", [
      signer.participantId,
    ]);
    await settled(stage, id);
    expect((await act(stage, signer, "GET")).body.delegation).toBeNull();
    expectError(await delegate(signer, RAFAEL, session), 409, "conflict");
  });

  test("409 conflict after three hands; the sender may still mend", async () => {
    const { link } = await aSent(stage, [{}], DELEGABLE);
    let now = link;
    for (const each of ["a", "b", "c"]) {
      expect((await delegate(now, { name: each, email: `${each}@example.com` })).status).toBe(200);
      now = await linkNow(link);
    }
    expect((await act(stage, now, "GET")).body.delegation).toBeNull();
    expectError(await delegate(now), 409, "conflict");
    expect((await mend(now, RAFAEL)).status).toBe(200);
  });

  test("409 conflict after the act, and 401 without a session", async () => {
    const { links } = await aSent(stage, [{}, {}], DELEGABLE);
    const [first] = links as [Link, Link];
    const session = await aSession(stage, first);
    expect((await complete(stage, first, { session })).status).toBe(200);
    expectError(await delegate(first, RAFAEL, session), 409, "conflict");
    const [, second] = links as [Link, Link];
    expectError(await act(stage, second, "POST", "/delegate", { body: RAFAEL }), 401, "session_expired");
  });

  test.each([
    [{ ...RAFAEL, email: "MARIA@example.com" }, "email"],
    [{ ...RAFAEL, email: "rafael" }, "email"],
    [{ ...RAFAEL, name: "" }, "name"],
    [{ ...RAFAEL, cpf: "111.111.111-11" }, "cpf"],
    [{ ...RAFAEL, phone: "5511" }, "phone"],
    [{ email: "rafael@example.com" }, "name"],
  ])("422 for %o", async (body, field) => {
    const { link } = await aSent(stage, [{}], DELEGABLE);
    expect(await delegate(link, body)).toMatchObject({
      status: 422,
      body: { detail: { code: "invalid_request" }, fields: [{ field }] },
    });
    expect((await act(stage, link, "GET")).status).toBe(200);
  });

  test.each([
    ["cpf", "cpf", { cpf: CPF }],
    ["kba", "cpf", { cpf: CPF }],
    ["identity_match", "cpf", { cpf: CPF }],
    ["otp_sms", "phone", { phone: "+5511987654321" }],
  ])("a method %s needs %s of the other person", async (method, needed, given) => {
    const numbers = { cpf: CPF, ssn_last4: "1234", phone: "+5511912345678" };
    const { link } = await aSent(stage, [{ auth_method: method, ...numbers }], DELEGABLE);
    const session = await aSession(stage, link);
    // Only who passed the second factor passes the turn on.
    if (method !== "otp_sms")
      expectError(await delegate(link, { ...RAFAEL, ...given }, session), 403, "factor_required");
    await passFactor(stage, link, session);
    expect((await act(stage, link, "GET")).body.delegation).toEqual({ needs: [needed] });
    const before = await rowOf(link);
    expect(await delegate(link, RAFAEL, session)).toMatchObject({
      status: 422,
      body: { fields: [{ field: needed, message: `is required for auth_method ${method}` }] },
    });
    expect((await delegate(link, { ...RAFAEL, ...given }, session)).status).toBe(200);
    const after = await rowOf(link);
    // Nothing of the person before is left.
    const others = ["enciphered_cpf", "enciphered_ssn_last4", "enciphered_phone"].filter(
      (name) => name !== `enciphered_${needed}`,
    );
    expect(others.map((name) => after[name])).toEqual([null, null]);
    expect(after[`enciphered_${needed}`]).not.toEqual(before[`enciphered_${needed}`]);
  });

  test("404 for another participant than that of the link", async () => {
    const { link } = await aSent(stage, [{}], DELEGABLE);
    expectError(await delegate({ ...link, participantId: randomUUID() }, RAFAEL, "x"), 404, "not_found");
  });
});

describe("the evidence report", () => {
  test("tells who was in the place before, at each step by the name of then, and opens both names", async () => {
    const { id, link } = await aSent(stage, [{}, {}], DELEGABLE);
    await aCode(stage, link);
    expect((await mend(link, { name: "Marina", email: "marina@example.com" })).status).toBe(200);
    expect((await delegate(await linkNow(link))).status).toBe(200);
    const { text } = readReport((await reportOf(stage, id)).bytes);
    const prose = proseOf({ text });
    expect(prose).toContain("Invitation to Maria");
    expect(prose).toContain("One-time code sent to Maria");
    expect(prose).toContain("Participant Maria (maria@example.com) replaced by Marina (marina@example.com)");
    expect(prose).toContain("Marina (marina@example.com) handed the turn to Rafael Nunes (rafael@example.com)");
    expect(prose).toMatch(/handed the turn to [^·]+ · by Marina/);
    const attached = await attachedOf(stage, id);
    const opened = attached.events.flatMap(({ action, openings = {} }: { action: string; openings?: object }) =>
      Object.entries(openings).map(([name, { value }]) => `${action} ${name} ${value}`),
    );
    expect(opened.sort()).toEqual([
      "envelope.participant_delegated email rafael@example.com",
      "envelope.participant_delegated name Rafael Nunes",
      "envelope.participant_delegated previous_email marina@example.com",
      "envelope.participant_delegated previous_name Marina",
      "envelope.participant_replaced email marina@example.com",
      "envelope.participant_replaced name Marina",
      "envelope.participant_replaced previous_email maria@example.com",
      "envelope.participant_replaced previous_name Maria",
    ]);
  });

  test("the verifiers of envelopes agree with it, and find a changed name", async () => {
    const { id, link } = await aSent(stage, [{}], DELEGABLE);
    expect((await delegate(link)).status).toBe(200);
    expect((await complete(stage, await linkNow(link))).status).toBe(200);
    await completing(stage, id, worker);
    const attached = await attachedOf(stage, id);
    expect(await byPython(selo, attached, ORDINARY)).toEqual({ file: "original", faults: [] });
    const { events } = attached;
    const hand = events.find(({ action }: { action: string }) => action === "envelope.participant_delegated");
    const keys = readKeys((await ask(stage, "GET", "/public/platform-key")).text);
    const checkOpenings = () => {
      const evidence = readEnvelopeEvidence(JSON.stringify(attached));
      if (evidence === null) throw new Error("no evidence of an envelope");
      const { checks } = verifyEnvelope(HYBRID_CHECKS, evidence, null, keys);
      return checks.find(({ name }) => name === "openings");
    };
    expect(checkOpenings()).toMatchObject({ result: "passed" });
    hand.openings.previous_name.value = "Marta";
    expect((await byPython(selo, attached, ORDINARY)).faults).toContain("events have other openings");
    expect(checkOpenings()).toMatchObject({ result: "failed" });
  });

  test("once personal data are erased, the report says so, and the chain holds", async () => {
    const { id, link } = await aSent(stage, [{}], DELEGABLE);
    expect((await delegate(link)).status).toBe(200);
    await inContext(stage, "update platform.audit_events set personal = null where subject_id = $1", [id]);
    const { text } = readReport((await reportOf(stage, id)).bytes);
    expect(proseOf({ text })).not.toContain("Maria");
    expect((await verifyAll(selo.operator)).faults).toEqual([]);
  });
});

describe("at once", () => {
  /** What each of these acts came to, whatever their order. */
  const outcomes = async (acts: readonly (() => Promise<{ readonly status: number }>)[]) =>
    (await Promise.all(acts.map((each) => each()))).map(({ status }) => status);

  test("delegate and a change of remind_every_days are both done", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, link } = await aSent(stage, [{}], DELEGABLE);
      const session = await aSession(stage, link);
      const done = await outcomes([
        () => delegate(link, RAFAEL, session),
        () => ask(stage, "PATCH", `/envelopes/${id}`, { remind_every_days: 3 }),
      ]);
      expect(done).toEqual([200, 200]);
      expect(await read(stage, id)).toMatchObject({ remind_every_days: 3, participants: [{ name: RAFAEL.name }] });
    }
  });

  test("delegate, complete, cancel and mend leave one person and one end", async () => {
    for (let round = 0; round < 6; round++) {
      const { id, link } = await aSent(stage, [{}], DELEGABLE);
      const session = await aSession(stage, link);
      const acts = [
        () => delegate(link, RAFAEL, session),
        () => complete(stage, link, { session }),
        () => ask(stage, "POST", `/envelopes/${id}/cancel`, {}),
        () => mend(link, { name: "Marina", email: "marina@example.com" }),
      ];
      const order = acts.map((_, place) => (place + round) % acts.length);
      const answered = await outcomes(order.map((place) => acts[place] as (typeof acts)[number]));
      const [delegated, completed, cancelled, mended] = acts.map((_, place) => answered[order.indexOf(place)]);
      const actions = await chain(stage, id);
      const count = (action: string) => actions.filter((each) => each === `envelope.${action}`).length;
      expect(count("participant_delegated")).toBe(delegated === 200 ? 1 : 0);
      expect(count("participant_signed")).toBe(completed === 200 ? 1 : 0);
      expect(count("cancelled")).toBe(cancelled === 200 ? 1 : 0);
      expect(count("participant_replaced")).toBe(mended === 200 ? 1 : 0);
      // Nobody signs by the link of the person before, and after the act nobody takes the place.
      if (completed === 200) expect([delegated, cancelled, mended]).not.toContain(200);
      const { participants } = await read(stage, id);
      const names = {
        Maria: delegated !== 200 && mended !== 200,
        Marina: mended === 200,
        "Rafael Nunes": delegated === 200,
      };
      expect(names[participants[0].name as keyof typeof names]).toBe(true);
      expect((await verifyAll(selo.operator)).faults).toEqual([]);
    }
  });
});
