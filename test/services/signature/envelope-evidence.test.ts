// A whole envelope, from its mails to its evidence, and what others can check of it: issue "Signature I", first section, §1 and §4.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyHybrid } from "../../../src/adapters/crypto/hybrid-signature.ts";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import { reverifyRecords } from "../../../workers/signature/reverify.ts";
import { composeAll, type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { whileTampered } from "../../support/tamper.ts";
import { storedDocument } from "../../support/uploads.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { CONSENT, complete, completing, DRAWN, evidenceOf, sentWith, TYPED } from "./completion-stage.ts";
import { anEnvelope, aParticipant, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { inbox, send } from "./sending-stage.ts";
import { act } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-envelope-"));
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await worker.end();
  await selo.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Evidence = any;

async function byPython(evidence: Evidence): Promise<string[]> {
  const keys = (await call(selo, "GET", "/public/platform-key")).body;
  const files = Object.entries({ evidence, keys }).map(([name, value]) => {
    const file = path.join(folder, `${name}.json`);
    fs.writeFileSync(file, JSON.stringify(value));
    return file;
  });
  const program = path.join(import.meta.dirname, "../../verifier/envelope_evidence.py");
  return JSON.parse(execFileSync("python3", [program, ...files], { encoding: "utf8" }));
}

async function withOpenings(evidence: Evidence): Promise<Evidence> {
  const { rows } = await selo.database.admin.query<{ id: string; openings: object }>(
    "select id, openings from signature.signature_records where envelope_id = $1 and participant_id is not null",
    [evidence.envelope.id],
  );
  return { ...evidence, openings: Object.fromEntries(rows.map(({ id, openings }) => [id, openings])) };
}

/** Signs as the participant of the newest invitation, as the page does: link, code, session, documents, consent, signature. */
async function signByMail(id: string, email: string, signature: object): Promise<void> {
  await composeAll(stage, worker);
  const invitation = (await inbox(stage, id)).findLast(
    ({ kind, recipient }) => kind === "envelope_invitation" && recipient === email,
  );
  const [, participantId = "", secret = ""] = /\/sign\/([0-9a-f-]+)#([\w-]{43})$/.exec(invitation?.link ?? "") ?? [];
  const link = { envelopeId: id, participantId, secret };
  expect((await act(stage, link, "GET")).body).toMatchObject({ turn: "yes", documents: null });
  expect((await act(stage, link, "POST", "/code")).status).toBe(202);
  await composeAll(stage, worker);
  const mail = (await inbox(stage, id)).findLast(
    ({ kind, recipient }) => kind === "signing_code" && recipient === email,
  );
  const code = /\d{6}/.exec(mail?.subject ?? "")?.[0];
  const { body } = await act(stage, link, "POST", "/session", { body: { code } });
  const session = body.token;
  const opened = (await act(stage, link, "GET", "", { session })).body;
  expect((await act(stage, link, "GET", `/documents/${opened.documents[0].id}`, { session })).status).toBe(200);
  expect((await act(stage, link, "POST", "/view", { session })).status).toBe(204);
  const done = await act(stage, link, "POST", "/complete", {
    session,
    body: { consent_version: opened.consent.version, signature, values: {} },
  });
  expect(done.body).toEqual({
    status: "completed",
    completed_at: expect.any(String),
    consent_version: expect.any(String),
  });
}

describe("two signers in sequence", () => {
  let id: string;
  let evidence: Evidence;
  beforeAll(async () => {
    id = (await anEnvelope(stage, { signing_order: "sequential", external_id: "order-1" })).id;
    const document = await storedDocument(selo, stage.token);
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: document.id });
    await aParticipant(stage, id, { name: "Maria Souza", email: "maria@example.com", order_index: 1 });
    await aParticipant(stage, id, { name: "João Lima", email: "joao@example.com", order_index: 2 });
    expect((await send(stage, id)).status).toBe(200);
    await signByMail(id, "maria@example.com", TYPED);
    expect((await read(stage, id)).status).toBe("partially_signed");
    await signByMail(id, "joao@example.com", DRAWN);
    expect(await read(stage, id)).toMatchObject({ status: "partially_signed", sealing_since: expect.any(String) });
    await completing(stage, id, worker);
    evidence = await evidenceOf(stage, id);
  });

  test("complete the envelope at the last act", async () => {
    const envelope = await read(stage, id);
    expect(envelope).toMatchObject({ status: "completed", sealing_since: null });
    expect(envelope.completed_at).toBe(envelope.participants[1].completed_at);
    await completing(stage, id, worker); // ends quietly
    expect(await evidenceOf(stage, id)).toEqual(evidence);
  });

  test("have their mails and events, without names, addresses and values", async () => {
    await composeAll(stage, worker);
    const mails = await inbox(stage, id);
    expect(mails.filter(({ kind }) => kind === "envelope_completed").map(({ recipient }) => recipient)).toEqual([
      "maria@example.com",
      "joao@example.com",
    ]);
    const { rows } = await selo.database.admin.query<{ type: string; data: object }>(
      `select type, body::json -> 'data' as data from webhooks.events where body::json ->> 'resource_id' = $1 order by id`,
      [id],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      "envelope.sent",
      "envelope.participant_invited",
      "envelope.viewed",
      "envelope.participant_signed",
      "envelope.participant_invited",
      "envelope.viewed",
      "envelope.participant_signed",
      "envelope.completed",
    ]);
    expect(rows.at(-1)?.data).toEqual({ envelope_id: id, status: "completed", external_id: "order-1" });
    expect(JSON.stringify(rows)).not.toMatch(/Maria|João|example\.com/);
  });

  test("GET /envelopes/{id}/evidence has every record with both signatures", () => {
    expect(evidence).toEqual({
      envelope: {
        id,
        title: "Contract",
        status: "completed",
        signing_order: "sequential",
        field_placement: "report",
        jurisdiction: "intl",
        verification_code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/),
        verify_url: expect.stringContaining("/verify/"),
        sent_at: expect.stringMatching(/\.\d{6}Z$/),
        completed_at: expect.stringMatching(/\.\d{6}Z$/),
      },
      documents: [
        {
          document_id: expect.any(String),
          filename: expect.any(String),
          sha256: expect.any(String),
          final_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
      participants: [
        expect.objectContaining({ name: "Maria Souza", status: "completed" }),
        expect.objectContaining({ name: "João Lima", status: "completed" }),
      ],
      records: [expect.any(Object), expect.any(Object)],
      completion: expect.objectContaining({ participant_id: null }),
      chain: expect.objectContaining({ length: evidence.events.length, faults: [] }),
      events: expect.any(Array),
      platform_keys: [
        expect.objectContaining({ algorithm: "Ed25519" }),
        expect.objectContaining({ algorithm: "ML-DSA-87" }),
      ],
    });
    const [record] = evidence.records;
    expect(Object.keys(record)).toEqual([
      "id",
      "participant_id",
      "evidence",
      "platform_signature",
      "platform_key_id",
      "platform_signature_pq",
      "platform_pq_key_id",
    ]);
    expect(record.evidence).toEqual({
      kind: "signature_record",
      schema_version: 1,
      record_id: record.id,
      tenant_id: stage.tenantId,
      organization: "Test Organization",
      environment: "test",
      envelope_id: id,
      verification_code: evidence.envelope.verification_code,
      participant_id: record.participant_id,
      role: "signatario",
      modality: "avancada",
      action: "signed",
      documents: [{ document_id: evidence.documents[0].document_id, sha256: evidence.documents[0].sha256 }],
      consent: { version: CONSENT, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), language: "en" },
      authentication: [{ method: "otp_email", at: expect.stringMatching(/\+00:00$/), reference: expect.any(String) }],
      commitments: {
        name: expect.any(String),
        email: expect.any(String),
        address: expect.any(String),
        agent: expect.any(String),
      },
      signature_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      certificate_sha256: null,
      signed_at: expect.stringMatching(/\+00:00$/),
      time_source: "platform_server_clock_utc",
      hash_algorithm: "SHA-256",
      key_id: record.platform_key_id,
      pq_key_id: record.platform_pq_key_id,
      hybrid_policy: "AND",
    });
    expect(evidence.completion.evidence).toMatchObject({
      kind: "envelope_completed",
      verification_code: evidence.envelope.verification_code,
      documents: [{ ...record.evidence.documents[0], final_sha256: evidence.documents[0].final_sha256 }],
      chain: { length: evidence.events.length - 1, head_hash: evidence.events.at(-2).hash },
      completed_at: evidence.records[1].evidence.signed_at,
    });
  });

  test("events are those of GET /audit, oldest first, and so is the chain", async () => {
    const { body } = await ask(stage, "GET", `/audit?subject_id=${id}&limit=200`);
    expect(evidence.events).toEqual(body.items.toReversed());
    expect(evidence.chain).toEqual(body.chain);
  });

  test("another program checks chain, records, openings and the record of the end", async () => {
    const opened = await withOpenings(evidence);
    expect(await byPython(opened)).toEqual([]);
    const edited = structuredClone(opened);
    edited.records[0].evidence.action = "approved";
    expect(await byPython(edited)).toEqual([
      `record ${edited.records[0].id}: Ed25519`,
      `record ${edited.records[0].id}: ML-DSA-87`,
      `record ${edited.records[0].id}: is not what the chain says`,
      "completion: is of other records",
    ]);
    const removed = structuredClone(opened);
    removed.records.pop();
    removed.openings[removed.records[0].id].name.value = "Somebody";
    expect(await byPython(removed)).toEqual([
      `record ${removed.records[0].id}: has other openings`,
      "completion: is of other records",
    ]);
  });

  test("each flipped byte of a signed text is seen by both signatures, and by the digest in the chain", async () => {
    const keyOf = (keyId: string) =>
      Buffer.from(
        evidence.platform_keys.find(({ key_id }: { key_id: string }) => key_id === keyId).public_key,
        "base64",
      );
    for (const record of [evidence.records[1], evidence.completion]) {
      const keys = { ed25519: keyOf(record.platform_key_id), mlDsa87: keyOf(record.platform_pq_key_id) };
      const seal = {
        ed25519: Buffer.from(record.platform_signature, "base64"),
        mlDsa87: Buffer.from(record.platform_signature_pq, "base64"),
      };
      const text = Buffer.from(canonicalJson(record.evidence as JsonValue), "utf8");
      expect(await verifyHybrid(keys, text, seal)).toEqual({ ed25519: true, mlDsa87: true });
      const digest = createHash("sha256").update(text).digest("hex");
      expect(evidence.events.some(({ details }: Evidence) => details.evidence_sha256 === digest)).toBe(true);
      for (let place = 0; place < text.length; place++) {
        const flipped = Buffer.from(text);
        flipped[place] = (flipped[place] ?? 0) ^ 1;
        const verdict = await verifyHybrid(keys, flipped, seal);
        if (verdict.ed25519 || verdict.mlDsa87) throw new Error(`byte ${place} may be flipped`);
      }
    }
  });

  test("GraphQL has all of it", async () => {
    const { data } = await graphql(
      selo,
      stage.token,
      `{ envelopeEvidence(id: "${id}") {
        envelope { id title status signingOrder fieldPlacement jurisdiction verificationCode verifyUrl sentAt completedAt }
        documents { documentId filename sha256 finalSha256 }
        participants { id name status }
        records { ...Record }
        completion { ...Record }
        chain { subjectId length headHash sealedBy sealedLength faults { seq eventId fault } }
        events { id action seq hash details occurredAt }
        platformKeys { keyId algorithm }
      } }
      fragment Record on SignedRecord { id participantId evidence platformSignature platformKeyId platformSignaturePq platformPqKeyId }`,
    );
    const { envelopeEvidence: shown } = data as Evidence;
    const inCamelCase = (value: object) =>
      Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase()),
          one,
        ]),
      );
    const { envelope } = evidence;
    expect(shown.envelope).toEqual({
      ...inCamelCase(envelope),
      status: envelope.status.toUpperCase(),
      signingOrder: envelope.signing_order.toUpperCase(),
      fieldPlacement: envelope.field_placement.toUpperCase(),
      jurisdiction: envelope.jurisdiction.toUpperCase(),
    });
    expect(shown.documents).toEqual(evidence.documents.map(inCamelCase));
    // Members of signed evidence keep the names under which they were signed.
    expect(shown.records).toEqual(evidence.records.map(inCamelCase));
    expect(shown.completion).toEqual(inCamelCase(evidence.completion));
    expect(shown.chain).toEqual(inCamelCase(evidence.chain));
    expect(shown.events).toEqual(
      evidence.events.map(({ id, action, seq, hash, details, occurred_at }: Evidence) => ({
        id,
        action,
        seq: String(seq),
        hash,
        details,
        occurredAt: occurred_at.replace("+00:00", "Z"),
      })),
    );
    expect(shown.participants[0]).toEqual({
      id: evidence.participants[0].id,
      name: "Maria Souza",
      status: "COMPLETED",
    });
    expect(shown.platformKeys).toHaveLength(2);
  });

  test("the second implementation verifies each record, and raises the alarm for a wrong signature", async () => {
    const waiting = async () =>
      (await selo.database.admin.query("select record_id, failure from signature.unverified_records")).rows;
    expect(await waiting()).toHaveLength(3);
    await reverifyRecords({}, worker.context);
    expect(await waiting()).toEqual([]);
    const [record] = evidence.records;
    await selo.database.admin.query(
      "insert into signature.unverified_records (tenant_id, environment, record_id) values ($1, 'test', $2)",
      [stage.tenantId, record.id],
    );
    const flip = "set_byte(platform_signature_pq, 7, get_byte(platform_signature_pq, 7) # 1)";
    const tamper = () =>
      selo.database.admin.query(
        `update signature.signature_records set platform_signature_pq = ${flip} where id = $1`,
        [record.id],
      );
    await tamper();
    const alarms: unknown[] = [];
    const log = { ...worker.context.log, fatal: (said: { alarm: string }) => alarms.push(said.alarm) };
    await reverifyRecords({}, { ...worker.context, log: log as never });
    await tamper();
    expect(alarms).toEqual(["records_failed_verification"]);
    expect(await waiting()).toEqual([{ record_id: record.id, failure: "the ML-DSA-87 signature does not verify" }]);
    await selo.database.admin.query("delete from signature.unverified_records");
  });

  test("selo audit verify counts the signed records apart, and finds nothing", async () => {
    const { faults, verified } = await verifyAll(selo.operator);
    expect(faults).toEqual([]);
    expect(verified).toEqual({ proofs: 0, signed_records: 3 });
  });

  test("selo audit verify names a record that is forged, altered or gone", async () => {
    const [first, second] = evidence.records;
    const said = (edit: string, values: unknown[]) =>
      whileTampered(selo.database, ["signature.signature_records"], [[edit, values]], async () => {
        const { faults } = await verifyAll(selo.operator);
        expect(faults.map(({ subject_type, subject_id }) => `${subject_type} ${subject_id}`)).toEqual(
          faults.map(() => `envelope ${id}`),
        );
        return faults.map(({ fault }) => fault).sort();
      });
    const forged = await said(
      `update signature.signature_records set evidence = replace(evidence, '"action":"signed"', '"action":"approved"') where id = $1`,
      [first.id],
    );
    for (const fault of [
      "its Ed25519 signature does not verify",
      "its ML-DSA-87 signature does not verify",
      "the evidence differs from what was recorded",
    ])
      expect(forged).toContain(`signed record ${first.id}: ${fault}`);
    expect(forged.filter((fault) => !fault.startsWith(`signed record ${first.id}: `))).toEqual([]);
    expect(
      await said(
        "update signature.signature_records set platform_signature = set_byte(platform_signature, 0, get_byte(platform_signature, 0) # 1) where id = $1",
        [second.id],
      ),
    ).toEqual([`signed record ${second.id}: its Ed25519 signature does not verify`]);
    expect(await said("delete from signature.signature_records where id = $1", [first.id])).toContain(
      `signed record ${first.id} is gone`,
    );
  });
});

describe("GET /envelopes/{id}/evidence", () => {
  test("answers in any status, with masked numbers, and 404 for an unknown envelope", async () => {
    const { id } = await anEnvelope(stage);
    await aParticipant(stage, id, { cpf: "529.982.247-25" });
    expect(await evidenceOf(stage, id)).toMatchObject({
      envelope: { status: "draft", verification_code: null, sent_at: null },
      documents: [],
      participants: [{ cpf: "***.982.247-**" }],
      records: [],
      completion: null,
      platform_keys: [],
      events: [{ action: "envelope.created" }, { action: "envelope.participant_added" }],
    });
    const { id: out, links } = await sentWith(stage, [{}, {}]);
    await complete(stage, links[0]);
    expect(await evidenceOf(stage, out)).toMatchObject({
      envelope: { status: "partially_signed" },
      records: [{ participant_id: links[0].participantId }],
      completion: null,
    });
    expectError(await ask(stage, "GET", "/envelopes/0197a0c0-0000-7000-8000-000000000000/evidence"), 404, "not_found");
  });
});
