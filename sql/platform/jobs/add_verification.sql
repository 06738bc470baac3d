create function jobs.add_verification() returns void
  language sql volatile security definer set search_path = '' as $$
  -- At most one such job waits, and a new job replaces a job that failed for good. The job has no queue: the queue of a worker that was
  -- killed stays locked for half a minute.
  select platform.add_job('platform__verify_audit', p_job_key => 'platform__verify_audit', p_max_attempts => 3)
$$;
comment on function jobs.add_verification() is 'Adds a job that verifies the audit trail.';
revoke execute on function jobs.add_verification() from public;
grant execute on function jobs.add_verification() to selo_worker;
