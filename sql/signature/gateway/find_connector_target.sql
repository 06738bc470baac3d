create function gateway.find_connector_target(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_connector signature.connectors;
begin
  perform platform.require_scope('integrations:manage');
  select connector.* into v_connector from signature.connectors as connector
  where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment() and connector.id = p_id;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such connector.');
  end if;
  return signature.connector_target(v_connector);
end
$$;
comment on function gateway.find_connector_target(uuid) is
  E'@param id Id of the connector.\nFirst half of POST /integrations/connectors/{id}/test: where to write, and with which sealed secret. 404 not_found for an unknown connector.';
revoke execute on function gateway.find_connector_target(uuid) from public;
