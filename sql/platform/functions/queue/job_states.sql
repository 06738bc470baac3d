--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies, so no other role can count the jobs.
create or replace function platform.job_states()
  returns table (task text, waiting bigint, scheduled bigint, running bigint, failed bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = '' as $$
  with job as (
    select every.id, every.task_identifier, every.run_at, every.locked_at is not null as is_locked,
      every.locked_at is null and every.attempts < every.max_attempts as is_available
    from graphile_worker.jobs as every
  )
  select
    known.identifier,
    count(job.id) filter (where job.is_available and job.run_at <= now()),
    count(job.id) filter (where job.is_available and job.run_at > now()),
    count(job.id) filter (where job.is_locked),
    count(job.id) filter (where not job.is_locked and not job.is_available),
    extract(epoch from now() - min(job.run_at) filter (where job.is_available and job.run_at <= now()))::double precision
  -- Only this table has the tasks without jobs.
  from graphile_worker._private_tasks as known
  left join job on job.task_identifier = known.identifier
  group by known.identifier
  order by known.identifier
$$;
comment on function platform.job_states() is
  'The number of jobs of each task that wait for a worker, are scheduled for later (further attempts included), run, or have no attempts left. Also for how long the oldest waiting job has been due.';
revoke execute on function platform.job_states() from public;
grant execute on function platform.job_states() to selo_owner;
