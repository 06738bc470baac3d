// Erasure of a participant and of an envelope: nothing personal is left, and what was signed still verifies. Issue "Signature in depth" §7.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reverifyRecords } from "../../../workers/signature/reverify.ts";
import { composeAll } from "../../support/compose-mails.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { ORDINARY, storedDocument } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { aTemplate } from "./bulk-stage.ts";
import {
  aSession,
  complete,
  completing,
  decline,
  deliver,
  evidenceOf,
  type SentWith,
  sentWith,
} from "./completion-stage.ts";
import { ConnectorStage } from "./connector-stage.ts";
import { dossierOf } from "./dossier-stage.ts";
import { anEnvelope, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { erase, placesOf, removeObjects } from "./erasure-stage.ts";
import { CPF, passFactor } from "./factor-stage.ts";
import { attachedOf, byPython, proseOf, readReport, reportOf } from "./report-stage.ts";
import { chain } from "./sending-stage.ts";
import { act, eventsOf, type Link, openedLink } from "./signing-stage.ts";

let connectors: ConnectorStage;
let stage: EnvelopeStage;
beforeAll(async () => {
  connectors = await ConnectorStage.open();
  stage = await connectors.organization();
});
afterAll(() => connectors.close());

/** Who takes the turn over and signs, and who was there before. */
const ZULEICA = {
  name: "Zuleica Prado",
  email: "zuleica.prado@example.net",
  mask: "***.982.247-**",
  typed: "Z. Prado de Lima",
  value: "Rua das Laranjeiras 42",
  file: "holerite-zuleica.png",
};
const RAFAEL = { name: "Rafael Nunes", email: "rafael.nunes@example.net" };
const OTAVIO = { name: "Otávio Reis", email: "otavio.reis@example.net", value: "Apartamento 7 do síndico" };
const ENVELOPE = {
  title: "Divórcio do casal Prado",
  message: "Assine hoje, por favor.",
  external_id: "processo-7788",
  label: "Endereço do imóvel",
  file: "partilha-de-bens.pdf",
};
const KEPT_ANSWER = "erasure-kept-answer";
const texts = (...given: readonly object[]): string[] => given.flatMap((each) => Object.values(each) as string[]);

interface Made extends SentWith {
  readonly zuleica: Link;
  readonly otavio: Link;
}

/** A completed envelope: Rafael passed his turn on to Zuleica, who passed a second factor and delivered a file. */
async function aCompleted(): Promise<Made> {
  const { selo, token } = stage;
  const sent = await sentWith(
    stage,
    [
      {
        body: { ...RAFAEL, auth_method: "cpf", cpf: CPF, phone: "+5511987654321" },
        fields: [{ type: "texto", label: ENVELOPE.label }, { type: "anexo" }],
      },
      { body: { name: OTAVIO.name, email: OTAVIO.email }, fields: [{ type: "texto", label: "Bloco" }] },
    ],
    { title: ENVELOPE.title, message: ENVELOPE.message, external_id: ENVELOPE.external_id, allow_delegation: true },
    { upload: async () => (await storedDocument(selo, token, { name: ENVELOPE.file })).id },
  );
  const [rafael, otavio] = sent.links as [Link, Link];
  const before = await aSession(stage, rafael);
  await passFactor(stage, rafael, before);
  const { name, email } = ZULEICA;
  const delegated = await act(stage, rafael, "POST", "/delegate", { session: before, body: { name, email, cpf: CPF } });
  expect([delegated.status, delegated.text]).toEqual([200, delegated.text]);
  const zuleica = (await openedLink(stage, sent.id, rafael.participantId)) as Link;
  const session = await aSession(stage, zuleica);
  await passFactor(stage, zuleica, session);
  const [value = "", file = ""] = sent.fields[0] ?? [];
  expect((await deliver(stage, zuleica, file, undefined, { session, name: ZULEICA.file })).status).toBe(200);
  const signed = await complete(stage, zuleica, {
    session,
    signature: { kind: "typed", text: ZULEICA.typed },
    values: { [value]: ZULEICA.value },
  });
  expect([signed.status, signed.text]).toEqual([200, signed.text]);
  const [own = ""] = sent.fields[1] ?? [];
  expect((await complete(stage, otavio, { values: { [own]: OTAVIO.value } })).status).toBe(200);
  await completing(stage, sent.id, connectors.worker);
  await composeAll(stage, connectors.worker);
  return { ...sent, zuleica, otavio };
}

const publicly = async (own: EnvelopeStage, id: string) => {
  const { verification_code } = await read(own, id);
  const { status, body } = await call(own.selo, "GET", `/public/envelopes/${verification_code}`);
  expect(status).toBe(200);
  return body;
};
const faults = async () => (await verifyAll(stage.selo.operator)).faults;
const participantsOf = async (id: string) => (await evidenceOf(stage, id)).participants;
const rowsOf = async (statement: string, ...values: unknown[]) =>
  (await stage.selo.database.admin.query(statement, values)).rows;
const objectNames = (id: string) =>
  rowsOf(
    `select document.object_id as original, linked.final_object_id as final,
       (select object_id from signature.attachments where envelope_id = $1) as attachment,
       (select object_id from signature.envelope_reports where envelope_id = $1) as report
     from signature.envelope_documents as linked join signature.documents as document on document.id = linked.document_id where linked.envelope_id = $1`,
    id,
  ).then(([row]) => row as Record<"original" | "final" | "attachment" | "report", string>);

describe("a participant of a completed envelope, and then the envelope", { timeout: 120_000 }, () => {
  let made: Made;
  let shown: unknown;
  let objects: Record<"original" | "final" | "attachment" | "report", string>;
  /** With these, digests of old events would tell that a guess is right. */
  const salts = () =>
    rowsOf(
      "select record_salt::text from signature.envelopes where id = $1 union all select record_salt::text from signature.documents where id = $2",
      made.id,
      made.documentId,
    );
  beforeAll(async () => {
    made = await aCompleted();
    shown = await publicly(stage, made.id);
    expect((await dossierOf(stage, made.id)).status).toBe(200);
    objects = await objectNames(made.id);
  });

  test("of an erased participant nothing is left in any table, and the others have what they had", async () => {
    const { selo } = stage;
    // Answers under an Idempotency-Key stay for their time.
    const keyed = await call(selo, "POST", `/envelopes/${(await anEnvelope(stage)).id}/participants`, {
      token: stage.token,
      key: KEPT_ANSWER,
      body: { name: "Kept Answer", email: "kept@example.net" },
    });
    expect(keyed.status).toBe(201);
    const mine = texts(ZULEICA, RAFAEL);
    const before = await placesOf(selo, [...mine, ...texts(OTAVIO, ENVELOPE)]);
    for (const [text, places] of Object.entries(before)) expect(places, text).not.toEqual([]);
    const [saltBefore] = await salts();
    const erased = await erase(stage, made.id, made.zuleica.participantId);
    expect(await salts()).not.toContainEqual(saltBefore);
    expect(erased).toMatchObject({
      envelope_id: made.id,
      participant_id: made.zuleica.participantId,
      environment: "test",
      is_new: true,
      participants: 1,
      documents: 0,
      objects: 2,
    });
    const after = await placesOf(selo, [...mine, ...texts(OTAVIO, ENVELOPE)]);
    for (const text of mine) expect({ text, places: after[text] }).toEqual({ text, places: [] });
    for (const text of texts(OTAVIO, ENVELOPE))
      expect({ text, places: after[text] }).toEqual({ text, places: before[text] });
    expect(
      await rowsOf(
        `select cpf_mask, enciphered_cpf, cpf_digest, phone_mask, enciphered_phone, decline_reason, openings,
           (select count(*)::integer from signature.factors as kept where kept.participant_id = participant.id) as factors,
           (select count(*)::integer from signature.signing_codes as kept where kept.participant_id = participant.id) as codes,
           (select count(*)::integer from signature.signing_sessions as kept where kept.participant_id = participant.id) as sessions,
           (select count(*)::integer from platform.credentials as kept where kept.actor_id = participant.id and kept.revoked_at is null) as links
         from signature.participants as participant join signature.signature_records as record on record.participant_id = participant.id
         where participant.id = $1`,
        made.zuleica.participantId,
      ),
    ).toEqual([
      {
        cpf_mask: null,
        enciphered_cpf: null,
        cpf_digest: null,
        phone_mask: null,
        enciphered_phone: null,
        decline_reason: null,
        openings: null,
        factors: 0,
        codes: 0,
        sessions: 0,
        links: 0,
      },
    ]);
  });

  test("answers have null and erased_at, in REST, GraphQL and the evidence", async () => {
    const { participants, fields, erased_at } = await read(stage, made.id);
    expect(erased_at).toBeNull();
    const gone = {
      name: null,
      email: null,
      cpf: null,
      phone: null,
      status: "completed",
      erased_at: expect.any(String),
    };
    expect(participants).toMatchObject([gone, { name: OTAVIO.name, email: OTAVIO.email, erased_at: null }]);
    expect(await participantsOf(made.id)).toMatchObject([gone, { name: OTAVIO.name, erased_at: null }]);
    expect(fields.map(({ value }: { value: unknown }) => value)).toEqual([
      null,
      null,
      null,
      OTAVIO.value,
      "Maria Souza",
    ]);
    const { data } = await graphql(
      stage.selo,
      stage.token,
      `{ envelope(id: "${made.id}") { title erasedAt participants { nodes { name email erasedAt } } } }`,
    );
    expect(data).toEqual({
      envelope: {
        title: ENVELOPE.title,
        erasedAt: null,
        participants: {
          nodes: [
            { name: null, email: null, erasedAt: participants[0].erased_at },
            { name: OTAVIO.name, email: OTAVIO.email, erasedAt: null },
          ],
        },
      },
    });
  });

  test("the link opens nothing, and the delivered file is 409", async () => {
    expectError(await act(stage, made.zuleica, "GET"), 404, "not_found");
    expect((await act(stage, made.otavio, "GET")).status).toBe(200);
    const [, file] = made.fields[0] ?? [];
    expectError(await ask(stage, "GET", `/envelopes/${made.id}/attachments/${file}`), 409, "conflict");
  });

  test("chains, records and the public page hold, and the event tells nothing personal", async () => {
    expect(await faults()).toEqual([]);
    expect(await publicly(stage, made.id)).toEqual(shown);
    await reverifyRecords({}, connectors.worker.context);
    expect(await rowsOf("select record_id from signature.unverified_records")).toEqual([]);
    const told = (await eventsOf(stage, made.id)).at(-1);
    expect(told).toMatchObject({ action: "envelope.participant_erased", actor_type: "operator", channel: "cli" });
    expect(JSON.parse(told?.details ?? "")).toEqual({
      participant_id: made.zuleica.participantId,
      record_sha256: expect.any(String),
    });
    expect(await chain(stage, made.zuleica.participantId)).toContain("participant.link_revoked");
    expect((await chain(stage, made.otavio.participantId)).at(-1)).toBe("participant.link_restated");
  });

  test("the report says erased, none is kept, and the Python program finds every commitment that is left in order", async () => {
    const report = proseOf(readReport((await reportOf(stage, made.id)).bytes));
    for (const text of texts(ZULEICA, RAFAEL)) expect(report).not.toContain(text);
    expect(report).toContain("1. (erased) E-mail (erased)");
    expect(report).toContain(`${ENVELOPE.label} (erased)`);
    expect(report).toMatch(/Personal data Name, e-mail, signature and values were erased on /);
    expect(report).toContain("(erased) handed the turn to (erased)");
    expect(report).toContain("(erased) agreed and finished");
    expect(report).toContain(`2. ${OTAVIO.name} E-mail ${OTAVIO.email}`);
    expect(report).toContain(OTAVIO.value);
    const attached = await attachedOf(stage, made.id);
    expect((await byPython(stage.selo, attached, ORDINARY)).faults).toEqual([]);
    await dossierOf(stage, made.id);
    expect(await rowsOf("select from signature.envelope_reports where envelope_id = $1", made.id)).toEqual([]);
  });

  test("a second time it changes nothing", async () => {
    const before = await chain(stage, made.id);
    const [{ erased_at }] = await participantsOf(made.id);
    const again = await erase(stage, made.id, made.zuleica.participantId);
    expect(again).toMatchObject({ is_new: false, erased_at, participants: 0, objects: 0, mails: 0, events: 0 });
    expect(await chain(stage, made.id)).toEqual(before);
  });

  test("of an erased envelope only its id, states, instants and digests are left", async () => {
    const { selo } = stage;
    const mine = texts(OTAVIO, ENVELOPE);
    const saltsBefore = await salts();
    expect(await erase(stage, made.id)).toMatchObject({ is_new: true, participants: 1, documents: 1, objects: 2 });
    expect(await salts()).toEqual(saltsBefore.map(() => ({ record_salt: expect.any(String) })));
    for (const salt of await salts()) expect(saltsBefore).not.toContainEqual(salt);
    const after = await placesOf(selo, mine);
    for (const text of mine)
      expect({ text, places: after[text] }).toEqual({
        text,
        // Bodies of webhooks stay as they were signed, for their time.
        places: text === ENVELOPE.external_id ? [expect.stringMatching(/^webhooks\.events/)] : [],
      });
    expect(await read(stage, made.id)).toMatchObject({
      title: null,
      message: null,
      external_id: null,
      status: "completed",
      erased_at: expect.any(String),
      documents: [{ filename: null, sha256: expect.any(String), final_sha256: expect.any(String) }],
      participants: [{ name: null }, { name: null, email: null }],
    });
    expect(await evidenceOf(stage, made.id)).toMatchObject({ envelope: { title: null }, chain: { faults: [] } });
    expect(await publicly(stage, made.id)).toEqual(shown);
    expect(await faults()).toEqual([]);
    expect(await chain(stage, made.documentId)).toContain("document.erased");
    expect((await chain(stage, made.id)).at(-1)).toBe("envelope.erased");
    expectError(await act(stage, made.otavio, "GET"), 404, "not_found");
  });

  test("its report, dossier and downloads are 409, and its document is gone", async () => {
    const [, file] = made.fields[0] ?? [];
    expectError(await reportOf(stage, made.id), 409, "conflict");
    for (const path of ["/dossier", `/documents/${made.documentId}/download`, `/attachments/${file}`])
      expectError(await ask(stage, "GET", `/envelopes/${made.id}${path}`), 409, "conflict");
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/download"],
      ["DELETE", ""],
    ] as const)
      expectError(await ask(stage, method, `/documents/${made.documentId}${path}`), 404, "not_found");
    const draft = await anEnvelope(stage);
    const added = await ask(stage, "POST", `/envelopes/${draft.id}/documents`, { document_id: made.documentId });
    expectError(added, 404, "not_found");
  });

  test("its objects are gone from the storage once the jobs have run", async () => {
    const left = await removeObjects(stage, connectors.worker);
    for (const name of ["original", "final", "attachment", "report"] as const)
      expect(left, name).not.toContain(objects[name]);
  });
});

