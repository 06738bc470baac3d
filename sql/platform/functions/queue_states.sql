create or replace function platform.queue_states() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'jobs', (select coalesce(jsonb_agg(to_jsonb(job) order by job.task), '[]') from platform.job_states() as job),
    'unverified_proofs', (select to_jsonb(proofs) from signature.unverified_states() as proofs),
    'webhook_deliveries', (select to_jsonb(deliveries) from webhooks.delivery_states() as deliveries))
$$;
comment on function platform.queue_states() is
  'What waits, and for how long: {jobs: [{task, waiting, scheduled, running, failed, oldest_seconds}], unverified_proofs: {waiting, failed, oldest_seconds}, webhook_deliveries: {waiting, leased, scheduled, oldest_seconds}}; oldest_seconds is null when nothing waits.';
revoke execute on function platform.queue_states() from public;
