create or replace function invoicing.hold_transmission(p_given jsonb) returns invoicing.transmissions
  language plpgsql volatile set search_path = '' as $$
declare
  v_transmission invoicing.transmissions;
begin
  -- The invoice first, as commands hold it.
  perform from invoicing.invoices as invoice
  where invoice.tenant_id = platform.tenant_id() and invoice.environment = platform.environment() and invoice.id = (p_given ->> 'invoice_id')::uuid
  for no key update;
  select transmission.* into v_transmission from invoicing.transmissions as transmission
  where transmission.tenant_id = platform.tenant_id() and transmission.invoice_id = (p_given ->> 'invoice_id')::uuid
    and transmission.kind = p_given ->> 'kind' and transmission.lease_id = (p_given ->> 'lease_id')::uuid
  for no key update;
  return v_transmission;
end
$$;
comment on function invoicing.hold_transmission(jsonb) is 'Locks an invoice and the transmission under a lease {invoice_id, kind, lease_id}. Null if the lease is over.';
revoke execute on function invoicing.hold_transmission(jsonb) from public;
