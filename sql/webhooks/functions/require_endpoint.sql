create or replace function webhooks.require_endpoint(p_id uuid) returns webhooks.endpoints
  language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint webhooks.endpoints;
begin
  select endpoint.* into v_endpoint from webhooks.endpoints as endpoint
  where endpoint.tenant_id = platform.tenant_id() and endpoint.environment = platform.environment() and endpoint.id = p_id
    and endpoint.url is not null
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such webhook.');
  end if;
  return v_endpoint;
end
$$;
comment on function webhooks.require_endpoint(uuid) is 'Locks an endpoint of the context for a change and answers the endpoint, or 404 not_found.';
revoke execute on function webhooks.require_endpoint(uuid) from public;
