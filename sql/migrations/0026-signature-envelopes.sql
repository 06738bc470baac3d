-- Envelopes in draft (signature-service §2, §3): the envelope, its documents, its participants and their fields.

insert into platform.error_codes (code, status, meaning) values
  ('auth_method_not_allowed', 422, 'A participant must be authenticated: auth_method none is refused.'),
  ('fields_not_allowed_in_report_placement', 409, 'The envelope has field_placement report: nothing is drawn on its documents, so it has no fields.');

-- ── Reference data ───────────────────────────────────────────────────────────────────────────────────────────────
create table signature.envelope_statuses (
  name text primary key,
  description text not null
);
comment on table signature.envelope_statuses is E'@enum\nState of an envelope.';
comment on column signature.envelope_statuses.name is 'The state.';
comment on column signature.envelope_statuses.description is 'What the name means.';
insert into signature.envelope_statuses (name, description) values
  ('draft', 'Being assembled. Something that sending needs is missing.'),
  ('ready', 'Being assembled. Nothing that sending needs is missing.'),
  ('sent', 'Out with the participants. No participant has viewed the documents.'),
  ('in_progress', 'A participant has viewed the documents.'),
  ('partially_signed', 'A participant has finished, and others have not.'),
  ('completed', 'Every required participant has finished.'),
  ('declined', 'A participant declined. The envelope has ended.'),
  ('cancelled', 'The sender cancelled the envelope. The envelope has ended.'),
  ('expired', 'The deadline passed before every required participant had finished. The envelope has ended.'),
  ('failed', 'Every required participant has finished, and the completion failed.');

create table signature.signing_orders (
  name text primary key,
  description text not null
);
comment on table signature.signing_orders is E'@enum\nOrder in which participants act.';
comment on column signature.signing_orders.name is 'parallel, sequential or mixed.';
comment on column signature.signing_orders.description is 'What the name means.';
insert into signature.signing_orders (name, description) values
  ('parallel', 'All participants are invited at once.'),
  ('sequential', 'Each participant is invited after the one before has finished, in the order of order_index.'),
  ('mixed', 'Participants with the same order_index are invited together. Groups follow each other in the order of order_index.');

create table signature.field_placements (
  name text primary key,
  description text not null
);
comment on table signature.field_placements is E'@enum\nWhere signatures are shown.';
comment on column signature.field_placements.name is 'report or fields.';
comment on column signature.field_placements.description is 'What the name means.';
insert into signature.field_placements (name, description) values
  ('report', 'Nothing is drawn on the documents. The evidence report records each signature.'),
  ('fields', 'Signatures and values are drawn in fields on the documents.');

create table signature.participant_roles (
  name text primary key,
  description text not null
);
comment on table signature.participant_roles is E'@enum\nWhat a participant does with an envelope.';
comment on column signature.participant_roles.name is 'The role.';
comment on column signature.participant_roles.description is 'What the name means.';
insert into signature.participant_roles (name, description) values
  ('signatario', 'Signs.'),
  ('aprovador', 'Approves, without a drawn signature.'),
  ('observador', 'Is informed and never blocks the envelope.'),
  ('testemunha', 'Witnesses, without a drawn signature.');

create table signature.participant_statuses (
  name text primary key,
  description text not null
);
comment on table signature.participant_statuses is E'@enum\nState of a participant.';
comment on column signature.participant_statuses.name is 'The state.';
comment on column signature.participant_statuses.description is 'What the name means.';
insert into signature.participant_statuses (name, description) values
  ('pending', 'Not invited yet.'),
  ('invited', 'Has an invitation.'),
  ('viewed', 'Has viewed the documents.'),
  ('completed', 'Has finished.'),
  ('declined', 'Has declined.');

