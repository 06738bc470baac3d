create function gateway.cancel_invoice(p_id uuid, p_reason_code text, p_reason text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_reason constant text := invoicing.trimmed(p_reason);
  v_invoice invoicing.invoices;
begin
  perform platform.require_scope('invoices:cancel');
  v_invoice := invoicing.require_invoice(p_id);
  -- The layout writes one space for several.
  if char_length(regexp_replace(c_reason, ' +', ' ', 'g')) < 15 then
    perform platform.fail(422, 'reason_too_short', 'The reason must have at least 15 characters.', '[{"field": "reason", "message": "must have at least 15 characters"}]');
  end if;
  perform platform.refuse_wrong_arguments(jsonb_build_object('reason', invoicing.wrong_text(c_reason, 255)));
  -- A cancellation that is tried no more can be asked for again.
  if v_invoice.status <> 'canceling' or v_invoice.next_attempt_at is not null then
    v_invoice := invoicing.move_invoice(v_invoice, 'cancel');
  end if;
  -- What is in doubt is sent again byte for byte, with the reason that it has.
  if not exists (
      select from invoicing.transmissions as known
      where known.tenant_id = v_invoice.tenant_id and known.invoice_id = p_id and known.kind = 'cancel' and known.is_in_doubt) then
    v_invoice.cancel_reason_code := p_reason_code;
    v_invoice.cancel_reason := c_reason;
  end if;
  v_invoice.last_error_code := null;
  v_invoice.last_error_message := null;
  v_invoice.next_attempt_at := now();
  perform invoicing.put_invoice(v_invoice);
  perform invoicing.queue_transmission(v_invoice, 'cancel');
  perform invoicing.record_invoice_event('invoice.canceling', v_invoice);
  return invoicing.invoice_json(p_id);
end
$$;
comment on function gateway.cancel_invoice(uuid, text, text) is
  E'@param id Id of the invoice.\n@param reason_code {..1, /^(1|2|9)$/ must be one of 1, 2 and 9} Why: 1 wrong issue, 2 service not rendered, 9 other.\n@param reason {..255} The reason in words, 15-255 characters.\nPOST /invoices/{id}/cancel: asks the tax authority to cancel an authorized invoice, or again one whose cancellation is tried no more, for its first reason. 409 invalid_status for any other.';
revoke execute on function gateway.cancel_invoice(uuid, text, text) from public;
