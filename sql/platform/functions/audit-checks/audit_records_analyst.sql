create or replace function platform.audit_records_analyst(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select analyst.tenant_id, analyst.environment, analyst.id, platform.record_digest(analyst.record_salt, platform.analyst_record(analyst))
  from platform.analysts as analyst where p_tenant_id is null or analyst.tenant_id = p_tenant_id
$$;
comment on function platform.audit_records_analyst(uuid) is
  'The logins of analysts, as records. See platform.audit_check_records.';
revoke execute on function platform.audit_records_analyst(uuid) from public;
grant execute on function platform.audit_records_analyst(uuid) to selo_system;
