create function gateway.prepare_dns_import(p_zone_id text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('zone:write');
  return json_build_object('name', (dns.require_zone(p_zone_id)).name, 'organization', platform.tenant_id());
end
$$;
comment on function gateway.prepare_dns_import(text) is
  E'@param zone_id {..20, else empty} Id of the zone.\nFirst half of POST /orgs/{org_id}/zones/{zone_id}/import: {name, organization} of the zone whose file TypeScript reads.';
revoke execute on function gateway.prepare_dns_import(text) from public;
