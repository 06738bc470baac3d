-- Proofs of existence (signature-service §2). The hottest table of the service: what foreign keys would ask on
-- every insert, checks and gateway.record_proofs ask for less. Platform keys are never deleted.
create table signature.proofs (
  tenant_id uuid not null,
  id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  sha256 bytea not null check (octet_length(sha256) = 32),
  label text check (char_length(label) <= 200),
  file_name text check (char_length(file_name) <= 255),
  file_size bigint check (file_size between 0 and 9007199254740991),
  language text not null,
  registered_at timestamptz not null,
  verification_code text not null,
  evidence text not null,
  platform_key_id text not null,
  platform_signature bytea not null check (octet_length(platform_signature) = 64),
  platform_pq_key_id text not null,
  platform_signature_pq bytea not null check (octet_length(platform_signature_pq) = 4627),
  primary key (tenant_id, id),
  unique (tenant_id, environment, sha256)
);
-- Signatures are random bytes: trying to compress them only costs time.
alter table signature.proofs alter column platform_signature_pq set storage external;
comment on table signature.proofs is 'That a file of this digest existed at an instant, sealed with two signatures. Append-only.';
comment on column signature.proofs.tenant_id is 'The organization that registered it.';
comment on column signature.proofs.id is 'The proof.';
comment on column signature.proofs.environment is 'live or test.';
comment on column signature.proofs.sha256 is 'Digest of the file.';
comment on column signature.proofs.label is 'Shown on receipt and public verification; up to 200 characters.';
comment on column signature.proofs.file_name is 'Never shown publicly; up to 255 characters.';
comment on column signature.proofs.file_size is 'In bytes; never shown publicly.';
comment on column signature.proofs.language is 'The organization''s language at registration.';
comment on column signature.proofs.registered_at is 'The database server''s clock, in UTC with microseconds.';
comment on column signature.proofs.verification_code is 'Its public code, in platform.public_codes.';
comment on column signature.proofs.evidence is 'The exact canonical JSON bytes that were signed, as UTF-8 text.';
comment on column signature.proofs.platform_key_id is 'The Ed25519 key that signed.';
comment on column signature.proofs.platform_signature is 'Ed25519 signature over the evidence.';
comment on column signature.proofs.platform_pq_key_id is 'The ML-DSA-87 key that signed.';
comment on column signature.proofs.platform_signature_pq is 'ML-DSA-87 signature over the same bytes.';
create index proofs_newest on signature.proofs (tenant_id, environment, registered_at desc, id desc);
create index proofs_label_trigrams on signature.proofs using gin (label extensions.gin_trgm_ops);
create index proofs_file_name_trigrams on signature.proofs using gin (file_name extensions.gin_trgm_ops);
alter table signature.proofs enable row level security;
alter table signature.proofs force row level security;
create policy tenant on signature.proofs
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
create trigger append_only before update or delete on signature.proofs
  for each row execute function platform.refuse_change();
create trigger append_only_truncate before truncate on signature.proofs
  for each statement execute function platform.refuse_change();

-- A queue of its own: marking the proof itself would rewrite a 6.5 KB row and all its index entries.
create table signature.unverified_proofs (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  proof_id uuid not null,
  created_at timestamptz not null default now(),
  failed_at timestamptz,
  failure text,
  primary key (tenant_id, proof_id),
  check ((failed_at is null) = (failure is null))
);
comment on table signature.unverified_proofs is 'Proofs the second implementation of the cryptography has still to confirm, or refused.';
comment on column signature.unverified_proofs.tenant_id is 'The proof''s organization.';
comment on column signature.unverified_proofs.environment is 'live or test.';
comment on column signature.unverified_proofs.proof_id is 'The proof.';
comment on column signature.unverified_proofs.created_at is 'When it came into the queue.';
comment on column signature.unverified_proofs.failed_at is 'When verification failed; null while it waits.';
comment on column signature.unverified_proofs.failure is 'Which check failed.';
create index unverified_proofs_failed on signature.unverified_proofs (failed_at) where failed_at is not null;
alter table signature.unverified_proofs enable row level security;
alter table signature.unverified_proofs force row level security;
create policy tenant on signature.unverified_proofs
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

grant select on signature.proofs, signature.unverified_proofs to selo_system;
