create or replace function signature.disable_connector(p_id uuid, p_reason text, p_error_status integer default null, p_error_code text default null) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  v_connector signature.connectors;
begin
  update signature.connectors as connector set status = 'disabled', disabled_reason = p_reason
  where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment() and connector.id = p_id
    and connector.status = 'active'
  returning connector.* into v_connector;
  if not found then
    return false;
  end if;
  perform platform.record_audit_event('connector.disabled', 'connector', p_id, jsonb_build_object('reason', p_reason) || signature.connector_state(p_id));
  if p_reason <> 'manual' then
    perform platform.mail_contact('connector_disabled', jsonb_build_object('id', p_id, 'name', v_connector.name, 'endpoint', v_connector.endpoint,
      'bucket', v_connector.bucket, 'status', p_error_status, 'code', p_error_code, 'at', platform.instant(clock_timestamp())));
  end if;
  return true;
end
$$;
comment on function signature.disable_connector(uuid, text, integer, text) is
  'Disables an active connector of the context. False when the connector was not active. The organization''s contact gets a mail, unless a person disabled the connector.';
revoke execute on function signature.disable_connector(uuid, text, integer, text) from public;
