create function gateway.delete_rrset_zone(p_zone text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('zone:write');
  return gateway.delete_dns_zone((dns.require_zone_named(p_zone)).id::text);
end
$$;
comment on function gateway.delete_rrset_zone(text) is
  E'@param zone {..1000, else empty} Name of the zone.\nDELETE /servers/localhost/zones/{zone_id} of the API of PowerDNS: the zone and its records are gone, as with gateway.delete_dns_zone.';
revoke execute on function gateway.delete_rrset_zone(text) from public;
