--! owner selo_worker
-- Acts as selo_worker: see platform.add_jobs. The runner keeps a queue for ever, and locks every free queue whenever it looks for a job.
create or replace function platform.drop_queue(p_queue text) returns void
  language sql volatile security definer set search_path = '' as $$
  with dropped as (
    delete from graphile_worker._private_jobs as job using graphile_worker._private_job_queues as queue
    where queue.queue_name = p_queue and job.job_queue_id = queue.id and job.locked_at is null
  )
  delete from graphile_worker._private_job_queues as queue where queue.queue_name = p_queue and queue.locked_at is null
$$;
comment on function platform.drop_queue(text) is 'Removes a queue to which nobody adds jobs any more, with the jobs that wait in it. A job that runs ends, and its queue stays.';
revoke execute on function platform.drop_queue(text) from public;
grant execute on function platform.drop_queue(text) to selo_owner;
