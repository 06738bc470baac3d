-- Sending and signing (signature-service §3, §4): links, one-time codes, sessions, consent, values, and the signed records.

insert into platform.error_codes (code, status, meaning) values
  ('envelope_not_sendable', 422, 'Something that sending needs is missing; fields names each lack.'),
  ('auth_method_unavailable', 422, 'A participant has an auth_method or a modality that is not available yet.'),
  ('insufficient_icp_credits', 402, 'The balance of ICP-Brasil credits does not cover the participants with modality qualificada; nothing was sent.'),
  ('wrong_code', 422, 'The one-time code is wrong. The message says how many tries are left.'),
  ('session_expired', 401, 'The signing session is missing, unknown or over. A new code opens a new session.'),
  ('link_locked', 403, 'Fifteen wrong codes were tried. The sender must remind the participant, which makes a new link.'),
  ('not_your_turn', 409, 'Other participants act first. A mail says when it is the participant''s turn.');

insert into platform.channels (name, description) values ('page', 'The signing page.');

insert into platform.scopes (name, grants, kinds) values
  ('signing:act', 'act as the participant of a signing link', '{participant}');

insert into platform.prices (reason, kind, amount, action) values
  ('envelope_signer', 'signature', 1, 'envelope.sent'),
  ('envelope_qualified_signer', 'icp_brasil', 1, 'envelope.sent');

-- The check reads the whole table, which takes a second for each million codes. It must name the new kind before the first envelope is sent.
alter table platform.public_codes drop constraint public_codes_subject_type_check,
  -- squawk-ignore constraint-missing-not-valid
  add constraint public_codes_subject_type_check check (subject_type in ('proof', 'envelope'));

-- ── Consent ──────────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.consents (
  jurisdiction text not null references platform.jurisdictions on delete restrict,
  language text not null check (language in ('en', 'pt-BR')),
  version text not null check (char_length(version) <= 40),
  body text not null,
  is_current boolean not null,
  primary key (jurisdiction, language, version)
);
comment on table signature.consents is 'What participants agree to before they act, by jurisdiction and language. A version is never changed: a new text is a new version.';
comment on column signature.consents.jurisdiction is 'Legal regime.';
comment on column signature.consents.language is 'en or pt-BR.';
comment on column signature.consents.version is 'Version of the text, such as intl-2026-11.';
comment on column signature.consents.body is 'The text as participants read it.';
comment on column signature.consents.is_current is 'Whether participants are shown this version now.';
insert into signature.consents (jurisdiction, language, version, body, is_current)
select regime.name, consent.language, consent.version, consent.body, true
from (values
  ('intl', 'en', 'intl-2026-11',
    'I have read the documents of this envelope. I agree to act on them electronically, and that my electronic act counts as my own. As evidence, my name, my e-mail address, my network address, my browser, the time and the way in which I proved who I am are recorded and kept with the documents. I can ask the sender for a copy at any time.'),
  ('intl', 'pt-BR', 'intl-2026-11',
    'Li os documentos deste envelope. Concordo em praticar este ato por meio eletrônico e reconheço que ele vale como ato meu. Como prova, ficam registrados e guardados com os documentos o meu nome, o meu e-mail, o meu endereço de rede, o meu navegador, o horário e a forma como confirmei a minha identidade. Posso pedir uma cópia ao remetente a qualquer momento.'),
  ('us', 'en', 'us-2026-11',
    'I have read the documents of this envelope. I agree to use electronic records and signatures for them, and that my electronic signature has the same effect as a handwritten one. I can open PDF files on this device and keep a copy of them. I may ask the sender for a paper copy, and I may withdraw this consent before I sign by declining. As evidence, my name, my e-mail address, my network address, my browser, the time and the way in which I proved who I am are recorded and kept with the documents.'),
  ('us', 'pt-BR', 'us-2026-11',
    'Li os documentos deste envelope. Concordo em usar registros e assinaturas eletrônicos para eles e reconheço que a minha assinatura eletrônica tem o mesmo efeito de uma assinatura de próprio punho. Consigo abrir arquivos PDF neste aparelho e guardar uma cópia deles. Posso pedir ao remetente uma cópia em papel e posso retirar este consentimento antes de assinar, recusando o envelope. Como prova, ficam registrados e guardados com os documentos o meu nome, o meu e-mail, o meu endereço de rede, o meu navegador, o horário e a forma como confirmei a minha identidade.')
) as consent (regime, language, version, body)
-- br is an alias of intl, and reads word for word the same.
join platform.jurisdictions as regime on regime.name = consent.regime or consent.regime = 'intl' and regime.name = 'br';

-- ── Envelopes and participants on their way ──────────────────────────────────────────────────────────────────────
alter table signature.envelopes
  add column completion_attempts integer not null default 0 check (completion_attempts between 0 and 10);
