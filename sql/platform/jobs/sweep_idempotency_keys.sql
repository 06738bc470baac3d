--! owner selo_system
-- Looks across tenants: the retention period is the same for the keys of all organizations.
create function jobs.sweep_idempotency_keys(p_limit integer default 10000) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_swept integer;
begin
  delete from platform.idempotency_keys as kept
  where (kept.tenant_id, kept.environment, kept.key) in (
    select old.tenant_id, old.environment, old.key
    from platform.idempotency_keys as old
    where old.created_at < now() - make_interval(days => (
      select setting.value::integer from platform.settings as setting where setting.name = 'idempotency_retention_days'))
    order by old.created_at
    limit p_limit
  );
  get diagnostics v_swept = row_count;
  return v_swept;
end
$$;
comment on function jobs.sweep_idempotency_keys(integer) is 'Deletes keys older than idempotency_retention_days, at most p_limit at once. Answers the number of deleted keys.';
revoke execute on function jobs.sweep_idempotency_keys(integer) from public;
grant execute on function jobs.sweep_idempotency_keys(integer) to selo_worker;
