create or replace function dns.whole_rrset_zone_json(p_zone dns.zones, p_is_with_rrsets boolean, p_name text default null, p_type text default null) returns json
  language plpgsql stable set search_path = '' as $$
declare
  c_zone constant jsonb := dns.rrset_zone_json(p_zone) || '{"api_rectify": false, "nsec3narrow": false, "nsec3param": "", "soa_edit": "", "soa_edit_api": "", "master_tsig_key_ids": [], "slave_tsig_key_ids": []}';
begin
  if not p_is_with_rrsets then
    return c_zone::json;
  end if;
  -- Put together as text: a zone may have 50,000 records.
  return (rtrim(c_zone::text, '}') || ', "rrsets": ' || dns.rrsets_json(p_zone, p_name, p_type)::text || '}')::json;
end
$$;
comment on function dns.whole_rrset_zone_json(dns.zones, boolean, text, text) is
  'A zone as the API of PowerDNS answers it alone, with its sets, or with those of a name and of a type.';
revoke execute on function dns.whole_rrset_zone_json(dns.zones, boolean, text, text) from public;
