create or replace function signature.connector_state(p_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(connector.record_salt, signature.connector_record(connector)))
  from signature.connectors as connector
  where connector.tenant_id = platform.tenant_id() and connector.environment = platform.environment() and connector.id = p_id
$$;
comment on function signature.connector_state(uuid) is 'The part of a connector''s events that describes the record: {record_sha256}.';
revoke execute on function signature.connector_state(uuid) from public;
