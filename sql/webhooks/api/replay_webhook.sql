create function api.replay_webhook(p_id uuid, p_since timestamptz default null, p_until timestamptz default null, p_status text default null) returns json
  language plpgsql volatile security definer
  -- The planner may take a day for empty that was empty a moment ago, and would then read the whole day for each row.
  set search_path = '' set enable_nestloop = off set plan_cache_mode = force_custom_plan as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_most constant integer := 10000;
  c_since constant uuid := coalesce(platform.uuidv7_at(p_since), '00000000-0000-0000-0000-000000000000');
  v_status text;
  v_ids uuid[];
  v_replayed integer;
begin
  perform platform.require_scope('webhooks:manage');
  select endpoint.status into v_status from webhooks.endpoints as endpoint
  where endpoint.tenant_id = c_tenant_id and endpoint.environment = platform.environment() and endpoint.id = p_id and endpoint.url is not null
  -- The lock only prevents the removal of the endpoint. A stronger lock could deadlock with a transaction that records an attempt: that transaction
  -- holds the delivery and waits for the endpoint.
  for key share;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such webhook.');
  end if;
  if p_until <= p_since then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', '[{"field": "until", "message": "must come after since"}]');
  end if;
  if v_status <> 'ACTIVE' then
    perform platform.fail(409, 'conflict', 'The webhook is disabled: enable it first.');
  end if;
  -- The last attempt of each delivery counts. Deliveries with an attempt under way, or with a requested replay, are left out.
  select array_agg(found.delivery_id order by found.id) into v_ids
  from (
    select last.id, last.delivery_id from webhooks.attempts as last
    where last.tenant_id = c_tenant_id and last.endpoint_id = p_id
      and last.id >= c_since and last.delivery_id >= c_since
      and (p_until is null or last.delivery_id < platform.uuidv7_at(p_until))
      and case when p_status is null then last.status <> 'SUCCEEDED' else last.status = p_status end
      -- The oldest events are deleted first. Attempts of events before the oldest kept event have nothing to post.
      and last.event_id >= (
        select kept.id from webhooks.events as kept
        where kept.tenant_id = c_tenant_id and kept.environment = platform.environment() order by kept.id limit 1)
      and not exists (
        select from webhooks.attempts as later
        where later.tenant_id = c_tenant_id and later.endpoint_id = p_id and later.id >= c_since
          and later.delivery_id = last.delivery_id and later.attempt > last.attempt)
      and not exists (
        select from webhooks.deliveries as waiting
        where waiting.tenant_id = c_tenant_id and waiting.endpoint_id = p_id and waiting.id = last.delivery_id and waiting.ready)
    order by last.id limit c_most + 1
  ) as found;
  v_replayed := webhooks.retry_deliveries(v_ids[:c_most]);
  if v_replayed > 0 then
    perform platform.record_audit_event('webhook.replayed', 'webhook', p_id, jsonb_strip_nulls(jsonb_build_object('deliveries', v_replayed,
      'since', platform.instant(p_since), 'until', platform.instant(p_until), 'status', p_status)));
    perform webhooks.wake_dispatchers();
  end if;
  return (select row_to_json(answer) from (select v_replayed as replayed, coalesce(cardinality(v_ids), 0) > c_most as has_more) as answer);
end
$$;
comment on function api.replay_webhook(uuid, timestamptz, timestamptz, text) is
  E'@slow\n@param id Id of the webhook.\n@param since Events at or after this instant. Default: all kept events.\n@param until Events before this instant. Default: now.\n@param status {webhooks.delivery_statuses but PENDING} Status of the last attempt. Default: any status except SUCCEEDED.\n@answers replayed integer Number of deliveries that will be attempted again.\n@answers has_more boolean Whether more such deliveries remain.\nRetries every delivery, tests included, of the events from since (default: all kept events) to before until (default: now) whose last attempt ended with this status (default: any status except SUCCEEDED). One request replays up to 10,000 deliveries, oldest first. Answers {replayed, has_more}. If has_more is true, repeat the request to replay the next deliveries. With SUCCEEDED, the next request needs a later since. Returns 409 conflict for a disabled endpoint.';
revoke execute on function api.replay_webhook(uuid, timestamptz, timestamptz, text) from public;
