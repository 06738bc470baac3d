create or replace function platform.spend_credits(p_kind text, p_each bigint, p_reason text, p_subject_ids uuid[])
  returns void language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_amount constant bigint := p_each * cardinality(p_subject_ids);
  -- Each connection prefers one slot, so that connections of one tenant do not wait for each other.
  c_slot constant smallint := pg_backend_pid() % 16;
  v_slot smallint;
  v_left bigint := c_amount;
  v_row record;
begin
  if platform.environment() = 'test' then
    return;
  end if;
  insert into platform.credit_ledger (tenant_id, kind, amount, reason, subject_id)
  select c_tenant_id, p_kind, -p_each, p_reason, subject_id from unnest(p_subject_ids) as subject_id;

  -- First the own slot, or any other slot that covers the amount, without waiting.
  begin
    select free.slot into v_slot
    from platform.credit_balances as free
    where free.tenant_id = c_tenant_id and free.kind = p_kind and free.balance >= c_amount
    order by free.slot <> c_slot, free.slot limit 1 for update skip locked;
    if found then
      update platform.credit_balances as own
      set balance = own.balance - c_amount
      where own.tenant_id = c_tenant_id and own.kind = p_kind and own.slot = v_slot;
      return;
    end if;
    -- The query keeps locks on slots that another transaction just emptied. Waiting below with such a lock can end in a deadlock.
    -- The error releases these locks.
    raise exception 'no slot covers the amount' using errcode = 'lock_not_available';
  exception when lock_not_available then null;
  end;

  -- Other transactions hold all slots that cover the amount, and are about to commit. This transaction waits for its own slot and holds no other slot.
  begin
    update platform.credit_balances as own
    set balance = own.balance - c_amount
    where own.tenant_id = c_tenant_id and own.kind = p_kind and own.slot = c_slot and own.balance >= c_amount;
    if found then
      return;
    end if;
    raise exception 'the own slot does not cover the amount' using errcode = 'lock_not_available'; -- releases the lock, too
  exception when lock_not_available then null;
  end;

  -- Finally all slots in order, waiting for the transactions that hold them: nothing is refused while the slots have enough credit.
  for v_row in
    select every.slot, every.balance
    from platform.credit_balances as every
    where every.tenant_id = c_tenant_id and every.kind = p_kind
    order by every.slot for update
  loop
    update platform.credit_balances as own
    set balance = own.balance - least(v_row.balance, v_left)
    where own.tenant_id = c_tenant_id and own.kind = p_kind and own.slot = v_row.slot and v_row.balance > 0;
    v_left := v_left - least(v_row.balance, v_left);
    exit when v_left = 0;
  end loop;
  if v_left > 0 and p_kind = 'icp_brasil' then
    perform platform.fail(402, 'insufficient_icp_credits', 'The ICP-Brasil credit balance is insufficient; nothing was recorded.');
  elsif v_left > 0 then
    perform platform.fail(402, 'insufficient_credits', format('The %s credit balance is insufficient; nothing was recorded.', p_kind));
  end if;
end
$$;
comment on function platform.spend_credits(text, bigint, text, uuid[]) is
  'Takes p_each credits for each subject, or 402 insufficient_credits, for ICP-Brasil credits 402 insufficient_icp_credits. Callers call this function last in their transaction, because it holds the busiest lock. Free in the test environment.';
revoke execute on function platform.spend_credits(text, bigint, text, uuid[]) from public;
