--! owner selo_system
-- Looks across tenants: an ALIAS record may lead to a name in an active zone of another organization.
create or replace function dns.alias_zone(p_tenant_id uuid, p_name text) returns dns.zones
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_labels constant text[] := string_to_array(p_name, '.');
  v_zone dns.zones;
begin
  select zone.* into v_zone
  from generate_series(1, cardinality(c_labels) - 1) as place
  join platform.zone_names as known on known.name = array_to_string(c_labels[place:], '.')
  join dns.zones as zone on zone.tenant_id = known.tenant_id and zone.id = known.zone_id
  -- Who registers a name here and is not asked by the public DNS must not say where others' names lead.
  where zone.is_served and (zone.tenant_id = p_tenant_id or zone.status = 'active')
  order by place limit 1;
  -- What is delegated further, the zone does not know.
  if found and exists (
    select from dns.names_above(v_zone.name, array[p_name]) as path
    join dns.records as record on record.tenant_id = v_zone.tenant_id and record.zone_id = v_zone.id and record.name = path.above
      and record.type = 'NS' and not record.disabled)
  then
    v_zone := null;
  end if;
  return v_zone;
end
$$;
comment on function dns.alias_zone(uuid, text) is
  'The zone here that answers for a name when an ALIAS record of an organization leads to it: the nearest zone of the same organization, or an active one of any. Null where the public DNS is to be asked.';
revoke execute on function dns.alias_zone(uuid, text) from public;
grant execute on function dns.alias_zone(uuid, text) to selo_owner;
