create function gateway.create_webhook(
  p_id uuid, p_url text, p_is_loopback boolean, p_event_types text[], p_sealed_secret text, p_description text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_event_types text[];
begin
  perform platform.require_scope('webhooks:manage');
  v_event_types := webhooks.checked_event_types(p_event_types);
  if p_is_loopback then
    perform webhooks.refuse_loopback();
  end if;
  -- One request at a time for each organization and environment: two requests at once could both take the last free place.
  perform from platform.projects as project
  where project.tenant_id = c_tenant_id and project.environment = platform.environment() for no key update;
  if (select count(*) from webhooks.endpoints as endpoint
      where endpoint.tenant_id = c_tenant_id and endpoint.environment = platform.environment() and endpoint.url is not null) >= 50 then
    perform platform.fail(409, 'conflict', 'The organization already has 50 webhooks in this environment, the maximum.');
  end if;
  insert into webhooks.endpoints (tenant_id, id, environment, url, description, event_types, sealed_secret)
  values (c_tenant_id, p_id, platform.environment(), p_url, p_description, v_event_types,
    decode(p_sealed_secret, 'base64'));
  perform platform.record_audit_event('webhook.created', 'webhook', p_id, jsonb_build_object('event_types', to_jsonb(v_event_types)) || webhooks.endpoint_state(p_id));
  return (select gateway.webhook_endpoints_json(created) from api.webhook_endpoints as created where created.id = p_id);
end
$$;
comment on function gateway.create_webhook(uuid, text, boolean, text[], text, text) is
  E'@param url {..2048 uri} The address to which events are posted: a public https:// address, with port 443 or a port from 1024 up.\n@param event_types {1..1000 of ..100} Kinds of events: names, a group such as `message.*`, or `*` for all kinds.\n@param description {..500} A description in your own words. An empty text means no description.\nSecond half of POST /webhooks, for a checked address and a sealed secret (base64). The gateway adds the secret to the answer. 409 conflict when the organization has 50 webhooks in the environment.';
revoke execute on function gateway.create_webhook(uuid, text, boolean, text[], text, text) from public;
