create function gateway.find_rrset_zone(p_zone text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('record:write');
  perform dns.require_zone_named(p_zone, p_of_acme => true);
  return '{}';
end
$$;
comment on function gateway.find_rrset_zone(text) is
  E'@param zone {..1000, else empty} Name of the zone.\nPUT /servers/localhost/zones/{zone_id}/notify and …/rectify of the API of PowerDNS: nothing, or 404 not_found. Every change notifies and rectifies by itself.';
revoke execute on function gateway.find_rrset_zone(text) from public;
