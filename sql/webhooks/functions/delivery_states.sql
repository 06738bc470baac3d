--! owner selo_system
-- Looks across tenants: one figure covers all deliveries.
create or replace function webhooks.delivery_states(
  out waiting bigint, out leased bigint, out scheduled bigint, out oldest_seconds double precision
)
  language plpgsql stable security definer
  -- A queue may have a million rows, so the count is bounded and finds the rows by an index.
  set search_path = '' set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  select count(*) filter (where looked.leased_until is null or looked.leased_until < clock_timestamp()),
      count(*) filter (where looked.leased_until >= clock_timestamp())
    into waiting, leased
  from (select delivery.leased_until from webhooks.deliveries as delivery where delivery.ready limit 10000) as looked;
  select count(*) into scheduled
  from (select from webhooks.deliveries as delivery where not delivery.ready limit 10000) as looked;
  with recursive endpoints as (
    (select first.endpoint_id, 1 as place from webhooks.deliveries as first where first.ready order by first.endpoint_id limit 1)
    union all
    select (select next.endpoint_id from webhooks.deliveries as next
      where next.ready and next.endpoint_id > endpoints.endpoint_id order by next.endpoint_id limit 1), endpoints.place + 1
    from endpoints where endpoints.endpoint_id is not null and endpoints.place < 1000
  )
  select extract(epoch from clock_timestamp() - min(oldest.due_at))::double precision into oldest_seconds
  from endpoints
  cross join lateral (
    select delivery.due_at from webhooks.deliveries as delivery
    where delivery.ready and delivery.endpoint_id = endpoints.endpoint_id
      and (delivery.leased_until is null or delivery.leased_until < clock_timestamp())
    order by delivery.id limit 1
  ) as oldest;
end
$$;
comment on function webhooks.delivery_states() is
  'The number of deliveries that wait, are leased, or are scheduled for later, counted among the first 10,000 due deliveries and the first 10,000 scheduled deliveries. Also for how long the first delivery of any endpoint (of 1,000) has waited.';
revoke execute on function webhooks.delivery_states() from public;
grant execute on function webhooks.delivery_states() to selo_owner;
