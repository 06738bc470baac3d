// POST /signatures/validate: what an organization knows of a digest in one environment, and whether what it knows was signed and still verifies.
import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verdictOf } from "../../../src/services/signature/records/validate-digest.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { type Edit, whileTampered } from "../../support/tamper.ts";
import { complete, completing, deliver, evidenceOf, PIXEL, type SentWith, sentWith } from "./completion-stage.ts";
import { aDocument, anEnvelope, ask, type EnvelopeStage } from "./envelope-stage.ts";
import type { Link } from "./signing-stage.ts";

let selo: TestGateway;
let owner: TestOrganization;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  owner = await selo.newOrganization();
  stage = { selo, tenantId: owner.id, token: owner.test, environment: "test" };
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const validate = (digest: unknown, token = stage.token) =>
  call(selo, "POST", "/signatures/validate", { token, body: { sha256: digest } });
const told = async (digest: string, token = stage.token) => {
  const { status, body, text } = await validate(digest, token);
  expect([status, text]).toEqual([200, text]);
  return body;
};
const UNKNOWN = { verdict: "unknown", known: [], signatures: [] };
const digestOfDocument = async (id: string): Promise<string> =>
  (await ask(stage, "GET", `/documents/${id}`)).body.sha256;
const INSTANT = expect.stringMatching(/^2\d{3}-.*Z$/);

test.each([
  ["in capitals", "AB".repeat(32)],
  ["of 63 digits", "a".repeat(63)],
  ["of 65 digits", "a".repeat(65)],
  ["that is none", "z".repeat(64)],
  ["that is missing", undefined],
  ["that is a number", 7],
])("a digest %s is 422 invalid_request", async (_, digest) => {
  const refused = await validate(digest);
  expectError(refused, 422, "invalid_request");
  expect(refused.body.fields).toMatchObject([{ field: "sha256" }]);
});

test("nothing is valid that nothing signed asserts, or whose record has a fault", async () => {
  const found = { sha256: "a".repeat(64), known: [], platform_keys: [] };
  const proof = { platform_key_id: "", platform_signature: "", platform_pq_key_id: "", platform_signature_pq: "" };
  expect(await verdictOf({ ...found, seals: [] })).toBe("unknown");
  expect(await verdictOf({ ...found, seals: [{ proof, signed: "", fault: "the record is gone" }] })).toBe("invalid");
  expect(await verdictOf({ ...found, seals: [{ proof, signed: "", fault: null }] })).toBe("invalid");
});

test("of an uploaded document that nobody signed is known where it is, and not valid", async () => {
  const documentId = await aDocument(stage);
  const digest = await digestOfDocument(documentId);
  const original = { as: "original", id: documentId, at: INSTANT };
  expect(await told(digest)).toEqual({ ...UNKNOWN, sha256: digest, known: [{ ...original, envelope_id: null }] });
  const ids: string[] = [];
  for (const title of ["first", "second", "third"]) {
    const { id } = await anEnvelope(stage, { title });
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: documentId });
    ids.push(id);
  }
  const all = ids.map((envelope_id) => ({ ...original, envelope_id }));
  expect(await told(digest)).toEqual({ ...UNKNOWN, sha256: digest, known: all });
  // At most 100, the earliest first.
  const { rows } = await selo.database.admin.query("select signature.most_known() as most");
  expect(rows).toEqual([{ most: 100 }]);
  const most = (count: number) =>
    selo.database.admin.query(
      `create or replace function signature.most_known() returns integer language sql immutable parallel safe return ${count}`,
    );
  await most(2);
  expect((await told(digest)).known).toEqual(all.slice(0, 2));
  await most(100);
});

