create or replace function invoicing.require_invoice(p_id uuid) returns invoicing.invoices
  language plpgsql volatile set search_path = '' as $$
declare
  v_invoice invoicing.invoices;
begin
  select invoice.* into v_invoice from invoicing.invoices as invoice
  where invoice.tenant_id = platform.tenant_id() and invoice.environment = platform.environment() and invoice.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such invoice.');
  end if;
  return v_invoice;
end
$$;
comment on function invoicing.require_invoice(uuid) is 'Locks an invoice of the context for a change and answers the row, or 404 not_found.';
revoke execute on function invoicing.require_invoice(uuid) from public;
