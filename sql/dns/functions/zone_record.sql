create or replace function dns.zone_record(p_zone dns.zones) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_zone.record_salt, jsonb_build_object('id', p_zone.id, 'name', p_zone.name, 'status', p_zone.status,
      'nameservers', to_jsonb(p_zone.nameservers), 'serial', p_zone.serial, 'created_at', platform.instant(p_zone.created_at))
    -- Zones from before these columns have digests without them.
    || case when p_zone.lost_at is null then '{}' else jsonb_build_object('lost_at', platform.instant(p_zone.lost_at)) end
    || case when p_zone.is_served then '{}' else '{"is_served": false}'::jsonb end)
$$;
comment on function dns.zone_record(dns.zones) is 'The salted digest of a zone, as the audit trail holds it.';
revoke execute on function dns.zone_record(dns.zones) from public;
grant execute on function dns.zone_record(dns.zones) to selo_system;