test("a document that another envelope uses stays; in live, the digest of the sealed PDF still leads to the envelope", {
  timeout: 60_000,
}, async () => {
  const { selo } = stage;
  const live = await openStage(selo, "live");
  const document = await storedDocument(selo, live.token, { name: "comum.pdf" });
  const upload = async () => document.id;
  const [one, other] = [await sentWith(live, [{}], {}, { upload }), await sentWith(live, [{}], {}, { upload })];
  for (const { links, id } of [one, other]) {
    expect((await complete(live, links[0])).status).toBe(200);
    await completing(live, id, connectors.worker);
  }
  const [{ final_sha256: sha256 }] = (await read(live, one.id)).documents;
  const verified = () => call(selo, "POST", "/public/envelopes/verify", { body: { sha256 } });
  const before = await verified();
  expect(await erase(live, one.id)).toMatchObject({ documents: 0, objects: 1 });
  expect((await read(live, one.id)).documents).toMatchObject([{ document_id: document.id, filename: null }]);
  expect((await read(live, other.id)).documents).toMatchObject([{ document_id: document.id, filename: "comum.pdf" }]);
  expect((await ask(live, "GET", `/documents/${document.id}/download`)).status).toBe(200);
  expect(await verified()).toMatchObject({ status: 200, body: before.body });
  const [kept] = await rowsOf("select object_id from signature.documents where id = $1", document.id);
  expect(await removeObjects(live, connectors.worker)).toContain(kept?.object_id);
  expect(await erase(live, other.id)).toMatchObject({ documents: 1, objects: 2 });
  expect(await faults()).toEqual([]);
});

