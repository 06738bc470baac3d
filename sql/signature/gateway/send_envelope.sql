create function gateway.send_envelope(p_id uuid) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_envelope signature.envelopes;
  v_cost record;
  v_payment record;
  v_spent jsonb := '{}';
begin
  perform platform.require_scope('envelopes:send');
  v_envelope := signature.require_draft(p_id);
  perform signature.refuse_unsendable(v_envelope);
  perform platform.require_clock();
  -- A migration may have made sendable what was a draft.
  if v_envelope.status = 'draft' then
    v_envelope.status := signature.status_after(v_envelope.status, 'become_sendable');
  end if;
  update signature.envelopes as envelope
  set status = signature.status_after(v_envelope.status, 'send'), sent_at = sent.at, expires_at = sent.at + make_interval(days => envelope.expires_in_days),
    verification_code = platform.new_public_code()
  from (select clock_timestamp() as at) as sent
  where envelope.tenant_id = c_tenant_id and envelope.id = p_id
  returning envelope.* into v_envelope;
  select cost.signature, cost.icp_brasil into v_cost from signature.envelope_cost(p_id) as cost;
  perform signature.invite_due(p_id, 'envelope.sent', jsonb_build_object('status', v_envelope.status,
    'expires_at', platform.instant(v_envelope.expires_at), 'verification_code', v_envelope.verification_code,
    'signature_credits', v_cost.signature, 'icp_brasil_credits', v_cost.icp_brasil));
  insert into platform.public_codes (code, tenant_id, environment, subject_type, subject_id)
  values (v_envelope.verification_code, c_tenant_id, v_envelope.environment, 'envelope', p_id);
  -- One movement pays for all participants of an envelope. Its event names the number of credits.
  for v_payment in
    select price.kind, price.reason, price.amount * (case price.kind when 'icp_brasil' then v_cost.icp_brasil else v_cost.signature end) as amount
    from platform.prices as price where price.action = 'envelope.sent' order by price.kind
  loop
    if v_payment.amount > 0 then
      perform platform.spend_credits(v_payment.kind, v_payment.amount, v_payment.reason, array[p_id]);
      if v_envelope.environment = 'live' then
        v_spent := v_spent || jsonb_build_object(v_payment.kind, v_payment.amount);
      end if;
    end if;
  end loop;
  return (select json_build_object('envelope', gateway.envelopes_whole_json(answer), 'spent', v_spent, 'environment', v_envelope.environment) from api.envelopes as answer where answer.id = p_id);
end
$$;
comment on function gateway.send_envelope(uuid) is
  E'@param id Id of the envelope.\nPOST /envelopes/{id}/send: sends a draft to its participants, takes the credits, and answers {envelope, spent, environment}: the envelope, the credits of each kind that were taken, and the environment. The gateway keeps the last two to itself. 422 envelope_not_sendable or auth_method_unavailable names what is missing. 402 insufficient_credits or insufficient_icp_credits: nothing was sent. 409 conflict once the envelope was sent.';
revoke execute on function gateway.send_envelope(uuid) from public;
