create function gateway.get_dns_zone(p_zone_id text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:read');
  -- A separate statement: within the next one it would not run for an organization without zones.
  v_zone := dns.require_zone(p_zone_id, p_of_acme => true);
  return (select gateway.dns_zones_json(one) from api.dns_zones as one where one.id = v_zone.id);
end
$$;
comment on function gateway.get_dns_zone(text) is E'@param zone_id {..20, else empty} Id of the zone.\nGET /orgs/{org_id}/zones/{zone_id}: a zone, or 404 not_found.';
revoke execute on function gateway.get_dns_zone(text) from public;
