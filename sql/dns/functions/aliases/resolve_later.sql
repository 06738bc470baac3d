create or replace function dns.resolve_later(p_delay interval default null) returns void
  language sql volatile set search_path = '' as $$
  -- A key of this transaction: one job is enough for it. With a key that others share, those who add the job would wait for each other until they are
  -- committed, and a job that is to run later would take the place of one that is to run now.
  select platform.add_job('dns__resolve_aliases', p_run_at => clock_timestamp() + p_delay,
    p_job_key => concat('dns__resolve_aliases ', pg_current_xact_id(), case when p_delay is not null then ' later' end))
$$;
comment on function dns.resolve_later(interval) is
  'Has a worker ask for targets of ALIAS records that are due, and settle the names that are, once this transaction is committed, or so much later.';
revoke execute on function dns.resolve_later(interval) from public;
