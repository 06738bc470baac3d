create function gateway.get_rrset_zone(p_zone text, p_rrsets boolean default true, p_rrset_name text default null, p_rrset_type text default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
begin
  perform platform.require_scope('record:read');
  v_zone := dns.require_zone_named(p_zone, p_of_acme => true);
  return dns.whole_rrset_zone_json(v_zone, p_rrsets, p_rrset_name, p_rrset_type);
end
$$;
comment on function gateway.get_rrset_zone(text, boolean, text, text) is
  E'@param zone {..1000, else empty} Name of the zone.\n@param rrsets {not null} Whether the answer has the sets of records.\n@param rrset_name {..1000} Only sets of this name.\n@param rrset_type {..20} Only sets of this type.\n@slow\nGET /servers/localhost/zones/{zone_id} of the API of PowerDNS: a zone with its records.';
revoke execute on function gateway.get_rrset_zone(text, boolean, text, text) from public;
