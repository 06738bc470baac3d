--! owner selo_system
-- Looks across tenants: one dispatcher delivers for all tenants.
create function jobs.claim_deliveries(
  p_dispatcher_id uuid, p_was_idle boolean, p_after uuid, p_known uuid[], p_room integer[], p_limit integer,
  p_full_tenants uuid[] default '{}'
)
  returns table (
    tenant_id uuid, environment text, endpoint_id uuid, delivery_id uuid, event_name text, attempt_id uuid, attempt integer, url text, body text,
    sealed_secret bytea, sealed_previous_secret bytea
  )
  language plpgsql volatile security definer
  -- The planner may take a table for empty that was empty a moment ago. So rows are found one by one, by an index: each join is a
  -- look-up for every row (lateral, limit 1), and locked rows are changed by their place (ctid).
  set search_path = '' set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
  set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_ready uuid[];
  v_endpoints uuid[];
begin
  update webhooks.deliveries as delivery set ready = true
  where delivery.ctid = any(array(
    select due.ctid from webhooks.deliveries as due
    where not due.ready and due.due_at <= clock_timestamp() order by due.due_at limit 1000 for update skip locked));

  -- Endpoints with due deliveries, from one endpoint to the next in the index: a million rows of one endpoint cost one step.
  with recursive waiting as (
    (select first.endpoint_id from webhooks.deliveries as first
     where first.ready and first.endpoint_id > p_after order by first.endpoint_id limit 1)
    union all
    select (select next.endpoint_id from webhooks.deliveries as next
      where next.ready and next.endpoint_id > waiting.endpoint_id order by next.endpoint_id limit 1)
    from waiting where waiting.endpoint_id is not null
  )
  select array_agg(found.endpoint_id) into v_ready
  from (select waiting.endpoint_id from waiting where waiting.endpoint_id is not null limit 5000) as found;

  select array_agg(waiting.endpoint_id) into v_endpoints
  from unnest(v_ready) as waiting (endpoint_id)
  where exists (select from webhooks.endpoints as endpoint where endpoint.id = waiting.endpoint_id and endpoint.status = 'ACTIVE');
  if cardinality(v_ready) > coalesce(cardinality(v_endpoints), 0) then
    perform webhooks.skip_deliveries(array(select unnest(v_ready) except select unnest(v_endpoints)));
  end if;

  return query
  with chosen as materialized (
    select picked.place
    from unnest(v_endpoints) as waiting (endpoint_id)
    left join unnest(p_known, p_room) as known (endpoint_id, room) on known.endpoint_id = waiting.endpoint_id
    cross join lateral (
      select found.consecutive_failures from webhooks.endpoints as found
      where found.id = waiting.endpoint_id and found.url is not null and found.tenant_id <> all (p_full_tenants) limit 1
    ) as endpoint
    cross join lateral (
      select delivery.ctid as place from webhooks.deliveries as delivery
      where delivery.ready and delivery.endpoint_id = waiting.endpoint_id
        and (delivery.leased_until is null or delivery.leased_until < clock_timestamp())
      -- Somebody waits for a test and for a retry by hand, so they go first. First attempts come before retries, which fail most likely.
      order by (delivery.attempts > 0 and delivery.trigger = 'auto'), delivery.trigger desc, delivery.id
      -- An endpoint that keeps failing gets one attempt at a time: many such attempts at once would delay the other endpoints. Less room
      -- than usual means that an attempt is under way.
      limit case when endpoint.consecutive_failures < 5 then coalesce(known.room, 10) when coalesce(known.room, 10) >= 10 then 1 else 0 end
      for update skip locked
    ) as picked
    limit p_limit
  ), leased as (
    update webhooks.deliveries as delivery
    set attempt_id = platform.uuidv7(), leased_until = clock_timestamp() + interval '60 seconds'
    where delivery.ctid = any(array(select chosen.place from chosen))
    returning delivery.*
  )
  select leased.tenant_id, leased.environment, leased.endpoint_id, leased.id, webhooks.event_name(leased.event_id), leased.attempt_id,
    leased.attempts + 1, endpoint.url, event.body, endpoint.sealed_secret,
    case when endpoint.previous_secret_expires_at > clock_timestamp() then endpoint.sealed_previous_secret end
  from leased
  cross join lateral (
    select found.* from webhooks.endpoints as found where found.tenant_id = leased.tenant_id and found.id = leased.endpoint_id limit 1
  ) as endpoint
  cross join lateral (
    select written.body from webhooks.events as written
    where written.tenant_id = leased.tenant_id and written.environment = leased.environment and written.id = leased.event_id limit 1
  ) as event;

  if found = p_was_idle then
    insert into webhooks.dispatchers as known (id, is_idle) values (p_dispatcher_id, not p_was_idle)
    on conflict (id) do update set is_idle = excluded.is_idle, seen_at = now();
  end if;
end
$$;
comment on function jobs.claim_deliveries(uuid, boolean, uuid, uuid[], integer[], integer, uuid[]) is
  'Leases due deliveries to a dispatcher for a minute, and answers them with all that their attempts need. Leases at most p_limit deliveries, of endpoints after p_after in the order of their ids. Leases as many deliveries of an endpoint as the dispatcher has room for: 10 when the dispatcher does not name the endpoint, and one at a time when the endpoint keeps failing. Those of an endpoint go in the order: tests, retries by hand, first attempts, other retries. Leases no delivery of an organization in p_full_tenants. Without due deliveries marks the dispatcher as idle, so that the next event wakes the dispatcher.';
revoke execute on function jobs.claim_deliveries(uuid, boolean, uuid, uuid[], integer[], integer, uuid[]) from public;
grant execute on function jobs.claim_deliveries(uuid, boolean, uuid, uuid[], integer[], integer, uuid[]) to selo_worker;