comment on column signature.envelopes.completion_attempts is 'How many times the completion was tried and failed.';
-- What the minute job looks for.
create index envelopes_deadline on signature.envelopes (expires_at) where status in ('sent', 'in_progress', 'partially_signed') and sealing_since is null;
create index envelopes_sealing on signature.envelopes (sealing_since) where sealing_since is not null;

alter table signature.participants
  add column link_version integer not null default 0 check (link_version >= 0),
  add column reminded_at timestamptz,
  add column decline_reason text check (char_length(decline_reason) <= 1000);
comment on column signature.participants.link_version is 'Version of the signing link, from 1. 0 before the invitation. A new version ends the links, codes and sessions before it.';
comment on column signature.participants.reminded_at is 'When the sender last reminded the participant (UTC). Null for never.';
comment on column signature.participants.decline_reason is 'Why the participant declined, in the participant''s words; up to 1,000 characters. Null unless declined.';

alter table signature.fields add column value jsonb check (jsonb_typeof(value) in ('string', 'boolean'));
comment on column signature.fields.value is 'What the participant filled in: a text, or true or false for a checkbox. A CPF is masked here. Null before, and for a hidden field.';

-- ── Codes and sessions ───────────────────────────────────────────────────────────────────────────────────────────
create table signature.signing_codes (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  participant_id uuid not null,
  link_version integer not null check (link_version >= 1),
  enciphered_code bytea,
  tries integer not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete cascade
);
comment on table signature.signing_codes is 'One-time codes that participants were mailed. The code itself is erased once it was used, replaced or is late.';
comment on column signature.signing_codes.tenant_id is 'The organization.';
comment on column signature.signing_codes.id is 'The code. Ids are time-ordered.';
comment on column signature.signing_codes.environment is 'live or test.';
comment on column signature.signing_codes.envelope_id is 'The envelope.';
comment on column signature.signing_codes.participant_id is 'The participant.';
comment on column signature.signing_codes.link_version is 'The version of the link for which the code was made.';
comment on column signature.signing_codes.enciphered_code is 'The six digits, encrypted under the data key of the organization. Null once the code was used, replaced, used up or is late.';
comment on column signature.signing_codes.tries is 'How many codes were compared with this code. The fifth is the last.';
comment on column signature.signing_codes.created_at is 'When the code was made (UTC).';
comment on column signature.signing_codes.expires_at is 'From then on the code is late (UTC).';
comment on column signature.signing_codes.used_at is 'When the code opened a session (UTC). Null before.';
create unique index signing_codes_open on signature.signing_codes (tenant_id, participant_id) where enciphered_code is not null;
create index signing_codes_participant on signature.signing_codes (tenant_id, envelope_id, participant_id, id);
create index signing_codes_late on signature.signing_codes (expires_at) where enciphered_code is not null;
alter table signature.signing_codes enable row level security;
alter table signature.signing_codes force row level security;
create policy tenant on signature.signing_codes
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table signature.signing_sessions (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  participant_id uuid not null,
  link_version integer not null check (link_version >= 1),
  digest bytea not null check (octet_length(digest) = 32),
  code_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, participant_id, digest),
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete cascade,
  foreign key (tenant_id, code_id) references signature.signing_codes (tenant_id, id) on delete cascade
);
comment on table signature.signing_sessions is 'Sessions of participants who gave the right code. A session lives for an hour.';
comment on column signature.signing_sessions.tenant_id is 'The organization.';
comment on column signature.signing_sessions.id is 'The session. Ids are time-ordered.';
comment on column signature.signing_sessions.environment is 'live or test.';
comment on column signature.signing_sessions.envelope_id is 'The envelope.';
comment on column signature.signing_sessions.participant_id is 'The participant.';
comment on column signature.signing_sessions.link_version is 'The version of the link for which the session was opened.';
comment on column signature.signing_sessions.digest is 'SHA-256 of the token of the session.';
comment on column signature.signing_sessions.code_id is 'The code that opened the session.';
comment on column signature.signing_sessions.created_at is 'When the code was given (UTC).';
comment on column signature.signing_sessions.expires_at is 'From then on the session is over (UTC).';
create index signing_sessions_participant on signature.signing_sessions (tenant_id, envelope_id, participant_id);
create index signing_sessions_code on signature.signing_sessions (tenant_id, code_id);
create index signing_sessions_over on signature.signing_sessions (expires_at);
alter table signature.signing_sessions enable row level security;
alter table signature.signing_sessions force row level security;
create policy tenant on signature.signing_sessions
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- ── Signed records ───────────────────────────────────────────────────────────────────────────────────────────────
create table signature.signature_records (
  tenant_id uuid not null,
  id uuid not null,
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  participant_id uuid,
  evidence text not null,
  platform_key_id text not null,
  platform_signature bytea not null check (octet_length(platform_signature) = 64),
  platform_pq_key_id text not null,
  platform_signature_pq bytea not null check (octet_length(platform_signature_pq) = 4627),
  openings jsonb check (jsonb_typeof(openings) = 'object'),
  signed_at timestamptz not null,
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, envelope_id, participant_id),
  foreign key (tenant_id, envelope_id) references signature.envelopes on delete restrict,
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete restrict
);
comment on table signature.signature_records is 'What participants did, and that an envelope was completed: canonical evidence with both signatures of the platform.';
comment on column signature.signature_records.tenant_id is 'The organization.';
comment on column signature.signature_records.id is 'The record. Ids are time-ordered.';
comment on column signature.signature_records.environment is 'live or test.';
comment on column signature.signature_records.envelope_id is 'The envelope.';
comment on column signature.signature_records.participant_id is 'The participant. Null for the record of the completion.';
comment on column signature.signature_records.evidence is 'The canonical JSON that both signatures cover.';
comment on column signature.signature_records.platform_key_id is 'Id of the Ed25519 key.';
comment on column signature.signature_records.platform_signature is 'Ed25519 signature.';
comment on column signature.signature_records.platform_pq_key_id is 'Id of the ML-DSA-87 key.';
comment on column signature.signature_records.platform_signature_pq is 'ML-DSA-87 signature.';
comment on column signature.signature_records.openings is 'What the commitments of the evidence hide: {name: {salt, value}}. Null once erased, and for the completion.';
comment on column signature.signature_records.signed_at is 'When the participant acted, or the envelope was completed (UTC).';
alter table signature.signature_records alter column evidence set storage external, alter column platform_signature_pq set storage external;
alter table signature.signature_records alter column id set statistics 0, alter column envelope_id set statistics 0, alter column participant_id set statistics 0;
alter table signature.signature_records enable row level security;
alter table signature.signature_records force row level security;
create policy tenant on signature.signature_records
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table signature.unverified_records (
  tenant_id uuid not null,
  environment text not null,
  record_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  failed_at timestamptz,
  failure text,
  primary key (tenant_id, record_id),
  check ((failed_at is null) = (failure is null)),
  foreign key (tenant_id, record_id) references signature.signature_records on delete cascade
);
comment on table signature.unverified_records is 'Signed records that wait for their second verification, or failed it.';
comment on column signature.unverified_records.tenant_id is 'The organization.';
comment on column signature.unverified_records.environment is 'live or test.';
comment on column signature.unverified_records.record_id is 'The record.';
comment on column signature.unverified_records.created_at is 'Since when the record waits (UTC).';
comment on column signature.unverified_records.failed_at is 'When the second verification failed (UTC). Null before.';
comment on column signature.unverified_records.failure is 'Why the second verification failed. Null before.';
alter table signature.unverified_records enable row level security;
alter table signature.unverified_records force row level security;
create policy tenant on signature.unverified_records
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- ── Events ───────────────────────────────────────────────────────────────────────────────────────────────────────
insert into webhooks.event_kinds (name, description, data_schema)
select kind.name, kind.description, ('{"type": "object", "required": ["envelope_id", "status", "external_id"' || case when kind.has_participant then ', "participant_id", "role", "order_index"' else '' end
  || '], "properties": {"envelope_id": {"type": "string", "format": "uuid", "description": "The envelope; also the event''s resource_id."}, "status": {"type": "string", "description": "Status of the envelope after the event."}, "external_id": {"type": ["string", "null"], "description": "Id of the envelope in a system of yours."}'
  || case when kind.has_participant then ', "participant_id": {"type": "string", "format": "uuid", "description": "The participant."}, "role": {"type": "string", "description": "What the participant does: signatario, aprovador, observador or testemunha."}, "order_index": {"type": ["integer", "null"], "description": "Place of the participant in the queue."}' else '' end
  || '}}')::json