test("a document that stayed for a draft is erased by a repetition, once the draft is gone", {
  timeout: 60_000,
}, async () => {
  const { selo } = stage;
  const name = "rascunho-alheio.pdf";
  const document = await storedDocument(selo, stage.token, { name });
  const sent = await sentWith(stage, [{}], {}, { upload: async () => document.id });
  const draft = await anEnvelope(stage);
  const added = await ask(stage, "POST", `/envelopes/${draft.id}/documents`, { document_id: document.id });
  expect(added.status).toBe(201);
  expect((await decline(stage, sent.links[0])).status).toBe(200);
  const first = await erase(stage, sent.id);
  expect(first).toMatchObject({ is_new: true, documents: 0 });
  expect(await erase(stage, sent.id)).toMatchObject({ is_new: false });
  expect((await ask(stage, "DELETE", `/envelopes/${draft.id}`)).status).toBe(204);
  const again = { is_new: true, erased_at: first.erased_at, participants: 0, documents: 1, objects: 1 };
  expect(await erase(stage, sent.id)).toMatchObject(again);
  expect(await erase(stage, sent.id)).toMatchObject({ is_new: false, documents: 0 });
  expect(await placesOf(selo, [name])).toEqual({ [name]: [] });
  expect((await chain(stage, sent.id)).filter((action) => action === "envelope.erased")).toHaveLength(1);
  expect((await chain(stage, document.id)).at(-1)).toBe("document.erased");
  expect(await faults()).toEqual([]);
});

