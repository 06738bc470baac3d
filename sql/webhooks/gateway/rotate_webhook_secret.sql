create function gateway.rotate_webhook_secret(p_id uuid, p_sealed_secret text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_endpoint webhooks.endpoints;
begin
  perform platform.require_scope('webhooks:manage');
  v_endpoint := webhooks.require_endpoint(p_id);
  update webhooks.endpoints as endpoint
  set sealed_previous_secret = endpoint.sealed_secret, previous_secret_expires_at = clock_timestamp() + interval '24 hours',
    sealed_secret = decode(p_sealed_secret, 'base64')
  where endpoint.tenant_id = v_endpoint.tenant_id and endpoint.id = p_id;
  perform platform.record_audit_event('webhook.secret_rotated', 'webhook', p_id, webhooks.endpoint_state(p_id));
  return (select gateway.webhook_endpoints_json(rotated) from api.webhook_endpoints as rotated where rotated.id = p_id);
end
$$;
comment on function gateway.rotate_webhook_secret(uuid, text) is
  E'@param id Id of the webhook.\nSecond half of POST /webhooks/{id}/rotate. The new secret, sealed (base64), signs at once. The previous secret signs too for 24 hours. An older secret stops signing.';
revoke execute on function gateway.rotate_webhook_secret(uuid, text) from public;
