create function api.test_webhook(p_id uuid) returns api.webhook_deliveries
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_delivery_id constant uuid := platform.uuidv7();
  v_endpoint webhooks.endpoints;
  v_event_id uuid;
  v_answer api.webhook_deliveries;
begin
  perform platform.require_scope('webhooks:manage');
  v_endpoint := webhooks.require_endpoint(p_id);
  if v_endpoint.status <> 'ACTIVE' then
    perform platform.fail(409, 'conflict', 'The webhook is disabled: enable it first.');
  end if;
  v_event_id := webhooks.emit_event('webhook.test', p_id, '{"message":"This is a test of your webhook."}', clock_timestamp());
  insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, trigger, due_at)
  values (v_endpoint.tenant_id, c_delivery_id, v_endpoint.environment, p_id, v_event_id, 'webhook.test', 'test', clock_timestamp());
  perform platform.record_audit_event('webhook.tested', 'webhook', p_id);
  perform webhooks.wake_dispatchers();
  select answer.* into v_answer from api.webhook_deliveries as answer where answer.id = c_delivery_id;
  return v_answer;
end
$$;
comment on function api.test_webhook(uuid) is
  E'@param id Id of the webhook.\nSends one webhook.test event to this endpoint, independent of its subscriptions. A success counts as the last success of the endpoint, and a failure is not counted. Returns 409 conflict for a disabled endpoint.';
revoke execute on function api.test_webhook(uuid) from public;
