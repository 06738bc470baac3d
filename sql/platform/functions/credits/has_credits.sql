create or replace function platform.has_credits(p_kind text, p_amount bigint) returns boolean
  language sql stable set search_path = '' as $$
  select platform.environment() = 'test' or coalesce(sum(slot.balance), 0) >= p_amount
  from platform.credit_balances as slot
  where slot.tenant_id = platform.tenant_id() and slot.kind = p_kind
$$;
comment on function platform.has_credits(text, bigint) is 'Whether the balance covers the amount now. The test environment needs no credits. Only spend_credits decides.';
revoke execute on function platform.has_credits(text, bigint) from public;
