-- Notes: words of an organization, with a reminder, a file's digest and words that are kept sealed.

insert into platform.scopes (name, grants) values
  ('notes:read', 'read notes'),
  ('notes:write', 'make and change notes');

insert into webhooks.event_kinds (name, description, data_schema) values
  ('note.created', 'A note was made.',
   '{"type": "object", "properties": {"text": {"type": "string", "description": "Its words."}}, "required": ["text"], "additionalProperties": false}');

create table notes.notes (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  text text not null check (char_length(text) between 1 and 200),
  file_sha256 bytea check (octet_length(file_sha256) = 32),
  sealed_words bytea,
  remind_at timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id)
);
comment on table notes.notes is 'Notes of organizations.';
comment on column notes.notes.tenant_id is 'The organization.';
comment on column notes.notes.id is 'The note: time-ordered.';
comment on column notes.notes.environment is 'live or test.';
comment on column notes.notes.text is 'Its words, 1 to 200 characters.';
comment on column notes.notes.file_sha256 is 'SHA-256 of the file that belongs to it; null without one.';
comment on column notes.notes.sealed_words is 'Words that nobody reads in the database, encrypted under the master key; null without any.';
comment on column notes.notes.remind_at is 'When the organization''s contact is reminded of it; null: never.';
comment on column notes.notes.reminded_at is 'When that happened; null before.';
comment on column notes.notes.created_at is 'When it was made (UTC).';
comment on column notes.notes.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
-- What plans must not tell: the API filters by id.
alter table notes.notes alter column id set statistics 0;
create index notes_due on notes.notes (remind_at) where reminded_at is null;
alter table notes.notes enable row level security;
alter table notes.notes force row level security;
create policy tenant on notes.notes
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select, update (sealed_words) on notes.notes to selo_system;

create table notes_figures.counts (
  environment text primary key,
  notes bigint not null,
  counted_at timestamptz not null
);
comment on table notes_figures.counts is 'How many notes there are, for the login selo_notes.';
comment on column notes_figures.counts.environment is 'live or test.';
comment on column notes_figures.counts.notes is 'How many, of all organizations.';
comment on column notes_figures.counts.counted_at is 'When they were counted (UTC).';
grant select, insert, update on notes_figures.counts to selo_system;
grant select on notes_figures.counts to selo_notes;
