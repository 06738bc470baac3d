create function gateway.enable_dnssec(
  p_zone_id text, p_key_tag integer, p_dnskey text, p_ds_records text[], p_sealed_private_key text, p_private_key text, p_if_match text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  perform dns.require_match(v_zone, p_if_match);
  perform dns.require_room_for_key(v_zone, false);
  perform dns.add_key(v_zone, 'dnssec_enabled', p_key_tag, p_dnskey, p_ds_records, p_sealed_private_key, p_private_key);
  return json_build_object('zone', v_zone.name, 'answer', dns.dnssec_status(v_zone));
end
$$;
comment on function gateway.enable_dnssec(text, integer, text, text[], text, text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param key_tag {0..65535} The tag of the new key.\n@param dnskey {..200} Its DNSKEY record.\n@param ds_records {..4 of ..200} Its DS records.\n@param sealed_private_key {..2000} The private key, sealed (base64).\n@param private_key {..1000} The private key as the nameservers read it.\n@param if_match {..8000} The header If-Match.\nSecond half of POST /orgs/{org_id}/zones/{zone_id}/dnssec: the zone is signed with its first key.';
revoke execute on function gateway.enable_dnssec(text, integer, text, text[], text, text, text) from public;
