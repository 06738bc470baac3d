create function jobs.record_transmission(p_given jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  c_outcome constant text := p_given ->> 'outcome';
  v_transmission invoicing.transmissions := invoicing.hold_transmission(p_given);
  v_invoice invoicing.invoices;
  v_is_issue boolean;
  v_was text;
  v_details jsonb := '{}';
begin
  if v_transmission.lease_id is null then
    return null;
  end if;
  select invoice.* into v_invoice from invoicing.invoices as invoice
  where invoice.tenant_id = v_transmission.tenant_id and invoice.id = v_transmission.invoice_id;
  v_is_issue := v_transmission.kind = 'issue';
  v_was := v_invoice.status;
  v_transmission.lease_id := null;
  v_transmission.leased_until := null;
  v_transmission.due_at := null;
  if p_given ->> 'answer' is not null then
    v_transmission.answer := decode(p_given ->> 'answer', 'base64');
  end if;
  case c_outcome
    when 'accepted' then
      v_transmission.is_in_doubt := false;
      if p_given ->> 'request' is not null then
        -- An earlier request became the document.
        v_transmission.request := decode(p_given ->> 'request', 'base64');
        v_transmission.request_sha256 := decode(p_given ->> 'request_sha256', 'hex');
      end if;
      v_transmission.document := decode(p_given ->> 'document', 'base64');
      v_transmission.document_sha256 := decode(p_given ->> 'document_sha256', 'hex');
      v_invoice := invoicing.move_invoice(v_invoice, case when v_is_issue then 'authorize' else 'confirm_cancel' end);
      v_invoice.last_error_code := null;
      v_invoice.last_error_message := null;
      if v_is_issue then
        v_invoice.access_key := p_given ->> 'access_key';
        v_invoice.nfse_number := p_given ->> 'nfse_number';
        v_invoice.authorized_at := (p_given ->> 'at')::timestamptz;
      else
        v_invoice.canceled_at := (p_given ->> 'at')::timestamptz;
      end if;
      v_details := case when p_given ->> 'request' is not null then '{"is_of_earlier_request": true}'::jsonb else '{}' end || jsonb_build_object('request_sha256', encode(v_transmission.request_sha256, 'hex'), 'document_sha256', encode(v_transmission.document_sha256, 'hex'));
    when 'refused' then
      v_transmission.is_in_doubt := false;
      v_invoice := invoicing.move_invoice(v_invoice, case when v_is_issue then 'reject' else 'refuse_cancel' end);
      v_invoice.last_error_code := p_given #>> '{codes,0,code}';
      v_invoice.last_error_message := p_given ->> 'message';
      if v_is_issue and coalesce((p_given ->> 'is_number_taken')::boolean, false) then
        -- Another's DPS has this number: the next one has another number.
        v_invoice.series := null;
        v_invoice.number := null;
      end if;
      v_details := jsonb_build_object('codes', p_given -> 'codes');
    when 'doubt' then
      v_transmission.attempts := v_transmission.attempts + 1;
      v_transmission.first_failed_at := coalesce(v_transmission.first_failed_at, now());
      v_invoice := invoicing.move_invoice(v_invoice, 'fail');
      v_invoice.last_error_code := p_given ->> 'code';
      v_invoice.last_error_message := p_given ->> 'message';
      if v_transmission.first_failed_at > now() - interval '5 days' then
        v_transmission.due_at := now() + greatest(invoicing.retry_delay(v_transmission.attempts) * (1 + random() * 0.1),
          least(coalesce((p_given ->> 'retry_after_seconds')::integer, 0), 86400) * interval '1 second');
      else
        perform platform.mail_owners('invoice_unanswered', jsonb_build_object('invoice_id', v_invoice.id, 'is_cancellation', not v_is_issue,
          'customer', v_invoice.customer ->> 'name', 'series', v_invoice.series, 'number', v_invoice.number::text,
          'since', platform.instant(v_transmission.first_failed_at), 'at', platform.instant(now())));
      end if;
    else
      -- An answer that does not count is kept, and nothing is sent anew: people look.
      v_invoice := invoicing.move_invoice(v_invoice, 'fail');
      v_invoice.last_error_code := 'untrusted_answer';
      v_invoice.last_error_message := p_given ->> 'message';
  end case;
  v_invoice.next_attempt_at := v_transmission.due_at;
  update invoicing.transmissions as transmission
  set lease_id = null, leased_until = null, request = v_transmission.request, request_sha256 = v_transmission.request_sha256, due_at = v_transmission.due_at, attempts = v_transmission.attempts, first_failed_at = v_transmission.first_failed_at,
    is_in_doubt = v_transmission.is_in_doubt, document = v_transmission.document, document_sha256 = v_transmission.document_sha256, answer = v_transmission.answer
  where transmission.tenant_id = v_transmission.tenant_id and transmission.invoice_id = v_transmission.invoice_id and transmission.kind = v_transmission.kind;
  perform invoicing.put_invoice(v_invoice);
  if v_invoice.status <> v_was or c_outcome <> 'doubt' then
    perform invoicing.record_invoice_event(case
        when c_outcome = 'accepted' then case when v_is_issue then 'invoice.authorized' else 'invoice.canceled' end
        when c_outcome = 'refused' then case when v_is_issue then 'invoice.rejected' else 'invoice.cancel_refused' end
        when v_is_issue then 'invoice.failed' else 'invoice.tried' end, v_invoice, v_details);
  else
    perform invoicing.record_invoice_event('invoice.tried', v_invoice);
  end if;
  if v_invoice.status <> v_was then
    perform invoicing.tell_invoice(case
        when c_outcome = 'accepted' then case when v_is_issue then 'invoice.authorized' else 'invoice.canceled' end
        when c_outcome = 'refused' then case when v_is_issue then 'invoice.rejected' else 'invoice.cancel_refused' end
        else 'invoice.failed' end, v_invoice);
  end if;
  return jsonb_build_object('status', v_invoice.status);
end
$$;
comment on function jobs.record_transmission(jsonb) is
  'Last step of an attempt, by its lease: what became of it. outcome is accepted {document, request and request_sha256 of an earlier request if that one became the document, document_sha256, access_key, nfse_number, at}, refused {codes: [{code, message, correction}], message, is_number_taken}, doubt {code, message, retry_after_seconds}, or untrusted {message}; each may have the answer (gzipped, base64). Answers {status}; null if the lease is over.';
revoke execute on function jobs.record_transmission(jsonb) from public;
