create or replace function dns.zone_record(p_zone dns.zones) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_zone.record_salt, jsonb_build_object('id', p_zone.id, 'name', p_zone.name, 'status', p_zone.status,
    'nameservers', to_jsonb(p_zone.nameservers), 'serial', p_zone.serial, 'created_at', platform.instant(p_zone.created_at))
    -- A zone without keys has the digest that it had before zones could be signed.
    || coalesce((
      select jsonb_build_object('dnssec_keys', jsonb_agg(jsonb_build_object('id', key.id, 'environment', key.environment, 'key_tag', key.key_tag, 'algorithm', key.algorithm,
        'dnskey', key.dnskey, 'ds_records', to_jsonb(key.ds_records), 'private_sha256', encode(key.private_sha256, 'hex'), 'created_at', platform.instant(key.created_at)) order by key.id))
      from dns.zone_keys(p_zone) as key having count(*) > 0), '{}')
    -- Zones from before these columns have digests without them.
    || case when p_zone.lost_at is null then '{}' else jsonb_build_object('lost_at', platform.instant(p_zone.lost_at)) end
    || case when p_zone.is_served then '{}' else '{"is_served": false}'::jsonb end)
$$;
comment on function dns.zone_record(dns.zones) is 'The salted digest of a zone and of its keys, as the audit trail holds it.';
revoke execute on function dns.zone_record(dns.zones) from public;
grant execute on function dns.zone_record(dns.zones) to selo_system;
