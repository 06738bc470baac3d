create or replace function platform.add_credits(p_kind text, p_amount bigint, p_reason text, p_subject_id uuid default null)
  returns void language plpgsql volatile set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_ledger_id constant uuid := platform.uuidv7();
begin
  -- Chains come before credits (lock order).
  perform platform.record_audit_event('credits.granted', 'organization', c_tenant_id, jsonb_build_object(
    'kind', p_kind, 'amount', p_amount, 'reason', p_reason, 'ledger_id', c_ledger_id) || jsonb_strip_nulls(jsonb_build_object('subject_id', p_subject_id)));
  insert into platform.credit_ledger (tenant_id, id, kind, amount, reason, subject_id)
  values (c_tenant_id, c_ledger_id, p_kind, p_amount, p_reason, p_subject_id);
  insert into platform.credit_balances as own (tenant_id, kind, slot, balance)
  select c_tenant_id, p_kind, slot, p_amount / 16 + case when slot < p_amount % 16 then 1 else 0 end
  from generate_series(0, 15) as slot
  order by slot
  on conflict (tenant_id, kind, slot) do update set balance = own.balance + excluded.balance;
end
$$;
comment on function platform.add_credits(text, bigint, text, uuid) is
  'Adds credits to the balance of the context''s organization, for the subject where one is given. The context must be of the live environment.';
revoke execute on function platform.add_credits(text, bigint, text, uuid) from public;