create table signature.auth_methods (
  name text primary key,
  description text not null,
  is_available boolean not null
);
comment on table signature.auth_methods is E'@enum\nHow a participant is authenticated. Every participant gets a one-time code.';
comment on column signature.auth_methods.name is 'The method.';
comment on column signature.auth_methods.description is 'What the name means.';
comment on column signature.auth_methods.is_available is 'Whether envelopes whose participants have this method can be sent.';
insert into signature.auth_methods (name, description, is_available) values
  ('email', 'A one-time code by e-mail.', true),
  ('otp_email', 'A one-time code by e-mail.', true),
  ('otp_sms', 'A one-time code by SMS. Needs phone. Envelopes with this method cannot be sent yet.', false),
  ('cpf', 'The CPF, beside the one-time code. Needs cpf. Envelopes with this method cannot be sent yet.', false),
  ('kba', 'Questions about the person, beside the one-time code. Envelopes with this method cannot be sent yet.', false),
  ('identity_match', 'A comparison with an identity provider, beside the one-time code. Envelopes with this method cannot be sent yet.', false),
  ('none', 'Always refused with 422 auth_method_not_allowed: every participant is authenticated.', false);

create table signature.modalities (
  name text primary key,
  description text not null,
  is_available boolean not null
);
comment on table signature.modalities is E'@enum\nKind of electronic signature.';
comment on column signature.modalities.name is 'simples, avancada or qualificada.';
comment on column signature.modalities.description is 'What the name means.';
comment on column signature.modalities.is_available is 'Whether envelopes whose participants have this modality can be sent.';
insert into signature.modalities (name, description, is_available) values
  ('simples', 'Simple electronic signature.', true),
  ('avancada', 'Advanced electronic signature.', true),
  ('qualificada', 'Qualified electronic signature, with the ICP-Brasil certificate of the signer. Envelopes with this modality cannot be sent yet.', false);

create table signature.field_types (
  name text primary key,
  description text not null,
  is_available boolean not null
);
comment on table signature.field_types is E'@enum\nKind of a field.';
comment on column signature.field_types.name is 'The kind.';
comment on column signature.field_types.description is 'What the name means.';
comment on column signature.field_types.is_available is 'Whether such fields can be made.';
insert into signature.field_types (name, description, is_available) values
  ('assinatura', 'Signature.', true),
  ('rubrica', 'Initials.', true),
  ('nome', 'Name of the participant, filled in by the server.', true),
  ('cpf', 'CPF of the participant, filled in by the server.', true),
  ('cargo', 'Position of the participant in a company.', true),
  ('empresa', 'Company of the participant.', true),
  ('data', 'Date of the signature, filled in by the server.', true),
  ('texto', 'Text.', true),
  ('checkbox', 'Box to tick.', true),
  ('numero', 'Number.', true),
  ('calculado', 'Calculated from numbers. Refused with 422 invalid_request until a later version.', false),
  ('anexo', 'File that the participant delivers. Refused with 422 invalid_request until a later version.', false);

create table signature.condition_triggers (
  name text primary key,
  description text not null
);
comment on table signature.condition_triggers is E'@enum\nState of a checkbox that shows a conditional field.';
comment on column signature.condition_triggers.name is 'checked or unchecked.';
comment on column signature.condition_triggers.description is 'What the name means.';
insert into signature.condition_triggers (name, description) values
  ('checked', 'The field is shown while the checkbox is ticked.'),
  ('unchecked', 'The field is shown while the checkbox is not ticked.');

-- Every legal move. signature.move_envelope is the only function that changes the status of an envelope, and it looks here.
create table signature.envelope_moves (
  from_status text not null references signature.envelope_statuses on delete restrict,
  action text not null check (action ~ '^[a-z_]{1,32}$'),
  to_status text not null references signature.envelope_statuses on delete restrict,
  primary key (from_status, action),
  check (from_status <> to_status)
);
comment on table signature.envelope_moves is 'The legal moves of envelopes from state to state.';
comment on column signature.envelope_moves.from_status is 'State before the move.';
comment on column signature.envelope_moves.action is 'What moves the envelope.';
comment on column signature.envelope_moves.to_status is 'State after the move.';
insert into signature.envelope_moves (from_status, action, to_status) values
  ('draft', 'become_sendable', 'ready'),
  ('ready', 'become_unsendable', 'draft'),
  ('ready', 'send', 'sent'),
  ('sent', 'view', 'in_progress'),
  ('sent', 'finish_part', 'partially_signed'),
  ('in_progress', 'finish_part', 'partially_signed'),
  ('sent', 'complete', 'completed'),
  ('in_progress', 'complete', 'completed'),
  ('partially_signed', 'complete', 'completed'),
  ('sent', 'fail', 'failed'),
  ('in_progress', 'fail', 'failed'),
  ('partially_signed', 'fail', 'failed'),
  ('failed', 'complete', 'completed'),
  ('sent', 'decline', 'declined'),
  ('in_progress', 'decline', 'declined'),
  ('partially_signed', 'decline', 'declined'),
  ('sent', 'expire', 'expired'),
  ('in_progress', 'expire', 'expired'),
  ('partially_signed', 'expire', 'expired'),
  ('sent', 'cancel', 'cancelled'),
  ('in_progress', 'cancel', 'cancelled'),
  ('partially_signed', 'cancel', 'cancelled');

