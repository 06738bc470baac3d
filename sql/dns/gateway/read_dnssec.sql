create function gateway.read_dnssec(p_zone_id text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('zone:read');
  return dns.dnssec_status(dns.require_zone(p_zone_id));
end
$$;
comment on function gateway.read_dnssec(text) is E'@param zone_id {..20, else empty} Id of the zone.\nGET /orgs/{org_id}/zones/{zone_id}/dnssec: its keys, and what the parent publishes of them.';
revoke execute on function gateway.read_dnssec(text) from public;
