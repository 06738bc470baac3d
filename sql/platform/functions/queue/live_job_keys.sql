--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies, so no other role can read the jobs.
create or replace function platform.live_job_keys(p_task text, p_within interval default null) returns setof text
  language sql stable security definer set search_path = '' as $$
  select job.key from graphile_worker.jobs as job
  where job.task_identifier = p_task and job.key is not null
    -- A job of a killed worker stays locked for half a minute, and then waits again.
    and (job.locked_at > now() - interval '2 minutes' or job.locked_at is null and job.attempts < job.max_attempts and (p_within is null or job.run_at < now() + p_within))
$$;
comment on function platform.live_job_keys(text, interval) is
  'The keys of a task''s jobs that will still do their work: jobs that wait, with attempts left, and begin within the time if one is given, and jobs that a worker took in the last two minutes. For tasks that take less than that.';
revoke execute on function platform.live_job_keys(text, interval) from public;
grant execute on function platform.live_job_keys(text, interval) to selo_system;
