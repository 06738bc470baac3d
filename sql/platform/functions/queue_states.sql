create or replace function platform.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'jobs', (select coalesce(jsonb_agg(to_jsonb(job) order by job.task), '[]') from platform.job_states() as job))
$$;
comment on function platform.queue_states() is
  'What jobs wait, and for how long: {jobs: [{task, waiting, scheduled, running, failed, oldest_seconds}]}; oldest_seconds is null when none waits. A service with a queue of its own has such a function, whose members have names of their own.';
revoke execute on function platform.queue_states() from public;
