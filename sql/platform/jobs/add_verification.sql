create function jobs.add_verification() returns void
  language sql volatile security definer set search_path = '' as $$
  -- One waits at most, and it takes the place of one that failed for good. No queue: that of a worker that was killed stays
  -- locked for hours.
  select platform.add_job('platform__verify_audit', p_job_key => 'platform__verify_audit', p_max_attempts => 3)
$$;
comment on function jobs.add_verification() is 'Has the worker verify the audit trail.';
revoke execute on function jobs.add_verification() from public;
grant execute on function jobs.add_verification() to selo_worker;
