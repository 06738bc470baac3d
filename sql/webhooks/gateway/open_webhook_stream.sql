create function gateway.open_webhook_stream(p_id uuid, p_event_types text[], p_sealed_secret text)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  v_event_types text[];
begin
  perform platform.require_scope('webhooks:manage');
  perform platform.require_test_environment('Listening to events');
  v_event_types := webhooks.checked_event_types(p_event_types);
  -- Streams that a killed gateway left behind are removed first, so that these streams do not count.
  perform webhooks.delete_old_streams(1000);
  -- One request at a time for each organization: two requests at once could both take the last free place.
  perform from platform.projects as project
  where project.tenant_id = c_tenant_id and project.environment = c_environment for no key update;
  if (select count(*) from webhooks.endpoints as endpoint
      where endpoint.tenant_id = c_tenant_id and endpoint.environment = c_environment
        and endpoint.stream_expires_at > clock_timestamp()) >= 20 then
    perform platform.fail(409, 'conflict', 'The organization already has 20 open streams, the maximum.');
  end if;
  insert into webhooks.endpoints (tenant_id, id, environment, url, event_types, sealed_secret, stream_expires_at)
  values (c_tenant_id, p_id, c_environment, null, v_event_types, decode(p_sealed_secret, 'base64'), clock_timestamp() + interval '60 seconds');
  perform platform.record_audit_event('webhook.stream_opened', 'webhook', p_id, jsonb_build_object('event_types', to_jsonb(v_event_types)) || webhooks.endpoint_state(p_id));
  return json_build_object('id', p_id, 'event_types', v_event_types);
end
$$;
comment on function gateway.open_webhook_stream(uuid, text[], text) is
  E'@param event_types {1..1000 of ..100} Kinds of events: names, a group such as `message.*`, or `*` for all kinds.\nGET /webhooks/listen: makes an endpoint without an address, for test tokens. read_webhook_streams reads the events of the endpoint. The endpoint expires a minute after the last reading. The secret of the endpoint comes sealed (base64). 403 forbidden for live tokens. 409 conflict when the organization has 20 open streams.';
revoke execute on function gateway.open_webhook_stream(uuid, text[], text) from public;
