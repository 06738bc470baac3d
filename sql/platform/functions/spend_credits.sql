create or replace function platform.spend_credits(p_kind text, p_amount bigint, p_reason text, p_subject_id uuid)
  returns void language plpgsql volatile set search_path = '' as $$
declare
  -- One connection keeps to one slot, so a batch of calls in one transaction waits for at most one other.
  v_slot smallint := pg_backend_pid() % 16;
  v_left bigint := p_amount;
  v_row record;
begin
  if platform.environment() = 'test' then
    return;
  end if;
  insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id)
  values (platform.tenant_id(), p_kind, -p_amount, p_reason, p_subject_id);

  update platform.credit_balances as own
  set balance = own.balance - p_amount
  where own.tenant_id = platform.tenant_id() and own.kind = p_kind and own.slot = v_slot and own.balance >= p_amount;
  if found then
    return;
  end if;

  -- The own slot ran dry: any other that nobody holds …
  select other.slot into v_slot
  from platform.credit_balances as other
  where other.tenant_id = platform.tenant_id() and other.kind = p_kind and other.balance >= p_amount
  order by other.slot limit 1 for update skip locked;
  if found then
    update platform.credit_balances as own
    set balance = own.balance - p_amount
    where own.tenant_id = platform.tenant_id() and own.kind = p_kind and own.slot = v_slot;
    return;
  end if;

  -- … and at last all of them, in order, waiting for who holds them: nothing is refused while a slot has credit.
  for v_row in
    select every.slot, every.balance
    from platform.credit_balances as every
    where every.tenant_id = platform.tenant_id() and every.kind = p_kind
    order by every.slot for update
  loop
    update platform.credit_balances as own
    set balance = own.balance - least(v_row.balance, v_left)
    where own.tenant_id = platform.tenant_id() and own.kind = p_kind and own.slot = v_row.slot and v_row.balance > 0;
    v_left := v_left - least(v_row.balance, v_left);
    exit when v_left = 0;
  end loop;
  if v_left > 0 then
    perform platform.fail(402, 'insufficient_credits', format('The %s credit balance is insufficient; nothing was recorded.', p_kind));
  end if;
end
$$;
comment on function platform.spend_credits(text, bigint, text, uuid) is
  'Takes credits of the tenant, or 402 insufficient_credits. Called last in its transaction: it holds the busiest lock. Free in the test environment.';
revoke execute on function platform.spend_credits(text, bigint, text, uuid) from public;
