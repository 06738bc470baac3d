create function api.delete_invoice(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invoice invoicing.invoices;
begin
  perform platform.require_scope('invoices:write');
  v_invoice := invoicing.require_invoice(p_id);
  if v_invoice.status <> 'draft' or v_invoice.number is not null then
    perform platform.fail(409, 'not_draft', 'Only a draft that never took a number can be deleted.');
  end if;
  delete from invoicing.invoices as invoice where invoice.tenant_id = v_invoice.tenant_id and invoice.id = p_id;
  perform platform.record_audit_event('invoice.deleted', 'invoice', p_id);
end
$$;
comment on function api.delete_invoice(uuid) is
  E'@param id Id of the invoice.\nDeletes a draft that never took a number. Its Idempotency-Key is free again. Otherwise 409 not_draft.';
revoke execute on function api.delete_invoice(uuid) from public;
