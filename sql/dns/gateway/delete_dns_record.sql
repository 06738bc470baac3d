create function gateway.delete_dns_record(p_zone_id text, p_record_id text, p_if_match text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_id bigint;
begin
  perform platform.require_scope('record:write');
  v_zone := dns.require_zone(p_zone_id, true, true);
  perform dns.require_match(v_zone, p_if_match);
  v_id := (dns.require_record(v_zone, p_record_id)).id;
  perform dns.change_records(v_zone, array[v_id], '{}');
  return json_build_object('zone', v_zone.name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', json_build_object('record_id', v_id));
end
$$;
comment on function gateway.delete_dns_record(text, text, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param record_id {..20, else empty} Id of the record.\n@param if_match {..8000} The header If-Match.\nDELETE /orgs/{org_id}/zones/{zone_id}/records/{record_id}: the record is gone.';
revoke execute on function gateway.delete_dns_record(text, text, text) from public;
