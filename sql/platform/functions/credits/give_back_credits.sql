create or replace function platform.give_back_credits(p_subject_id uuid, p_reason text) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_spent record;
begin
  for v_spent in
    select movement.kind, -sum(movement.amount) as amount from platform.credit_ledger as movement
    where movement.tenant_id = platform.tenant_id() and movement.subject_id = p_subject_id
    group by movement.kind having sum(movement.amount) < 0 order by movement.kind
  loop
    perform platform.add_credits(v_spent.kind, v_spent.amount::bigint, p_reason, p_subject_id);
  end loop;
end
$$;
comment on function platform.give_back_credits(uuid, text) is
  'Gives back the credits that a subject of the context''s organization took. A second call finds nothing to give back, and nothing was taken in the test environment. Callers call this function last in their transaction, because it holds the busiest lock.';
revoke execute on function platform.give_back_credits(uuid, text) from public;
