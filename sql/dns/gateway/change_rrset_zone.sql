create function gateway.change_rrset_zone(p_zone text, p_rrsets jsonb) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('record:write');
  v_zone := dns.require_zone_named(p_zone, true, true);
  perform dns.write_rrsets(v_zone, p_rrsets);
  return json_build_object('zone', v_zone.name, 'aliases', dns.open_aliases(v_zone.tenant_id, v_zone.id), 'answer', null);
end
$$;
comment on function gateway.change_rrset_zone(text, jsonb) is
  E'@param zone {..1000, else empty} Name of the zone.\n@param rrsets The changes of sets of records.\n@slow 300\nPATCH /servers/localhost/zones/{zone_id} of the API of PowerDNS: changes of sets, in one change of the zone.';
revoke execute on function gateway.change_rrset_zone(text, jsonb) from public;
