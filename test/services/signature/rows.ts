// Rows of the service, for tests that look at every table or view of all services.
import { randomBytes } from "node:crypto";
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
    `insert into signature.documents (tenant_id, id, environment, filename, status, size, sha256, pages, object_id, created_at, checked_at)
     select $1, platform.uuidv7(), 'live', $3::text, case when $5 then 'ready' else 'uploaded' end, $4::bigint, sha256($3::text::bytea),
       case when $5 then json_build_array(json_build_object('width', $4::bigint, 'height', $4::bigint))::jsonb else '[]' end, gen_random_uuid(), now(),
       case when $5 then now() end
     from ${rows}`,
    [tenantId, count, text, isOther ? 5 : 7, isOther],
  );
  await admin.query(
    `insert into signature.envelopes (tenant_id, environment, title, message, status, signing_order, allow_delegation, language, jurisdiction,
       field_placement, expires_in_days, external_id, expires_at, sent_at, completed_at, sealing_since, cancel_reason, verification_code)
     select $1, 'live', $3, $3, case when $4 then 'sent' else 'cancelled' end, case when $4 then 'mixed' else 'parallel' end, $4,
       case when $4 then 'pt' else 'en' end, case when $4 then 'us' else 'br' end, case when $4 then 'fields' else 'report' end, length($3::text),
       $3, now(), now(), now(), now(), $3, $3
     from ${rows}`,
    [tenantId, count, text, isOther],
  );
  await admin.query(
    `insert into signature.envelope_documents (tenant_id, environment, envelope_id, document_id, position)
     select envelope.tenant_id, 'live', envelope.id, document.id, length($2::text)
     from (select *, row_number() over (order by id) as place from signature.envelopes where tenant_id = $1) as envelope
     join (select *, row_number() over (order by id) as place from signature.documents where tenant_id = $1) as document using (place)`,
    [tenantId, text],
  );
  await admin.query(
    `insert into signature.participants (tenant_id, id, environment, envelope_id, name, email, role, order_index, auth_method, modality, cpf_mask,
       enciphered_cpf, ssn_last4_mask, enciphered_ssn_last4, phone_mask, enciphered_phone, status, locked, invited_at, viewed_at, completed_at, invitation_failed)
     select envelope.tenant_id, platform.uuidv7(), 'live', envelope.id, $2, $2, case when $3 then 'testemunha' else 'signatario' end, length($2::text),
       case when $3 then 'kba' else 'email' end, case when $3 then 'simples' else 'avancada' end, '***.' || $4::text || '.000-**', '\\x00',
       '***-**-**' || left($4, 2), '\\x00', '+' || $4 || '**00', '\\x00', case when $3 then 'viewed' else 'invited' end, $3, now(), now(), now(), $3
     from signature.envelopes as envelope where envelope.tenant_id = $1`,
    [tenantId, text, isOther, isOther ? "555" : "444"],
  );
  await admin.query(
    `insert into signature.fields (tenant_id, environment, envelope_id, participant_id, document_id, page, x, y, width, height, type, required)
     select linked.tenant_id, 'live', linked.envelope_id, participant.id, linked.document_id, length($2::text), 1.0 / length($2), 1.0 / length($2),
       1.0 / length($2), 1.0 / length($2), case when $3 then 'texto' else 'checkbox' end, $3
     from signature.envelope_documents as linked join signature.participants as participant using (tenant_id, envelope_id) where linked.tenant_id = $1`,
    [tenantId, text, isOther],
  );
  await admin.query(
    `insert into signature.fields (tenant_id, environment, envelope_id, participant_id, document_id, page, x, y, width, height, type, required,
       condition_field_id, condition_trigger)
     select tenant_id, environment, envelope_id, participant_id, document_id, page, x, y, width, height, type, required,
       id, case when $2 then 'checked' else 'unchecked' end
     from signature.fields where tenant_id = $1`,
    [tenantId, isOther],
  );
}
