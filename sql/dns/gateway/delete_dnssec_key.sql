create function gateway.delete_dnssec_key(p_zone_id text, p_key_id text, p_if_match text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_key dns.dnssec_keys;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  perform dns.require_match(v_zone, p_if_match);
  select key.* into v_key from dns.zone_keys(v_zone) as key where key.id::text = p_key_id;
  if not found then
    perform platform.fail(404, 'not_found', 'The zone has no such key.');
  elsif (select count(*) from dns.zone_keys(v_zone)) = 1 then
    perform platform.fail(422, 'last_key', 'The only key of a signed zone cannot be removed: disable DNSSEC instead.');
  end if;
  delete from dns.dnssec_keys as key where key.tenant_id = v_zone.tenant_id and key.zone_id = v_zone.id and key.id = v_key.id;
  perform dns.change_keys(v_zone, 'dnssec_key_deleted', v_key);
  return json_build_object('zone', v_zone.name, 'answer', dns.dnssec_status(v_zone));
end
$$;
comment on function gateway.delete_dnssec_key(text, text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param key_id {..20, else empty} Id of the key.\n@param if_match {..8000} The header If-Match.\nDELETE /orgs/{org_id}/zones/{zone_id}/dnssec/keys/{key_id}: one of two keys signs no longer. 404 not_found, 422 last_key.';
revoke execute on function gateway.delete_dnssec_key(text, text, text) from public;
