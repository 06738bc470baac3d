-- DNS hosting: the addresses that ALIAS names have, and when a zone was scanned last.

create table dns.alias_targets (
  name text collate "C" not null check (octet_length(name) between 1 and 253),
  type text collate "C" not null check (type in ('A', 'AAAA')),
  first_by uuid,
  addresses text[] not null default '{}',
  ttl integer check (ttl between 60 and 3600),
  cnames text[] not null default '{}',
  checked_at timestamptz,
  due_at timestamptz not null,
  failing_since timestamptz,
  empty_checks integer not null default 0 check (empty_checks >= 0),
  is_given_up boolean not null default false,
  primary key (name, type)
);
comment on table dns.alias_targets is 'What the public DNS said about the names to which ALIAS records lead and for which no zone here speaks. Once for all who share a name.';
comment on column dns.alias_targets.name is 'The whole name, in lower case, without a final dot.';
comment on column dns.alias_targets.type is 'A or AAAA.';
comment on column dns.alias_targets.first_by is 'The organization whose ALIAS record was the first to lead there. Organizations take turns in being asked for.';
comment on column dns.alias_targets.addresses is 'The last addresses, sorted.';
comment on column dns.alias_targets.ttl is 'How long they may be kept, in seconds: 60 to 3600. Null before the first addresses.';
comment on column dns.alias_targets.cnames is 'The names that CNAME records of the answer led to, in order.';
comment on column dns.alias_targets.checked_at is 'When the last check that was recorded began (UTC). Null before the first.';
comment on column dns.alias_targets.due_at is 'When it is asked for next (UTC). A worker that asks moves this to when another worker may take over.';
comment on column dns.alias_targets.failing_since is 'Since when the public DNS does not answer (UTC). Null while it does.';
comment on column dns.alias_targets.empty_checks is 'How many checks in a row found no address.';
comment on column dns.alias_targets.is_given_up is 'Whether the public DNS did not answer for seven days, so that the addresses are gone.';
create index alias_targets_due on dns.alias_targets (due_at);
-- No organization may see which names others use: only functions of selo_system read it.
alter table dns.alias_targets enable row level security;
alter table dns.alias_targets force row level security;

create table dns.aliases (
  tenant_id uuid not null references platform.organizations on delete restrict,
  environment text not null default 'live' references platform.environments on delete restrict,
  zone_id integer not null,
  name text collate "C" not null,
  addresses text[] not null default '{}',
  ttl integer,
  is_failing boolean not null default false,
  is_bare boolean not null default false,
  settled_at timestamptz,
  changed_at timestamptz,
  due_at timestamptz,
  primary key (tenant_id, zone_id, name),
  foreign key (tenant_id, zone_id) references dns.zones (tenant_id, id) on delete cascade
);
comment on table dns.aliases is 'Names with an ALIAS record that is not disabled, and the addresses that they are served with.';
comment on column dns.aliases.tenant_id is 'The organization.';
comment on column dns.aliases.environment is 'Always live: DNS has no test environment.';
comment on column dns.aliases.zone_id is 'The zone.';
comment on column dns.aliases.name is 'The whole name.';
comment on column dns.aliases.addresses is 'The addresses, sorted.';
comment on column dns.aliases.ttl is 'How long resolvers keep them, in seconds: the smallest TTL on the way. Null without addresses.';
comment on column dns.aliases.is_failing is 'Whether its target has not answered for seven days.';
comment on column dns.aliases.is_bare is 'Whether it was found to have no addresses, so that its name is served without records.';
comment on column dns.aliases.settled_at is 'When the addresses were last found (UTC). Null until they are.';
comment on column dns.aliases.changed_at is 'When they last changed (UTC). Null before.';
comment on column dns.aliases.due_at is 'When a worker finds the addresses again (UTC): something on the way changed, or was not held. A worker that does moves this to when another worker may take over. Null for not.';
create index aliases_due on dns.aliases (due_at) where due_at is not null;
create index aliases_bare on dns.aliases (tenant_id, zone_id) where is_bare;
create index aliases_open on dns.aliases (tenant_id, zone_id) where settled_at is null;
-- It does not begin with the organization: see the section on look-ups in sql/dns/README.md.
create index aliases_changed on dns.aliases (changed_at, tenant_id);
alter table dns.aliases enable row level security;
alter table dns.aliases force row level security;
create policy tenant on dns.aliases
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table dns.alias_links (
  tenant_id uuid not null,
  environment text not null default 'live' references platform.environments on delete restrict,
  zone_id integer not null,
  name text collate "C" not null,
  via text collate "C" not null,
  primary key (tenant_id, zone_id, name, via),
  foreign key (tenant_id, zone_id, name) references dns.aliases (tenant_id, zone_id, name) on delete cascade
);
comment on table dns.alias_links is 'Names on the way from an ALIAS record to its addresses. A change at such a name reaches the ALIAS.';
comment on column dns.alias_links.tenant_id is 'The organization.';
comment on column dns.alias_links.environment is 'Always live: DNS has no test environment.';
comment on column dns.alias_links.zone_id is 'The zone of the ALIAS record.';
comment on column dns.alias_links.name is 'The name with the ALIAS record.';
comment on column dns.alias_links.via is 'A name on the way: its target, and names to which CNAME and ALIAS records lead from there.';
-- Finds a name, and the names below it, across organizations or of one: others may have many.
create index alias_links_via on dns.alias_links ((reverse(via) collate "C"), tenant_id);
alter table dns.alias_links enable row level security;
alter table dns.alias_links force row level security;
create policy tenant on dns.alias_links
  using (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()))
  with check (tenant_id = (select platform.tenant_id()) and environment = (select platform.environment()));

