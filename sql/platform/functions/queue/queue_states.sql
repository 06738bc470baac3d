create or replace function platform.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'jobs', (select coalesce(jsonb_agg(to_jsonb(job) order by job.task), '[]') from platform.job_states() as job))
$$;
comment on function platform.queue_states() is
  'The number of jobs that wait, and for how long: {jobs: [{task, waiting, scheduled, running, failed, oldest_seconds}]}. oldest_seconds is null for a task without waiting jobs. A service with a queue has such a function, with members of other names.';
revoke execute on function platform.queue_states() from public;
