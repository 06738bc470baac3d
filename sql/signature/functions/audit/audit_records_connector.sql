create or replace function signature.audit_records_connector(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select connector.tenant_id, connector.environment, connector.id, platform.record_digest(connector.record_salt, signature.connector_record(connector))
  from signature.connectors as connector where p_tenant_id is null or connector.tenant_id = p_tenant_id
$$;
comment on function signature.audit_records_connector(uuid) is 'The connectors, as records. See platform.audit_check_records.';
revoke execute on function signature.audit_records_connector(uuid) from public;
grant execute on function signature.audit_records_connector(uuid) to selo_system;
