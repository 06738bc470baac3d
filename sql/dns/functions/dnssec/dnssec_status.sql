create or replace function dns.dnssec_status(p_zone dns.zones) returns json
  language sql stable set search_path = '' as $$
  select json_build_object(
    'enabled', dns.is_signed(p_zone),
    'keys', coalesce((
      select json_agg(json_build_object('key_id', key.id, 'active', true, 'dnskey', key.dnskey, 'ds_records', key.ds_records, 'algorithm', key.algorithm,
        'created_at', platform.wire_instant(key.created_at)) order by key.id)
      from dns.zone_keys(p_zone) as key), '[]'),
    'chain', dns.chain_of_trust(p_zone),
    'warnings', coalesce((
      select json_agg(json_build_object('code', warning.code, 'message', warning.message)) from dns.dnssec_warnings(p_zone) as warning), '[]'))
$$;
comment on function dns.dnssec_status(dns.zones) is 'What every DNSSEC endpoint answers: {enabled, keys, chain, warnings}, the oldest key first. All keys sign.';
revoke execute on function dns.dnssec_status(dns.zones) from public;
