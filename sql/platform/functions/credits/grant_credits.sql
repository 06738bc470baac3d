create or replace function platform.grant_credits(p_tenant_id uuid, p_kind text, p_amount bigint, p_reason text default 'granted')
  returns bigint language plpgsql volatile set search_path = '' as $$
declare
  v_balance bigint;
begin
  if p_amount is null or p_amount < 1 or p_amount > 1000000000000 then
    perform platform.fail(422, 'invalid_request', 'The amount must be between 1 and 1000000000000.',
      '[{"field": "amount", "message": "must be between 1 and 1000000000000"}]');
  elsif not exists (select from platform.credit_kinds as known where known.name = p_kind) then
    perform platform.fail(422, 'invalid_request', 'There is no such kind of credit.',
      '[{"field": "kind", "message": "must be signature or icp_brasil"}]');
  end if;
  perform platform.enter_context(p_tenant_id, 'live', null, null, null);
  perform platform.add_credits(p_kind, p_amount, p_reason);
  select sum(own.balance) into v_balance
  from platform.credit_balances as own where own.tenant_id = p_tenant_id and own.kind = p_kind;
  perform platform.enter_context(null, null, null, null, null);
  return v_balance;
end
$$;
comment on function platform.grant_credits(uuid, text, bigint, text) is 'Adds credits to an organization''s balance and answers the new balance.';
revoke execute on function platform.grant_credits(uuid, text, bigint, text) from public;
