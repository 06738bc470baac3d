create or replace function dns.names_of_zone(p_zone dns.zones) returns setof text
  language sql stable set search_path = '' as $$
  select p_zone.name
  union select record.name from dns.records as record where record.tenant_id = p_zone.tenant_id and record.zone_id = p_zone.id
  union select served.name from pdns.records as served where served.domain_id = p_zone.id and octet_length(served.name) > 0
$$;
comment on function dns.names_of_zone(dns.zones) is 'All names of a zone that have records or are served.';
revoke execute on function dns.names_of_zone(dns.zones) from public;
grant execute on function dns.names_of_zone(dns.zones) to selo_system;
