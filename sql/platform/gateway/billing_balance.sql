create function gateway.billing_balance() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('billing:read');
  return (select row_to_json(answer) from (
    select json_agg(gateway.credit_balances_json(own) order by own.kind) as credit_balances from api.credit_balances as own
  ) as answer);
end
$$;
comment on function gateway.billing_balance() is 'GET /billing/balance: the balance of every kind of credit.';
revoke execute on function gateway.billing_balance() from public;