/** A document with its events, as its upload leaves it. */
const upload = async () => (await storedDocument(stage.selo, stage.token)).id;

describe("before the end", () => {
  test("404 for what is not there, 409 for a draft and for an envelope that is out: nothing changes", async () => {
    const draft = await anEnvelope(stage);
    const sent = await sentWith(stage, [{}], {}, { upload });
    const foreign = await connectors.organization();
    const [{ participantId }] = sent.links;
    const conflict = { status: 409, code: "conflict" };
    await expect(erase(stage, draft.id)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringContaining("draft"),
    });
    await expect(erase(stage, sent.id)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringContaining("sent"),
    });
    await expect(erase(stage, sent.id, participantId)).rejects.toMatchObject(conflict);
    await expect(erase(foreign, sent.id)).rejects.toMatchObject({ status: 404 });
    expect((await complete(stage, sent.links[0])).status).toBe(200);
    await expect(erase(stage, sent.id)).rejects.toMatchObject({
      ...conflict,
      message: expect.stringContaining("completed"),
    });
    await completing(stage, sent.id, connectors.worker);
    await expect(erase(stage, sent.id, draft.id)).rejects.toMatchObject({ status: 404 });
    expect(await read(stage, sent.id)).toMatchObject({ erased_at: null, participants: [{ name: "Maria Souza" }] });
  });

  test("a declined envelope loses the reason; its report tells the erasure; a failed one is not completed any more", async () => {
    const reason = "Não concordo com o valor do aluguel.";
    // The event of an envelope of a template names all participants.
    const template = await aTemplate(stage, { title: "Lease" });
    const recipients = [{ order_index: 1, name: "Iracema Luz", email: "iracema@example.net" }];
    const { body: sent } = await ask(stage, "POST", `/templates/${template}/apply`, { recipients });
    await ask(stage, "POST", `/envelopes/${sent.id}/documents`, { document_id: await upload() });
    expect((await ask(stage, "POST", `/envelopes/${sent.id}/send`)).status).toBe(200);
    const participantId = sent.participants[0].id;
    const link = (await openedLink(stage, sent.id, participantId)) as Link;
    expect((await decline(stage, link, { reason })).status).toBe(200);
    await erase(stage, sent.id, participantId);
    expect(await placesOf(stage.selo, [reason, "Iracema Luz", "iracema@example.net"])).toEqual({
      [reason]: [],
      "Iracema Luz": [],
      "iracema@example.net": [],
    });
    const report = proseOf(readReport((await reportOf(stage, sent.id)).bytes));
    expect(report).toContain("The personal data of a participant was erased");

    const failed = await sentWith(stage, [{}], {}, { upload });
    expect((await complete(stage, failed.links[0])).status).toBe(200);
    await stage.selo.database.admin.query("select jobs.call($1, $2, 'begin_completion', $3)", [
      stage.tenantId,
      stage.environment,
      { id: failed.id },
    ]);
    await stage.selo.database.admin.query("select jobs.call($1, $2, 'end_failed_completion', $3)", [
      stage.tenantId,
      stage.environment,
      { id: failed.id, counts: true, reason: "unsealable" },
    ]);
    expect(await read(stage, failed.id)).toMatchObject({ status: "failed" });
    await erase(stage, failed.id, failed.links[0].participantId);
    await completing(stage, failed.id, connectors.worker);
    expect(await read(stage, failed.id)).toMatchObject({ status: "failed", erased_at: null });
    expect(await faults()).toEqual([]);
  });
});
