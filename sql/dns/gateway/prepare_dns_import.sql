create function gateway.prepare_dns_import(p_zone_id text, p_if_match text default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id);
  perform dns.require_match(v_zone, p_if_match);
  return json_build_object('name', v_zone.name, 'organization', platform.tenant_id());
end
$$;
comment on function gateway.prepare_dns_import(text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param if_match {..8000} The header If-Match.\nFirst half of POST /orgs/{org_id}/zones/{zone_id}/import: {name, organization} of the zone whose file TypeScript reads.';
revoke execute on function gateway.prepare_dns_import(text, text) from public;
