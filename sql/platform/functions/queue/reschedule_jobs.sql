--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies. The caller, platform.retry_jobs, records the actor.
create or replace function platform.reschedule_jobs(p_ids bigint[]) returns void
  language sql volatile security definer set search_path = '' as $$
  select from graphile_worker.reschedule_jobs(p_ids, run_at => now(), attempts => 0)
$$;
comment on function platform.reschedule_jobs(bigint[]) is 'Gives jobs all their attempts again, beginning now.';
revoke execute on function platform.reschedule_jobs(bigint[]) from public;
grant execute on function platform.reschedule_jobs(bigint[]) to selo_owner;
