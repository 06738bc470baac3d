create or replace function signature.add_package_jobs(p_ids uuid[], p_run_at timestamptz default null) returns void
  language sql volatile set search_path = '' as $$
  -- One package of a connector travels at a time: a slow storage takes one place of a worker. Mails and other jobs go first.
  select platform.add_jobs(array_agg(row('signature__deliver_package', json_build_object('id', delivery.id), 'connector:' || delivery.connector_id, p_run_at,
    signature.most_package_tries(), 'signature__deliver_package:' || delivery.id, 5)::platform.job_draft order by delivery.id))
  from signature.package_deliveries as delivery
  where delivery.tenant_id = platform.tenant_id() and delivery.id = any (p_ids)
  having count(*) > 0
$$;
comment on function signature.add_package_jobs(uuid[], timestamptz) is 'Adds the job of each of these deliveries. A job replaces a waiting job of its delivery.';
revoke execute on function signature.add_package_jobs(uuid[], timestamptz) from public;