describe("of an envelope", () => {
  let sent: SentWith;
  let field: string;
  let original: string;
  let final: string;
  /** A file of a participant that is also the file of a proof. */
  const attachment = sha256(PIXEL);
  let proofId: string;
  let verdicts: Readonly<Record<"before" | "delivered" | "signed" | "partly", unknown>>;
  beforeAll(async () => {
    sent = await sentWith(stage, [
      { body: { cpf: "529.982.247-25" }, fields: [{ type: "anexo" }] },
      { body: { role: "aprovador" } },
    ]);
    [field = ""] = sent.fields[0] ?? [];
    original = await digestOfDocument(sent.documentId);
    const [first, second] = sent.links as readonly [Link, Link];
    const before = await told(original);
    await deliver(stage, first, field);
    const delivered = await told(attachment);
    expect((await complete(stage, first)).status).toBe(200);
    const partly = await told(original);
    const signed = await told(attachment);
    verdicts = { before, delivered, signed, partly };
    expect((await complete(stage, second, { signature: undefined })).status).toBe(200);
    await completing(stage, sent.id, worker);
    final = (await evidenceOf(stage, sent.id)).documents[0].final_sha256;
    proofId = (await ask(stage, "POST", "/proofs", { sha256: attachment })).body.id;
  });

  const asOriginal = () => ({ as: "original", id: sent.documentId, envelope_id: sent.id, at: INSTANT });
  const asAttachment = () => ({ as: "attachment", id: field, envelope_id: sent.id, at: INSTANT });
  const asFinal = () => ({ as: "final", id: sent.documentId, envelope_id: sent.id, at: INSTANT });
  const asProof = () => ({ as: "proof", id: proofId, envelope_id: null, at: INSTANT });

  test("the original is valid once a participant has signed it, and a file once its participant has finished", () => {
    expect(verdicts).toEqual({
      before: { ...UNKNOWN, sha256: original, known: [asOriginal()] },
      delivered: { ...UNKNOWN, sha256: attachment },
      partly: { ...UNKNOWN, sha256: original, verdict: "valid", known: [asOriginal()] },
      signed: { ...UNKNOWN, sha256: attachment, verdict: "valid", known: [asAttachment()] },
    });
  });

  test("original, final and attachment are valid after the completion, and a proof comes first", async () => {
    const valid = { signatures: [], verdict: "valid" };
    expect(await told(original)).toEqual({ ...valid, sha256: original, known: [asOriginal()] });
    expect(await told(final)).toEqual({ ...valid, sha256: final, known: [asFinal()] });
    expect(await told(attachment)).toEqual({ ...valid, sha256: attachment, known: [asProof(), asAttachment()] });
    const { completed_at } = (await ask(stage, "GET", `/envelopes/${sent.id}`)).body;
    expect((await told(final)).known[0].at).toBe(completed_at);
    const { data } = await graphql(selo, stage.token, `{ digestValidation(sha256: "${final}") { verdict known } }`);
    expect(data).toEqual({ digestValidation: { verdict: "valid", known: [asFinal()] } });
  });

  test("neither another organization nor the other environment knows any of them", async () => {
    const stranger = await selo.newOrganization();
    for (const digest of [original, final, attachment])
      for (const token of [stranger.test, stranger.live, owner.live])
        expect(await told(digest, token)).toEqual({ ...UNKNOWN, sha256: digest });
  });

  const flip = (column: string) => `${column} = set_byte(${column}, 7, get_byte(${column}, 7) # 1)`;
  const record = (set: string, of: string): Edit => [
    `update signature.signature_records set ${set} where envelope_id = $1 and participant_id ${of}`,
    [sent.id],
  ];
  const completion = (set: string) => record(set, "is null");
  const signer = (set: string): Edit => [`${record(set, "= $2")[0]}`, [sent.id, sent.links[0].participantId]];
  test.each<[string, () => string, () => Edit]>([
    ["final: the Ed25519 signature of the completion", () => final, () => completion(flip("platform_signature"))],
    ["final: its ML-DSA-87 signature", () => final, () => completion(flip("platform_signature_pq"))],
    [
      "final: the completion is gone",
      () => final,
      () => ["delete from signature.signature_records where envelope_id = $1 and participant_id is null", [sent.id]],
    ],
    [
      "final: the row of the envelope",
      () => final,
      () => ["update signature.envelopes set status = 'declined' where id = $1", [sent.id]],
    ],
    ["original: the completion", () => original, () => completion(flip("platform_signature"))],
    [
      "original: the completion, whose text is none",
      () => original,
      () => completion("evidence = replace(evidence, '{', '')"),
    ],
    [
      "another digest in the row of the document",
      () => "77".repeat(32),
      () => [
        `update signature.documents set sha256 = decode('${"77".repeat(32)}', 'hex') where id = $1`,
        [sent.documentId],
      ],
    ],
    ["attachment: the signature of the record", () => attachment, () => signer(flip("platform_signature_pq"))],
    [
      "another digest in the row of the file",
      () => "77".repeat(32),
      () => [
        `update signature.attachments set sha256 = decode('${"77".repeat(32)}', 'hex') where field_id = $1`,
        [field],
      ],
    ],
    [
      "attachment: the record is gone",
      () => attachment,
      () => [
        "delete from signature.signature_records where envelope_id = $1 and participant_id = $2",
        [sent.id, sent.links[0].participantId],
      ],
    ],
    [
      "proof: its signature, though the record of the same file is good",
      () => attachment,
      () => [`update signature.proofs set ${flip("platform_signature")} where id = $1`, [proofId]],
    ],
    [
      "proof: its name",
      () => attachment,
      () => ["update signature.proofs set label = 'another' where id = $1", [proofId]],
    ],
  ])("tampered, it is invalid: %s", async (_, digest, edit) => {
    const tables = ["signature_records", "envelopes", "documents", "attachments", "proofs"].map(
      (table) => `signature.${table}`,
    );
    const answer = await whileTampered(selo.database, tables, [edit()], () => told(digest()));
    expect(answer).toMatchObject({ verdict: "invalid", signatures: [] });
    expect(answer.known.length).toBeGreaterThan(0);
  });
});

