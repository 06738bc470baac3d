create function api.delete_webhook(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_endpoint webhooks.endpoints;
begin
  perform platform.require_scope('webhooks:manage');
  -- The statement takes the whole lock at once. A transaction that held a weaker lock and waited for a replay would block the results of all tenants.
  perform from webhooks.endpoints as endpoint
  where endpoint.tenant_id = platform.tenant_id() and endpoint.environment = platform.environment() and endpoint.id = p_id for update;
  v_endpoint := webhooks.require_endpoint(p_id);
  delete from webhooks.endpoints as endpoint where endpoint.tenant_id = v_endpoint.tenant_id and endpoint.id = p_id;
  perform platform.record_audit_event('webhook.deleted', 'webhook', p_id);
end
$$;
comment on function api.delete_webhook(uuid) is
  E'@param id Id of the webhook.\nRemoves the endpoint. Waiting deliveries to the endpoint are dropped.';
revoke execute on function api.delete_webhook(uuid) from public;
