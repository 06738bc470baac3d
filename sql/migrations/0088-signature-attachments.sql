-- Fields of type anexo: files that participants deliver before they finish (signature-service §2, Field).

update signature.field_types
set is_available = true, description = 'File that the participant delivers: PDF, PNG or JPEG, at most 10 MiB.'
where name = 'anexo';

create table signature.attachments (
  tenant_id uuid not null,
  field_id uuid not null,
  environment text not null references platform.environments on delete restrict,
  envelope_id uuid not null,
  participant_id uuid not null,
  object_id uuid not null,
  filename text not null check (char_length(filename) between 1 and 255),
  type text not null check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  size bigint not null check (size > 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  replacements integer not null default 0 check (replacements between 0 and 20),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, field_id),
  foreign key (tenant_id, envelope_id, participant_id, field_id)
    references signature.fields (tenant_id, envelope_id, participant_id, id) on delete cascade
);
comment on table signature.attachments is
  'Files that participants delivered. Once a participant has finished, the signed record holds digest, size and type of each.';
comment on column signature.attachments.tenant_id is 'The organization.';
comment on column signature.attachments.field_id is 'The field.';
comment on column signature.attachments.environment is 'live or test.';
comment on column signature.attachments.envelope_id is 'The envelope.';
comment on column signature.attachments.participant_id is 'Who delivered the file.';
comment on column signature.attachments.object_id is 'The object that holds the file.';
comment on column signature.attachments.filename is 'Name of the file, up to 255 characters.';
comment on column signature.attachments.type is 'What the first bytes of the file say.';
comment on column signature.attachments.size is 'Size of the file in bytes.';
comment on column signature.attachments.sha256 is 'SHA-256 of the file.';
comment on column signature.attachments.replacements is 'How often the file was replaced.';
comment on column signature.attachments.created_at is 'When the file was delivered (UTC).';
alter table signature.attachments alter column field_id set statistics 0, alter column envelope_id set statistics 0, alter column participant_id set statistics 0;
create index attachments_field on signature.attachments (tenant_id, envelope_id, participant_id, field_id);
create index attachments_object on signature.attachments using hash (object_id);
alter table signature.attachments enable row level security;
alter table signature.attachments force row level security;
create policy tenant on signature.attachments
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on signature.attachments to selo_system;