describe("however many rows there are, what is asked is read by indexes", () => {
  const MANY = 1_500;
  const DIGEST = "55".repeat(32);
  /** Rows that were read of each table, those thrown away included. */
  let scans: Record<string, number> = {};
  let client: pg.Client;
  beforeAll(async () => {
    const { id } = await selo.newOrganization();
    client = new pg.Client({ connectionString: selo.database.adminUrl });
    client.on("notice", ({ message = "" }) => {
      const json = /plan:\s*(\{.*\})\s*$/s.exec(message)?.[1];
      if (json) count((JSON.parse(json) as { readonly Plan: Plan }).Plan);
    });
    await client.connect();
    await client.query(`begin;
      set local session_replication_role = replica;
      create temporary table made on commit drop as
        select platform.uuidv7() as id, number, case when number <= ${MANY} then '${id}'::uuid else md5((number % 20)::text)::uuid end as tenant_id
        from generate_series(1, 2 * ${MANY}) as number;
      insert into signature.envelopes (tenant_id, id, environment, title, signing_order, allow_delegation, jurisdiction, field_placement, expires_in_days)
        select tenant_id, id, 'test', 'Contract', 'parallel', false, 'intl', 'report', 30 from made;
      insert into signature.documents (tenant_id, id, environment, filename, status, size, sha256, object_id, created_at)
        select tenant_id, id, 'test', 'a.pdf', 'uploaded', 1, case number when 1 then decode('${DIGEST}', 'hex') else sha256(id::text::bytea) end, id, now() from made;
      insert into signature.envelope_documents (tenant_id, environment, envelope_id, document_id, position)
        select made.tenant_id, 'test', made.id, first.id, 1 from made, made as first where first.number = 1;
      insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, auth_method, modality)
        select tenant_id, id, 'test', id, 'Maria', 'maria@example.com', 'aprovador', 'email', 'simples' from made;
      insert into signature.attachments (tenant_id, field_id, environment, envelope_id, participant_id, object_id, filename, type, size, sha256)
        select tenant_id, id, 'test', id, id, id, 'a.png', 'image/png', 1, sha256(id::text::bytea) from made;
      insert into signature.signature_records (tenant_id, id, environment, envelope_id, participant_id, evidence, platform_key_id, platform_signature,
        platform_pq_key_id, platform_signature_pq, signed_at)
        select tenant_id, id, 'test', id, id, '{}', 'x', decode(repeat('00', 64), 'hex'), 'x', decode(repeat('00', 4627), 'hex'), now() from made;
      commit`);
    await client.query(
      "vacuum analyze signature.envelopes, signature.documents, signature.envelope_documents, signature.participants, signature.attachments, signature.signature_records",
    );
    await client.query(
      "load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_format = json; set auto_explain.log_level = notice; set client_min_messages = notice",
    );
    await client.query(
      "select set_config('app.tenant_id', $1, false), set_config('app.environment', 'test', false), set_config('app.scopes', 'signatures:read signatures:validate', false)",
      [id],
    );
    await client.query("select set_config('app.mac', encode(platform.context_mac(), 'hex'), false)");
  }, 60_000);
  afterAll(() => client?.end());

  interface Plan {
    readonly "Relation Name"?: string;
    readonly "Actual Rows"?: number;
    readonly "Actual Loops"?: number;
    readonly "Rows Removed by Filter"?: number;
    readonly Plans?: readonly Plan[];
  }
  function count(plan: Plan): void {
    const { "Relation Name": table, "Actual Rows": rows = 0, "Rows Removed by Filter": removed = 0 } = plan;
    if (table !== undefined) scans[table] = (scans[table] ?? 0) + (rows + removed) * (plan["Actual Loops"] ?? 1);
    for (const part of plan.Plans ?? []) count(part);
  }
  async function reading(call: string) {
    scans = {};
    const { rows } = await client.query(`select ${call} as body`);
    return { body: rows[0].body, scans };
  }

  test("a digest in more places than the answer names, and one in none", async () => {
    const { body, scans } = await reading(`gateway.validate_digest('${DIGEST}')`);
    expect(body.known).toHaveLength(100);
    expect(scans.documents).toBe(1);
    // Of each that is named: the envelope, and its records.
    for (const [table, rows] of Object.entries(scans))
      expect([table, rows > 300 ? rows : "few"]).toEqual([table, "few"]);
    const none = await reading(`gateway.validate_digest('${"66".repeat(32)}')`);
    expect(none.body.known).toEqual([]);
    for (const table of ["documents", "attachments", "envelope_documents", "proofs"])
      expect([table, none.scans[table] ?? 0]).toEqual([table, 0]);
  });

  test("records of an envelope, and a page from a cursor", async () => {
    const { body: page } = await reading("gateway.list_signatures(p_limit => 10)");
    const cursor = page.next_cursor as string;
    const next = await reading(
      `gateway.list_signatures(p_limit => 10, p_cursor => '${cursor}', p_fields => '{id,envelope_id}')`,
    );
    expect(next.body.items).toHaveLength(10);
    // Keys of a page and one more, then its rows.
    expect(next.scans.signature_records).toBeLessThanOrEqual(21);
    const [{ envelope_id }] = next.body.items;
    const one = await reading(`gateway.list_signatures('${envelope_id}', p_fields => '{id}')`);
    expect([one.body.total, one.scans.signature_records]).toEqual([1, 2]);
  });
});
