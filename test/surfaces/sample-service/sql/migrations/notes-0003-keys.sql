-- Keys: credentials that read notes on their own surface.
update platform.scopes set kinds = '{token,api_key}' where name = 'notes:read';

create table notes.keys (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id uuid not null default platform.uuidv7(),
  environment text not null references platform.environments on delete restrict,
  name text not null check (char_length(name) between 1 and 100),
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id)
);
comment on table notes.keys is 'Keys that read notes; what opens each stands in platform.credentials.';
comment on column notes.keys.tenant_id is 'The organization.';
comment on column notes.keys.id is 'The key: the actor of its credential.';
comment on column notes.keys.environment is 'live or test.';
comment on column notes.keys.name is 'What its owner calls it.';
comment on column notes.keys.created_at is 'When it was made (UTC).';
comment on column notes.keys.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
alter table notes.keys enable row level security;
alter table notes.keys force row level security;
create policy tenant on notes.keys
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on notes.keys to selo_system;
