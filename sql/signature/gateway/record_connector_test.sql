create function gateway.record_connector_test(p_id uuid, p_status integer default null, p_code text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform platform.require_scope('integrations:manage');
  perform signature.require_connector(p_id);
  perform platform.record_audit_event('connector.tested', 'connector', p_id, jsonb_build_object('ok', p_code is null));
  return json_build_object('ok', p_code is null,
    'error', case when p_code is not null then json_build_object('status', p_status, 'code', p_code) end);
end
$$;
comment on function gateway.record_connector_test(uuid, integer, text) is
  E'@param id Id of the connector.\n@param status {100..599} HTTP status of the answer.\n@param code {..64} Why the test failed.\nSecond half of POST /integrations/connectors/{id}/test: records the test, and answers what it found. Nothing else changes.';
revoke execute on function gateway.record_connector_test(uuid, integer, text) from public;
