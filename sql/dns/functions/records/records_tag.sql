create or replace function dns.records_tag(p_zone dns.zones) returns text
  language sql stable set search_path = '' as $$
  -- The serial of the zone also rises when addresses of ALIAS names change, which no list of records shows.
  select p_zone.id || '-' || coalesce((
    select change.serial from dns.changes as change
    where change.tenant_id = p_zone.tenant_id and change.zone_id = p_zone.id order by change.serial desc limit 1), 0)
$$;
comment on function dns.records_tag(dns.zones) is
  'The entity tag of the records of a zone: the id of the zone, and the serial of the last change of its records, 0 before the first.';
revoke execute on function dns.records_tag(dns.zones) from public;
