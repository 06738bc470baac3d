create or replace function signature.require_connector(p_id uuid) returns signature.connectors
  language plpgsql volatile set search_path = '' as $$
declare
  v_connector signature.connectors;
begin
  select connector.* into v_connector from signature.connectors as connector
  where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment() and connector.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such connector.');
  end if;
  return v_connector;
end
$$;
comment on function signature.require_connector(uuid) is 'Locks a connector of the context for a change and answers the connector, or 404 not_found.';
revoke execute on function signature.require_connector(uuid) from public;
