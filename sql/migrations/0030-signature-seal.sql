-- Sealed PDFs (signature-service §4, §7): the certificates that seal, and the final form of each document.

create table platform.seal_certificates (
  certificate_id text primary key check (certificate_id ~ '^[a-z0-9-]{8,64}$'),
  environment text not null references platform.environments on delete restrict,
  certificate bytea not null check (octet_length(certificate) between 1 and 8192),
  sealed_key bytea not null,
  not_before timestamptz not null,
  not_after timestamptz not null check (not_after > not_before),
  status text not null default 'active' references platform.platform_key_statuses on delete restrict,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  check ((status = 'retired') = (retired_at is not null))
);
comment on table platform.seal_certificates is 'The certificates that seal PDFs (RSA 3072), with their private keys encrypted under SELO_MASTER_KEY.';
comment on column platform.seal_certificates.certificate_id is 'Derived from the certificate, so anyone can recompute the id.';
comment on column platform.seal_certificates.environment is 'live or test. A live certificate never seals test documents, nor the other way round.';
comment on column platform.seal_certificates.certificate is 'The X.509 certificate, DER.';
comment on column platform.seal_certificates.sealed_key is 'The private key (PKCS#8, DER), AES-256-GCM under the master key.';
comment on column platform.seal_certificates.not_before is 'From when the certificate is valid (UTC).';
comment on column platform.seal_certificates.not_after is 'Until when the certificate is valid (UTC).';
comment on column platform.seal_certificates.status is 'active or retired.';
comment on column platform.seal_certificates.created_at is 'When the certificate was made (UTC).';
comment on column platform.seal_certificates.retired_at is 'When the certificate stopped sealing (UTC). Null before.';
create unique index seal_certificates_one_active on platform.seal_certificates (environment) where status = 'active';
create index seal_certificates_status on platform.seal_certificates (status);
create trigger never_deleted before delete on platform.seal_certificates
  for each row execute function platform.refuse_change();
create trigger never_truncated before truncate on platform.seal_certificates
  for each statement execute function platform.refuse_change();
-- Encrypting secrets again under another master key looks across tenants.
grant select, update (sealed_key) on platform.seal_certificates to selo_system;

alter table signature.documents add column is_signed boolean not null default false;
comment on column signature.documents.is_signed is 'Whether the uploaded PDF has signatures of its own. Nothing is drawn on such a PDF, so that they stay valid.';

alter table signature.envelope_documents
  add column final_object_id uuid,
  add column final_size bigint check (final_size > 0),
  add column final_sha256 bytea check (octet_length(final_sha256) = 32),
  add constraint envelope_documents_final check (num_nulls(final_object_id, final_size, final_sha256) in (0, 3)) not valid;
-- squawk-ignore constraint-missing-not-valid
alter table signature.envelope_documents validate constraint envelope_documents_final;
comment on column signature.envelope_documents.final_object_id is 'The object that holds the sealed PDF. Null before the completion.';
comment on column signature.envelope_documents.final_size is 'Size of the sealed PDF in bytes. Null before the completion.';
comment on column signature.envelope_documents.final_sha256 is 'SHA-256 of the sealed PDF. Null before the completion.';
-- The public finds an envelope by a sealed PDF of any organization.
create index envelope_documents_final_sha256 on signature.envelope_documents (final_sha256) where final_sha256 is not null;

-- The sealed PDFs themselves.
create index envelope_documents_final_object on signature.envelope_documents using hash (final_object_id);
