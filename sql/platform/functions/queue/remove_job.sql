--! owner selo_worker
-- Acts as selo_worker: see platform.add_jobs.
create or replace function platform.remove_job(p_job_key text) returns void
  language sql volatile security definer set search_path = '' as $$
  select graphile_worker.remove_job(p_job_key)
$$;
comment on function platform.remove_job(text) is 'Removes a waiting job by its key. Without such a job, nothing happens.';
revoke execute on function platform.remove_job(text) from public;
grant execute on function platform.remove_job(text) to selo_owner;
