create function gateway.send_envelope(p_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_envelope signature.envelopes;
  v_cost record;
  v_payment record;
begin
  perform platform.require_scope('envelopes:send');
  v_envelope := signature.require_draft(p_id);
  perform signature.refuse_unsendable(v_envelope);
  perform platform.require_clock();
  -- A migration may have made sendable what was a draft.
  if v_envelope.status = 'draft' then
    perform signature.move_envelope(p_id, 'become_sendable');
  end if;
  perform signature.move_envelope(p_id, 'send');
  update signature.envelopes as envelope
  set sent_at = sent.at, expires_at = sent.at + make_interval(days => envelope.expires_in_days), verification_code = platform.new_public_code()
  from (select clock_timestamp() as at) as sent
  where envelope.tenant_id = c_tenant_id and envelope.id = p_id
  returning envelope.* into v_envelope;
  select cost.signature, cost.icp_brasil into v_cost from signature.envelope_cost(p_id) as cost;
  perform platform.record_audit_event('envelope.sent', 'envelope', p_id, jsonb_build_object('status', v_envelope.status,
    'expires_at', platform.instant(v_envelope.expires_at), 'verification_code', v_envelope.verification_code,
    'signature_credits', v_cost.signature, 'icp_brasil_credits', v_cost.icp_brasil) || signature.envelope_state(p_id));
  perform signature.emit_envelope_event('envelope.sent', p_id);
  perform signature.invite_due(p_id);
  insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id)
  values (v_envelope.verification_code, c_tenant_id, v_envelope.environment, 'envelope', p_id);
  -- One movement pays for all participants of an envelope. Its event names the number of credits.
  for v_payment in
    select price.kind, price.reason, price.amount * (case price.kind when 'icp_brasil' then v_cost.icp_brasil else v_cost.signature end) as amount
    from platform.prices as price where price.action = 'envelope.sent' order by price.kind
  loop
    if v_payment.amount > 0 then
      perform platform.spend_credits(v_payment.kind, v_payment.amount, v_payment.reason, array[p_id]);
    end if;
  end loop;
  return (select gateway.envelopes_whole_json(answer) from api.envelopes as answer where answer.id = p_id);
end
$$;
comment on function gateway.send_envelope(uuid) is
  E'@param id Id of the envelope.\nPOST /envelopes/{id}/send: sends a draft to its participants, takes the credits, and answers the envelope. 422 envelope_not_sendable or auth_method_unavailable names what is missing. 402 insufficient_credits or insufficient_icp_credits: nothing was sent. 409 conflict once the envelope was sent.';
revoke execute on function gateway.send_envelope(uuid) from public;
