--! owner selo_system
-- Looks across tenants: a name may lie below a zone of another organization.
create or replace function dns.hold_zones_above(p_tenant_id uuid, p_name text) returns void
  language sql volatile security definer set search_path = '' as $$
  select from dns.zones as zone
  where (zone.tenant_id, zone.id) in (
    select known.tenant_id, known.zone_id from platform.zone_names as known
    where known.tenant_id <> p_tenant_id and known.name = any (array(
      select array_to_string((string_to_array(p_name, '.'))[place:], '.') from generate_series(2, cardinality(string_to_array(p_name, '.')) - 1) as place)))
  order by length(zone.name), zone.name for share
$$;
comment on function dns.hold_zones_above(uuid, text) is
  'Waits for changes of zones of other organizations above a name, and keeps these zones as they are until the end of the transaction.';
revoke execute on function dns.hold_zones_above(uuid, text) from public;
grant execute on function dns.hold_zones_above(uuid, text) to selo_owner;
