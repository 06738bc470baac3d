create function gateway.delete_dns_zone(p_zone_id text, p_if_match text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  perform dns.require_match(v_zone, p_if_match);
  perform dns.remove_zone(v_zone);
  return json_build_object('zone', v_zone.name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', json_build_object('zone_id', v_zone.id));
end
$$;
comment on function gateway.delete_dns_zone(text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param if_match {..8000} The header If-Match.\nDELETE /orgs/{org_id}/zones/{zone_id}: the zone and its records are gone, and its name is free. An operator can restore them for seven days.';
revoke execute on function gateway.delete_dns_zone(text, text) from public;
