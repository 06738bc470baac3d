create function gateway.get_dns_zone(p_zone_id text, p_if_match text default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:read');
  -- A separate statement: within the next one it would not run for an organization without zones.
  v_zone := dns.require_zone(p_zone_id, p_of_acme => true);
  perform dns.require_match(v_zone, p_if_match);
  return (
    select json_build_object('tag', dns.zone_tag(v_zone), 'answer', gateway.dns_zones_json(one)) from api.dns_zones as one where one.id = v_zone.id);
end
$$;
comment on function gateway.get_dns_zone(text, text) is E'@param zone_id {..20, else empty} Id of the zone.\n@param if_match {..8000} The header If-Match.\nGET /orgs/{org_id}/zones/{zone_id}: {tag, answer}: the entity tag of a zone, and the zone, or 404 not_found.';
revoke execute on function gateway.get_dns_zone(text, text) from public;
