create function gateway.check_dns_delegation(p_zone_id text, p_began timestamptz, p_answers text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  if p_answers is not null then
    perform dns.record_check(v_zone, p_began, p_answers::jsonb);
  end if;
  return (select gateway.dns_zones_json(checked) from api.dns_zones as checked where checked.id = v_zone.id);
end
$$;
comment on function gateway.check_dns_delegation(text, timestamptz, text) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param began When the check began.\n@param answers {..100000} What the public DNS answered, as JSON. Null where the last check is recent enough.\nSecond half of POST /orgs/{org_id}/zones/{zone_id}/check-delegation: the zone after the check.';
revoke execute on function gateway.check_dns_delegation(text, timestamptz, text) from public;
