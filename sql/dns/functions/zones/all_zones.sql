--! owner selo_system
-- Looks across tenants: a rebuild makes what is served of all zones.
create or replace function dns.all_zones() returns table (tenant_id uuid, id integer)
  language sql stable security definer set search_path = '' as $$
  select zone.tenant_id, zone.id from dns.zones as zone order by length(zone.name), zone.name
$$;
comment on function dns.all_zones() is 'The zones of all organizations, upper ones before lower ones: in this order they are locked.';
revoke execute on function dns.all_zones() from public;
grant execute on function dns.all_zones() to selo_owner;
