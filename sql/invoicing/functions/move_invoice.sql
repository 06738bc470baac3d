create or replace function invoicing.move_invoice(p_invoice invoicing.invoices, p_action text) returns invoicing.invoices
  language plpgsql stable set search_path = '' as $$
declare
  v_invoice invoicing.invoices := p_invoice;
begin
  select move.to_status into v_invoice.status from invoicing.moves as move where move.from_status = p_invoice.status and move.action = p_action;
  if v_invoice.status is null then
    perform platform.fail(409, 'invalid_status', format('The invoice is %s, which does not allow this.', p_invoice.status));
  end if;
  return v_invoice;
end
$$;
comment on function invoicing.move_invoice(invoicing.invoices, text) is
  'The invoice in the state to which an action leads (invoicing.moves), or 409 invalid_status. The caller holds the invoice and writes the row.';
revoke execute on function invoicing.move_invoice(invoicing.invoices, text) from public;
