--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies, so no other role can read the jobs.
create or replace function platform.failed_jobs()
  returns table (id bigint, task text, attempts integer, error text, created_at timestamptz, failed_at timestamptz)
  language sql stable security definer set search_path = '' as $$
  select job.id, job.task_identifier, job.attempts, left(regexp_replace(job.last_error, '\s+', ' ', 'g'), 300), job.created_at, job.updated_at
  from graphile_worker.jobs as job
  where job.locked_at is null and job.attempts >= job.max_attempts
  order by job.id
$$;
comment on function platform.failed_jobs() is
  'Jobs without attempts left, with the last error on one line and without the payload.';
revoke execute on function platform.failed_jobs() from public;
grant execute on function platform.failed_jobs() to selo_owner;
