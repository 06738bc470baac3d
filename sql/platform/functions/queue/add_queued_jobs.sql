--! owner selo_worker
-- Acts as selo_worker, for the reason given in platform.add_job.
create or replace function platform.add_queued_jobs(p_task text, p_ids uuid[], p_queues text[], p_run_at timestamptz, p_max_attempts integer, p_priority integer)
  returns void language sql volatile security definer set search_path = '' as $$
  select graphile_worker.add_jobs(array(
    select row(p_task,
      jsonb_build_object('id', given.id, 'tenant_id', platform.tenant_id(), 'environment', platform.environment())
        || jsonb_strip_nulls(jsonb_build_object('request_id', nullif(current_setting('app.request_id', true), ''))),
      given.queue, p_run_at, p_max_attempts, p_task || ':' || given.id, p_priority, null)::graphile_worker.job_spec
    from unnest(p_ids, p_queues) as given (id, queue)))
$$;
comment on function platform.add_queued_jobs(text, uuid[], text[], timestamptz, integer, integer) is
  'Adds a job for each of these rows in this transaction, in one statement. Jobs of one queue run one after the other. Each job has the task and the id of its row as its key, and replaces a waiting job with the same key. A higher priority number runs later.';
revoke execute on function platform.add_queued_jobs(text, uuid[], text[], timestamptz, integer, integer) from public;
grant execute on function platform.add_queued_jobs(text, uuid[], text[], timestamptz, integer, integer) to selo_owner;
