create function gateway.disable_dnssec(p_zone_id text, p_confirm boolean default false, p_if_match text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  perform dns.require_match(v_zone, p_if_match);
  if p_confirm is not true then
    perform platform.fail(422, 'confirm_required', 'Without its keys the zone fails for validating resolvers as long as the parent publishes a DS record: send {"confirm": true}.',
      '[{"field": "confirm", "message": "must be true"}]');
  elsif not dns.is_signed(v_zone) then
    perform platform.fail(409, 'dnssec_disabled', 'The zone is not signed.');
  end if;
  delete from dns.dnssec_keys as key where key.tenant_id = v_zone.tenant_id and key.zone_id = v_zone.id;
  perform dns.change_keys(v_zone, 'dnssec_disabled', null);
  return json_build_object('zone', v_zone.name, 'answer', dns.dnssec_status(v_zone));
end
$$;
comment on function gateway.disable_dnssec(text, boolean, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param confirm Must be true. First remove the DS record at the registrar, and wait until it has expired from the caches of resolvers.\n@param if_match {..8000} The header If-Match.\nDELETE /orgs/{org_id}/zones/{zone_id}/dnssec: the zone is signed no longer, and its keys are gone. 422 confirm_required, 409 dnssec_disabled.';
revoke execute on function gateway.disable_dnssec(text, boolean, text) from public;
