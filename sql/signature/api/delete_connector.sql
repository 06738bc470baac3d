create function api.delete_connector(p_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_connector signature.connectors;
begin
  perform platform.require_scope('integrations:manage');
  -- The statement takes the whole lock at once: a completion that holds a weaker lock may not have to wait for this transaction in turn.
  perform from signature.connectors as connector
  where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment() and connector.id = p_id for update;
  v_connector := signature.require_connector(p_id);
  delete from signature.connectors as connector where connector.tenant_id = v_connector.tenant_id and connector.id = p_id;
  perform platform.drop_queue('connector:' || p_id);
  perform platform.record_audit_event('connector.deleted', 'connector', p_id);
end
$$;
comment on function api.delete_connector(uuid) is
  E'@param id Id of the connector.\nRemoves the connector with its deliveries, also those that wait.';
revoke execute on function api.delete_connector(uuid) from public;
