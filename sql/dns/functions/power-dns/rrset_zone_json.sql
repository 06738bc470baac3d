create or replace function dns.rrset_zone_json(p_zone dns.zones, p_is_with_dnssec boolean default true) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  -- As PowerDNS writes ids: a slash would end the segment of the path.
  c_id constant text := replace(replace(p_zone.name, '_', '=5F'), '/', '=2F') || '.';
begin
  return jsonb_build_object('id', c_id, 'name', p_zone.name || '.', 'url', '/api/v1/servers/localhost/zones/' || c_id,
      'kind', 'Native', 'serial', p_zone.serial, 'notified_serial', 0, 'last_check', 0, 'account', '', 'masters', '[]'::jsonb)
    || case when p_is_with_dnssec then jsonb_build_object('edited_serial', p_zone.serial,
      'dnssec', (select shown.dnssec_enabled from api.dns_zones as shown where shown.id = p_zone.id)) else '{}' end;
end
$$;
comment on function dns.rrset_zone_json(dns.zones, boolean) is
  'A zone as the API of PowerDNS lists it. Its id is its name with a final dot, in which =5F is an underscore and =2F a slash. Native: all nameservers read the same tables.';
revoke execute on function dns.rrset_zone_json(dns.zones, boolean) from public;
