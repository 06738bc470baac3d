create or replace function webhooks.record_existing() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_organization record;
  v_environment text;
  v_endpoint record;
begin
  for v_organization in select every.id from platform.list_organizations() as every order by every.id loop
    for v_environment in select known.name from platform.environments as known order by known.name loop
      perform platform.enter_context(v_organization.id, v_environment, null, null, null);
      for v_endpoint in
        select endpoint.id from webhooks.endpoints as endpoint
        where endpoint.tenant_id = v_organization.id and endpoint.environment = v_environment order by endpoint.id
      loop
        -- The lock keeps the endpoint from changing between the reading and the event. The endpoint is read again after the wait for the lock.
        perform from webhooks.endpoints as endpoint
        where endpoint.tenant_id = v_organization.id and endpoint.environment = v_environment and endpoint.id = v_endpoint.id for no key update;
        continue when not found;
        perform platform.record_audit_event(
          case when endpoint.url is null then 'webhook.stream_recorded' else 'webhook.recorded' end, 'webhook', endpoint.id, webhooks.endpoint_state(endpoint.id))
        from webhooks.endpoints as endpoint
        where endpoint.tenant_id = v_organization.id and endpoint.environment = v_environment and endpoint.id = v_endpoint.id;
      end loop;
    end loop;
  end loop;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function webhooks.record_existing() is 'Records the endpoints in their present state. Runs once (platform.begin_audit).';
revoke execute on function webhooks.record_existing() from public;
