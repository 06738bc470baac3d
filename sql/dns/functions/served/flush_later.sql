create or replace function dns.flush_later(p_name text) returns void
  language sql volatile set search_path = '' as $$
  -- The gateway has the nameservers forget the zone's old answers once this transaction is committed, two seconds at most. The job does it again, in case the
  -- gateway ends before. It begins after these seconds: `npm start` is gateway and worker in one process, and a job under way stays locked for half a minute when its worker is killed.
  select platform.add_job('dns__flush_zone', json_build_object('zone', p_name), p_run_at => clock_timestamp() + interval '2 seconds',
    p_job_key => 'dns__flush_zone ' || p_name, p_max_attempts => 6)
$$;
comment on function dns.flush_later(text) is 'Has the nameservers forget their answers about a zone.';
revoke execute on function dns.flush_later(text) from public;
