--! owner selo_worker
-- Acts as selo_worker: graphile-worker's tables belong to selo_worker and have RLS without policies, so no other role can add jobs.
create or replace function platform.add_jobs(p_jobs platform.job_draft[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_common constant jsonb := jsonb_build_object('tenant_id', platform.tenant_id(), 'environment', platform.environment())
    || jsonb_strip_nulls(jsonb_build_object('request_id', nullif(current_setting('app.request_id', true), '')));
begin
  perform graphile_worker.add_jobs(array(
    select row(draft.task, draft.payload::jsonb || c_common, draft.queue, draft.run_at, draft.max_attempts, draft.job_key, draft.priority, null)::graphile_worker.job_spec
    from unnest(p_jobs) as draft));
end
$$;
comment on function platform.add_jobs(platform.job_draft[]) is 'Adds jobs in this transaction, in one statement. See platform.add_job. Jobs of one queue run one after the other, and a higher priority number runs later. Null leaves a default as it is.';
revoke execute on function platform.add_jobs(platform.job_draft[]) from public;
grant execute on function platform.add_jobs(platform.job_draft[]) to selo_owner;
