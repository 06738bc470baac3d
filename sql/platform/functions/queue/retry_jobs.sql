create or replace function platform.retry_jobs(p_ids bigint[] default null)
  returns table (id bigint, task text) language plpgsql volatile set search_path = '' as $$
declare
  c_platform constant uuid := '00000000-0000-0000-0000-000000000000';
  v_unknown bigint;
  v_job record;
begin
  select min(given.id) into v_unknown
  from unnest(p_ids) as given (id)
  where not exists (select from platform.failed_jobs() as failed where failed.id = given.id);
  if v_unknown is not null then
    perform platform.fail(404, 'not_found', format('Job %s does not exist, or has attempts left; nothing was retried.', v_unknown));
  end if;
  perform platform.enter_context(c_platform, 'live', null, null, null);
  for v_job in
    select failed.id, failed.task from platform.failed_jobs() as failed where p_ids is null or failed.id = any (p_ids)
  loop
    perform platform.reschedule_jobs(array[v_job.id]);
    perform platform.record_audit_event('job.retried', 'platform', c_platform, jsonb_build_object('job', v_job.id, 'task', v_job.task));
    retry_jobs.id := v_job.id;
    retry_jobs.task := v_job.task;
    return next;
  end loop;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.retry_jobs(bigint[]) is
  'Gives jobs without attempts left all their attempts again: the named jobs, or all such jobs for null. 404 not_found, without any change, when a named job is not such a job.';
revoke execute on function platform.retry_jobs(bigint[]) from public;
