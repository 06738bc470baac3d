create or replace function invoicing.record_invoice_event(p_action text, p_invoice invoicing.invoices, p_details jsonb default '{}') returns void
  language sql volatile set search_path = '' as $$
  select platform.record_audit_event(p_action, 'invoice', p_invoice.id, p_details || jsonb_build_object('status', p_invoice.status, 'record_sha256', invoicing.invoice_record(p_invoice)))
$$;
comment on function invoicing.record_invoice_event(text, invoicing.invoices, jsonb) is 'Records what was done to an invoice, with its state, more details, and the digest of the invoice as it is now.';
revoke execute on function invoicing.record_invoice_event(text, invoicing.invoices, jsonb) from public;
