--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies, so no other role can change the jobs.
create or replace function platform.use_up_job(p_job_key text) returns void
  language sql volatile security definer set search_path = '' as $$
  select from graphile_worker.remove_job(p_job_key)
$$;
comment on function platform.use_up_job(text) is
  'Takes the attempts of the job that has this key and runs now: if it fails, it is not tried again, and `selo jobs failed` lists it. Removes a job that waits.';
revoke execute on function platform.use_up_job(text) from public;
grant execute on function platform.use_up_job(text) to selo_owner;
