create function gateway.prepare_dns_setup(p_zone_id text, p_accept_language text default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:read');
  v_zone := dns.require_zone(p_zone_id);
  return json_build_object('name', v_zone.name, 'organization', platform.tenant_id(), 'accept_language', p_accept_language,
    'language', (select organization.language from platform.organizations as organization where organization.id = v_zone.tenant_id));
end
$$;
comment on function gateway.prepare_dns_setup(text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param accept_language {..1000} The header Accept-Language.\nFirst half of GET /orgs/{org_id}/zones/{zone_id}/setup: the name to ask the public DNS for, and the languages of the answer.';
revoke execute on function gateway.prepare_dns_setup(text, text) from public;
