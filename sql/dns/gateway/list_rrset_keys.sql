create function gateway.list_rrset_keys(p_zone text) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('zone:read');
  return (
    select coalesce(json_agg(json_build_object('type', 'Cryptokey', 'id', key.id, 'keytype', 'csk', 'active', true, 'published', true,
      'flags', 257, 'dnskey', key.dnskey, 'ds', key.ds_records, 'algorithm', key.algorithm, 'bits', 256) order by key.id), '[]')
    from dns.zone_keys(dns.require_zone_named(p_zone)) as key);
end
$$;
comment on function gateway.list_rrset_keys(text) is
  E'@param zone {..1000, else empty} Name of the zone.\nGET /servers/localhost/zones/{zone_id}/cryptokeys of the API of PowerDNS: the keys that sign the zone, without their private keys.';
revoke execute on function gateway.list_rrset_keys(text) from public;
