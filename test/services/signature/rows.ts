// Rows of the service, for tests that look at every table or view of all services.
import { randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { writeOneEnvelope } from "./envelope-isolation.ts";

/** A row in every table of the service, written by requests of an organization; and a kept answer of the platform's. */
export async function writeOne(selo: TestGateway, { id, live: token }: TestOrganization): Promise<void> {
  const body = { sha256: randomBytes(32).toString("hex") };
  const { status } = await call(selo, "POST", "/proofs", { token, body, headers: { "idempotency-key": "one" } });
  if (status !== 201) throw new Error(`a proof was answered ${status}`);
  await writeOneEnvelope({ selo, tenantId: id, token, environment: "live" });
  await writeCertificates(selo.database.admin, id);
  await writeFactor(selo.database.admin, id);
}

/** A certificate that a participant is about to sign with, and one with which a participant signed: no authority is trusted here. */
async function writeCertificates(admin: pg.Pool, tenantId: string): Promise<void> {
  const participant = "from signature.participants where tenant_id = $1 limit 1";
  await admin.query(
    `insert into signature.certificate_offers (tenant_id, participant_id, environment, envelope_id, chain, at, documents, expires_at)
     select tenant_id, id, environment, envelope_id, array['\\x00'::bytea], now(), '[]', now() + interval '10 minutes' ${participant}`,
    [tenantId],
  );
  await admin.query(
    `insert into signature.signer_certificates (tenant_id, participant_id, environment, envelope_id, path)
     select tenant_id, id, environment, envelope_id, array['\\x00'::bytea] ${participant}`,
    [tenantId],
  );
}

/** A try of a second factor that is under way: no participant of these rows has one. */
async function writeFactor(admin: pg.Pool, tenantId: string): Promise<void> {
  await admin.query(
    `insert into signature.factors (tenant_id, participant_id, environment, envelope_id, link_version, session_id, method)
     select tenant_id, id, environment, envelope_id, 1, gen_random_uuid(), 'cpf' from signature.participants where tenant_id = $1 limit 1`,
    [tenantId],
  );
}

/** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
export async function writeMany(admin: pg.Pool, tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  const rows = "generate_series(1, $2::integer) as number";
  const isOther = text === "other";
  await admin.query(
    `insert into signature.proofs (tenant_id, id, environment, sha256, label, file_name, file_size, language, registered_at,
       verification_code, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq)
     select $1, platform.uuidv7(), 'live', sha256(convert_to($3::text || number, 'UTF8')), $3, $3, $4::bigint, $3, now(), $3,
       json_build_object('organization', $3::text)::text, $3, decode(repeat($5, 64), 'hex'), $3, decode(repeat($5, 4627), 'hex')
     from ${rows}`,
    [tenantId, count, text, ...(isOther ? [5, "ab"] : [null, "cd"])],
  );
  await admin.query(
    `insert into signature.documents (tenant_id, id, environment, filename, status, reason, size, sha256, pages, object_id, created_at, checked_at)
     select $1, platform.uuidv7(), 'live', $3::text, $4, $5, $6::bigint, sha256($3::text::bytea), $7::jsonb,
       case $4 when 'ready' then gen_random_uuid() end, now(), now()
     from ${rows}`,
    [
      tenantId,
      count,
      text,
      ...(isOther ? ["quarantined", "bomb", 5, "[]"] : ["ready", null, 7, '[{"width": 612, "height": 792}]']),
    ],
  );
  await admin.query(
    `insert into signature.templates (tenant_id, id, environment, name, ${Object.keys(TEMPLATE)}, created_at, updated_at)
     select $1, platform.uuidv7(), 'live', $3, ${chosen(TEMPLATE, text)}, now(), now() from ${rows}`,
    [tenantId, count, text],
  );
  await writeManyEnvelopes(admin, tenantId, text);
  await admin.query(
    `insert into signature.signature_records (tenant_id, id, environment, envelope_id, participant_id, evidence, platform_key_id, platform_signature,
       platform_pq_key_id, platform_signature_pq, signed_at)
     select tenant_id, platform.uuidv7(), environment, envelope_id, id, json_build_object('organization', $2::text)::text, $2,
       decode(repeat($3, 64), 'hex'), $2, decode(repeat($3, 4627), 'hex'), now()
     from signature.participants where tenant_id = $1`,
    [tenantId, text, isOther ? "ab" : "cd"],
  );
  await admin.query(
    `with made as (
       insert into signature.labels (tenant_id, environment, name, name_key, color)
       select $1, 'live', $2 || ' ' || number, $2 || ' ' || number, case $2::text when 'other' then '#0000ff' else '#ff0000' end from generate_series(1, 4) as number
       returning id
     )
     insert into signature.envelope_labels (tenant_id, environment, label_id, envelope_id)
     select $1, 'live', made.id, envelope.id from made, signature.envelopes as envelope where envelope.tenant_id = $1`,
    [tenantId, text],
  );
  await writeManyDeliveries(admin, tenantId, text);
  await admin.query(
    `insert into platform.audit_events (tenant_id, environment, id, subject_type, subject_id, seq, action, actor_type, actor_id, occurred_at, details,
       commitments, prev_hash, hash)
     select $1, 'live', platform.uuidv7(), 'envelope', envelope.id, step.seq, step.action, 'token', $2::uuid, now(), '{}', '{}', sha256($3::text::bytea), sha256($3::text::bytea)
     from signature.envelopes as envelope cross join (values (1, 'envelope.created'), (2, 'envelope.sent'), (3, 'envelope.failed')) as step (seq, action)
     where envelope.tenant_id = $1`,
    [tenantId, randomUUID(), text],
  );
}

/** A connector for each envelope of an organization, and the delivery of its package. */
async function writeManyDeliveries(admin: pg.Pool, tenantId: string, text: "own" | "other"): Promise<void> {
  const isOther = text === "other";
  await admin.query(
    `with made as materialized (
       select id as envelope_id, platform.uuidv7() as connector_id from signature.envelopes where tenant_id = $1
     ), connector as (
       insert into signature.connectors (tenant_id, id, environment, name, kind, status, content, endpoint, region, bucket, prefix, access_key_id,
         sealed_secret, disabled_reason)
       select $1, connector_id, 'live', $2::text, 's3', $3::text, $4, 'https://' || $2::text, $2, $2, $2, $2, '\\x00', $5::text from made
     )
     insert into signature.package_deliveries (tenant_id, environment, connector_id, envelope_id, status, attempts, error_status, error_code, delivered_at)
     select $1, 'live', connector_id, envelope_id, $6::text, length($2), $7::integer, $8::text, case $6::text when 'delivered' then now() end from made`,
    [
      tenantId,
      text,
      ...(isOther
        ? ["disabled", "dossier", "manual", "failed", 500, "http_status"]
        : ["active", "documents", null, "delivered", null, null]),
    ],
  );
}

/** An envelope for each document of an organization, with a participant and two fields, one of which depends on the other. */
async function writeManyEnvelopes(admin: pg.Pool, tenantId: string, text: "own" | "other"): Promise<void> {
  await admin.query(
    `with made as materialized (
       select id as document_id, platform.uuidv7() as envelope_id, platform.uuidv7() as participant_id, platform.uuidv7() as box_id
       from signature.documents where tenant_id = $1
     ), envelope as (
       insert into signature.envelopes (tenant_id, id, environment, title, status, ${Object.keys(ENVELOPE)})
       select $1, envelope_id, 'live', $2, case $2::text when 'other' then 'failed' else 'draft' end, ${chosen(ENVELOPE, text)} from made
     ), linked as (
       insert into signature.envelope_documents (tenant_id, environment, envelope_id, document_id, position)
       select $1, 'live', envelope_id, document_id, case $2::text when 'other' then 2 else 1 end from made
     ), participant as (
       insert into signature.participants (tenant_id, id, environment, envelope_id, name, ${Object.keys(PARTICIPANT)})
       select $1, participant_id, 'live', envelope_id, $2, ${chosen(PARTICIPANT, text)} from made
     ), box as (
       insert into signature.fields (tenant_id, id, environment, envelope_id, participant_id, document_id, ${Object.keys(FIELD)})
       select $1, box_id, 'live', envelope_id, participant_id, document_id, ${chosen(FIELD, text)} from made
     )
     insert into signature.fields (tenant_id, environment, envelope_id, participant_id, document_id, ${Object.keys(FIELD)},
       condition_field_id, condition_trigger)
     select $1, 'live', envelope_id, participant_id, document_id, ${chosen(FIELD, text)}, box_id,
       case $2::text when 'other' then 'unchecked' else 'checked' end
     from made`,
    [tenantId, text],
  );
}

/** Values of columns in SQL: of the analyst's own organization, and of the other. */
type Values = Readonly<Record<string, readonly [own: string, other: string]>>;
const ENVELOPE: Values = {
  signing_order: ["'parallel'", "'sequential'"],
  allow_delegation: ["true", "false"],
  jurisdiction: ["'intl'", "'us'"],
  field_placement: ["'fields'", "'report'"],
  expires_in_days: ["30", "7"],
  remind_every_days: ["null::integer", "5"],
  message: ["null", "'other'"],
  language: ["null", "'pt'"],
  external_id: ["null", "'other'"],
  cancel_reason: ["null", "'other'"],
  failure_reason: ["null", "'unsealable'"],
  verification_code: ["null", "'other'"],
  sent_at: ["null::timestamptz", "now()"],
  expires_at: ["null::timestamptz", "now()"],
  completed_at: ["null::timestamptz", "now()"],
  template_id: ["null::uuid", "(select id from signature.templates where tenant_id = $1 limit 1)"],
};
const TEMPLATE: Values = {
  title: ["null", "'other'"],
  message: ["null", "'other'"],
  signing_order: ["'parallel'", "'sequential'"],
  language: ["null", "'pt'"],
  expires_in_days: ["null::integer", "7"],
  participants: ["'[]'::jsonb", "'[{\"order_index\": 1}]'::jsonb"],
};
const PARTICIPANT: Values = {
  email: ["'a@example.com'", "'b@example.org'"],
  role: ["'signatario'", "'testemunha'"],
  auth_method: ["'email'", "'otp_email'"],
  modality: ["'simples'", "'avancada'"],
  status: ["'pending'", "'completed'"],
  order_index: ["null::integer", "5"],
  cpf_mask: ["null", "'***.982.247-**'"],
  enciphered_cpf: ["null::bytea", "'\\x00'::bytea"],
  cpf_digest: ["null::bytea", "sha256('\\x00')"],
  ssn_last4_mask: ["null", "'***-**-**89'"],
  enciphered_ssn_last4: ["null::bytea", "'\\x00'::bytea"],
  ssn_last4_digest: ["null::bytea", "sha256('\\x00')"],
  decline_reason: ["null", "'other'"],
  phone_mask: ["null", "'+55*********21'"],
  enciphered_phone: ["null::bytea", "'\\x00'::bytea"],
};
const FIELD: Values = {
  page: ["1", "3"],
  x: ["0.5", "0.25"],
  y: ["0.5", "0.25"],
  width: ["0.5", "0.25"],
  height: ["0.5", "0.25"],
  type: ["'checkbox'", "'calculado'"],
  formula: ["null", "'1'"],
  formula_steps: ["null::jsonb", "'[\"1\"]'::jsonb"],
  label: ["null", "'other'"],
  required: ["true", "false"],
  value: ["'true'::jsonb", "'\"other\"'::jsonb"],
};
const chosen = (values: Values, text: "own" | "other") =>
  Object.values(values).map(([own, other]) => (text === "own" ? own : other));
