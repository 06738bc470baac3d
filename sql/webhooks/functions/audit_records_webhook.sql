create or replace function webhooks.audit_records_webhook(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select endpoint.tenant_id, endpoint.environment, endpoint.id, platform.record_digest(endpoint.record_salt, webhooks.endpoint_record(endpoint))
  from webhooks.endpoints as endpoint where p_tenant_id is null or endpoint.tenant_id = p_tenant_id
$$;
comment on function webhooks.audit_records_webhook(uuid) is 'The endpoints, as records. See platform.audit_check_records.';
revoke execute on function webhooks.audit_records_webhook(uuid) from public;
grant execute on function webhooks.audit_records_webhook(uuid) to selo_system;
