create or replace function invoicing.audit_records_invoice_issuer(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select issuer.tenant_id, issuer.environment, issuer.id, invoicing.issuer_record(issuer)
  from invoicing.issuers as issuer where p_tenant_id is null or issuer.tenant_id = p_tenant_id
$$;
comment on function invoicing.audit_records_invoice_issuer(uuid) is 'The issuers, as records. See platform.audit_check_records.';
revoke execute on function invoicing.audit_records_invoice_issuer(uuid) from public;
grant execute on function invoicing.audit_records_invoice_issuer(uuid) to selo_system;
