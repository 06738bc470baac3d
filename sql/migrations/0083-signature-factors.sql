-- Second factors of participants (signature-service §2): what a session asks for after its code.

insert into platform.error_codes (code, status, meaning) values
  ('factor_required', 403, 'The session waits for the second factor of the participant.'),
  ('wrong_answer', 422, 'The answer to the second factor is wrong; the message says how many tries are left.');

-- SQL compares digests under the data key, which the gateway's database login cannot make.
alter table signature.participants
  add column cpf_digest bytea check (octet_length(cpf_digest) = 32),
  add column ssn_last4_digest bytea check (octet_length(ssn_last4_digest) = 32);
comment on column signature.participants.cpf_digest is
  'SHA-256 of the digest of the CPF under the data key, for this participant alone. Null without a CPF, and for a CPF from before second factors.';
comment on column signature.participants.ssn_last4_digest is
  'SHA-256 of the digest of the digits of the SSN under the data key, for this participant alone. Null without them, and for digits from before second factors.';

create table signature.factors (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  participant_id uuid not null,
  link_version integer not null check (link_version >= 1),
  session_id uuid not null,
  method text not null references signature.auth_methods on delete restrict,
  reference text check (length(reference) between 1 and 200),
  created_at timestamptz not null default clock_timestamp(),
  tried_at timestamptz,
  answered_at timestamptz,
  passed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete cascade,
  constraint factors_order check (num_nulls(tried_at, answered_at) <> 1 or answered_at is null),
  constraint factors_passed check (passed_at is null or passed_at = answered_at)
);
comment on table signature.factors is 'Tries of second factors of participants. What a participant answers is kept nowhere.';
comment on column signature.factors.tenant_id is 'The organization.';
comment on column signature.factors.id is 'The try. A provider knows it under this id. Ids are time-ordered.';
comment on column signature.factors.environment is 'live or test.';
comment on column signature.factors.envelope_id is 'The envelope.';
comment on column signature.factors.participant_id is 'The participant.';
comment on column signature.factors.link_version is 'The version of the link. A new link has all tries again.';
comment on column signature.factors.session_id is 'The session that passes by this try. It may be over.';
comment on column signature.factors.method is 'cpf, kba or identity_match.';
comment on column signature.factors.reference is 'What the provider calls this try. Null without a provider, and before it has said so.';
comment on column signature.factors.created_at is 'When the try was opened (UTC).';
comment on column signature.factors.tried_at is 'When the try was counted (UTC), before anything was compared. Null before, and again once a provider that failed gave it back.';
comment on column signature.factors.answered_at is 'When the outcome was known (UTC). Null before.';
comment on column signature.factors.passed_at is 'When the session passed (UTC). Null for a try that is open or failed.';
create index factors_participant on signature.factors (tenant_id, envelope_id, participant_id);
create index factors_method on signature.factors (method);
create index factors_environment on signature.factors (environment);
create unique index factors_session_passed on signature.factors (tenant_id, session_id) where passed_at is not null;
alter table signature.factors enable row level security;
alter table signature.factors force row level security;
create policy tenant on signature.factors
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
