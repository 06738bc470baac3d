--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies, so no other role can add jobs.
create or replace function platform.add_job(
  p_task text, p_payload json default '{}', p_run_at timestamptz default null, p_job_key text default null,
  p_max_attempts integer default null
)
  returns void language sql volatile security definer set search_path = '' as $$
  select graphile_worker.add_job(
    p_task,
    (p_payload::jsonb || jsonb_build_object('tenant_id', platform.tenant_id(), 'environment', platform.environment())
      || jsonb_strip_nulls(jsonb_build_object('request_id', nullif(current_setting('app.request_id', true), ''))))::json,
    run_at => p_run_at, job_key => p_job_key, max_attempts => p_max_attempts)
$$;
comment on function platform.add_job(text, json, timestamptz, text, integer) is
  'Adds a job in this transaction. The job carries the tenant, environment and request of the context. A job with a key replaces a waiting job with the same key.';
revoke execute on function platform.add_job(text, json, timestamptz, text, integer) from public;
grant execute on function platform.add_job(text, json, timestamptz, text, integer) to selo_owner;
