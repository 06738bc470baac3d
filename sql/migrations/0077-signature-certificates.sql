-- Signers with an ICP-Brasil certificate of their own: modality qualificada (signature-service §2).

insert into platform.error_codes (code, status, meaning) values
  ('certificate_refused', 422, 'The certificate cannot sign here; fields says why: chain, expired, usage, key, cpf or revoked.'),
  ('revocation_unknown', 503, 'The issuer of the certificate did not say whether the certificate is revoked.');

insert into platform.mail_kinds (name, description) values
  ('certificate_name_differs', 'A participant signed with a certificate of another name. To the contact of the organization.');

update signature.modalities
set is_available = true,
  description = 'Qualified electronic signature, with the ICP-Brasil certificate of the signer. Envelopes with this modality can be sent where the deployment trusts authorities that issue such certificates.'
where name = 'qualificada';

-- The certificate is what authenticates: the link alone opens such a session.
-- squawk-ignore ban-drop-not-null
alter table signature.signing_sessions alter column code_id drop not null;
comment on column signature.signing_sessions.code_id is 'The code that opened the session. Null for a participant who signs with a certificate.';
comment on column signature.signing_sessions.created_at is 'When the session was opened (UTC).';
comment on table signature.signing_sessions is 'Sessions of participants: who gave the right code, or who signs with a certificate. A session lives for an hour.';

alter table signature.envelope_documents
  add column signed_object_id uuid,
  add column signed_size bigint check (signed_size > 0),
  add column signed_sha256 bytea check (octet_length(signed_sha256) = 32),
  add constraint envelope_documents_signed check (num_nulls(signed_object_id, signed_size, signed_sha256) in (0, 3)) not valid;
-- squawk-ignore constraint-missing-not-valid
alter table signature.envelope_documents validate constraint envelope_documents_signed;
comment on column signature.envelope_documents.signed_object_id is
  'The object that holds the PDF with the signatures of participants so far. Null before anyone signed with a certificate.';
comment on column signature.envelope_documents.signed_size is 'Size of that PDF in bytes. Null before.';
comment on column signature.envelope_documents.signed_sha256 is 'SHA-256 of that PDF. Null before.';

-- ── Between the two calls of a signature ─────────────────────────────────────────────────────────────────────────
create table signature.certificate_offers (
  tenant_id uuid not null,
  participant_id uuid not null,
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  chain bytea[] not null check (cardinality(chain) between 1 and 10),
  at timestamptz not null,
  documents jsonb not null check (jsonb_typeof(documents) = 'array'),
  expires_at timestamptz not null,
  primary key (tenant_id, participant_id),
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete cascade
);
comment on table signature.certificate_offers is 'Certificates with which participants are about to sign. A row lives for ten minutes.';
comment on column signature.certificate_offers.tenant_id is 'The organization.';
comment on column signature.certificate_offers.participant_id is 'The participant.';
comment on column signature.certificate_offers.environment is 'live or test.';
comment on column signature.certificate_offers.envelope_id is 'The envelope.';
comment on column signature.certificate_offers.chain is 'The certificates that the participant sent, DER, that of the participant first.';
comment on column signature.certificate_offers.at is 'The instant that the signatures show (UTC).';
comment on column signature.certificate_offers.documents is
  'What is signed: [{document_id, base, digest}], with the SHA-256 of the PDF that is signed, and the digest of its prepared form (hexadecimal).';
comment on column signature.certificate_offers.expires_at is 'From then on the certificate must be sent again (UTC).';
create index certificate_offers_participant on signature.certificate_offers (tenant_id, envelope_id, participant_id);
create index certificate_offers_over on signature.certificate_offers (expires_at);
alter table signature.certificate_offers enable row level security;
alter table signature.certificate_offers force row level security;
create policy tenant on signature.certificate_offers
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, delete on signature.certificate_offers to selo_system;

-- ── After it ─────────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.signer_certificates (
  tenant_id uuid not null,
  participant_id uuid not null,
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  path bytea[] not null check (cardinality(path) between 1 and 11),
  revocation_object_id uuid,
  primary key (tenant_id, participant_id),
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete restrict
);
comment on table signature.signer_certificates is 'Certificates with which participants signed. The signed record of the participant holds the digest of each.';
comment on column signature.signer_certificates.tenant_id is 'The organization.';
comment on column signature.signer_certificates.participant_id is 'The participant.';
comment on column signature.signer_certificates.environment is 'live or test.';
comment on column signature.signer_certificates.envelope_id is 'The envelope.';
comment on column signature.signer_certificates.path is 'The certificates from that of the participant to the root, DER.';
comment on column signature.signer_certificates.revocation_object_id is
  'The object with what the issuers said of revocation, one answer after the other, in the order of the signed record. Null where nothing was said.';
create index signer_certificates_participant on signature.signer_certificates (tenant_id, envelope_id, participant_id);
create index signer_certificates_revocation on signature.signer_certificates using hash (revocation_object_id);
alter table signature.signer_certificates enable row level security;
alter table signature.signer_certificates force row level security;
create policy tenant on signature.signer_certificates
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on signature.signer_certificates to selo_system;
