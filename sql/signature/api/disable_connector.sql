create function api.disable_connector(p_id uuid) returns api.connectors
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer api.connectors;
begin
  perform platform.require_scope('integrations:manage');
  perform signature.require_connector(p_id);
  perform signature.disable_connector(p_id, 'manual');
  select answer.* into v_answer from api.connectors as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.disable_connector(uuid) is
  E'@param id Id of the connector.\nStops deliveries to the connector. What waits is delivered once the connector is enabled.';
revoke execute on function api.disable_connector(uuid) from public;