create table dns.alias_news (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  with_names_below boolean not null,
  by_organization uuid,
  due_at timestamptz not null default clock_timestamp()
);
comment on table dns.alias_news is 'Changes that ALIAS names in other zones are still to follow. A worker does it, and deletes the row.';
comment on column dns.alias_news.id is 'The change.';
comment on column dns.alias_news.name is 'The name at which something changed.';
comment on column dns.alias_news.with_names_below is 'Whether names below it changed too.';
comment on column dns.alias_news.by_organization is 'The organization whose zones could not follow at once. Null if it has none.';
comment on column dns.alias_news.due_at is 'When a worker takes it (UTC). A worker that does moves this to when another worker may take over.';
create index alias_news_due on dns.alias_news (due_at);
create index alias_news_by on dns.alias_news (by_organization) where by_organization is not null;
alter table dns.alias_news enable row level security;
alter table dns.alias_news force row level security;

grant select, insert, update, delete on dns.alias_targets, dns.alias_news to selo_system;
grant select on dns.aliases, dns.alias_links to selo_system;
grant update (due_at, settled_at) on dns.aliases to selo_system;

alter table dns.zones add column scanned_at timestamptz;
comment on column dns.zones.scanned_at is 'When a quick scan of the domain last began (UTC). Null before.';

-- Names that have ALIAS records already.
grant insert on dns.aliases, dns.alias_links to selo_system;
set local role selo_system;
insert into dns.aliases (tenant_id, zone_id, name)
select record.tenant_id, record.zone_id, record.name from dns.records as record where record.type = 'ALIAS' and not record.disabled;
insert into dns.alias_links (tenant_id, zone_id, name, via)
select record.tenant_id, record.zone_id, record.name, record.content from dns.records as record where record.type = 'ALIAS' and not record.disabled;
insert into dns.alias_news (name, with_names_below) select distinct link.via, false from dns.alias_links as link;
set local role selo_owner;
revoke insert on dns.aliases, dns.alias_links from selo_system;

delete from platform.error_codes where code = 'quick_scan_unavailable';

insert into webhooks.event_kinds (name, description, data_schema) values
  ('zone.alias_failing', 'The target of an ALIAS record has not answered for seven days, and its addresses are no longer served.',
    '{"type": "object", "required": ["zone_id", "name", "status", "record", "target"], "properties": {"zone_id": {"type": "integer", "description": "The zone."}, "name": {"type": "string", "description": "Its apex."}, "status": {"type": "string", "description": "Its status: pending, active or moved."}, "record": {"type": "string", "description": "The name with the ALIAS record."}, "target": {"type": "string", "description": "The content of the record."}}}'::json);
