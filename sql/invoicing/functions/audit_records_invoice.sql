create or replace function invoicing.audit_records_invoice(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select invoice.tenant_id, invoice.environment, invoice.id, invoicing.invoice_record(invoice)
  from invoicing.invoices as invoice where p_tenant_id is null or invoice.tenant_id = p_tenant_id
$$;
comment on function invoicing.audit_records_invoice(uuid) is 'The invoices, as records. See platform.audit_check_records.';
revoke execute on function invoicing.audit_records_invoice(uuid) from public;
grant execute on function invoicing.audit_records_invoice(uuid) to selo_system;
