create function gateway.read_rrset_export(p_zone text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('record:read');
  return gateway.read_dns_export((dns.require_zone_named(p_zone)).id::text);
end
$$;
comment on function gateway.read_rrset_export(text) is
  E'@param zone {..1000, else empty} Name of the zone.\n@slow\nGET /servers/localhost/zones/{zone_id}/export of the API of PowerDNS: what gateway.read_dns_export answers.';
revoke execute on function gateway.read_rrset_export(text) from public;
