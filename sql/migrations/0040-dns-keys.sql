-- DNS hosting: API keys, which alone hold its scopes, and what plans limit.
insert into platform.scopes (name, grants, kinds) values
  ('zone:read', 'list zones, read zone details, setup and delegation status', '{api_key}'),
  ('zone:write', 'create, import, check and delete zones; manage DNSSEC', '{api_key}'),
  ('record:read', 'list the records of a zone', '{api_key}'),
  ('record:write', 'create, update and delete records', '{api_key}');

create table platform.plan_limits (
  plan text not null references platform.plans on delete restrict,
  name text not null,
  most integer not null check (most >= 0),
  primary key (plan, name)
);
comment on table platform.plan_limits is 'How much of a thing an organization may have, by its plan.';
comment on column platform.plan_limits.plan is 'free, growth, business or enterprise.';
comment on column platform.plan_limits.name is 'What is limited: dns_zones or dns_records.';
comment on column platform.plan_limits.most is 'The largest number, of all zones of the organization together.';
insert into platform.plan_limits (plan, name, most) values
  ('free', 'dns_zones', 50), ('free', 'dns_records', 500),
  ('growth', 'dns_zones', 200), ('growth', 'dns_records', 10000),
  ('business', 'dns_zones', 2000), ('business', 'dns_records', 200000),
  ('enterprise', 'dns_zones', 20000), ('enterprise', 'dns_records', 2000000);

create table dns.api_keys (
  tenant_id uuid not null references platform.organizations on delete restrict,
  id integer not null generated always as identity,
  actor_id uuid not null default platform.uuidv7(),
  environment text not null default 'live' references platform.environments on delete restrict check (environment = 'live'),
  name text not null check (char_length(name) between 1 and 100),
  prefix text not null check (prefix ~ '^dns_[0-9a-f]{8}$'),
  created_at timestamptz not null default now(),
  record_salt bytea not null default extensions.gen_random_bytes(32),
  primary key (tenant_id, id),
  unique (id),
  unique (tenant_id, actor_id)
);
comment on table dns.api_keys is 'API keys of DNS. platform.credentials has what opens each, its scopes, and when it was revoked.';
comment on column dns.api_keys.tenant_id is 'The organization.';
comment on column dns.api_keys.id is 'The key.';
comment on column dns.api_keys.actor_id is 'The key as an actor: in its credential, and as the subject of its audit events.';
comment on column dns.api_keys.environment is 'Always live: DNS has no test environment.';
comment on column dns.api_keys.name is 'What its owner calls it.';
comment on column dns.api_keys.prefix is 'The beginning of the key, which is not secret: dns_ and eight hexadecimal digits.';
comment on column dns.api_keys.created_at is 'When it was made (UTC).';
comment on column dns.api_keys.record_salt is 'Without it, nothing is learned from the digest that the audit trail holds.';
-- What plans must not tell: the API filters by id.
alter table dns.api_keys alter column id set statistics 0;
alter table dns.api_keys alter column actor_id set statistics 0;
alter table dns.api_keys enable row level security;
alter table dns.api_keys force row level security;
create policy tenant on dns.api_keys
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));
grant select on dns.api_keys to selo_system;
