create function gateway.calculate_envelope_cost(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_status text;
begin
  perform platform.require_scope('envelopes:read');
  select envelope.status into v_status from api.envelopes as envelope where envelope.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such envelope.');
  elsif v_status not in ('draft', 'ready') then
    perform platform.fail(409, 'conflict', format('The envelope is %s: only sending a draft takes credits.', v_status));
  end if;
  return (
    select json_build_object(
      'signature_credits', cost.signature, 'icp_brasil_credits', cost.icp_brasil,
      'balances', json_build_object('signature', balance.signature, 'icp_brasil', balance.icp_brasil),
      'sufficient', platform.has_credits('signature', cost.signature) and platform.has_credits('icp_brasil', cost.icp_brasil),
      'charged', platform.environment() = 'live')
    from signature.envelope_cost(p_id) as cost
    cross join (
      select coalesce(sum(slot.balance) filter (where slot.kind = 'signature'), 0)::bigint as signature,
        coalesce(sum(slot.balance) filter (where slot.kind = 'icp_brasil'), 0)::bigint as icp_brasil
      from platform.credit_balances as slot where slot.tenant_id = platform.tenant_id()
    ) as balance);
end
$$;
comment on function gateway.calculate_envelope_cost(uuid) is
  E'@param id Id of the envelope.\nPOST /envelopes/{id}/calculate-cost: {signature_credits, icp_brasil_credits, balances, sufficient, charged}. 409 conflict once the envelope was sent.';
revoke execute on function gateway.calculate_envelope_cost(uuid) from public;
