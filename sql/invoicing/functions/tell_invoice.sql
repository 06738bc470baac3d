create or replace function invoicing.tell_invoice(p_kind text, p_invoice invoicing.invoices) returns void
  language sql volatile set search_path = '' as $$
  select webhooks.emit_event(p_kind, p_invoice.id, json_build_object('invoice_id', p_invoice.id, 'status', p_invoice.status, 'number', p_invoice.number,
    'access_key', p_invoice.access_key, 'external_ref', p_invoice.external_ref, 'last_error_code', p_invoice.last_error_code), now())
$$;
comment on function invoicing.tell_invoice(text, invoicing.invoices) is 'Tells webhooks what became of an invoice.';
revoke execute on function invoicing.tell_invoice(text, invoicing.invoices) from public;
