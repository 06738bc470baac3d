create function api.retry_webhook_delivery(p_delivery_id uuid) returns api.webhook_deliveries
  language plpgsql volatile security definer set search_path = ''
  -- See gateway.list_audit_events.
  set enable_seqscan = off as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  v_delivery record;
  v_status text;
  v_answer api.webhook_deliveries;
begin
  perform platform.require_scope('webhooks:manage');
  select known.delivery_id, known.endpoint_id into v_delivery
  from (
    select attempt.delivery_id, attempt.endpoint_id, attempt.event_id from webhooks.attempts as attempt
    where attempt.tenant_id = c_tenant_id and (attempt.id = p_delivery_id or attempt.delivery_id = p_delivery_id)
    union all
    select delivery.id, delivery.endpoint_id, delivery.event_id from webhooks.deliveries as delivery
    where delivery.tenant_id = c_tenant_id and delivery.id = p_delivery_id
  ) as known
  where exists (
    select from webhooks.events as event
    where event.tenant_id = c_tenant_id and event.environment = c_environment and event.id = known.event_id)
  limit 1;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such delivery.');
  end if;
  select endpoint.status into v_status from webhooks.endpoints as endpoint
  where endpoint.tenant_id = c_tenant_id and endpoint.environment = c_environment and endpoint.id = v_delivery.endpoint_id and endpoint.url is not null
  -- The lock only prevents the removal of the endpoint. A stronger lock could deadlock with a transaction that records an attempt: that transaction
  -- holds the delivery and waits for the endpoint.
  for key share;
  if v_status is distinct from 'ACTIVE' then
    perform platform.fail(409, 'conflict', case v_status when 'DISABLED' then 'The webhook is disabled: enable it first.' else 'The webhook was deleted.' end);
  end if;
  if webhooks.retry_deliveries(array[v_delivery.delivery_id]) = 0 then
    perform platform.fail(409, 'conflict', 'An attempt is under way.');
  end if;
  perform platform.record_audit_event('webhook.delivery_retried', 'webhook', v_delivery.endpoint_id,
    jsonb_build_object('delivery_id', v_delivery.delivery_id));
  perform webhooks.wake_dispatchers();
  select waiting.id, waiting.endpoint_id, waiting.id as delivery_id, webhooks.event_name(waiting.event_id) as event_id, waiting.event_type,
      waiting.attempts as attempt, waiting.trigger, 'PENDING' as status, null as url, null as requested_at, null as duration_ms,
      null as response_status, null as response_body, false as truncated, null as error_code, null as error_detail, waiting.due_at as next_attempt_at, waiting.event_id as event_uuid
    into v_answer
  from webhooks.deliveries as waiting where waiting.tenant_id = c_tenant_id and waiting.id = v_delivery.delivery_id;
  return v_answer;
end
$$;
comment on function api.retry_webhook_delivery(uuid) is
  E'@param delivery_id Id of the delivery, or of one of its attempts.\nPosts the same bytes under the same event id again, to the current address, signed with the current secret. Accepts the id of a delivery or of one of its attempts. Returns 404 not_found for an unknown delivery and after the event was deleted. Returns 409 conflict while an attempt is under way, and for a disabled or deleted endpoint.';
revoke execute on function api.retry_webhook_delivery(uuid) from public;