-- Enums of the API: PostGraphile must see their rows.
comment on table platform.jurisdictions is E'@enum\nLegal regime of an organization or of an envelope.';
grant select on platform.jurisdictions, signature.envelope_statuses, signature.signing_orders, signature.field_placements,
  signature.participant_roles, signature.participant_statuses, signature.auth_methods, signature.modalities, signature.field_types,
  signature.condition_triggers to selo_app;

-- ── Envelopes ────────────────────────────────────────────────────────────────────────────────────────────────────
create table signature.envelopes (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  title text not null check (char_length(title) between 1 and 255),
  message text check (char_length(message) <= 4000),
  status text not null default 'draft' references signature.envelope_statuses on delete restrict,
  signing_order text not null references signature.signing_orders on delete restrict,
  allow_delegation boolean not null,
  language text check (language ~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' and char_length(language) <= 35),
  jurisdiction text not null references platform.jurisdictions on delete restrict,
  field_placement text not null references signature.field_placements on delete restrict,
  expires_in_days integer not null check (expires_in_days between 1 and 365),
  external_id text check (char_length(external_id) <= 255),
  expires_at timestamptz,
  sent_at timestamptz,
  completed_at timestamptz,
  sealing_since timestamptz,
  cancel_reason text check (char_length(cancel_reason) <= 1000),
  verification_code text,
  created_at timestamptz not null default clock_timestamp(),
  record_salt bytea not null default extensions.gen_random_bytes(16),
  primary key (tenant_id, id),
  check ((sent_at is null) = (expires_at is null) and (sent_at is null) = (verification_code is null)),
  check (status not in ('draft', 'ready') or sent_at is null)
);
comment on table signature.envelopes is 'Documents and participants that are sent together.';
comment on column signature.envelopes.tenant_id is 'The organization.';
comment on column signature.envelopes.id is 'The envelope. Ids are time-ordered.';
comment on column signature.envelopes.environment is 'live or test.';
comment on column signature.envelopes.title is 'Title, 1 to 255 characters.';
comment on column signature.envelopes.message is 'Message to the participants, up to 4,000 characters.';
comment on column signature.envelopes.status is 'State. Only signature.move_envelope changes it.';
comment on column signature.envelopes.signing_order is 'parallel, sequential or mixed.';
comment on column signature.envelopes.allow_delegation is 'Whether participants may hand their turn to someone else.';
comment on column signature.envelopes.language is 'Language tag of what participants read. Null for the language of the organization.';
comment on column signature.envelopes.jurisdiction is 'Legal regime, stored as given. br behaves as intl.';
comment on column signature.envelopes.field_placement is 'report or fields.';
comment on column signature.envelopes.expires_in_days is 'Days from sending to the deadline.';
comment on column signature.envelopes.external_id is 'Id of the envelope in a system of the organization, up to 255 characters.';
comment on column signature.envelopes.expires_at is 'The deadline (UTC). Null before sending.';
comment on column signature.envelopes.sent_at is 'When the envelope was sent (UTC). Null before.';
comment on column signature.envelopes.completed_at is 'When the last required participant finished (UTC). Null before completion.';
comment on column signature.envelopes.sealing_since is 'Since when the completion is under way (UTC). Null before and after.';
comment on column signature.envelopes.cancel_reason is 'Why the sender cancelled the envelope, up to 1,000 characters.';
comment on column signature.envelopes.verification_code is 'Public code, in platform.public_codes. Null before sending.';
comment on column signature.envelopes.created_at is 'When the envelope was made (UTC).';
comment on column signature.envelopes.record_salt is 'Salt of the digest that the audit trail holds of the record.';
alter table signature.envelopes alter column id set statistics 0;
create index envelopes_newest on signature.envelopes (tenant_id, environment, id);
create index envelopes_status on signature.envelopes (tenant_id, environment, status, id);
create index envelopes_created on signature.envelopes (tenant_id, environment, created_at);
create index envelopes_title_trigrams on signature.envelopes using gin (title extensions.gin_trgm_ops);
create index envelopes_external_id_trigrams on signature.envelopes using gin (external_id extensions.gin_trgm_ops);
alter table signature.envelopes enable row level security;
alter table signature.envelopes force row level security;
create policy tenant on signature.envelopes
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table signature.envelope_documents (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  document_id uuid not null,
  position integer not null check (position between 1 and 10),
  primary key (tenant_id, id),
  unique (tenant_id, envelope_id, document_id),
  -- Documents behind a place move together, in one statement.
  unique (tenant_id, envelope_id, position) deferrable initially immediate,
  foreign key (tenant_id, envelope_id) references signature.envelopes on delete cascade,
  foreign key (tenant_id, document_id) references signature.documents on delete restrict
);
comment on table signature.envelope_documents is 'The documents of envelopes. A document may be in many envelopes, and once in each.';
comment on column signature.envelope_documents.tenant_id is 'The organization.';
comment on column signature.envelope_documents.id is 'The place of the document in the envelope.';
comment on column signature.envelope_documents.environment is 'live or test.';
comment on column signature.envelope_documents.envelope_id is 'The envelope.';
comment on column signature.envelope_documents.document_id is 'The document.';
comment on column signature.envelope_documents.position is 'Place of the document in the envelope, from 1 without gaps.';
alter table signature.envelope_documents alter column id set statistics 0, alter column envelope_id set statistics 0, alter column document_id set statistics 0;
create index envelope_documents_document on signature.envelope_documents (tenant_id, document_id);
alter table signature.envelope_documents enable row level security;
alter table signature.envelope_documents force row level security;
create policy tenant on signature.envelope_documents
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table signature.participants (
  tenant_id uuid not null,
  id uuid not null,
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  email text not null check (char_length(email) between 3 and 254),
  role text not null references signature.participant_roles on delete restrict,
  order_index integer check (order_index between 1 and 999),
  auth_method text not null references signature.auth_methods on delete restrict check (auth_method <> 'none'),
  modality text not null references signature.modalities on delete restrict,
  cpf_mask text check (cpf_mask ~ '^\*{3}\.[0-9]{3}\.[0-9]{3}-\*{2}$'),
  enciphered_cpf bytea,
  ssn_last4_mask text check (ssn_last4_mask ~ '^\*{3}-\*{2}-\*{2}[0-9]{2}$'),
  enciphered_ssn_last4 bytea,
  phone_mask text check (phone_mask ~ '^\+[0-9]{1,3}\*+[0-9]{2}$'),
  enciphered_phone bytea,
  status text not null default 'pending' references signature.participant_statuses on delete restrict,
  locked boolean not null default false,
  invited_at timestamptz,
  viewed_at timestamptz,
  completed_at timestamptz,
  invitation_failed boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, envelope_id, id),
  check ((cpf_mask is null) = (enciphered_cpf is null)),
  check ((ssn_last4_mask is null) = (enciphered_ssn_last4 is null)),
  check ((phone_mask is null) = (enciphered_phone is null)),
  foreign key (tenant_id, envelope_id) references signature.envelopes on delete cascade
);
comment on table signature.participants is 'The participants of envelopes.';
comment on column signature.participants.tenant_id is 'The organization.';
comment on column signature.participants.id is 'The participant. Ids are time-ordered.';
comment on column signature.participants.environment is 'live or test.';
comment on column signature.participants.envelope_id is 'The envelope.';
comment on column signature.participants.name is 'Name, 1 to 255 characters.';
comment on column signature.participants.email is 'E-mail address.';
comment on column signature.participants.role is 'What the participant does.';
comment on column signature.participants.order_index is 'Place in the queue. Null for the last places, in the order of creation.';
comment on column signature.participants.auth_method is 'How the participant is authenticated.';
comment on column signature.participants.modality is 'Kind of the signature.';
comment on column signature.participants.cpf_mask is 'CPF without its first three and its last two digits.';
comment on column signature.participants.enciphered_cpf is 'CPF, encrypted under the data key of the organization.';
comment on column signature.participants.ssn_last4_mask is 'Last two digits of the SSN.';
comment on column signature.participants.enciphered_ssn_last4 is 'Last four digits of the SSN, encrypted under the data key of the organization.';
comment on column signature.participants.phone_mask is 'Telephone number: country code and last two digits.';
comment on column signature.participants.enciphered_phone is 'Telephone number, encrypted under the data key of the organization.';
comment on column signature.participants.status is 'State.';
comment on column signature.participants.locked is 'Whether the link is locked after too many wrong codes.';
comment on column signature.participants.invited_at is 'When the participant was invited (UTC). Null before.';
comment on column signature.participants.viewed_at is 'When the participant first viewed the documents (UTC). Null before.';
comment on column signature.participants.completed_at is 'When the participant finished (UTC). Null before.';
comment on column signature.participants.invitation_failed is 'Whether the invitation could not be delivered.';
comment on column signature.participants.created_at is 'When the participant was added (UTC).';
alter table signature.participants alter column id set statistics 0, alter column envelope_id set statistics 0;
create index participants_name_trigrams on signature.participants using gin (name extensions.gin_trgm_ops);
create index participants_email_trigrams on signature.participants using gin (email extensions.gin_trgm_ops);
alter table signature.participants enable row level security;
alter table signature.participants force row level security;
create policy tenant on signature.participants
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table signature.fields (
  tenant_id uuid not null,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  participant_id uuid not null,
  document_id uuid not null,
  page integer not null check (page >= 1),
  x double precision not null check (x between 0 and 1),
  y double precision not null check (y between 0 and 1),
  width double precision not null check (width between 0 and 1),
  height double precision not null check (height between 0 and 1),
  type text not null references signature.field_types on delete restrict,
  required boolean not null,
  condition_field_id uuid,
  condition_trigger text references signature.condition_triggers on delete restrict,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, envelope_id, participant_id, id),
  check ((condition_field_id is null) = (condition_trigger is null)),
  foreign key (tenant_id, envelope_id, document_id) references signature.envelope_documents (tenant_id, envelope_id, document_id) on delete cascade,
  foreign key (tenant_id, envelope_id, participant_id) references signature.participants (tenant_id, envelope_id, id) on delete cascade,
  -- A field goes along with the checkbox that shows it.
  foreign key (tenant_id, envelope_id, participant_id, condition_field_id)
    references signature.fields (tenant_id, envelope_id, participant_id, id) on delete cascade
);
comment on table signature.fields is 'The fields that participants fill on documents.';
comment on column signature.fields.tenant_id is 'The organization.';
comment on column signature.fields.id is 'The field. Ids are time-ordered.';
comment on column signature.fields.environment is 'live or test.';
comment on column signature.fields.envelope_id is 'The envelope.';
comment on column signature.fields.participant_id is 'Who fills the field.';
comment on column signature.fields.document_id is 'The document on which the field lies.';
comment on column signature.fields.page is 'Page of the document, from 1.';
comment on column signature.fields.x is 'Left edge, as a part of the width of the page as displayed.';
comment on column signature.fields.y is 'Top edge, as a part of the height of the page as displayed.';
comment on column signature.fields.width is 'Width, as a part of the width of the page.';
comment on column signature.fields.height is 'Height, as a part of the height of the page.';
comment on column signature.fields.type is 'Kind of the field.';
comment on column signature.fields.required is 'Whether the participant must fill the field.';
comment on column signature.fields.condition_field_id is 'The checkbox that shows the field. Null for a field that is always shown.';
comment on column signature.fields.condition_trigger is 'State of the checkbox that shows the field.';
comment on column signature.fields.created_at is 'When the field was added (UTC).';
alter table signature.fields alter column id set statistics 0, alter column envelope_id set statistics 0, alter column participant_id set statistics 0,
  alter column document_id set statistics 0, alter column condition_field_id set statistics 0;
create index fields_document on signature.fields (tenant_id, envelope_id, document_id);
create index fields_condition on signature.fields (tenant_id, envelope_id, participant_id, condition_field_id);
alter table signature.fields enable row level security;
alter table signature.fields force row level security;
create policy tenant on signature.fields
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

-- What the functions of `selo audit verify` and the search of envelopes read, of all organizations.
grant select on signature.envelopes, signature.envelope_documents, signature.participants, signature.fields to selo_system;
