create function gateway.begin_dns_scan(p_zone_id text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  c_now constant timestamptz := clock_timestamp();
begin
  perform platform.require_scope('zone:write');
  v_zone := dns.require_zone(p_zone_id, true);
  if v_zone.scanned_at > c_now - interval '1 minute' then
    return json_build_object('wait_seconds', ceil(extract(epoch from v_zone.scanned_at + interval '1 minute' - c_now))::integer);
  end if;
  update dns.zones as zone set scanned_at = c_now where zone.tenant_id = v_zone.tenant_id and zone.id = v_zone.id;
  return '{"wait_seconds": 0}';
end
$$;
comment on function gateway.begin_dns_scan(text) is
  E'@param zone_id {..20, else empty} Id of the zone.\nBefore the quick scan of POST /orgs/{org_id}/zones/{zone_id}/import: keeps the time, or answers how long the zone is not to be scanned again.';
revoke execute on function gateway.begin_dns_scan(text) from public;