from (values
  ('envelope.sent', 'An envelope was sent to its participants.', false),
  ('envelope.viewed', 'A participant opened the documents for the first time.', true),
  ('envelope.participant_signed', 'A participant finished: signed, approved or witnessed.', true),
  ('envelope.participant_declined', 'A participant declined. envelope.declined follows.', true),
  ('envelope.completed', 'Every required participant has finished, and the envelope is complete.', false),
  ('envelope.declined', 'A participant declined, which ended the envelope.', false),
  ('envelope.cancelled', 'The sender cancelled the envelope.', false),
  ('envelope.expired', 'The deadline passed before every required participant had finished.', false),
  ('envelope.failed', 'The completion of the envelope failed ten times.', false)
) as kind (name, description, has_participant);

-- What the jobs and `selo audit verify` read, of all organizations.
grant select on signature.signing_codes, signature.signing_sessions, signature.signature_records, signature.unverified_records to selo_system;

-- ── Signing in ───────────────────────────────────────────────────────────────────────────────────────────────────
-- What the minute job erases and deletes, of all organizations.
grant update (enciphered_code) on signature.signing_codes to selo_system;
grant delete on signature.signing_sessions to selo_system;
-- Finds the participant of POST /signing/{participant_id}/link, which names no organization. Not by the id itself: analysts could ask for a range
-- of ids, and a plan would tell how many rows of other organizations it has.
create index participants_id on signature.participants ((id::text));
