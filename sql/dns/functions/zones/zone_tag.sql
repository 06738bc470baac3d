create or replace function dns.zone_tag(p_zone dns.zones) returns text
  language sql stable set search_path = '' as $$
  select dns.records_tag(p_zone) || '-' || left(encode(sha256(convert_to(gateway.dns_zones_json(shown)::text, 'UTF8')), 'hex'), 16)
  from api.dns_zones as shown where shown.id = p_zone.id
$$;
comment on function dns.zone_tag(dns.zones) is
  'The entity tag of a zone: the tag of its records, and a digest of what readers see of the zone. Null for a reader who may not see the zone.';
revoke execute on function dns.zone_tag(dns.zones) from public;
