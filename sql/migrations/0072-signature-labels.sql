-- Labels of envelopes (signature-service §5): an organization's own marks, which no evidence shows.

create table signature.labels (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 60),
  name_key text collate "C" not null,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default clock_timestamp(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  unique (tenant_id, environment, name_key)
);
comment on table signature.labels is 'Labels, by which an organization finds its envelopes again.';
comment on column signature.labels.tenant_id is 'The organization.';
comment on column signature.labels.id is 'The label. Ids are time-ordered.';
comment on column signature.labels.environment is 'live or test.';
comment on column signature.labels.name is 'Name, 1 to 60 characters.';
comment on column signature.labels.name_key is 'By which names are unique and in order: signature.label_key.';
comment on column signature.labels.color is '# and six lowercase hexadecimal digits: red, green and blue. Null for a label without a color.';
comment on column signature.labels.created_at is 'When the label was made (UTC).';
comment on column signature.labels.record_salt is 'Salt of the digest that the audit trail holds of the record.';
alter table signature.labels alter column id set statistics 0;
alter table signature.labels enable row level security;
alter table signature.labels force row level security;
create policy tenant on signature.labels
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table signature.envelope_labels (
  tenant_id uuid not null,
  environment text not null references platform.environments on delete restrict,
  label_id uuid not null,
  envelope_id uuid not null,
  -- Its index has the envelopes of a label in the order of lists.
  primary key (tenant_id, label_id, envelope_id),
  foreign key (tenant_id, label_id) references signature.labels on delete cascade,
  foreign key (tenant_id, envelope_id) references signature.envelopes on delete cascade
);
comment on table signature.envelope_labels is 'Which labels an envelope has.';
comment on column signature.envelope_labels.tenant_id is 'The organization.';
comment on column signature.envelope_labels.environment is 'live or test.';
comment on column signature.envelope_labels.label_id is 'The label.';
comment on column signature.envelope_labels.envelope_id is 'The envelope.';
alter table signature.envelope_labels alter column label_id set statistics 0, alter column envelope_id set statistics 0;
create index envelope_labels_envelope on signature.envelope_labels (tenant_id, envelope_id);
alter table signature.envelope_labels enable row level security;
alter table signature.envelope_labels force row level security;
create policy tenant on signature.envelope_labels
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on signature.labels, signature.envelope_labels to selo_system;
