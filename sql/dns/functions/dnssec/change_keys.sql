create or replace function dns.change_keys(p_zone dns.zones, p_kind text, p_key dns.dnssec_keys, p_opened jsonb default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform dns.publish_keys(p_zone, p_opened);
  -- Which names without records are authoritative depends on whether the zone is signed.
  perform dns.write_served(p_zone, array(select empty.name from pdns.records as empty where empty.domain_id = p_zone.id and empty.type is null));
  perform platform.record_audit_event('zone.' || p_kind, 'zone', p_zone.subject_id,
    jsonb_build_object('record_sha256', dns.zone_record(p_zone)) || case when p_key.id is null then '{}' else jsonb_build_object('key_id', p_key.id, 'key_tag', p_key.key_tag) end);
  perform dns.announce_zone(p_zone, p_kind, case when p_key.id is null then '{}' else json_build_object('key_id', p_key.id) end);
end
$$;
comment on function dns.change_keys(dns.zones, text, dns.dnssec_keys, jsonb) is
  'After keys of a zone were added or removed: publishes them, records it and tells webhooks. p_key: the key that it is about; null for all of them. p_opened: see dns.publish_keys. The caller holds the lock of the zone.';
revoke execute on function dns.change_keys(dns.zones, text, dns.dnssec_keys, jsonb) from public;
