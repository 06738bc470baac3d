create function gateway.emit_invoice(p_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invoice invoicing.invoices;
begin
  perform platform.require_scope('invoices:write');
  v_invoice := invoicing.require_invoice(p_id);
  if v_invoice.status not in ('draft', 'rejected', 'failed') then
    perform platform.fail(409, 'invalid_status', format('The invoice is %s: only a draft, a rejected or a failed invoice can be transmitted.', v_invoice.status));
  end if;
  -- What is in doubt is sent again byte for byte, whatever became of the customer since.
  if not exists (
      select from invoicing.transmissions as known
      where known.tenant_id = v_invoice.tenant_id and known.invoice_id = p_id and known.kind = 'issue' and known.is_in_doubt) then
    perform invoicing.refuse_problems(v_invoice);
  end if;
  v_invoice := invoicing.move_invoice(v_invoice, 'emit');
  v_invoice.queued_at := now();
  v_invoice.next_attempt_at := now();
  v_invoice.last_error_code := null;
  v_invoice.last_error_message := null;
  perform invoicing.put_invoice(v_invoice);
  perform invoicing.queue_transmission(v_invoice, 'issue');
  perform invoicing.record_invoice_event('invoice.emitted', v_invoice);
  return invoicing.invoice_json(p_id);
end
$$;
comment on function gateway.emit_invoice(uuid) is
  E'@param id Id of the invoice.\nPOST /invoices/{id}/emit: queues a draft, or a rejected or failed invoice, for transmission. Refuses as POST /invoices does. Otherwise 409 invalid_status.';
revoke execute on function gateway.emit_invoice(uuid) from public;
