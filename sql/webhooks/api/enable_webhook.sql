create function api.enable_webhook(p_id uuid) returns api.webhook_endpoints
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_endpoint webhooks.endpoints;
  v_answer api.webhook_endpoints;
begin
  perform platform.require_scope('webhooks:manage');
  v_endpoint := webhooks.require_endpoint(p_id);
  if v_endpoint.status <> 'ACTIVE' or v_endpoint.consecutive_failures > 0 then
    update webhooks.endpoints as endpoint
    set status = 'ACTIVE', disabled_reason = null, consecutive_failures = 0, failing_since = null
    where endpoint.tenant_id = v_endpoint.tenant_id and endpoint.id = p_id;
    perform platform.record_audit_event('webhook.enabled', 'webhook', p_id, webhooks.endpoint_state(p_id));
    perform webhooks.wake_dispatchers();
  end if;
  select answer.* into v_answer from api.webhook_endpoints as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.enable_webhook(uuid) is
  E'@param id Id of the webhook.\nPosts events to the endpoint again and counts failures from zero. Skipped deliveries stay skipped until they are replayed.';
revoke execute on function api.enable_webhook(uuid) from public;
