create function gateway.list_rrset_zones(p_zone text default null, p_dnssec boolean default true) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('zone:read');
  return (
    select coalesce(json_agg(dns.rrset_zone_json(zone, p_dnssec) order by zone.name), '[]')
    from api.dns_zones as shown
    join dns.zones as zone on zone.tenant_id = platform.tenant_id() and zone.id = shown.id
    where p_zone is null or zone.name = regexp_replace(lower(p_zone collate "C"), '\.$', ''));
end
$$;
comment on function gateway.list_rrset_zones(text, boolean) is
  E'@param zone {..1000, else empty} Only the zone of this name.\n@param dnssec {not null} Whether the answer says which zones are signed.\n@slow\nGET /servers/localhost/zones of the API of PowerDNS: zones by name.';
revoke execute on function gateway.list_rrset_zones(text, boolean) from public;
