create function gateway.prepare_dnssec_key(p_zone_id text, p_is_rotation boolean default false, p_if_match text default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id);
  perform dns.require_match(v_zone, p_if_match);
  perform dns.require_room_for_key(v_zone, p_is_rotation);
  return json_build_object('id', v_zone.id, 'name', v_zone.name,
    'key_tags', coalesce((select json_agg(key.key_tag) from dns.zone_keys(v_zone) as key), '[]'));
end
$$;
comment on function gateway.prepare_dnssec_key(text, boolean, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param is_rotation Whether the zone has a key, and gets a second one.\n@param if_match {..8000} The header If-Match.\nFirst half of POST /orgs/{org_id}/zones/{zone_id}/dnssec and …/dnssec/rotate: {id, name, key_tags} of the zone that TypeScript makes a key for. 409 dnssec_enabled, dnssec_disabled, rotation_in_progress.';
revoke execute on function gateway.prepare_dnssec_key(text, boolean, text) from public;
