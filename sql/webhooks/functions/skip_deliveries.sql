-- Called by jobs.claim_deliveries, across tenants, as selo_system.
create or replace function webhooks.skip_deliveries(p_endpoint_ids uuid[]) returns void
  language sql volatile set search_path = '' as $$
  with gone as (
    delete from webhooks.deliveries as delivery
    where delivery.ctid = any(array(
      select picked.place from unnest(p_endpoint_ids) as asked (id)
      cross join lateral (
        select ready.ctid as place from webhooks.deliveries as ready
        where ready.ready and ready.endpoint_id = asked.id and (ready.leased_until is null or ready.leased_until < clock_timestamp())
        order by (ready.attempts > 0 and ready.trigger = 'auto'), ready.trigger desc, ready.id limit 500 for update skip locked
      ) as picked
      -- The status is read again in the snapshot that sees the deliveries: the endpoint may have been enabled since the claim.
      where not exists (select from webhooks.endpoints as endpoint where endpoint.id = asked.id and endpoint.status = 'ACTIVE')
      limit 1000))
    returning delivery.*
  )
  insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts, trigger, status)
  select gone.tenant_id, gone.id, gone.environment, gone.endpoint_id, gone.id, gone.event_id, gone.event_type, 0,
    gone.automatic_attempts, gone.trigger, 'SKIPPED'
  from gone where gone.attempts = 0
  on conflict (tenant_id, id) do nothing
$$;
comment on function webhooks.skip_deliveries(uuid[]) is
  'Settles due deliveries of endpoints that are disabled or gone. Deliveries without an attempt become skipped. The number of deliveries is bounded, for each endpoint and in all.';
revoke execute on function webhooks.skip_deliveries(uuid[]) from public;
grant execute on function webhooks.skip_deliveries(uuid[]) to selo_system;
