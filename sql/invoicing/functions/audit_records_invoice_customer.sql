create or replace function invoicing.audit_records_invoice_customer(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select customer.tenant_id, customer.environment, customer.id, invoicing.customer_record(customer)
  from invoicing.customers as customer where p_tenant_id is null or customer.tenant_id = p_tenant_id
$$;
comment on function invoicing.audit_records_invoice_customer(uuid) is 'The customers, as records. See platform.audit_check_records.';
revoke execute on function invoicing.audit_records_invoice_customer(uuid) from public;
grant execute on function invoicing.audit_records_invoice_customer(uuid) to selo_system;
