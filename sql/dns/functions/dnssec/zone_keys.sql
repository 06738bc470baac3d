create or replace function dns.zone_keys(p_zone dns.zones) returns setof dns.dnssec_keys
  language sql stable set search_path = '' as $$
  select key.* from dns.dnssec_keys as key where key.tenant_id = p_zone.tenant_id and key.zone_id = p_zone.id order by key.id
$$;
comment on function dns.zone_keys(dns.zones) is 'The keys that sign a zone, the oldest first.';
revoke execute on function dns.zone_keys(dns.zones) from public;
grant execute on function dns.zone_keys(dns.zones) to selo_system;
