create function gateway.update_webhook(
  p_id uuid, p_url text default null, p_is_loopback boolean default false, p_event_types text[] default null, p_description text default ''
)
  returns json language plpgsql volatile security definer set search_path = ''
  -- See gateway.list_audit_events.
  set enable_seqscan = off as $$
declare
  v_old webhooks.endpoints;
  v_event_types text[];
begin
  perform platform.require_scope('webhooks:manage');
  v_old := webhooks.require_endpoint(p_id);
  if p_event_types is not null then
    v_event_types := webhooks.checked_event_types(p_event_types);
  end if;
  if p_is_loopback then
    perform webhooks.refuse_loopback();
  end if;
  -- An empty text means that no description was given. Null removes the description.
  if p_url is not null or v_event_types is not null or p_description is distinct from '' then
    update webhooks.endpoints as endpoint
    set url = coalesce(p_url, endpoint.url),
      event_types = coalesce(v_event_types, endpoint.event_types),
      description = case when p_description = '' then endpoint.description else p_description end
    where endpoint.tenant_id = v_old.tenant_id and endpoint.id = p_id;
    if v_event_types is not null then
      -- Deliveries with an attempt under way are left out: waiting for their locks could be a deadlock. jobs.record_attempts reads the new kinds.
      delete from webhooks.deliveries as delivery
      where delivery.tenant_id = v_old.tenant_id and delivery.id = any(array(
        select retried.id from webhooks.deliveries as retried
        where retried.tenant_id = v_old.tenant_id and retried.endpoint_id = p_id and retried.attempts > 0 and retried.trigger = 'auto'
          and (retried.leased_until is null or retried.leased_until < clock_timestamp())
          and not v_event_types && webhooks.kind_names(retried.event_type)
        for update skip locked));
    end if;
    perform platform.record_audit_event('webhook.changed', 'webhook', p_id,
      jsonb_strip_nulls(jsonb_build_object('event_types', to_jsonb(v_event_types), 'url', case when p_url is not null then true end,
        'description', case when p_description is distinct from '' then true end)) || webhooks.endpoint_state(p_id));
  end if;
  return (select gateway.webhook_endpoints_json(changed) from api.webhook_endpoints as changed where changed.id = p_id);
end
$$;
comment on function gateway.update_webhook(uuid, text, boolean, text[], text) is
  E'@param id Id of the webhook.\n@param url {..2048 uri, not null} The address to which events are posted: a public https:// address, with port 443 or a port from 1024 up.\n@param event_types {1..1000 of ..100, not null} Kinds of events: names, a group such as `message.*`, or `*` for all kinds.\n@param description {..500} A description in your own words. Null or an empty text removes the description.\nSecond half of PATCH /webhooks/{id}, for a checked address: changes the given members. Later attempts go to the new address. Retries of kinds that the endpoint no longer receives are dropped.';
revoke execute on function gateway.update_webhook(uuid, text, boolean, text[], text) from public;
