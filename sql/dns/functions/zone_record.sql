create or replace function dns.zone_record(p_zone dns.zones) returns text
  language sql stable set search_path = '' as $$
  select platform.record_digest(p_zone.record_salt, jsonb_build_object('id', p_zone.id, 'name', p_zone.name, 'status', p_zone.status,
    'nameservers', to_jsonb(p_zone.nameservers), 'serial', p_zone.serial, 'created_at', platform.instant(p_zone.created_at)))
$$;
comment on function dns.zone_record(dns.zones) is 'The salted digest of a zone, as the audit trail holds it.';
revoke execute on function dns.zone_record(dns.zones) from public;
grant execute on function dns.zone_record(dns.zones) to selo_system;
