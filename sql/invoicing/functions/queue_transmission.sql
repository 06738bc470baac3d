create or replace function invoicing.queue_transmission(p_invoice invoicing.invoices, p_kind text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  insert into invoicing.transmissions as known (tenant_id, invoice_id, kind, environment, issuer_id, due_at)
  values (p_invoice.tenant_id, p_invoice.id, p_kind, p_invoice.environment, p_invoice.issuer_id, now())
  on conflict (tenant_id, invoice_id, kind) do update
    set due_at = now(), attempts = 0, first_failed_at = null, issuer_id = excluded.issuer_id,
      earlier_requests = known.earlier_requests || case when known.is_in_doubt or known.request is null then '{}' else array[known.request] end,
      -- What was refused is written anew. What is in doubt is sent again byte for byte.
      request_id = case when known.is_in_doubt then known.request_id end, request = case when known.is_in_doubt then known.request end,
      request_sha256 = case when known.is_in_doubt then known.request_sha256 end;
  perform pg_notify('invoice_transmissions', '');
end
$$;
comment on function invoicing.queue_transmission(invoicing.invoices, text) is 'Asks a worker to transmit an invoice or its cancellation now.';
revoke execute on function invoicing.queue_transmission(invoicing.invoices, text) from public;
