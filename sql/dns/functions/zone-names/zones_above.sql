--! owner selo_system
-- Looks across tenants: a name may lie below a zone of another organization.
create or replace function dns.zones_above(p_tenant_id uuid, p_name text) returns table (name text, is_active boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_labels constant text[] := string_to_array(p_name, '.');
  -- The names above, the nearest first.
  c_above constant text[] := array(select array_to_string(c_labels[place:], '.') from generate_series(2, cardinality(c_labels) - 1) as place);
begin
  return query
  select above.name, zone.status = 'active'
  from unnest(c_above) with ordinality as above (name, place)
  join platform.zone_names as known on known.name = above.name and known.tenant_id <> p_tenant_id
  join dns.zones as zone on zone.tenant_id = known.tenant_id and zone.id = known.zone_id
  -- The upper zone delegates the name, or a name between.
  where not exists (
    select from dns.records as delegation
    where delegation.tenant_id = known.tenant_id and delegation.zone_id = known.zone_id and delegation.type = 'NS' and not delegation.disabled
      and delegation.name = any (p_name || c_above[:above.place::integer - 1]));
end
$$;
comment on function dns.zones_above(uuid, text) is
  'The zones of other organizations above a name that do not delegate it with NS records, and whether each is active.';
revoke execute on function dns.zones_above(uuid, text) from public;
grant execute on function dns.zones_above(uuid, text) to selo_owner;
