-- DNS hosting: whether the public DNS delegates a zone to its nameservers.

create table dns.zone_moves (
  from_status text not null references dns.zone_statuses on delete restrict,
  action text not null check (action ~ '^[a-z_]{1,32}$'),
  to_status text not null references dns.zone_statuses on delete restrict,
  event text not null check (event ~ '^[a-z_]{1,32}$'),
  primary key (from_status, action),
  check (from_status <> to_status)
);
comment on table dns.zone_moves is 'The legal moves of zones from state to state, which checks of their delegation make.';
comment on column dns.zone_moves.from_status is 'State before the move.';
comment on column dns.zone_moves.action is 'What a check found: delegated, lost, or lost for 30 days.';
comment on column dns.zone_moves.to_status is 'State after the move.';
comment on column dns.zone_moves.event is 'The name of the move, after "zone.", in the audit trail and in events.';
insert into dns.zone_moves (from_status, action, to_status, event) values
  ('pending', 'delegate', 'active', 'activated'),
  ('active', 'lose', 'pending', 'delegation_lost'),
  ('pending', 'expire', 'moved', 'moved'),
  ('moved', 'delegate', 'active', 'activated');

alter table dns.zones
  add column due_at timestamptz not null default now(),
  add column lost_at timestamptz,
  add column is_served boolean not null default true,
  -- Zones from before this migration count as seen.
  add column ns_before text[] default '{}';
alter table dns.zones alter column ns_before drop default;
comment on column dns.zones.due_at is 'When its delegation is checked next (UTC). A worker that checks it moves this to when another worker may take over.';
comment on column dns.zones.lost_at is 'When its delegation was lost last (UTC). Null for a zone that is active, or never was.';
comment on column dns.zones.is_served is 'Whether the nameservers answer for it. False below an active zone of another organization that does not delegate the name.';
comment on column dns.zones.ns_before is 'What the public DNS delegated the name to before it delegated it to this zone. Null while that is not known: a delegation that was left behind must not make the zone active.';
create index zones_due on dns.zones (due_at);
-- The job claims zones of all organizations.
grant update (due_at) on dns.zones to selo_system;

alter table dns.deleted_zones add column zone_id integer, add column is_taken boolean not null default false;
comment on column dns.deleted_zones.zone_id is 'The zone. Null for a zone that was deleted before this column was there.';
comment on column dns.deleted_zones.is_taken is 'Whether another organization took its name, because the public DNS said so.';

update platform.error_codes set meaning =
  'The domain is registered in the service already, or the nameservers that it would get are those of its earlier owner for 30 days, or those to which it is delegated already.'
where code = 'zone_exists';

insert into webhooks.event_kinds (name, description, data_schema)
select kind.name, kind.description, '{"type": "object", "required": ["zone_id", "name", "status"], "properties": {"zone_id": {"type": "integer", "description": "The zone."}, "name": {"type": "string", "description": "Its apex."}, "status": {"type": "string", "description": "Its status: pending, active or moved."}}}'::json
from (values
  ('zone.activated', 'The public DNS delegates the zone to its nameservers.'),
  ('zone.delegation_lost', 'The public DNS no longer delegates the zone to its nameservers alone.'),
  ('zone.moved', 'The public DNS has delegated the zone elsewhere for 30 days.')
) as kind (name, description);

insert into platform.mail_kinds (name, description) values
  ('zone_delegation_lost', 'The public DNS no longer delegates a zone to its nameservers. To the contact of the organization.'),
  ('zone_taken', 'Another organization took the name of a zone, because the public DNS said so. To the contact of the earlier holder.');
