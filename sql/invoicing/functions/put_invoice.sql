create or replace function invoicing.put_invoice(p_invoice invoicing.invoices) returns void
  language sql volatile set search_path = '' as $$
  update invoicing.invoices as invoice
  set status = p_invoice.status, series = p_invoice.series, number = p_invoice.number, nfse_number = p_invoice.nfse_number, access_key = p_invoice.access_key,
    last_error_code = p_invoice.last_error_code, last_error_message = p_invoice.last_error_message, next_attempt_at = p_invoice.next_attempt_at,
    cancel_reason_code = p_invoice.cancel_reason_code, cancel_reason = p_invoice.cancel_reason, queued_at = p_invoice.queued_at,
    authorized_at = p_invoice.authorized_at, canceled_at = p_invoice.canceled_at
  where invoice.tenant_id = p_invoice.tenant_id and invoice.id = p_invoice.id
$$;
comment on function invoicing.put_invoice(invoicing.invoices) is 'Writes what transmissions change of an invoice. The caller holds the invoice, and records the event.';
revoke execute on function invoicing.put_invoice(invoicing.invoices) from public;
