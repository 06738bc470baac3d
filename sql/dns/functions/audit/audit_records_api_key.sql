create or replace function dns.audit_records_api_key(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select key.tenant_id, key.environment, key.actor_id, dns.key_record(key)
  from dns.api_keys as key where p_tenant_id is null or key.tenant_id = p_tenant_id
$$;
comment on function dns.audit_records_api_key(uuid) is 'The API keys, as records. See platform.audit_check_records.';
revoke execute on function dns.audit_records_api_key(uuid) from public;
grant execute on function dns.audit_records_api_key(uuid) to selo_system;
