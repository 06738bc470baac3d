create or replace function dns.audit_records_zone(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select zone.tenant_id, zone.environment, zone.subject_id, dns.zone_record(zone)
  from dns.zones as zone where p_tenant_id is null or zone.tenant_id = p_tenant_id
$$;
comment on function dns.audit_records_zone(uuid) is 'The zones, as records. See platform.audit_check_records.';
revoke execute on function dns.audit_records_zone(uuid) from public;
grant execute on function dns.audit_records_zone(uuid) to selo_system;
