create or replace function platform.list_credit_balances(p_tenant_id uuid) returns table (kind text, balance bigint)
  language plpgsql volatile set search_path = '' as $$
begin
  perform platform.enter_context(p_tenant_id, 'live', null, null, null);
  return query select own.kind, own.balance from api.credit_balances as own order by own.kind;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.list_credit_balances(uuid) is 'The balances of an organization''s credits, for an operator.';
revoke execute on function platform.list_credit_balances(uuid) from public;
