create or replace function invoicing.audit_records_invoice_service(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select service.tenant_id, service.environment, service.id, invoicing.service_record(service)
  from invoicing.services as service where p_tenant_id is null or service.tenant_id = p_tenant_id
$$;
comment on function invoicing.audit_records_invoice_service(uuid) is 'The services, as records. See platform.audit_check_records.';
revoke execute on function invoicing.audit_records_invoice_service(uuid) from public;
grant execute on function invoicing.audit_records_invoice_service(uuid) to selo_system;
