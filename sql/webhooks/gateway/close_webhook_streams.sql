--! owner selo_system
-- Looks across tenants: a gateway closes its streams by their ids, also the streams of revoked tokens.
create function gateway.close_webhook_streams(p_ids uuid[]) returns void
  language sql volatile security definer set search_path = ''
  -- See gateway.list_audit_events.
  set enable_seqscan = off as $$
  delete from webhooks.deliveries as delivery using webhooks.endpoints as endpoint
  where endpoint.id = any (p_ids) and endpoint.url is null and delivery.ready and delivery.endpoint_id = endpoint.id
    and delivery.tenant_id = endpoint.tenant_id;
  delete from webhooks.endpoints as endpoint where endpoint.id = any (p_ids) and endpoint.url is null;
$$;
comment on function gateway.close_webhook_streams(uuid[]) is 'Removes streams without a reader, with their waiting deliveries.';
revoke execute on function gateway.close_webhook_streams(uuid[]) from public;
grant execute on function gateway.close_webhook_streams(uuid[]) to selo_app;
