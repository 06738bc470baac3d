--! owner selo_system
-- Looks across tenants: zones of other organizations may lie below a name.
create or replace function dns.zones_below(p_tenant_id uuid, p_name text) returns table (tenant_id uuid, id integer, name text, is_active boolean)
  language sql stable security definer set search_path = '' as $$
  select known.tenant_id, known.zone_id, known.name, zone.status = 'active'
  from platform.zone_names as known
  join dns.zones as zone on zone.tenant_id = known.tenant_id and zone.id = known.zone_id
  -- A name begins with itself, so the range of the index holds what ends with a dot and the name.
  where reverse(known.name) collate "C" between reverse('.' || p_name) and reverse('.' || p_name) || '~' and known.tenant_id <> p_tenant_id
  order by length(known.name), known.name
$$;
comment on function dns.zones_below(uuid, text) is
  'The zones of other organizations below a name, upper ones before lower ones: in this order they are locked.';
revoke execute on function dns.zones_below(uuid, text) from public;
grant execute on function dns.zones_below(uuid, text) to selo_owner;
