create function gateway.read_dnssec_steps(p_zone_id text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:read');
  v_zone := dns.require_zone(p_zone_id);
  return json_build_object('dnssec', dns.dnssec_status(v_zone), 'zone', json_build_object('id', v_zone.id, 'name', v_zone.name, 'status', v_zone.status),
    'parent_ds', v_zone.parent_ds,
    'language', (select organization.language from platform.organizations as organization where organization.id = v_zone.tenant_id));
end
$$;
comment on function gateway.read_dnssec_steps(text) is
  E'@param zone_id {..20, else empty} Id of the zone.\nWhat gateway.read_dnssec answers, and what the remaining steps depend on: the zone, the DS records that its parent published at the last check, and the language of the organization.';
revoke execute on function gateway.read_dnssec_steps(text) from public;
